/**
 * One instance's side of a queue on Redis. It sends what changed of its tickets, one exchange at a time: after each
 * change here, when told of one elsewhere, and before something expires. No message is essential: what failed is sent
 * again, and each reply shows what Redis doesn't have.
 */
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Lease, WaitOptions } from "../../core/ports/state.ts";
import { fairPosition, longQueue, type QueueKind, spareGroup, tellEveryMs, type Wish } from "../queues/queues.ts";
import { closedError, type Waiter, waitInQueue } from "../queues/wait-in-queue.ts";
import { type QueueChanges, type QueueReply, queueBatch, queueTtlMs, type TicketState } from "./queue-script.ts";

/** A queue that is only held is renewed often enough not to expire. */
const restMs = queueTtlMs / 3;

type Ticket = Wish & {
  readonly number: number;
  readonly waiter: Waiter;
  readonly lost: AbortController;
  /** The newest last; the earlier ones until Redis has heard of it. */
  names: readonly string[];
  state: TicketState;
  fence: number;
};

export type QueueOptions = {
  readonly kind: QueueKind;
  readonly clock: Clock;
  readonly renewEveryMs: number;
  readonly retryMs: number;
  readonly nextNumber: () => number;
  /** The name under which Redis knows this instance now. */
  readonly owner: () => string;
  /** Ms until leases are lost, by this instance's clock: never later than in Redis. */
  readonly remainingMs: () => number;
  /** `changes` is called again if Redis doesn't know the owner. Undefined: the owner has changed meanwhile. */
  readonly exchange: (changes: () => QueueChanges & { isEmpty: boolean }) => Promise<QueueReply | undefined>;
  /** Called when this instance neither holds nor awaits anything here. */
  readonly onIdle: () => void;
};

export type RedisQueue = {
  readonly acquire: (wish: Wish, options?: WaitOptions) => Promise<Lease>;
  readonly enqueue: (entry: string, order: string) => Promise<void>;
  readonly remove: (entry: string) => Promise<void>;
  /** Exchanges now. Resolves with its failure. */
  readonly poke: () => Promise<unknown>;
  /** The same when others have moved: not at once in a long queue. */
  readonly moved: () => void;
  /** Reports everything under the instance's new name. */
  readonly report: () => void;
  /** Gives up the leases, since others may have them. Permits stay. */
  readonly lose: () => void;
  readonly close: () => Promise<void>;
};

export function createRedisQueue(options: QueueOptions): RedisQueue {
  const { kind, clock } = options;
  const isCounted = kind === "permit";
  const tickets = new Map<number, Ticket>();
  const unsent = new Set<Ticket>();
  let orders: Pick<QueueChanges, "enqueued" | "removed"> = { enqueued: [], removed: [] };
  let permits = 1;
  let isStale = false;
  let isClosed = false;
  let isExchanging = false;
  let next = Promise.withResolvers<unknown>();
  let dueAtMs = Number.POSITIVE_INFINITY;
  let cancelDue = () => {};

  function poke(): Promise<unknown> {
    const { promise } = next;
    isStale = true;
    if (!isExchanging) void exchangeUntilCurrent();
    return promise;
  }

  function pokeWithin(ms: number): void {
    if (isClosed || clock.now() + ms >= dueAtMs) return;
    cancelDue();
    dueAtMs = clock.now() + ms;
    cancelDue = clock.after(ms, () => void poke());
  }

  async function exchangeUntilCurrent(): Promise<void> {
    let pauseMs = 0;
    isExchanging = true;
    while (isStale) {
      isStale = false;
      cancelDue();
      dueAtMs = Number.POSITIVE_INFINITY;
      // Changes of the same moment go into one exchange.
      await Promise.resolve();
      const { resolve } = next;
      next = Promise.withResolvers();
      try {
        pauseMs = await exchange();
        resolve(undefined);
      } catch (failure) {
        pauseMs = Math.min(options.retryMs, options.remainingMs());
        resolve(failure);
      }
    }
    isExchanging = false;
    if (tickets.size > 0) return pokeWithin(pauseMs);
    cancelDue();
    options.onIdle();
  }

  /** Returns the ms until the next one. */
  async function exchange(): Promise<number> {
    const ordered = orders;
    orders = { enqueued: [], removed: [] };
    let batch: readonly Ticket[] = [];
    let asked: readonly Ticket[] = [];
    try {
      const reply = await options.exchange(() => {
        for (const ticket of batch) unsent.add(ticket);
        batch = [...unsent.values().take(queueBatch)];
        for (const ticket of batch) unsent.delete(ticket);
        asked = nextAsked(batch);
        const isEmpty = batch.length === tickets.size && batch.every(isGone);
        const named = asked.map(({ names, group }) => [names.at(-1) ?? "", group] as const);
        return { kind, n: permits, tickets: batch, ...ordered, asked: named, isEmpty };
      });
      if (reply === undefined) return 0;
      for (const ticket of batch) {
        if (unsent.has(ticket)) continue;
        ticket.names = ticket.names.slice(-1);
        if (isGone(ticket)) tickets.delete(ticket.number);
      }
      apply(reply, asked);
      isStale ||= unsent.size > 0;
      const isWaiting = tickets.values().some(({ state }) => state === "waiting");
      if (!isWaiting) return restMs;
      return reply.expiryMs < 0 ? options.renewEveryMs : Math.min(options.renewEveryMs, reply.expiryMs + 1);
    } catch (failure) {
      for (const ticket of batch) unsent.add(ticket);
      throw failure;
    }
  }

  const isGone = ({ state }: Ticket) => state === "left" || state === "released";

  /** Those whose positions are requested: the new ones, and the others in turn. */
  function nextAsked(batch: readonly Ticket[]): readonly Ticket[] {
    const isWaiting = ({ state }: Ticket) => state === "waiting";
    const others = tickets.values().filter((ticket) => isWaiting(ticket) && !unsent.has(ticket));
    const inTurn = [...others.take(longQueue)];
    for (const ticket of inTurn) {
      tickets.delete(ticket.number);
      tickets.set(ticket.number, ticket);
    }
    return [...new Set([...batch.filter(isWaiting), ...inTurn])];
  }

  function apply({ grants, indexes, groups, groupCount, heldCount }: QueueReply, asked: readonly Ticket[]): void {
    for (const [number, fence] of grants) {
      const ticket = tickets.get(number);
      if (ticket?.state === "waiting") grant(ticket, fence);
    }
    for (const ticket of tickets.values()) {
      if (ticket.state !== "held" || grants.has(ticket.number) || unsent.has(ticket)) continue;
      // Others got it while Redis had forgotten it. Counted work continues, and counts.
      if (isCounted) unsent.add(ticket);
      else loseOne(ticket);
    }
    const order = [...groups.keys()];
    const counts = [...groups.values()];
    for (const [at, ticket] of asked.entries()) {
      const index = indexes[at] ?? -1;
      if (ticket.state !== "waiting" || unsent.has(ticket)) continue;
      if (index < 0) unsent.add(ticket);
      else if (kind === "lane") ticket.waiter.notify(Math.max(1, index + heldCount));
      else if (ticket.group !== spareGroup) {
        ticket.waiter.notify(fairPosition(counts, order.indexOf(ticket.group), index, groupCount));
      }
    }
  }

  function grant(ticket: Ticket, fence: number): void {
    ticket.state = "held";
    ticket.fence = fence;
    ticket.waiter.grant({
      fence,
      lost: ticket.lost.signal,
      isCurrent: () => ticket.state === "held" && (isCounted || options.remainingMs() > 0),
      // If sending fails, it is sent again, or expires with its instance.
      release: async () => {
        if (ticket.state === "held") await change(ticket, "released");
      },
    });
  }

  function loseOne(ticket: Ticket): void {
    void change(ticket, "left");
    const cause = new Error("The lease could not be renewed in time.");
    ticket.lost.abort(new ParleyError("state_unavailable", { cause }));
  }

  function change(ticket: Ticket, state: TicketState): Promise<unknown> {
    ticket.state = state;
    unsent.add(ticket);
    return poke();
  }

  const nameOf = ({ entry, order, number }: Pick<Ticket, "entry" | "order" | "number">) =>
    `${kind === "lane" ? `${order}\0${entry}\0` : ""}${options.owner()}/${number}`;

  async function send(): Promise<void> {
    const failure = isClosed ? closedError() : await poke();
    if (failure !== undefined) throw failure;
  }

  return {
    poke,
    moved: () => pokeWithin(tickets.size > longQueue ? tellEveryMs : 0),

    report: () => {
      for (const ticket of tickets.values()) {
        ticket.names = [...ticket.names, nameOf(ticket)];
        unsent.add(ticket);
      }
      void poke();
    },

    lose: () => {
      for (const ticket of tickets.values()) if (ticket.state === "held" && !isCounted) loseOne(ticket);
    },

    acquire: (wish, wait) => {
      if (isClosed) return Promise.reject(closedError());
      const number = options.nextNumber();
      let ticket: Ticket | undefined;
      return waitInQueue(
        wait,
        (waiter) => {
          permits = wish.n;
          const names = [nameOf({ ...wish, number })];
          ticket = { ...wish, number, waiter, names, lost: new AbortController(), state: "waiting", fence: 0 };
          tickets.set(number, ticket);
          void change(ticket, "waiting");
        },
        () => {
          if (ticket?.state === "waiting") void change(ticket, "left");
        },
      );
    },

    enqueue: (entry, order) => {
      orders = { ...orders, enqueued: [...orders.enqueued, [entry, order]] };
      return send();
    },

    remove: (entry) => {
      orders = { ...orders, removed: [...orders.removed, entry] };
      return send();
    },

    close: async () => {
      isClosed = true;
      for (const ticket of tickets.values()) {
        if (ticket.state === "waiting") ticket.waiter.fail(closedError());
        if (!isGone(ticket)) ticket.state = ticket.state === "held" ? "released" : "left";
        unsent.add(ticket);
      }
      // Sends all batches up to the first failure; the rest expires.
      while (unsent.size > 0 && (await poke()) === undefined);
      cancelDue();
    },
  };
}
