/**
 * The connection to Redis. It never gives up, and it never makes anybody wait: while Redis is away every command is
 * refused at once, and one that got no answer is refused after a limit. A connection that is open and dead (its host
 * vanished without a word, or the answer to the greeting never came) is replaced, which the client alone would not do.
 */
import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Log } from "../operations/log.ts";
import { stateError } from "./state-error.ts";

/** Below the 1,500 ms within which a question must be journaled, and above several round trips to a slow Redis. */
const commandLimitMs = 1_300;
const reconnectLimitMs = 2_000;
const probeEveryMs = 5_000;
/** A start waits this long for Redis, then goes on without: it will come. */
const firstConnectionMs = 2_000;

/** Every key and channel of Parley begins so. */
export const keyPrefix = "parley:";
export const channel = `${keyPrefix}messages`;

const createRedisClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, reconnectLimitMs) },
  });

export type RedisClient = ReturnType<typeof createRedisClient>;

export type RedisScript = { readonly source: string; readonly sha1: string };

export function redisScript(source: string): RedisScript {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

export type RedisConnection = {
  /** Runs a call within the time limit. Throws state_unavailable. */
  readonly run: <T>(call: (client: RedisClient) => Promise<T>) => Promise<T>;
  readonly evaluate: (script: RedisScript, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
  /** Sends to every instance, the own one included. */
  readonly broadcast: (message: string) => Promise<void>;
  readonly onMessage: (listener: (message: string) => void) => () => void;
  /** Called whenever the connection is there again. */
  readonly onReady: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
};

/** The promise's own result, or a rejection when that takes longer. */
function within<T>(clock: Clock, limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(limitMs, () => reject(new Error(`Redis did not answer within ${limitMs} ms.`)));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** One connection that is replaced when it is stuck. */
function keepConnected(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with every new client before it connects. */
  readonly prepare: (client: RedisClient) => void;
}) {
  const { url, clock, log } = options;
  let isAway = false;
  let isClosed = false;
  let current = open();
  let cancelProbe = clock.after(probeEveryMs, probe);

  function open(): RedisClient {
    const client = createRedisClient(url);
    client.on("error", (err: unknown) => {
      if (client === current && !isAway) log.warn({ err }, "Redis is away: Parley keeps trying");
      isAway = true;
    });
    client.on("ready", () => {
      if (isClosed) return discard(client);
      if (isAway) log.info({}, "Redis is back");
      isAway = false;
    });
    options.prepare(client);
    // Rejects only when it is destroyed before it was connected; what else goes wrong is an "error" event.
    client.connect().catch(() => {});
    return client;
  }

  function discard(client: RedisClient): void {
    client.unref();
    if (client.isOpen) client.destroy();
  }

  async function isAnswering(client: RedisClient): Promise<boolean> {
    if (!client.isReady) return false;
    return await within(clock, probeEveryMs, client.ping()).then(
      () => true,
      () => false,
    );
  }

  let hasFailedProbe = false;
  async function probe(): Promise<void> {
    const client = current;
    const isHealthy = await isAnswering(client);
    if (isClosed) return;
    // Twice, so that an ordinary reconnection is left alone.
    if (!isHealthy && hasFailedProbe) {
      current = open();
      discard(client);
    }
    hasFailedProbe = !isHealthy && !hasFailedProbe;
    cancelProbe = clock.after(probeEveryMs, () => void probe());
  }

  return {
    client: () => current,
    close: () => {
      isClosed = true;
      cancelProbe();
      discard(current);
    },
  };
}

/** Resolves when Redis is there, or after two seconds without it. */
export async function connectRedis(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<RedisConnection> {
  const { clock, log } = options;
  const messageListeners = new Set<(message: string) => void>();
  const readyListeners = new Set<() => void>();
  let isClosed = false;

  const notifyReady = () => {
    for (const listener of readyListeners) listener();
  };
  const commandsReady = Promise.withResolvers<void>();
  const messagesReady = Promise.withResolvers<void>();
  const bothReady = Promise.all([commandsReady.promise, messagesReady.promise]);
  const commands = keepConnected({
    ...options,
    prepare: (client) => {
      client.on("ready", commandsReady.resolve);
      client.on("ready", notifyReady);
    },
  });
  const messages = keepConnected({
    ...options,
    prepare: (client) => {
      client.on("ready", () => {
        client.subscribe(channel, receive).then(
          () => {
            messagesReady.resolve();
            notifyReady();
          },
          (err: unknown) => log.warn({ err }, "Messages of other instances cannot be received yet"),
        );
      });
    },
  });

  function receive(message: string): void {
    for (const listener of messageListeners) listener(message);
  }

  async function run<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    try {
      if (isClosed) throw new Error("The connection to Redis is closed.");
      return await within(clock, commandLimitMs, call(commands.client()));
    } catch (thrown) {
      throw stateError(thrown);
    }
  }

  await within(clock, firstConnectionMs, bothReady).catch(() => {});

  return {
    run,
    evaluate: (script, keys, args) =>
      run(async (client) => {
        const rest = [String(keys.length), ...keys, ...args];
        try {
          return await client.sendCommand(["EVALSHA", script.sha1, ...rest]);
        } catch (thrown) {
          if (!(thrown instanceof Error) || !thrown.message.startsWith("NOSCRIPT")) throw thrown;
          return await client.sendCommand(["EVAL", script.source, ...rest]);
        }
      }),
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
