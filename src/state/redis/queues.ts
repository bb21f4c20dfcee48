/**
 * An instance's queues on Redis. All that it holds and waits for lives as long as its name, which each exchange of any
 * queue renews. When Redis may have forgotten something, or has let the name expire, the instance takes a new name and
 * reports under it what it has; what it no longer has ends with the old one.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/ports/clock.ts";
import type { QueueKind, Queues } from "../queues/queues.ts";
import { stateError } from "../state-error.ts";
import type { RedisConnection } from "./connection.ts";
import { createRedisQueue, type QueueOptions, type RedisQueue } from "./queue.ts";
import { fenceKey, instancesKey, parseReply, queueKeyPrefix, queueScript } from "./queue-script.ts";

export type QueueTimes = {
  /** An instance that Redis hasn't heard of for this long has lost its leases. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** Delay before a retry after a failure. */
  readonly retryMs: number;
  /** An entry that nobody is acquiring expires after this long. */
  readonly unattendedMs: number;
};

export type RedisQueues = Queues & {
  /** Another instance has changed that queue, and granted something to those owners. */
  readonly changed: (key: string, by: string, granted: readonly string[]) => void;
};

export function createRedisQueues(connection: RedisConnection, clock: Clock, times: QueueTimes): RedisQueues {
  const { leaseMs, unattendedMs, renewEveryMs, retryMs } = times;
  const queues = new Map<string, RedisQueue>();
  let owner: string = randomUUID();
  let isKnown = false;
  let aliveUntilMs = Number.POSITIVE_INFINITY;
  let numbers = 0;
  let cancelBeat = clock.after(renewEveryMs, beat);

  /** One exchange renews the whole instance. */
  function beat(): void {
    void queues.values().next().value?.poke();
    cancelBeat = clock.after(renewEveryMs, beat);
  }

  function rename(): void {
    owner = randomUUID();
    isKnown = false;
    for (const queue of queues.values()) queue.report();
  }

  async function exchange(key: string, changes: Parameters<QueueOptions["exchange"]>[0]) {
    if (clock.now() >= aliveUntilMs) {
      aliveUntilMs = Number.POSITIVE_INFINITY;
      for (const queue of queues.values()) queue.lose();
      rename();
    }
    for (let tries = 1; tries <= 2; tries += 1) {
      const sentAtMs = clock.now();
      const { isEmpty, ...changed } = changes();
      const isLast = isEmpty && queues.size === 1;
      const request = { ...changed, owner, isKnown, isLast, leaseMs, unattendedMs };
      if (isLast) isKnown = false;
      const keys = [key, fenceKey, instancesKey];
      const reply = await connection.evaluate(queueScript, keys, [JSON.stringify(request)]);
      if (owner !== request.owner) return undefined;
      if (reply !== null) {
        isKnown = !isLast;
        aliveUntilMs = isLast ? Number.POSITIVE_INFINITY : sentAtMs + leaseMs;
        return parseReply(reply);
      }
      rename();
    }
    throw stateError(new Error("Redis forgets this instance at once."));
  }

  function open(kind: QueueKind, name: string): RedisQueue {
    const key = `${queueKeyPrefix}${kind}:${name}`;
    const known = queues.get(key);
    if (known !== undefined) return known;
    const created = createRedisQueue({
      kind,
      clock,
      renewEveryMs,
      retryMs,
      nextNumber: () => {
        numbers += 1;
        return numbers;
      },
      owner: () => owner,
      remainingMs: () => Math.max(0, aliveUntilMs - clock.now()),
      exchange: (changes) => exchange(key, changes),
      onIdle: () => queues.delete(key),
    });
    queues.set(key, created);
    return created;
  }

  const stopWatching = connection.onReady(rename);

  return {
    acquire: (wish, options) => open(wish.kind, wish.name).acquire(wish, options),
    enqueue: (lane, entry, order) => open("lane", lane).enqueue(entry, order),
    remove: (lane, entry) => open("lane", lane).remove(entry),
    changed: (key, by, granted) => {
      const queue = queues.get(key);
      if (granted.includes(owner)) void queue?.poke();
      else if (by !== owner) queue?.moved();
    },
    close: async () => {
      stopWatching();
      cancelBeat();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      queues.clear();
    },
  };
}
