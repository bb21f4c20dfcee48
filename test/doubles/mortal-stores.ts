/** The stores of a process that dies at one of its writes. */
import type { Collection, CollectionDefinition, CollectionFactory } from "../../src/core/ports/collection.ts";
import type { KeyValue, KeyValueFactory } from "../../src/core/ports/state.ts";

type Stores = { readonly keyValue: KeyValueFactory; readonly collection: CollectionFactory };

/**
 * Over stores that other instances use too. `diesAt`: the number of the write at which it dies, before that reaches the
 * store, or just after it with `isAfter`. Nothing more reaches the store then.
 */
export function mortalStores(stores: Stores, diesAt: number, isAfter = false) {
  let writes = 0;
  const isDead = () => writes >= diesAt;
  const read = async <R>(call: () => Promise<R>): Promise<R> => {
    if (isDead()) throw new Error("This process is dead.");
    return call();
  };
  const write = async <R>(call: () => Promise<R>): Promise<R> => {
    writes += 1;
    if (isAfter && writes === diesAt) await call();
    return read(call);
  };
  const keyValue: KeyValueFactory = <T>(namespace: string): KeyValue<T> => {
    const store = stores.keyValue<T>(namespace);
    return {
      get: (key) => read(() => store.get(key)),
      set: (key, value, ttlMs) => write(() => store.set(key, value, ttlMs)),
      delete: (key) => write(() => store.delete(key)),
      entries: (prefix) => store.entries(prefix),
    };
  };
  const collection = <T, F extends string>(name: string, definition: CollectionDefinition<T, F>): Collection<T, F> => {
    const records = stores.collection(name, definition);
    return {
      ...records,
      get: (id) => read(() => records.get(id)),
      create: (id, record) => write(() => records.create(id, record)),
      put: (id, record) => write(() => records.put(id, record)),
      update: (id, change, fence) => write(() => records.update(id, change, fence)),
      delete: (id) => write(() => records.delete(id)),
    };
  };
  return { keyValue, collection, isDead };
}
