/**
 * Redis as the stores and the coordinator use it: one link for commands, one for messages. Nobody is made to wait:
 * while Redis is away every command is refused at once, and one that gets no answer is refused after a limit.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Log } from "../operations/log.ts";
import { createDamagedRecords, type DamagedRecords } from "./damaged-records.ts";
import { createRedisLink, type RedisClient, within } from "./redis-link.ts";
import { stateError } from "./state-error.ts";

/** Below the 1,500 ms within which a question must be journaled, and above several round trips to a slow Redis. */
const commandLimitMs = 1_300;
/** A start waits this long for Redis, then goes on without: it will come. */
const firstConnectionMs = 2_000;
/** Every instance has connected again by then: longer than any delay between two attempts. */
const defaultSettleMs = 3_000;

/** Every key and channel of Parley begins so. */
export const keyPrefix = "parley:";
export const channel = `${keyPrefix}messages`;
/**
 * Exists for a moment after a restart of Redis, which may have lost the last second or everything, and after a silence in
 * which leases may have lapsed: until then those who hold something say so, and nothing is given to anybody else.
 */
export const settlingKey = `${keyPrefix}settling`;

export type RedisScript = { readonly source: string; readonly sha1: string };

export function redisScript(source: string): RedisScript {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

/** A lease that was not renewed for so long is near its end. */
const longSilenceMs = 10_000;

/**
 * KEYS: the run that was seen last, settling. ARGV: this run, what this instance knows of Redis ("nothing" at its start,
 * "silence" after a long one, else "all"), how long to settle in ms.
 */
const greetScript = redisScript(`
local known = redis.call('GET', KEYS[1])
local isNew = known ~= ARGV[1]
if isNew then redis.call('SET', KEYS[1], ARGV[1]) end
if ARGV[2] == 'silence' or (isNew and (known or ARGV[2] == 'all')) then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
`);

export type RedisConnection = {
  /** Shared by all stores of this connection. */
  readonly damaged: DamagedRecords;
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

/** Resolves when Redis is there, or after two seconds without it. */
export async function connectRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { clock, log, settleMs = defaultSettleMs } = options;
  const messageListeners = new Set<(message: string) => void>();
  const readyListeners = new Set<() => void>();
  const firstReady = Promise.withResolvers<void>();
  let wasConnected = false;
  let isClosed = false;

  async function greet(client: RedisClient, silentMs: number): Promise<void> {
    const info = await client.info();
    const run = /^run_id:(\w+)/m.exec(info)?.[1] ?? "";
    const knows = !wasConnected ? "nothing" : silentMs > longSilenceMs ? "silence" : "all";
    await evaluateOn(client, greetScript, [`${keyPrefix}run`, settlingKey], [run, knows, String(settleMs)]);
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
      if (isClosed || !commands.isUsable()) throw new Error("There is no connection to Redis.");
      return await within(clock, commandLimitMs, call(commands.client()));
    } catch (thrown) {
      throw stateError(thrown);
    }
  }

  await within(clock, firstConnectionMs, firstReady.promise).catch(() => {});

  return {
    damaged: createDamagedRecords(log),
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
      isClosed = true;
      readyListeners.clear();
      messageListeners.clear();
      commands.close();
      messages.close();
    },
  };
}
