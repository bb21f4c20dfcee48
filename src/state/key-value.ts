/**
 * KeyValue over keyv, for every backend that keyv has a store for. It exists because keyv alone swallows or emits its
 * errors, and cannot list by prefix: here an error is always the rejection of the call that met it, and nothing else.
 */
import Keyv, { type KeyvStoreAdapter } from "keyv";
import type { Log } from "../ports/log.ts";
import type { KeyValue, KeyValueFactory } from "../ports/state.ts";
import type { DamagedRecords } from "./damaged-records.ts";
import { stateError } from "./state-error.ts";

/** What a backend offers: keyv's own interface, and what keyv's interface has no word for. */
export type KeyValueBackend = {
  /** A store of its own for each namespace; keyv sets `namespace` on it. */
  readonly storeFor: (namespace: string) => KeyvStoreAdapter;
  /** Keys of the namespace, without it, that begin with `prefix`, with what keyv stored; each at most once. */
  readonly scan: (namespace: string, prefix: string) => AsyncIterable<readonly [key: string, serialised: string]>;
  readonly damaged: DamagedRecords;
};

/** A value that is not what keyv stores. */
class Unreadable extends Error {}

function deserialize<Value>(json: string): { value: Value } {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    // Below: the error's own words quote the value.
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

/** Redis says WRONGTYPE of a key that holds something else than a string. */
const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Unreadable || (thrown instanceof Error && thrown.message.startsWith("WRONGTYPE"));

export function createKeyValue(backend: KeyValueBackend, log: Log): KeyValueFactory {
  const { damaged } = backend;
  return <T>(namespace: string): KeyValue<T> => {
    const keyv = new Keyv<T>(backend.storeFor(namespace), {
      namespace,
      useKeyPrefix: false,
      throwOnErrors: true,
      // Plain JSON: keyv's own form marks strings that begin with a colon, which nobody needs here.
      serialize: (data) => JSON.stringify(data),
      deserialize,
    });
    // keyv emits what it also throws; without a listener the emitting itself would throw, somewhere else.
    keyv.on("error", (thrown: unknown) => log.debug({ err: thrown, namespace }, "keyv reported an error"));

    const guarded = async <R>(call: () => Promise<R>): Promise<R> => {
      try {
        return await call();
      } catch (thrown) {
        throw stateError(thrown);
      }
    };

    /** What is damaged is skipped, as if it were not there. */
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
