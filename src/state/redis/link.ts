/**
 * One connection to Redis that reconnects forever. The client itself reconnects when its socket ends, but it doesn't
 * replace a connection that is open and dead (the host vanished silently), and doesn't hold back its users until a new
 * connection has been prepared.
 */
import { createClient } from "@redis/client";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";

const connectLimitMs = 2_000;
const maxReconnectDelayMs = 1_000;
const probeEveryMs = 5_000;
const prepareAgainMs = 200;

const createRedisClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectLimitMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxReconnectDelayMs),
    },
  });

export type RedisClient = ReturnType<typeof createRedisClient>;

export type RedisLink = {
  readonly isUsable: () => boolean;
  /** The current client. It refuses commands while it is disconnected. */
  readonly client: () => RedisClient;
  readonly close: () => void;
};

export type RedisLinkOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs on each new connection, again if it fails, before it is usable. `silentMs`: since Redis last answered. */
  readonly prepare: (client: RedisClient, silentMs: number) => Promise<void>;
  /** Called whenever the link becomes usable. */
  readonly onUsable: () => void;
};

/** Settles as the promise does, or rejects after limitMs. */
export function orTimeout<T>(clock: Clock, limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(limitMs, () => reject(new Error(`Redis did not answer within ${limitMs} ms.`)));
    promise.then(resolve, reject).finally(cancel);
  });
}

export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { url, clock, log } = options;
  let isAway = false;
  let isClosed = false;
  let isPrepared = false;
  let hasFailedProbe = false;
  let hasSaidWhy = false;
  let heardMs = clock.now();
  let current = open();
  let cancelProbe = clock.after(probeEveryMs, () => void probe());

  function open(): RedisClient {
    const client = createRedisClient(url);
    client.on("error", (err: unknown) => {
      if (client !== current || isClosed) return;
      if (!isAway) log.warn({ err }, "Redis is down; reconnecting");
      isAway = true;
    });
    client.on("ready", () => {
      // A connection may succeed just after it was given up.
      if (client !== current || isClosed) return discard(client);
      isPrepared = false;
      void prepare(client);
    });
    // Failures are "error" events. This rejects only if the client is destroyed before it has connected.
    client.connect().catch(() => {});
    return client;
  }

  async function prepare(client: RedisClient): Promise<void> {
    try {
      await orTimeout(clock, probeEveryMs, options.prepare(client, clock.now() - heardMs));
    } catch (err) {
      // Redis answers LOADING while it reads its data. A lost connection emits "ready" again later.
      const isForNow = !client.isReady || (err instanceof Error && err.message.startsWith("LOADING"));
      if (isForNow || hasSaidWhy || isClosed) {
        log.debug({ err }, "Redis is connected but not usable yet");
      } else {
        // A missing password, for example: it stays so until someone acts.
        hasSaidWhy = true;
        log.warn({ err }, "Redis is connected but can't be used; trying again");
      }
      clock.after(prepareAgainMs, () => {
        if (client === current && client.isReady && !isPrepared && !isClosed) void prepare(client);
      });
      return;
    }
    if (client !== current || !client.isReady || isClosed) return;
    isPrepared = true;
    heardMs = clock.now();
    if (isAway || hasSaidWhy) log.info({}, "Redis is back");
    isAway = false;
    hasSaidWhy = false;
    options.onUsable();
  }

  function discard(client: RedisClient): void {
    client.unref();
    if (client.isOpen) client.destroy();
  }

  async function isAnswering(client: RedisClient): Promise<boolean> {
    if (!client.isReady) return false;
    return await orTimeout(clock, probeEveryMs, client.ping()).then(
      () => true,
      () => false,
    );
  }

  async function probe(): Promise<void> {
    const client = current;
    const isHealthy = await isAnswering(client);
    if (isClosed) return;
    if (isHealthy) heardMs = clock.now();
    // Only after a second failure, so that an ordinary reconnect isn't disturbed.
    if (!isHealthy && hasFailedProbe) {
      log.debug({}, "Replacing the connection to Redis");
      isPrepared = false;
      current = open();
      discard(client);
    }
    hasFailedProbe = !isHealthy && !hasFailedProbe;
    cancelProbe = clock.after(probeEveryMs, () => void probe());
  }

  return {
    isUsable: () => isPrepared && current.isReady,
    client: () => current,
    close: () => {
      isClosed = true;
      cancelProbe();
      discard(current);
    },
  };
}
