/**
 * One instance's side of a queue on Redis: a lane, the permits of a key, or a lease. Changes are sent in batches
 * (script.ts), one request at a time: after each change here, after a change by another instance, and before leases
 * expire. No message is essential: each reply says how many tickets of this instance Redis knows, and if some are missing
 * all are sent again.
 */

import type { Lease, WaitOptions } from "../../../core/ports/state.ts";
import { closedError, type Waiter, waitInQueue } from "../../memory/wait-in-queue.ts";
import { parseReply, queueRequest } from "./exchange.ts";
import { type HeldLeases, lose, loseExpired } from "./held-leases.ts";
import { createPositionTurns, longQueue, type PositionTurns } from "./positions.ts";
import type { QueueOptions, Wish } from "./queue-options.ts";
import { queueBatch } from "./script-changes.ts";
import { createUnsentChanges, type LaneEntry, type UnsentChanges } from "./unsent-changes.ts";

/** In a long queue, positions are requested at most this often when others move. */
const movedEveryMs = 1_000;

/** `position` as last reported; 0 before the first report. */
type Waiting = Wish & { readonly waiter: Waiter; position: number };

/** Exists only while callers wait or changes are unsent, since ten thousand lanes may be merely held. */
type Busy = {
  readonly waiting: Map<string, Waiting>;
  /** Waiting tickets that Redis hasn't received yet. */
  readonly unsent: Set<string>;
  readonly changes: UnsentChanges;
  readonly turns: PositionTurns;
};

export type RedisQueue = {
  /** `n` is the number of permits from now on; 1 for lanes and leases. */
  readonly acquire: (wish: Wish, n: number, options?: WaitOptions) => Promise<Lease>;
  readonly enqueue: (entry: LaneEntry) => Promise<void>;
  readonly remove: (entry: string) => Promise<void>;
  /** Requests the queue's current state from Redis. */
  readonly poke: () => void;
  /** Called when others have moved: requests positions, at a limited rate in a long queue. */
  readonly moved: () => void;
  /** Ends all waits and releases everything held. */
  readonly close: () => Promise<void>;
};

export function createRedisQueue(queue: string, options: QueueOptions): RedisQueue {
  const { clock, times } = options;
  const held: HeldLeases = new Map();
  let busy: Busy | undefined;
  let permits = 1;
  let queueLength = 0;
  let syncing: Promise<void> | undefined;
  /** At the last request, no other instance waited or held anything here. */
  let isAlone = false;
  let isStale = false;
  let isClosed = false;
  let cancelNext = () => {};
  let cancelMoved: (() => void) | undefined;

  function becomeBusy(): Busy {
    busy ??= {
      waiting: new Map(),
      unsent: new Set(),
      changes: createUnsentChanges(clock, times.leaseMs),
      turns: createPositionTurns(),
    };
    return busy;
  }

  function poke(): void {
    isStale = true;
    syncing ??= syncUntilCurrent();
  }

  function moved(): void {
    if (queueLength <= longQueue) poke();
    else {
      cancelMoved ??= clock.after(movedEveryMs, () => {
        cancelMoved = undefined;
        poke();
      });
    }
  }

  async function syncUntilCurrent(): Promise<void> {
    cancelNext();
    let nextMs = 0;
    while (isStale) {
      isStale = false;
      // Changes of the same moment go into one request.
      await Promise.resolve();
      nextMs = await sync();
    }
    syncing = undefined;
    scheduleNext(nextMs);
  }

  function scheduleNext(nextMs: number): void {
    cancelNext();
    if (busy !== undefined && busy.waiting.size === 0 && busy.changes.isEmpty()) busy = undefined;
    if (busy === undefined && held.size === 0) {
      cancelMoved?.();
      options.onIdle(queue);
    } else if (!isClosed) cancelNext = clock.after(nextMs, renewOrPoke);
  }

  function renewOrPoke(): void {
    if (busy === undefined && isAlone && !options.isCounted) void renewHeld();
    else poke();
  }

  /** Renews leases of this queue together with those of other queues. */
  async function renewHeld(): Promise<void> {
    let nextMs = times.renewEveryMs;
    for (const id of held.keys()) {
      try {
        const sentAtMs = await options.renew(queue, id);
        if (!held.has(id)) return;
        if (sentAtMs === undefined) return poke();
        renewed(id, sentAtMs);
      } catch {
        if (!held.has(id)) return;
        nextMs = nextAfterFailure();
      }
    }
    if (syncing === undefined) scheduleNext(nextMs);
  }

  function nextAfterFailure(): number {
    const nowMs = clock.now();
    dropExpired(nowMs);
    const expiries = options.isCounted ? [] : [...held.values()].map(({ expiresAtMs }) => expiresAtMs - nowMs);
    return Math.min(times.retryMs, ...expiries);
  }

  /** One exchange with Redis; returns the ms until the next one. */
  async function sync(): Promise<number> {
    const sentAtMs = clock.now();
    dropExpired(sentAtMs);
    const { waiting, unsent, changes, turns } = becomeBusy();
    const batch = changes.take(queueBatch);
    const joined = [...unsent.values().take(queueBatch)];
    for (const id of joined) unsent.delete(id);
    const sentLeases = [...held.keys()];
    const request = queueRequest(options, {
      n: permits,
      joined: joined.flatMap((id) => {
        const wish = waiting.get(id);
        return wish === undefined ? [] : [[id, wish] as const];
      }),
      held,
      batch,
      asked: [...new Set([...joined, ...turns.next(waiting, sentAtMs)])],
    });
    try {
      const reply = parseReply(await options.evaluate(queue, request));
      queueLength = reply.waiting;
      isAlone = reply.expiryMs < 0;
      for (const id of reply.lost) lose(held, id);
      for (const id of sentLeases) renewed(id, sentAtMs);
      for (const [id, fence] of reply.grants) acceptGrant(id, fence, sentAtMs);
      for (const [id, position] of reply.positions) notify(id, position);
      batch.succeed();
      if (reply.ownTickets < waiting.size - unsent.size) {
        // Redis has forgotten some, as after a restart. All are sent again; known ones stay where they are.
        for (const id of waiting.keys()) unsent.add(id);
      }
      if (unsent.size > 0 || !changes.isEmpty()) isStale = true;
      const othersExpireMs = reply.expiryMs >= 0 ? reply.expiryMs + 1 : times.renewEveryMs;
      return Math.min(times.renewEveryMs, othersExpireMs);
    } catch (thrown) {
      batch.fail(thrown);
      const others = [...unsent];
      unsent.clear();
      for (const id of [...joined, ...others]) if (waiting.has(id)) unsent.add(id);
      return nextAfterFailure();
    }
  }

  function notify(id: string, position: number): void {
    const wanted = busy?.waiting.get(id);
    if (wanted === undefined) return;
    wanted.position = position;
    wanted.waiter.notify(position);
  }

  function acceptGrant(id: string, fence: number, sentAtMs: number): void {
    const { waiting, unsent, changes } = becomeBusy();
    if (held.has(id) || changes.isGivenUp(id)) return;
    const wanted = waiting.get(id);
    if (wanted === undefined) {
      // No caller waits for it: a request arrived late, or Redis came back with older data.
      void changes.release(id);
      return;
    }
    waiting.delete(id);
    unsent.delete(id);
    const { waiter, entry, order, group } = wanted;
    const controller = new AbortController();
    held.set(id, { entry, order, group, fence, expiresAtMs: sentAtMs + times.leaseMs, controller });
    waiter.grant({ fence, lost: controller.signal, isCurrent: () => isCurrent(id), release: () => release(id) });
  }

  function isCurrent(id: string): boolean {
    const lease = held.get(id);
    return lease !== undefined && (options.isCounted || lease.expiresAtMs > clock.now());
  }

  async function release(id: string): Promise<void> {
    if (!held.delete(id)) return;
    const sent = becomeBusy().changes.release(id);
    poke();
    // If sending fails, the lease expires.
    await sent.catch(() => {});
  }

  function renewed(id: string, sentAtMs: number): void {
    const lease = held.get(id);
    if (lease !== undefined) lease.expiresAtMs = sentAtMs + times.leaseMs;
  }

  function dropExpired(nowMs: number): void {
    if (!options.isCounted) loseExpired(held, nowMs);
  }

  function change(add: (changes: UnsentChanges) => Promise<void>): Promise<void> {
    if (isClosed) return Promise.reject(closedError());
    const sent = add(becomeBusy().changes);
    poke();
    return sent;
  }

  return {
    poke,
    moved,

    acquire: (wish, n, wait) => {
      if (isClosed) return Promise.reject(closedError());
      const id = options.nextId();
      return waitInQueue(
        wait,
        (waiter) => {
          const { waiting, unsent } = becomeBusy();
          permits = n;
          waiting.set(id, { ...wish, waiter, position: 0 });
          unsent.add(id);
          poke();
        },
        () => {
          if (busy?.waiting.delete(id) !== true || busy.unsent.delete(id)) return;
          void busy.changes.leave(id);
          poke();
        },
      );
    },

    enqueue: (entry) => change((changes) => changes.enqueue(entry)),
    remove: (entry) => change((changes) => changes.remove(entry)),

    close: async () => {
      isClosed = true;
      cancelNext();
      cancelMoved?.();
      const { waiting, unsent, changes } = becomeBusy();
      for (const [id, { waiter }] of waiting) {
        waiter.fail(closedError());
        if (!unsent.delete(id)) void changes.leave(id);
      }
      for (const id of held.keys()) void changes.release(id);
      waiting.clear();
      held.clear();
      // Sends all batches up to the first failure; the rest expires.
      poke();
      await syncing;
    },
  };
}
