/**
 * The KeyValue port over keyv, for every backend that has a keyv store. keyv alone swallows or emits its errors and
 * can't list keys by prefix. Here an error always rejects the call that met it.
 */
import Keyv, { type KeyvStoreAdapter } from "keyv";
import type { Log } from "../core/ports/log.ts";
import type { ChangingKeyValue, ChangingKeyValueFactory } from "../core/ports/state.ts";
import { parseJson } from "../core/tools/parse-json.ts";
import type { DamagedRecords } from "./damaged-records.ts";
import { stateError } from "./state-error.ts";

/** One namespace of a database. Values are strings, as keyv serialised them. */
export type NamespaceStore = {
  readonly get: (key: string) => Promise<unknown>;
  readonly set: (key: string, value: string, ttlMs?: number) => Promise<unknown>;
  readonly delete: (key: string) => Promise<boolean>;
};

export type KeyValueBackend = {
  readonly storeFor: (namespace: string) => NamespaceStore;
  /** Keys that begin with `prefix`, without the namespace, and their stored values. Each key at most once. */
  readonly scan: (namespace: string, prefix: string) => AsyncIterable<readonly [key: string, serialised: string]>;
  /** Those that have entries. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly damaged: DamagedRecords;
};

/** Thrown for a stored value that isn't in keyv's format. */
class Unreadable extends Error {}

function deserialize<Value>(json: string): { value: Value; expires?: number } {
  const data = parseJson(json);
  if (typeof data === "object" && data !== null && "value" in data) return data as { value: Value; expires?: number };
  throw new Unreadable("It is not JSON with a value.");
}

export function isStoredValue(json: string): boolean {
  try {
    deserialize(json);
    return true;
  } catch {
    return false;
  }
}

/** Everything in every namespace, with the times at which it expires. Damaged records are registered and left out. */
export async function* readAllValues({ namespaces, scan, damaged }: KeyValueBackend) {
  for (const namespace of await namespaces()) {
    for await (const [key, serialised] of scan(namespace, "")) {
      if (isStoredValue(serialised)) {
        const { value, expires: expiresAtMs } = deserialize<unknown>(serialised);
        yield { namespace, key, value, expiresAtMs };
      } else damaged.add(`${namespace}/${key}`, "It is not JSON with a value.");
    }
  }
}

/** Adds what keyv's interface has besides. The stores reject on every error, so nothing is emitted. */
function forKeyv(store: NamespaceStore): KeyvStoreAdapter {
  const adapter: KeyvStoreAdapter = {
    ...store,
    opts: {},
    on: () => adapter,
    // keyv passes the string to its own deserializer, whatever Value is.
    get: <Value>(key: string) => store.get(key) as Promise<Value | undefined>,
    clear: () => Promise.reject(new Error("Nothing clears a namespace.")),
  };
  return adapter;
}

/** Redis answers WRONGTYPE for a key that isn't a string. */
const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Unreadable || (thrown instanceof Error && thrown.message.startsWith("WRONGTYPE"));

export function createKeyValue(backend: KeyValueBackend, log: Log): ChangingKeyValueFactory {
  const known = new Map<string, ChangingKeyValue<unknown>>();
  return <T>(namespace: string): ChangingKeyValue<T> => {
    const made = (known.get(namespace) as ChangingKeyValue<T> | undefined) ?? namespaceOf<T>(namespace, backend, log);
    known.set(namespace, made as ChangingKeyValue<unknown>);
    return made;
  };
}

function namespaceOf<T>(namespace: string, backend: KeyValueBackend, log: Log): ChangingKeyValue<T> {
  const { damaged } = backend;
  const keyv = new Keyv<T>(forKeyv(backend.storeFor(namespace)), {
    namespace,
    useKeyPrefix: false,
    throwOnErrors: true,
    // Plain JSON: keyv's own format escapes strings that begin with a colon, which isn't needed here.
    serialize: (data) => JSON.stringify(data),
    deserialize,
  });
  // keyv also emits what it throws. Without a listener, emitting would throw outside this call.
  keyv.on("error", (thrown: unknown) => log.debug({ err: thrown, namespace }, "Keyv reported an error"));

  const guarded = async <R>(call: () => Promise<R>): Promise<R> => {
    try {
      return await call();
    } catch (thrown) {
      throw stateError(thrown);
    }
  };

  /** Treats a damaged record as missing. */
  async function readable<R>(key: string, read: () => Promise<R>): Promise<R | undefined> {
    const record = `${namespace}/${key}`;
    try {
      const value = await read();
      damaged.remove(record);
      return value;
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      damaged.add(record, thrown.message);
      return undefined;
    }
  }

  return {
    get: (key) => guarded(() => readable(key, () => keyv.get<T>(key))),
    set: async (key, value, ttlMs) => {
      await guarded(() => keyv.set(key, value, ttlMs));
      damaged.remove(`${namespace}/${key}`);
    },
    change: async (key, change, to = key) => {
      const stored = await guarded(() => readable(key, () => keyv.getRaw<T>(key)));
      if (stored?.value === undefined) return;
      // keyv counts by this clock.
      const leftMs = stored.expires === undefined ? undefined : Math.max(1, stored.expires - Date.now());
      const value = change(stored.value);
      await guarded(() => keyv.set(to, value, leftMs));
      if (to !== key) await guarded(() => keyv.delete(key));
    },
    delete: async (key) => {
      await guarded(() => keyv.delete(key));
      damaged.remove(`${namespace}/${key}`);
    },
    entries: async function* (prefix) {
      try {
        for await (const [key, serialised] of backend.scan(namespace, prefix)) {
          const data = await readable(key, () => keyv.deserializeData<T>(serialised));
          if (data?.value !== undefined) yield [key, data.value];
        }
      } catch (thrown) {
        throw stateError(thrown);
      }
    },
  };
}
