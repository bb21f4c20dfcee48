/** What a backup needs of Redis alone: claims, works, fences, and the mark of a restore that hasn't ended. */
import type { Clock } from "../../core/ports/clock.ts";
import type { StoredWork } from "../../core/ports/storage/contents.ts";
import type { OwnContents } from "../contents.ts";
import { decodePayload, encodePayload } from "../works/attempt.ts";
import { collectionNames } from "./collection.ts";
import {
  channel,
  halfRestoredSchema,
  keyPrefix,
  type RedisConnection,
  redisSchema,
  redisScript,
  scanKeys,
  schemaKey,
} from "./connection.ts";
import { fenceKey } from "./queue-script.ts";

const claimsPrefix = `${keyPrefix}claims:`;
const worksPrefix = `${keyPrefix}works:`;
const noteKey = `${keyPrefix}restoring`;

/** KEYS: the counter. ARGV: what it is at least. */
const raiseScript = redisScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
`);

/** KEYS: note, schema. ARGV: the schema, and the note or "". */
const noteScript = redisScript(`
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
redis.call('SET', KEYS[2], ARGV[1])
`);

/**
 * KEYS: the record, then the lists of those that wait and have failed. ARGV: key, state, due, the fields to remove, one
 * in a line, then pairs of field and value.
 */
const putWorkScript = redisScript(`
local key, state, due = ARGV[1], ARGV[2], ARGV[3]
for field in string.gmatch(ARGV[4], '[^\\n]+') do redis.call('HDEL', KEYS[1], field) end
redis.call('HSET', KEYS[1], 'state', state, 'due', due, unpack(ARGV, 5))
redis.call('ZREM', state == 'failed' and KEYS[2] or KEYS[3], key)
redis.call('ZADD', state == 'failed' and KEYS[3] or KEYS[2], due, key)
`);

export function createRedisContents(connection: RedisConnection, clock: Clock): OwnContents {
  const { run, evaluate } = connection;
  const recordKey = (kind: string, key: string) => `${keyPrefix}work:${kind}:${key}`;
  const listKey = (kind: string, list: string) => `${worksPrefix}${kind}:${list}`;

  async function* keysIn(list: string): AsyncGenerator<readonly [key: string, score: number]> {
    const atOnce = 200;
    for (let start = 0; ; start += atOnce) {
      const page = await run((client) => client.zRangeWithScores(list, start, start + atOnce - 1));
      for (const { value, score } of page) yield [value, score];
      if (page.length < atOnce) return;
    }
  }

  return {
    collectionNames: () => collectionNames(connection),

    claims: async function* () {
      const seen = new Set<string>();
      for await (const page of scanKeys(connection, `${claimsPrefix}*`)) {
        const left = await Promise.all(page.map((key) => run((client) => client.pTTL(key))));
        for (const [at, name] of page.entries()) {
          const leftMs = Number(left[at]);
          if (leftMs <= 0 || seen.has(name)) continue;
          seen.add(name);
          yield { key: name.slice(claimsPrefix.length), expiresAtMs: clock.now() + leftMs };
        }
      }
    },

    works: async function* () {
      const lists = new Set<string>();
      for await (const page of scanKeys(connection, `${worksPrefix}*`)) for (const list of page) lists.add(list);
      for (const list of lists) {
        const kind = list.slice(worksPrefix.length, list.lastIndexOf(":"));
        for await (const [key, atMs] of keysIn(list)) {
          const work = storedWork(kind, key, await run((client) => client.hGetAll(recordKey(kind, key))), atMs);
          if (work !== undefined) yield work;
        }
      }
    },

    putWork: async ({ kind, key, payload, state, dueAtMs, sinceAtMs, firstAtMs, attempts, begun, error }) => {
      const keys = [recordKey(kind, key), listKey(kind, "waiting"), listKey(kind, "failed")];
      const optional = [
        ["first", firstAtMs] as const,
        ["error", error] as const,
        ["begun", begun === 0 ? undefined : begun] as const,
      ];
      const removed = optional.flatMap(([field, value]) => (value === undefined ? [field] : []));
      const set = optional.flatMap(([field, value]) => (value === undefined ? [] : [field, String(value)]));
      const always = [
        "payload",
        encodePayload(kind, payload),
        "since",
        String(sinceAtMs),
        "attempts",
        String(attempts),
      ];
      await evaluate(putWorkScript, keys, [key, state, String(dueAtMs), removed.join("\n"), ...always, ...set]);
    },

    highestFence: async () => Number((await run((client) => client.get(fenceKey))) ?? 0),

    raiseFence: async (above) => {
      await evaluate(raiseScript, [fenceKey], [String(above)]);
    },

    restoring: async () => (await run((client) => client.get(noteKey))) ?? undefined,

    setRestoring: async (note) => {
      const schema = note === undefined ? redisSchema : halfRestoredSchema;
      await evaluate(noteScript, [noteKey, schemaKey], [String(schema), note ?? ""]);
    },

    isShared: async () => {
      const [, count] = (await run((client) => client.sendCommand(["PUBSUB", "NUMSUB", channel]))) as unknown as [
        string,
        number,
      ];
      return Number(count) > 1;
    },
  };
}

/** Undefined: it was cancelled, or can't be read. What is active was left by a process that died. `atMs`: its place. */
function storedWork(
  kind: string,
  key: string,
  fields: Readonly<Record<string, string>>,
  atMs: number,
): StoredWork | undefined {
  const { payload: json, state, due, since, first, attempts, error, again, cancelled } = fields;
  const payload = json === undefined ? undefined : decodePayload(json);
  if (payload === undefined || (cancelled !== undefined && again === undefined)) return undefined;
  const begun = Number(fields["begun"] ?? 0);
  if (again !== undefined) {
    const againMs = Number(again);
    return { kind, key, payload, state: "waiting", dueAtMs: againMs, sinceAtMs: againMs, attempts: 0, begun };
  }
  const hasFailed = state === "failed";
  return {
    kind,
    key,
    payload,
    begun,
    attempts: Number(attempts),
    state: hasFailed ? "failed" : "waiting",
    dueAtMs: hasFailed ? atMs : Number(due),
    sinceAtMs: Number(since),
    firstAtMs: first === undefined ? undefined : Number(first),
    error,
  };
}
