/**
 * KeyValue backend on Redis: keyv's Redis store plus an index of keys. Without it, Redis finds keys by prefix only by
 * scanning all its keys, which takes minutes on a slow Redis with many conversations.
 */
import KeyvRedis from "@keyv/redis";
import type { KeyValueBackend, NamespaceStore } from "../key-value.ts";
import { keyPrefix, type RedisConnection, redisScript, scanKeys } from "./connection.ts";
import type { RedisClient } from "./link.ts";

const pageSize = 500;

/**
 * KEYS: index, prefix of the entries. ARGV: where to begin ("[key" or "(key"), the prefix of the wanted keys, how many.
 * Returns the keys and their values, and removes keys from the index whose entry has expired. No UTF-8 text contains
 * 0xFF, so it ends the range of the prefix.
 */
const scanScript = redisScript(`
local keys = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '(' .. ARGV[2] .. '\\255', 'LIMIT', 0, ARGV[3])
if #keys == 0 then return {keys, {}} end
local entries = {}
for index, key in ipairs(keys) do entries[index] = KEYS[2] .. key end
local values = redis.call('MGET', unpack(entries))
for index, key in ipairs(keys) do
  if not values[index] and redis.call('EXISTS', entries[index]) == 0 then redis.call('ZREM', KEYS[1], key) end
end
return {keys, values}
`);

/**
 * KEYS: index, prefix of the entries. ARGV: the member to begin after, how many to check. Removes members whose entry
 * has expired. Returns the last member checked, or "" at the end.
 */
const sweepScript = redisScript(`
local from = ARGV[1] == '' and '-' or ARGV[1]
local members = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, ARGV[2])
for _, member in ipairs(members) do
  if redis.call('EXISTS', KEYS[2] .. member) == 0 then redis.call('ZREM', KEYS[1], member) end
end
return #members == tonumber(ARGV[2]) and members[#members] or ''
`);

export type RedisKeyValueBackend = KeyValueBackend & {
  /** Removes expired keys from the indexes of all namespaces in use. Nothing else does. */
  readonly sweep: () => Promise<void>;
};

export function createRedisKeyValueBackend(connection: RedisConnection): RedisKeyValueBackend {
  // When a stuck connection is replaced by a new client, its stores are replaced too.
  const namespaces = new Set<string>();
  const storesOf = new WeakMap<RedisClient, Map<string, KeyvRedis<string>>>();

  // Encoded, so that a namespace with the separator in it can't match another one's keys.
  const prefixOf = (namespace: string) => `${keyPrefix}kv:${encodeURIComponent(namespace)}`;
  const indexPrefix = `${keyPrefix}kv-index:`;
  const indexOf = (namespace: string) => `${indexPrefix}${encodeURIComponent(namespace)}`;

  function storeOn(client: RedisClient, namespace: string): KeyvRedis<string> {
    const stores = storesOf.get(client) ?? new Map<string, KeyvRedis<string>>();
    storesOf.set(client, stores);
    const known = stores.get(namespace);
    if (known !== undefined) return known;
    // Each store adds a listener to the client.
    client.setMaxListeners(0);
    const store = new KeyvRedis<string>(client, { namespace: prefixOf(namespace), throwOnErrors: true });
    // It also emits what it throws. The connection reports the client's errors itself.
    store.on("error", () => {});
    stores.set(namespace, store);
    return store;
  }

  function storeFor(namespace: string): NamespaceStore {
    namespaces.add(namespace);
    return {
      get: (key) => connection.run((client) => storeOn(client, namespace).get(key)),
      set: (key, value, ttlMs) =>
        connection.run((client) => {
          const store = storeOn(client, namespace);
          const setting = store.set(key, value, ttlMs);
          // Sent after the value in the same packet, since a sweep removes index entries without a value. The store
          // sends after its getClient resolves, and this getClient is called later.
          const indexing = store.getClient().then(() => client.zAdd(indexOf(namespace), { score: 0, value: key }));
          return Promise.all([setting, indexing]);
        }),
      delete: async (key) => {
        const [isDeleted] = await connection.run((client) =>
          Promise.all([storeOn(client, namespace).delete(key), client.zRem(indexOf(namespace), key)]),
        );
        return isDeleted;
      },
    };
  }

  async function* scan(namespace: string, prefix: string): AsyncGenerator<[string, string], void> {
    const at = [indexOf(namespace), `${prefixOf(namespace)}::`];
    let from = `[${prefix}`;
    for (;;) {
      const page = await connection.evaluate(scanScript, at, [from, prefix, String(pageSize)]);
      const [keys, values] = page as readonly [readonly string[], readonly (string | null)[]];
      for (const [index, key] of keys.entries()) {
        const value = values[index];
        if (typeof value === "string") yield [key, value];
      }
      from = `(${keys.at(-1)}`;
      if (keys.length < pageSize) return;
    }
  }

  async function sweep(): Promise<void> {
    for (const namespace of namespaces) {
      const keys = [indexOf(namespace), `${prefixOf(namespace)}::`];
      let last = "";
      do {
        const from = last === "" ? "" : `(${last}`;
        last = String(await connection.evaluate(sweepScript, keys, [from, String(pageSize)]));
      } while (last !== "");
    }
  }

  async function allNamespaces(): Promise<readonly string[]> {
    const found = new Set<string>();
    for await (const keys of scanKeys(connection, `${indexPrefix}*`)) {
      for (const key of keys) found.add(decodeURIComponent(key.slice(indexPrefix.length)));
    }
    return [...found];
  }

  return { storeFor, scan, namespaces: allNamespaces, sweep, damaged: connection.damaged };
}
