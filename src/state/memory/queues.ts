/** Queues in memory: lanes, permits and leases of a single process, which no other one can take. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Lease } from "../../core/ports/state.ts";
import {
  comparedGroups,
  fairPosition,
  longQueue,
  type QueueKind,
  type Queues,
  spareGroup,
  tellEveryMs,
  type Wish,
} from "../queues/queues.ts";
import { closedError, type Waiter, waitInQueue } from "../queues/wait-in-queue.ts";

/** An entry that nobody is acquiring expires after this long. */
export const unattendedEntryMs = 30_000;

type Ticket = Pick<Wish, "entry" | "order"> & {
  readonly group: Group;
  readonly number: number;
  /** None: the place of an entry that nobody is acquiring. */
  readonly waiter?: Waiter;
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
  readonly kind: QueueKind;
  n: number;
  readonly held: Set<Ticket>;
  /** Only groups that hold or wait. */
  readonly groups: Map<string, Group>;
  /** Those that keep their place when their caller gives up, and how to stop forgetting it. */
  readonly entries: Map<string, () => void>;
  stopTelling?: (() => void) | undefined;
};

const isInLine = ({ name, waiting }: Group) => name !== spareGroup && waiting.length > 0;
const waitingIn = ({ groups }: Queue) =>
  groups.values().reduce((sum, group) => sum + (isInLine(group) ? group.waiting.length : 0), 0);

/** The fewest held, then the longest since its last grant, then the earliest caller. */
function compareGroups(one: Group, other: Group): number {
  const firstOf = ({ waiting }: Group) => waiting[0]?.number ?? 0;
  return one.held - other.held || one.lastGrant - other.lastGrant || firstOf(one) - firstOf(other);
}

/** What nobody waits for comes after everyone else, and leaves one of several permits free. */
function nextGroup({ held, n, groups }: Queue): Group | undefined {
  if (held.size >= n) return undefined;
  let next: Group | undefined;
  for (const group of groups.values()) {
    if (isInLine(group) && (next === undefined || compareGroups(group, next) < 0)) next = group;
  }
  return next ?? (held.size === 0 || held.size + 1 < n ? groups.get(spareGroup) : undefined);
}

export function createMemoryQueues(clock: Clock, nextFence: () => number): Queues & { readonly close: () => void } {
  const queues = new Map<string, Queue>();
  let numbers = 0;

  function open(kind: QueueKind, name: string): Queue {
    const key = `${kind}:${name}`;
    const lists = { held: new Set<Ticket>(), groups: new Map<string, Group>(), entries: new Map<string, () => void>() };
    const queue = queues.get(key) ?? { key, kind, n: 1, ...lists };
    queues.set(key, queue);
    return queue;
  }

  /** In a lane by order and entry; most come last. Returns its index in its group. */
  function join(queue: Queue, group: string, about: Pick<Ticket, "entry" | "order" | "waiter">): [Ticket, number] {
    numbers += 1;
    const joined = queue.groups.get(group) ?? { name: group, held: 0, lastGrant: 0, waiting: [] };
    queue.groups.set(group, joined);
    const { entry, order } = about;
    const isBefore = (other: Ticket) => other.order < order || (other.order === order && other.entry <= entry);
    const index = joined.waiting.findLastIndex(isBefore) + 1;
    const ticket = { ...about, group: joined, number: numbers };
    joined.waiting.splice(index, 0, ticket);
    return [ticket, index];
  }

  /** True if it waited. */
  function leave(ticket: Ticket): boolean {
    const { waiting } = ticket.group;
    const index = waiting.indexOf(ticket);
    if (index >= 0) waiting.splice(index, 1);
    return index >= 0;
  }

  /** Grants what is free, and tells the others; true if it told all. */
  function advance(queue: Queue): boolean {
    for (let group = nextGroup(queue); group !== undefined; group = nextGroup(queue)) {
      const ticket = group.waiting[0];
      if (ticket?.waiter === undefined) break;
      group.waiting.shift();
      queue.held.add(ticket);
      group.held += 1;
      numbers += 1;
      group.lastGrant = numbers;
      ticket.waiter.grant(leaseOf(queue, ticket));
    }
    for (const { name, held, waiting } of queue.groups.values()) {
      if (held === 0 && waiting.length === 0) queue.groups.delete(name);
    }
    if (queue.groups.size > 0 && waitingIn(queue) > longQueue) {
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
    const groups = [...queue.groups.values()].filter(isInLine).sort(compareGroups);
    const counts = groups.slice(0, comparedGroups).map(({ held, waiting }) => ({ held, waiting: waiting.length }));
    for (const [at, { waiting }] of groups.entries()) {
      for (const [index, { waiter }] of waiting.entries()) {
        waiter?.notify(queue.kind === "lane" ? inLane(queue, index) : fairPosition(counts, at, index, groups.length));
      }
    }
  }

  /** The holder counts as the first. */
  const inLane = (queue: Queue, index: number) => Math.max(1, index + queue.held.size);

  function leaseOf(queue: Queue, ticket: Ticket): Lease {
    return {
      fence: nextFence(),
      lost: new AbortController().signal,
      isCurrent: () => queue.held.has(ticket),
      release: async () => {
        if (!queue.held.delete(ticket)) return;
        ticket.group.held -= 1;
        if (!hasCaller(queue, ticket.entry)) queue.entries.delete(ticket.entry);
        advance(queue);
      },
    };
  }

  /** The place of an entry is given up. Whether someone waits for it or holds it. */
  function hasCaller({ held, groups }: Queue, entry: string): boolean {
    const waiting = groups.get("")?.waiting.filter((ticket) => ticket.entry === entry) ?? [];
    for (const ticket of waiting) if (ticket.waiter === undefined) leave(ticket);
    return waiting.some(({ waiter }) => waiter !== undefined) || held.values().some((ticket) => ticket.entry === entry);
  }

  /** Unless it has a caller. */
  function keepPlace(queue: Queue, { entry, order }: Pick<Wish, "entry" | "order">): void {
    queue.entries.get(entry)?.();
    if (hasCaller(queue, entry) || !queue.entries.has(entry)) return;
    const [place] = join(queue, "", { entry, order });
    const forget = () => {
      if (leave(place)) queue.entries.delete(entry);
      advance(queue);
    };
    queue.entries.set(entry, clock.after(unattendedEntryMs, forget));
  }

  function noteEntry(queue: Queue, entry: string): void {
    queue.entries.get(entry)?.();
    queue.entries.set(entry, () => {});
  }

  return {
    acquire: (wish, options) => {
      const { kind, name, n, group, entry, order } = wish;
      let joined: readonly [Queue, Ticket] | undefined;
      return waitInQueue(
        options,
        (waiter) => {
          const queue = open(kind, name);
          queue.n = n;
          if (kind === "lane") {
            if (queue.entries.has(entry)) hasCaller(queue, entry);
            noteEntry(queue, entry);
          }
          const [ticket, index] = join(queue, group, { entry, order, waiter });
          joined = [queue, ticket];
          const isTold = advance(queue) || queue.held.has(ticket) || group === spareGroup;
          // In a long queue of several groups it comes last, or close to it: the exact position follows within a second.
          if (!isTold) waiter.notify(kind === "lane" ? inLane(queue, index) : waitingIn(queue));
        },
        () => {
          if (joined === undefined || !leave(joined[1])) return;
          const [queue] = joined;
          if (kind === "lane") keepPlace(queue, wish);
          advance(queue);
        },
      );
    },

    enqueue: async (name, entry, order) => {
      const queue = open("lane", name);
      noteEntry(queue, entry);
      keepPlace(queue, { entry, order });
      advance(queue);
    },

    remove: async (name, entry) => {
      const queue = open("lane", name);
      queue.entries.get(entry)?.();
      queue.entries.delete(entry);
      hasCaller(queue, entry);
      advance(queue);
    },

    /** Ends all waits. */
    close: () => {
      for (const { groups, entries, stopTelling } of queues.values()) {
        stopTelling?.();
        for (const stopForgetting of entries.values()) stopForgetting();
        for (const { waiting } of groups.values()) {
          for (const { waiter } of waiting.splice(0)) waiter?.fail(closedError());
        }
      }
      queues.clear();
    },
  };
}
