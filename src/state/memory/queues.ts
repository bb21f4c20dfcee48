/**
 * Queues in memory: lanes, permits and leases of a single process, which no other one can take. Callers wait in groups,
 * which are served in turn; a lane and a lease have one group, and in a lane callers wait in the order of their entries.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { Lease, WaitOptions } from "../../core/ports/state.ts";
import { fairOrder } from "./fair-order.ts";
import { closedError, type Waiter, waitInQueue } from "./wait-in-queue.ts";

/** An entry that nobody is acquiring expires after this long. */
export const unattendedEntryMs = 30_000;

/** Work that nobody waits for, of all workspaces. No workspace's key begins like that. */
export const spareGroup = "~spare";

/** In a longer queue, callers learn of their positions at most this often: telling all on each change would block. */
const longQueue = 100;
const tellEveryMs = 1_000;

type Place = { readonly entry: string; readonly order: string };

type Wish = Place & {
  readonly kind: "lane" | "permit" | "lease";
  readonly name: string;
  /** Holds in all; the newest call's applies. */
  readonly n: number;
  readonly group: string;
};

type Ticket = Place & {
  readonly number: number;
  /** None: the place of an entry that nobody is acquiring, until it is forgotten. */
  readonly waiter?: Waiter;
  readonly stopForgetting?: () => void;
};

type Group = {
  readonly name: string;
  held: number;
  /** Number of its last grant; 0 = none since it became active. */
  lastGrant: number;
  readonly waiting: Ticket[];
};

type Queue = {
  readonly key: string;
  readonly isLane: boolean;
  n: number;
  readonly held: Set<Ticket>;
  waiting: number;
  /** Only groups that hold or wait. */
  readonly groups: Map<string, Group>;
  /** Entries that were removed while a caller was acquiring them: they leave no place. */
  readonly removed: Set<string>;
  stopTelling?: (() => void) | undefined;
};

/** The fewest held, then the longest since its last grant, then the earliest caller. */
function isSooner(one: Group, other: Group): boolean {
  const firstOf = ({ waiting }: Group) => waiting[0]?.number ?? 0;
  return (one.held - other.held || one.lastGrant - other.lastGrant || firstOf(one) - firstOf(other)) < 0;
}

const isBehind = (a: Place, b: Place) => a.order > b.order || (a.order === b.order && a.entry > b.entry);

export function createMemoryQueues(clock: Clock, nextFence: () => number) {
  const queues = new Map<string, Queue>();
  let numbers = 0;

  function open({ kind, name }: Pick<Wish, "kind" | "name">): Queue {
    const key = `${kind}:${name}`;
    const lists = { held: new Set<Ticket>(), groups: new Map<string, Group>(), removed: new Set<string>() };
    const queue = queues.get(key) ?? { key, isLane: kind === "lane", n: 1, waiting: 0, ...lists };
    queues.set(key, queue);
    return queue;
  }

  function groupOf(queue: Queue, name: string): Group {
    const group = queue.groups.get(name) ?? { name, held: 0, lastGrant: 0, waiting: [] };
    queue.groups.set(name, group);
    return group;
  }

  const isInLine = ({ name, waiting }: Group) => name !== spareGroup && waiting.length > 0;

  /** What nobody waits for comes after everyone else, and leaves one of several permits free. */
  function nextGroup(queue: Queue): Group | undefined {
    if (queue.held.size >= queue.n) return undefined;
    let next: Group | undefined;
    for (const group of queue.groups.values()) {
      if (isInLine(group) && (next === undefined || isSooner(group, next))) next = group;
    }
    const leavesOne = queue.held.size === 0 || queue.held.size + 1 < queue.n;
    return next ?? (leavesOne ? queue.groups.get(spareGroup) : undefined);
  }

  /** Grants what is free, and tells the others; true if it told all. */
  function advance(queue: Queue): boolean {
    for (let group = nextGroup(queue); group !== undefined; group = nextGroup(queue)) {
      const ticket = group.waiting[0];
      if (ticket?.waiter === undefined) break;
      leave(queue, group, ticket);
      queue.held.add(ticket);
      queue.removed.delete(ticket.entry);
      group.held += 1;
      numbers += 1;
      group.lastGrant = numbers;
      ticket.waiter.grant(leaseOf(queue, group, ticket));
    }
    if (queue.groups.size > 0 && queue.waiting > longQueue) {
      queue.stopTelling ??= clock.after(tellEveryMs, () => tell(queue));
      return false;
    }
    tell(queue);
    if (queue.groups.size === 0) queues.delete(queue.key);
    return true;
  }

  function tell(queue: Queue): void {
    queue.stopTelling?.();
    queue.stopTelling = undefined;
    const groups = [...queue.groups.values()].filter(isInLine).sort((one, other) => (isSooner(one, other) ? -1 : 1));
    for (const [index, { waiter }] of fairOrder(groups).entries()) waiter?.notify(positionAt(queue, index));
  }

  /** In a lane the holder counts as the first. */
  const positionAt = (queue: Queue, index: number) => (queue.isLane ? Math.max(1, index + queue.held.size) : index + 1);

  function leaseOf(queue: Queue, group: Group, ticket: Ticket): Lease {
    let isReleased = false;
    return {
      fence: nextFence(),
      lost: new AbortController().signal,
      isCurrent: () => !isReleased,
      release: async () => {
        if (isReleased) return;
        isReleased = true;
        queue.held.delete(ticket);
        group.held -= 1;
        dropIdle(queue, group);
        advance(queue);
      },
    };
  }

  const dropIdle = (queue: Queue, { name, held, waiting }: Group) =>
    held === 0 && waiting.length === 0 && queue.groups.delete(name);

  /** Most come last. */
  const indexBehind = ({ waiting }: Group, place: Place) =>
    waiting.findLastIndex((other) => !isBehind(other, place)) + 1;

  /** Returns its index. It replaces the place that was kept for its entry. */
  function join(queue: Queue, group: Group, ticket: Ticket): number {
    const behind = indexBehind(group, ticket);
    const before = group.waiting[behind - 1];
    const isReplaced = before?.entry === ticket.entry && before.waiter === undefined;
    if (isReplaced) leave(queue, group, before);
    const index = isReplaced ? behind - 1 : behind;
    group.waiting.splice(index, 0, ticket);
    if (group.name !== spareGroup) queue.waiting += 1;
    return index;
  }

  function leave(queue: Queue, group: Group, ticket: Ticket): boolean {
    const index = group.waiting.indexOf(ticket);
    if (index === -1) return false;
    ticket.stopForgetting?.();
    group.waiting.splice(index, 1);
    if (group.name !== spareGroup) queue.waiting -= 1;
    return true;
  }

  /** The entry keeps its place for a while, unless a caller has it or acquires it, or it was removed. */
  function keepPlace(queue: Queue, group: Group, { entry, order }: Place): void {
    const waiting = group.waiting[indexBehind(group, { entry, order }) - 1];
    const hasCaller = (other: Ticket | undefined) => other?.entry === entry && other.waiter !== undefined;
    if (hasCaller(waiting) || queue.held.values().some(hasCaller)) return;
    if (queue.removed.delete(entry)) return;
    const stopForgetting = clock.after(unattendedEntryMs, () => {
      leave(queue, group, place);
      dropIdle(queue, group);
      advance(queue);
    });
    const place: Ticket = { entry, order, number: 0, stopForgetting };
    join(queue, group, place);
  }

  return {
    acquire: (wish: Wish, options?: WaitOptions): Promise<Lease> => {
      let joined: readonly [Queue, Group, Ticket] | undefined;
      return waitInQueue(
        options,
        (waiter) => {
          const queue = open(wish);
          const group = groupOf(queue, wish.group);
          numbers += 1;
          const ticket: Ticket = { entry: wish.entry, order: wish.order, number: numbers, waiter };
          joined = [queue, group, ticket];
          queue.n = wish.n;
          queue.removed.delete(wish.entry);
          const index = join(queue, group, ticket);
          const isTold = advance(queue) || queue.held.has(ticket) || wish.group === spareGroup;
          // In a long queue of several groups it comes last, or close to it: the exact position follows within a second.
          if (!isTold) waiter.notify(positionAt(queue, queue.isLane ? index : queue.waiting - 1));
        },
        () => {
          if (joined === undefined || !leave(...joined)) return;
          const [queue, group, ticket] = joined;
          if (queue.isLane) keepPlace(queue, group, ticket);
          dropIdle(queue, group);
          advance(queue);
        },
      );
    },

    enqueue: async (name: string, entry: string, order: string) => {
      const queue = open({ kind: "lane", name });
      queue.removed.delete(entry);
      keepPlace(queue, groupOf(queue, ""), { entry, order });
      advance(queue);
    },

    remove: async (name: string, entry: string) => {
      const queue = open({ kind: "lane", name });
      const group = groupOf(queue, "");
      const standing = group.waiting.find((other) => other.entry === entry);
      if (standing?.waiter !== undefined) queue.removed.add(entry);
      else if (standing !== undefined) leave(queue, group, standing);
      dropIdle(queue, group);
      advance(queue);
    },

    /** Ends all waits. */
    close: () => {
      for (const { groups, stopTelling } of queues.values()) {
        stopTelling?.();
        for (const { waiting } of groups.values()) {
          for (const { waiter, stopForgetting } of waiting.splice(0)) {
            stopForgetting?.();
            waiter?.fail(closedError());
          }
        }
      }
      queues.clear();
    },
  };
}
