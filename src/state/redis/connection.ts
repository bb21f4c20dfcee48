/**
 * Connection to Redis for the stores and the coordinator: one link for commands, one for messages. Callers never wait:
 * while Redis is down every command is refused at once, and a command without a reply is refused after a time limit.
 */
import { createHash } from "node:crypto";
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { createDamagedRecords, type DamagedRecords } from "../damaged-records.ts";
import { halfRestored, stateError } from "../state-error.ts";
import { createRedisLink, orTimeout, type RedisClient } from "./link.ts";

/** Below the 1,500 ms within which a question must be journaled, and above several round trips to a slow Redis. */
const commandLimitMs = 1_300;
/** A start waits this long for Redis, then continues without it. */
const firstConnectionMs = 2_000;
/** Longer than any delay between two connection attempts, so that every instance has reconnected by then. */
const defaultSettleMs = 3_000;

/** Prefix of every key and channel of Parley. */
export const keyPrefix = "parley:";
export const channel = `${keyPrefix}messages`;
/**
 * Exists briefly after a restart of Redis, which may have lost the last second or everything, and after a silence in
 * which leases may have expired. While it exists, holders report their leases and nothing is granted to anyone else.
 */
export const settlingKey = `${keyPrefix}settling`;

/** Holds the number of the data's schema. Newer data is refused. */
export const schemaKey = `${keyPrefix}schema`;
/** Written to see that Redis takes writes. */
const checkedKey = `${keyPrefix}checked`;
/** Lower numbers were never released. */
export const redisSchema = 4;
/** While a restore has begun and not ended: every version refuses it, since it is higher than any of theirs. */
export const halfRestoredSchema = redisSchema + 1_000_000;

export type RedisScript = { readonly source: string; readonly sha1: string };

export function redisScript(source: string): RedisScript {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

/** A lease that wasn't renewed for this long is about to expire. */
const longSilenceMs = 10_000;

/**
 * Run on every new connection. KEYS: the last seen run of Redis, settling, schema. ARGV: this run, what this instance
 * knows of Redis ("nothing" at its start, "silence" after a long one, else "all"), the ms to settle, the schema that this
 * instance writes. Returns the schema found. Changes nothing if the schema is newer.
 */
const greetScript = redisScript(`
local known = redis.call('GET', KEYS[1])
local schema = tonumber(redis.call('GET', KEYS[3]) or ARGV[4])
if schema > tonumber(ARGV[4]) then return schema end
redis.call('SET', KEYS[3], ARGV[4])
local isNew = known ~= ARGV[1]
if isNew then redis.call('SET', KEYS[1], ARGV[1]) end
if ARGV[2] == 'silence' or (isNew and (known or ARGV[2] == 'all')) then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
return schema
`);

export type RedisConnection = {
  /** Shared by all stores of this connection. */
  readonly damaged: DamagedRecords;
  /** Redis' maxmemory-policy; "" before the first connection. */
  readonly evictionPolicy: () => string;
  /** Rejects while Redis doesn't answer, while it takes no writes (when it is full), and once a newer Parley uses it. */
  readonly check: () => Promise<void>;
  /** Runs a call within the time limit. Throws state_unavailable. */
  readonly run: <T>(call: (client: RedisClient) => Promise<T>) => Promise<T>;
  readonly evaluate: (script: RedisScript, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
  /** Sends to every instance, including this one. */
  readonly broadcast: (message: string) => Promise<void>;
  readonly onMessage: (listener: (message: string) => void) => () => void;
  /** Called whenever Redis becomes usable and messages are received. */
  readonly onReady: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
};

export type RedisConnectionOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleMs?: number;
  /** Uses Redis also while a restore into it has begun and not ended. */
  readonly isForRestore?: boolean;
};

async function evaluateOn(client: RedisClient, script: RedisScript, keys: readonly string[], args: readonly string[]) {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await client.sendCommand(["EVALSHA", script.sha1, ...rest]);
  } catch (thrown) {
    if (!(thrown instanceof Error) || !thrown.message.startsWith("NOSCRIPT")) throw thrown;
    return await client.sendCommand(["EVAL", script.source, ...rest]);
  }
}

/** Keys that match the pattern, in pages. A key may come twice. */
export async function* scanKeys({ run }: Pick<RedisConnection, "run">, pattern: string): AsyncGenerator<string[]> {
  let cursor = "0";
  do {
    const args = ["SCAN", cursor, "MATCH", pattern, "COUNT", "500"];
    const [next, keys] = (await run((client) => client.sendCommand(args))) as unknown as [string, string[]];
    cursor = String(next);
    if (keys.length > 0) yield keys;
  } while (cursor !== "0");
}

/** The sentence for operators; undefined if Redis evicts nothing. */
export function describeEviction(policy: string): string | undefined {
  if (policy === "noeviction" || policy === "") return undefined;
  const what = `Redis may evict bindings, conversations and unfinished questions (maxmemory-policy ${policy}).`;
  return `${what} Set maxmemory-policy noeviction in its configuration.`;
}

/** A script changes keys of many slots, and a Sentinel has no data. */
const unsupported = {
  cluster: {
    what: "REDIS_URL leads to a node of a Redis Cluster, which Parley doesn't support.",
    hint: "Set REDIS_URL to a single Redis, or to one with replicas. Nothing was changed.",
  },
  sentinel: {
    what: "REDIS_URL leads to a Redis Sentinel, which Parley doesn't support.",
    hint: "Set REDIS_URL to the Redis that it watches, or to an address that follows a failover.",
  },
} as const;

/**
 * Resolves when Redis is ready, or after two seconds without it. Throws if a newer Parley has written its data, or for a
 * Redis Cluster or Sentinel.
 */
export async function connectRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { clock, log, settleMs = defaultSettleMs, isForRestore = false } = options;
  const messageListeners = new Set<(message: string) => void>();
  const readyListeners = new Set<() => void>();
  const firstReady = Promise.withResolvers<void>();
  let wasConnected = false;
  let isClosed = false;
  let evictionPolicy = "";
  let refusal: ParleyError | undefined;

  /** From now on every call is refused. */
  function refuse(why: ParleyError | { readonly what: string; readonly hint: string }): ParleyError {
    refusal ??= why instanceof ParleyError ? why : new ParleyError("state_unavailable", why);
    firstReady.reject(refusal);
    return refusal;
  }

  const isRefused = (found: number) => found > redisSchema && !(isForRestore && found === halfRestoredSchema);
  const otherSchema = (found: number) => (found > 1_000_000 ? halfRestored("Redis") : newerSchema(found));
  const newerSchema = (found: number) => ({
    what: `The data in Redis was written by a newer version of Parley (schema ${found}; this version knows ${redisSchema}).`,
    hint: "Start that version again, or set REDIS_URL to another Redis. Nothing was changed.",
  });

  async function greet(client: RedisClient, silentMs: number): Promise<void> {
    const info = await client.info();
    const mode = /^redis_mode:(\w+)/m.exec(info)?.[1];
    if (mode === "cluster" || mode === "sentinel") throw refuse(unsupported[mode]);
    const run = /^run_id:(\w+)/m.exec(info)?.[1] ?? "";
    const knows = !wasConnected ? "nothing" : silentMs > longSilenceMs ? "silence" : "all";
    const keys = [`${keyPrefix}run`, settlingKey, schemaKey];
    const schema = Number(
      await evaluateOn(client, greetScript, keys, [run, knows, String(settleMs), String(redisSchema)]),
    );
    if (isRefused(schema)) throw refuse(otherSchema(schema));
    refusal = undefined;
    evictionPolicy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "";
    const warning = describeEviction(evictionPolicy);
    if (!wasConnected && warning !== undefined) log.warn({ evictionPolicy }, warning);
    if (!wasConnected && /^aof_enabled:0/m.test(info)) {
      log.warn({}, "Redis doesn't write every change to disk (appendonly no), so its restart may lose questions");
    }
    wasConnected = true;
  }

  function receive(message: string): void {
    for (const listener of messageListeners) listener(message);
  }

  function notifyReady(): void {
    if (!commands.isUsable() || !messages.isUsable()) return;
    firstReady.resolve();
    for (const listener of [...readyListeners]) listener();
  }

  const commands = createRedisLink({ ...options, prepare: greet, onUsable: notifyReady });
  const messages = createRedisLink({
    ...options,
    prepare: (client) => client.subscribe(channel, receive),
    onUsable: notifyReady,
  });

  async function run<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    try {
      if (refusal !== undefined) throw refusal;
      if (isClosed || !commands.isUsable()) throw new Error("There is no connection to Redis.");
      return await orTimeout(clock, commandLimitMs, call(commands.client()));
    } catch (thrown) {
      throw stateError(thrown);
    }
  }

  function closeLinks(): void {
    isClosed = true;
    commands.close();
    messages.close();
  }

  await orTimeout(clock, firstConnectionMs, firstReady.promise).catch(() => {});
  if (refusal !== undefined) {
    closeLinks();
    throw refusal;
  }

  return {
    damaged: createDamagedRecords(log),
    evictionPolicy: () => evictionPolicy,
    check: async () => {
      const found = Number(await run((client) => client.get(schemaKey)));
      if (isRefused(found)) throw refuse(otherSchema(found));
      await run((client) => client.set(checkedKey, "1", { PX: 60_000 }));
    },
    run,
    evaluate: (script, keys, args) => run((client) => evaluateOn(client, script, keys, args)),
    broadcast: async (message) => {
      await run((client) => client.publish(channel, message));
    },
    onMessage: (listener) => add(messageListeners, listener),
    onReady: (listener) => add(readyListeners, listener),
    close: async () => {
      if (isClosed) return;
      readyListeners.clear();
      messageListeners.clear();
      closeLinks();
    },
  };
}

/** Returns the function that removes the listener. */
function add<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
