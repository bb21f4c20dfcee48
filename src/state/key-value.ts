/**
 * KeyValue over keyv, for every backend that keyv has a store for. It exists because keyv alone swallows or emits its
 * errors, and cannot list by prefix: here an error is always the rejection of the call that met it, and nothing else.
 */
import Keyv, { type KeyvStoreAdapter } from "keyv";
import type { KeyValue, KeyValueFactory } from "../bridge/ports/state.ts";
import type { Log } from "../operations/log.ts";
import { stateError } from "./state-error.ts";

/** What a backend offers: keyv's own interface, and what keyv's interface has no word for. */
export type KeyValueBackend = {
  /** A store of its own for each namespace; keyv sets `namespace` on it. */
  readonly storeFor: (namespace: string) => KeyvStoreAdapter;
  /** Keys of the namespace, without it, that begin with `prefix`, with what keyv stored; each at most once. */
  readonly scan: (namespace: string, prefix: string) => AsyncIterable<readonly [key: string, serialised: string]>;
};

export function createKeyValue(backend: KeyValueBackend, log: Log): KeyValueFactory {
  return <T>(namespace: string): KeyValue<T> => {
    const keyv = new Keyv<T>(backend.storeFor(namespace), {
      namespace,
      useKeyPrefix: false,
      throwOnErrors: true,
      // Plain JSON: keyv's own form marks strings that begin with a colon, which nobody needs here.
      serialize: (data) => JSON.stringify(data),
      deserialize: (json) => JSON.parse(json),
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

    return {
      get: (key) => guarded(() => keyv.get<T>(key)),
      set: async (key, value, ttlMs) => {
        await guarded(() => keyv.set(key, value, ttlMs));
      },
      delete: async (key) => {
        await guarded(() => keyv.delete(key));
      },
      entries: async function* (prefix) {
        try {
          for await (const [key, serialised] of backend.scan(namespace, prefix)) {
            const data = await keyv.deserializeData<T>(serialised);
            if (data?.value !== undefined) yield [key, data.value];
          }
        } catch (thrown) {
          throw stateError(thrown);
        }
      },
    };
  };
}
