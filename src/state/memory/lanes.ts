/** Lanes in memory: entries in the platform's order, one holder at a time. Unattended entries expire. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { createMemoryLease } from "./lease.ts";
import { createQueueNews, type QueueNews } from "./queue-news.ts";
import { closedError, type Waiter, waitInQueue } from "./wait-in-queue.ts";

/** An entry that nobody is acquiring expires after this long. */
export const unattendedEntryMs = 30_000;

type Entry = {
  readonly id: string;
  readonly order: string;
  /** More than one if several callers acquire the same entry: they get it one after the other. */
  readonly waiters: Waiter[];
  /** Removed while a caller was still acquiring it: it leaves when the last such caller does. */
  isRemoved: boolean;
  stopForgetting: (() => void) | undefined;
};

type Lane = {
  holder: Entry | undefined;
  /** Sorted by order, then by id; without the holder. */
  readonly queue: Entry[];
  /** The queue's entries and the holder. */
  readonly byId: Map<string, Entry>;
  readonly news: QueueNews;
};

type MemoryLanes = Coordinator["lanes"] & { readonly close: () => void };

export function createMemoryLanes(options: { readonly clock: Clock; readonly nextFence: () => number }): MemoryLanes {
  const { clock, nextFence } = options;
  const lanes = new Map<string, Lane>();

  const isBefore = (a: Entry, b: Entry) => a.order < b.order || (a.order === b.order && a.id < b.id);

  /** Its index in the queue, or the index at which it would be inserted. */
  function indexOf(lane: Lane, entry: Entry): number {
    let [from, to] = [0, lane.queue.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = lane.queue[middle];
      if (other !== undefined && isBefore(other, entry)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  function insert(lane: Lane, entry: Entry): void {
    lane.queue.splice(indexOf(lane, entry), 0, entry);
    lane.byId.set(entry.id, entry);
  }

  function createLane(): Lane {
    const lane: Lane = {
      holder: undefined,
      queue: [],
      byId: new Map(),
      news: createQueueNews(clock, () => {
        let ahead = lane.holder === undefined ? 0 : 1;
        for (const waiting of lane.holder?.waiters ?? []) waiting.notify(1);
        for (const entry of lane.queue) {
          for (const waiting of entry.waiters) waiting.notify(Math.max(1, ahead));
          ahead += 1;
        }
      }),
    };
    return lane;
  }

  /** Grants a free lane to its first entry. Returns whether all others were notified of their positions. */
  function advance(name: string, lane: Lane): boolean {
    const first = lane.queue[0];
    const waiter = lane.holder === undefined ? first?.waiters.shift() : undefined;
    if (first !== undefined && waiter !== undefined) {
      lane.queue.shift();
      lane.holder = first;
      waiter.grant(createMemoryLease(nextFence(), () => release(name, lane, first)));
    }
    if (lane.holder === undefined && lane.queue.length === 0) {
      lane.news.stop();
      lanes.delete(name);
      return true;
    }
    return lane.news.changed(lane.queue.length);
  }

  function release(name: string, lane: Lane, entry: Entry): void {
    lane.holder = undefined;
    lane.byId.delete(entry.id);
    if (entry.waiters.length > 0) insert(lane, entry);
    advance(name, lane);
  }

  function drop(name: string, lane: Lane, entry: Entry): void {
    entry.stopForgetting?.();
    const index = indexOf(lane, entry);
    if (lane.queue[index] === entry) {
      lane.queue.splice(index, 1);
      lane.byId.delete(entry.id);
    }
    advance(name, lane);
  }

  function forgetLater(name: string, lane: Lane, entry: Entry): void {
    entry.stopForgetting?.();
    entry.stopForgetting = clock.after(unattendedEntryMs, () => drop(name, lane, entry));
  }

  /** Finds the entry in its lane, or inserts it. */
  function put(name: string, id: string, order: string): { lane: Lane; entry: Entry } {
    const lane = lanes.get(name) ?? createLane();
    lanes.set(name, lane);
    const known = lane.byId.get(id);
    if (known !== undefined) {
      known.isRemoved = false;
      return { lane, entry: known };
    }
    const entry: Entry = { id, order, waiters: [], isRemoved: false, stopForgetting: undefined };
    insert(lane, entry);
    return { lane, entry };
  }

  return {
    enqueue: async (name, id, order) => {
      const { lane, entry } = put(name, id, order);
      if (entry !== lane.holder && entry.waiters.length === 0) forgetLater(name, lane, entry);
      advance(name, lane);
    },

    acquire: (name, id, order, wait) => {
      let joined: { lane: Lane; entry: Entry } | undefined;
      return waitInQueue(
        wait,
        (waiter) => {
          joined = put(name, id, order);
          joined.entry.stopForgetting?.();
          const { lane, entry } = joined;
          entry.waiters.push(waiter);
          if (advance(name, lane) || !entry.waiters.includes(waiter)) return;
          waiter.notify(Math.max(1, indexOf(lane, entry) + (lane.holder === undefined ? 0 : 1)));
        },
        (waiter) => {
          if (joined === undefined) return;
          const { lane, entry } = joined;
          const index = entry.waiters.indexOf(waiter);
          if (index !== -1) entry.waiters.splice(index, 1);
          if (lane.holder === entry || lane.byId.get(entry.id) !== entry || entry.waiters.length > 0) return;
          // The entry stays in the queue, and expires unless another caller acquires it.
          if (entry.isRemoved) drop(name, lane, entry);
          else forgetLater(name, lane, entry);
        },
      );
    },

    remove: async (name, id) => {
      const lane = lanes.get(name);
      const entry = lane?.byId.get(id);
      if (lane === undefined || entry === undefined || entry === lane.holder) return;
      // Only its own signal ends a wait.
      if (entry.waiters.length === 0) drop(name, lane, entry);
      else entry.isRemoved = true;
    },

    close: () => {
      for (const lane of lanes.values()) {
        lane.news.stop();
        for (const entry of lane.holder === undefined ? lane.queue : [lane.holder, ...lane.queue]) {
          entry.stopForgetting?.();
          for (const waiter of entry.waiters.splice(0)) waiter.fail(closedError());
        }
      }
      lanes.clear();
    },
  };
}
