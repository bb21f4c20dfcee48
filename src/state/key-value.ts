/**
 * The KeyValue port over keyv, for every backend that has a keyv store. keyv alone swallows or emits its errors and
 * can't list keys by prefix. Here an error always rejects the call that met it.
 */
import Keyv, { type KeyvStoreAdapter } from "keyv";
import type { Log } from "../ports/log.ts";
import type { KeyValue, KeyValueFactory } from "../ports/state.ts";
import type { DamagedRecords } from "./damaged-records.ts";
import { stateError } from "./state-error.ts";

/** What a database provides. Values are strings, as keyv serialised them. */
export type KeyValueBackend = {
  readonly get: (namespace: string, key: string) => Promise<unknown>;
  readonly set: (namespace: string, key: string, value: string, ttlMs?: number) => Promise<unknown>;
  readonly delete: (namespace: string, key: string) => Promise<boolean>;
  /** Keys that begin with `prefix`, without the namespace, and their stored values. Each key at most once. */
  readonly scan: (namespace: string, prefix: string) => AsyncIterable<readonly [key: string, serialised: string]>;
  readonly damaged: DamagedRecords;
};

/** Thrown for a stored value that isn't in keyv's format. */
class Unreadable extends Error {}

function deserialize<Value>(json: string): { value: Value } {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    // Falls through to Unreadable: the parser's message quotes the value.
  }
  if (typeof data === "object" && data !== null && "value" in data) return data as { value: Value };
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

/** keyv's view of one namespace. Backends reject on every error, so this emits nothing. */
function storeFor(namespace: string, backend: KeyValueBackend): KeyvStoreAdapter {
  const store: KeyvStoreAdapter = {
    namespace,
    opts: {},
    on: () => store,
    // keyv passes the string to its own deserializer, whatever Value is.
    get: <Value>(key: string) => backend.get(namespace, key) as Promise<Value | undefined>,
    set: (key: string, value: string, ttlMs?: number) => backend.set(namespace, key, value, ttlMs),
    delete: (key) => backend.delete(namespace, key),
    clear: () => Promise.reject(new Error("Nothing clears a namespace.")),
  };
  return store;
}

/** Redis answers WRONGTYPE for a key that isn't a string. */
const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Unreadable || (thrown instanceof Error && thrown.message.startsWith("WRONGTYPE"));

export function createKeyValue(backend: KeyValueBackend, log: Log): KeyValueFactory {
  const { damaged } = backend;
  return <T>(namespace: string): KeyValue<T> => {
    const keyv = new Keyv<T>(storeFor(namespace, backend), {
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
  };
}
