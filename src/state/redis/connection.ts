/**
 * Redis as the stores and the coordinator use it: one link for commands, one for messages. Nobody is made to wait:
 * while Redis is away every command is refused at once, and one that gets no answer is refused after a limit.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { ParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import { createDamagedRecords, type DamagedRecords } from "../damaged-records.ts";
import { stateError } from "../state-error.ts";
import { createRedisLink, type RedisClient, within } from "./link.ts";
import { newerSchemaError, redisSchema } from "./schema.ts";

/** Below the 1,500 ms within which a question must be journaled, and above several round trips to a slow Redis. */
const commandLimitMs = 1_300;
/** A start waits this long for Redis, then goes on without: it will come. */
const firstConnectionMs = 2_000;
/** Every instance has connected again by then: longer than any delay between two attempts. */
const defaultSettleMs = 3_000;

/** Every key and channel of Parley begins so. */
export const keyPrefix = "parley:";
/** Not where 0.1.0 listens: so whoever listens there is known to be one. */
export const channel = `${keyPrefix}messages:2`;
/**
 * Exists for a moment after a restart of Redis, which may have lost the last second or everything, and after a silence in
 * which leases may have lapsed: until then those who hold something say so, and nothing is given to anybody else.
 */
export const settlingKey = `${keyPrefix}settling`;

/** Exists while instances of 0.1.0 may still hold something, which know nothing of it (redis-upgrade.ts). */
export const upgradingKey = `${keyPrefix}upgrading`;
/** Holds the number of redis-schema.ts. */
export const schemaKey = `${keyPrefix}schema`;

export type RedisScript = { readonly source: string; readonly sha1: string };

export function redisScript(source: string): RedisScript {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

/** A lease that was not renewed for so long is near its end. */
const longSilenceMs = 10_000;

/**
 * KEYS: the run that was seen last, settling, schema, upgrading. ARGV: this run, what this instance knows of Redis ("nothing" at its
 * start, "silence" after a long one, else "all"), how long to settle in ms, the schema it writes.
 * Answers the schema; 1 for the one of 0.1.0, which wrote no number. Changes nothing where it is a newer one.
 */
const greetScript = redisScript(`
local known = redis.call('GET', KEYS[1])
local schema = tonumber(redis.call('GET', KEYS[3]) or (known and 1 or ARGV[4]))
if schema > tonumber(ARGV[4]) then return schema end
if schema == tonumber(ARGV[4]) then redis.call('SET', KEYS[3], ARGV[4]) end
local isNew = known ~= ARGV[1]
if isNew then redis.call('SET', KEYS[1], ARGV[1]) end
if ARGV[2] == 'silence' or (isNew and (known or ARGV[2] == 'all')) then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
-- Nothing is given to anybody before whatever 0.1.0 held is known to have lapsed.
if schema < tonumber(ARGV[4]) then redis.call('SET', KEYS[4], '1', 'PX', 15000) end
return schema
`);

export type RedisConnection = {
  /** Shared by all stores of this connection. */
  readonly damaged: DamagedRecords;
  /** The number that was found when it connected last. */
  readonly schema: () => number;
  /** Redis' maxmemory-policy; "" before the first connection. */
  readonly evictionPolicy: () => string;
  /** Rejects while Redis does not answer, and from the moment in which a newer Parley uses it. */
  readonly check: () => Promise<void>;
  /** Runs a call within the time limit. Throws state_unavailable. */
  readonly run: <T>(call: (client: RedisClient) => Promise<T>) => Promise<T>;
  readonly evaluate: (script: RedisScript, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
  /** Sends to every instance, the own one included. */
  readonly broadcast: (message: string) => Promise<void>;
  readonly onMessage: (listener: (message: string) => void) => () => void;
  /** Called whenever Redis can be used again and messages are heard. */
  readonly onReady: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
};

export type RedisConnectionOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleMs?: number;
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

/** For operators; undefined where Redis evicts nothing. */
export function describeEviction(policy: string): string | undefined {
  if (policy === "noeviction" || policy === "") return undefined;
  const what = `Redis may evict bindings, conversations and unfinished questions (maxmemory-policy ${policy}).`;
  return `${what} Set maxmemory-policy noeviction in its configuration.`;
}

/** Resolves when Redis is there, or after two seconds without it. Throws when a newer Parley has written what is there. */
export async function connectRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { clock, log, settleMs = defaultSettleMs } = options;
  const messageListeners = new Set<(message: string) => void>();
  const readyListeners = new Set<() => void>();
  const firstReady = Promise.withResolvers<void>();
  let wasConnected = false;
  let isClosed = false;
  let schema = redisSchema;
  let evictionPolicy = "";
  let refusal: ParleyError | undefined;

  /** From here on everything is refused: a newer Parley has changed what is kept there. */
  function refuse(found: number): ParleyError {
    refusal ??= newerSchemaError(found);
    return refusal;
  }

  async function greet(client: RedisClient, silentMs: number): Promise<void> {
    const info = await client.info();
    const run = /^run_id:(\w+)/m.exec(info)?.[1] ?? "";
    const knows = !wasConnected ? "nothing" : silentMs > longSilenceMs ? "silence" : "all";
    const keys = [`${keyPrefix}run`, settlingKey, schemaKey, upgradingKey];
    schema = Number(await evaluateOn(client, greetScript, keys, [run, knows, String(settleMs), String(redisSchema)]));
    if (schema > redisSchema) {
      firstReady.reject(refuse(schema));
      throw refusal;
    }
    refusal = undefined;
    evictionPolicy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "";
    const warning = describeEviction(evictionPolicy);
    if (!wasConnected && warning !== undefined) log.warn({ evictionPolicy }, warning);
    if (!wasConnected && /^aof_enabled:0/m.test(info)) {
      log.warn({}, "Redis does not write every change to disk (appendonly no): a restart of it may lose questions");
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
      return await within(clock, commandLimitMs, call(commands.client()));
    } catch (thrown) {
      throw stateError(thrown);
    }
  }

  function closeLinks(): void {
    isClosed = true;
    commands.close();
    messages.close();
  }

  await within(clock, firstConnectionMs, firstReady.promise).catch(() => {});
  if (refusal !== undefined) {
    closeLinks();
    throw refusal;
  }

  return {
    damaged: createDamagedRecords(log),
    schema: () => schema,
    evictionPolicy: () => evictionPolicy,
    check: async () => {
      const found = Number(await run((client) => client.get(schemaKey)));
      if (found > redisSchema) throw refuse(found);
    },
    run,
    evaluate: (script, keys, args) => run((client) => evaluateOn(client, script, keys, args)),
    broadcast: async (message) => {
      await run((client) => client.publish(channel, message));
    },
    onMessage: (listener) => {
      messageListeners.add(listener);
      return () => {
        messageListeners.delete(listener);
      };
    },
    onReady: (listener) => {
      readyListeners.add(listener);
      return () => {
        readyListeners.delete(listener);
      };
    },
    close: async () => {
      if (isClosed) return;
      readyListeners.clear();
      messageListeners.clear();
      closeLinks();
    },
  };
}
