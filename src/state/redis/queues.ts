/**
 * An instance's side of the queues on Redis. Each queue sends how its tickets stand, one exchange at a time: after a
 * change here, when told of one elsewhere, and before something expires. No message is essential: what failed is sent
 * again, and each reply shows what Redis has.
 *
 * All that an instance has lives as long as its session, which each exchange of any queue renews. When it was
 * disconnected, or its session is over, it begins a new one and reports everything under it; what it no longer has ends
 * with the old one.
 */
import { randomUUID } from "node:crypto";
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import {
  fairPosition,
  longQueue,
  type QueueKind,
  type Queues,
  spareGroup,
  tellEveryMs,
  type Wish,
} from "../queues/queues.ts";
import { closedError, type Waiter, waitInQueue } from "../queues/wait-in-queue.ts";
import type { RedisConnection } from "./connection.ts";
import {
  fenceKey,
  heldTtlMs,
  type QueueReply,
  type QueueRequest,
  queueBatch,
  queueKeyPrefix,
  queueScript,
  queueTtlMs,
  sessionsKey,
  type TicketState,
} from "./queue-script.ts";

export type QueueTimes = {
  /** A session that Redis hasn't heard of for this long is over. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** Delay before a retry after a failure. */
  readonly retryMs: number;
  /** An entry that nobody is acquiring expires after this long. */
  readonly unattendedMs: number;
};

/** After a reconnect, so many queues are reported in each ms. */
const reportedEachMs = 5;

/** `untilMs`: by this instance's clock, counted from sending, so never later than in Redis; 0 before the first reply. */
type Session = { readonly name: string; untilMs: number };

type Ticket = Wish & {
  readonly number: number;
  readonly waiter: Waiter;
  readonly lost: AbortController;
  /** The one under which Redis has it, then those under which it may have heard of it. */
  sessions: readonly Session[];
  state: TicketState;
  fence?: number;
  /** Called when its end was sent, or could not be. */
  onSent?: () => void;
};

/** Exists while this instance holds or awaits something there. */
type Queue = {
  readonly key: string;
  readonly kind: QueueKind;
  n: number;
  readonly tickets: Map<number, Ticket>;
  readonly unsent: Set<Ticket>;
  /** Names of tickets that Redis has granted to nobody here. */
  unwanted: string[];
  isStale: boolean;
  exchanging: Promise<void> | undefined;
  dueAtMs: number;
  cancelDue: () => void;
};

const isGone = ({ state }: Ticket) => state === "left" || state === "released";

export type RedisQueues = Queues & {
  /** An instance has changed that queue, and granted something to those sessions. */
  readonly changed: (kind: QueueKind, key: string, by: string, granted: readonly string[]) => void;
  /** Ends all waits and releases everything held. */
  readonly close: () => Promise<void>;
};

export function createRedisQueues(connection: RedisConnection, clock: Clock, times: QueueTimes): RedisQueues {
  const { leaseMs, unattendedMs, renewEveryMs, retryMs } = times;
  const queues = new Map<string, Queue>();
  let session = newSession();
  /** That Redis has heard of and that are not over. */
  const known = new Set<Session>();
  let numbers = 0;
  let isClosed = false;
  let cancelBeat = clock.after(renewEveryMs, beat);

  function newSession(): Session {
    return { name: randomUUID(), untilMs: 0 };
  }

  /** One exchange renews the session: each time of another queue, since one may fail for a reason of its own. */
  function beat(): void {
    for (const one of known) if (clock.now() >= one.untilMs) end(one);
    const any = queues.values().next().value;
    if (any !== undefined) {
      queues.delete(any.key);
      queues.set(any.key, any);
      void poke(any);
    }
    const endsMs = [...known].map(({ untilMs }) => untilMs - clock.now());
    cancelBeat = clock.after(Math.min(renewEveryMs, ...endsMs), beat);
  }

  function end(over: Session): void {
    known.delete(over);
    for (const queue of queues.values()) {
      for (const ticket of queue.tickets.values()) if (ticket.sessions[0] === over) lose(queue, ticket);
    }
    if (over === session) beginSession();
  }

  function beginSession(): void {
    session = newSession();
    for (const [index, queue] of [...queues.values()].entries()) {
      for (const ticket of queue.tickets.values()) {
        ticket.sessions = [...ticket.sessions, session];
        queue.unsent.add(ticket);
      }
      pokeWithin(queue, index / reportedEachMs);
    }
  }

  /** Others may have it. Permits stay. */
  function lose(queue: Queue, ticket: Ticket): void {
    if (ticket.state !== "held" || queue.kind === "permit") return;
    void change(queue, ticket, "left");
    const cause = new Error("The lease could not be renewed in time.");
    ticket.lost.abort(new ParleyError("state_unavailable", { cause }));
  }

  async function send(kind: QueueKind, key: string, request: QueueRequest) {
    const [under, sentAtMs] = [session, clock.now()];
    // It is never used again, so nothing can be lost with it when this arrives late.
    if (request.isLast) session = newSession();
    const about = { kind, session: under.name, leaseMs, unattendedMs, ttlMs: queueTtlMs(kind) };
    const keys = [key, fenceKey, sessionsKey];
    const reply = await connection.evaluate(queueScript, keys, [JSON.stringify({ ...request, ...about })]);
    under.untilMs = Math.max(under.untilMs, sentAtMs + leaseMs);
    if (request.isLast) known.delete(under);
    else known.add(under);
    const [mine, indexes, groups, groupCount, heldCount, expiryMs] = reply as QueueReply;
    return { mine, indexes, groups, groupCount, heldCount, expiryMs };
  }

  type Reply = Awaited<ReturnType<typeof send>>;

  function open(kind: QueueKind, key: string): Queue {
    const opened = queues.get(key);
    if (opened !== undefined) return opened;
    const about = { key, kind, n: 1, isStale: false, exchanging: undefined };
    const lists = { tickets: new Map<number, Ticket>(), unsent: new Set<Ticket>(), unwanted: [] };
    const queue: Queue = { ...about, ...lists, dueAtMs: Number.POSITIVE_INFINITY, cancelDue: () => {} };
    queues.set(key, queue);
    return queue;
  }

  function poke(queue: Queue): Promise<void> {
    queue.isStale = true;
    queue.exchanging ??= exchangeUntilCurrent(queue);
    return queue.exchanging;
  }

  function pokeWithin(queue: Queue, ms: number): void {
    if (isClosed || clock.now() + ms >= queue.dueAtMs) return;
    queue.cancelDue();
    queue.dueAtMs = clock.now() + ms;
    queue.cancelDue = clock.after(ms, () => void poke(queue));
  }

  async function exchangeUntilCurrent(queue: Queue): Promise<void> {
    let pauseMs = 0;
    while (queue.isStale) {
      queue.isStale = false;
      queue.cancelDue();
      queue.dueAtMs = Number.POSITIVE_INFINITY;
      // Changes of the same moment go into one exchange.
      await Promise.resolve();
      pauseMs = await exchange(queue).catch(() => retryMs);
    }
    queue.exchanging = undefined;
    if (queue.tickets.size > 0) return pokeWithin(queue, pauseMs);
    queue.cancelDue();
    queues.delete(queue.key);
  }

  /** Returns the ms until the next one. */
  async function exchange(queue: Queue): Promise<number> {
    const { tickets, unsent } = queue;
    const under = session;
    const batch = [...unsent.values().take(queueBatch)];
    for (const ticket of batch) unsent.delete(ticket);
    const asked = nextAsked(queue, batch);
    const isLast = queues.size === 1 && batch.length === tickets.size && batch.every(isGone);
    const unwanted = queue.unwanted.map((name) => ({ names: [name], group: "", state: "left" as const }));
    try {
      const reply = await send(queue.kind, queue.key, {
        n: queue.n,
        isLast,
        tickets: [...batch.map(reportOf), ...unwanted],
        asked: asked.map((ticket) => [namesOf(ticket).at(-1) ?? "", ticket.group]),
      });
      for (const ticket of batch) {
        ticket.sessions = ticket.sessions.slice(ticket.sessions.indexOf(under));
        if (isGone(ticket) && !unsent.has(ticket)) tickets.delete(ticket.number);
      }
      takeGrants(queue, reply, under, batch);
      tellPositions(queue, reply, asked);
      queue.isStale ||= unsent.size + queue.unwanted.length > 0;
      // A queue that is only held is asked often enough not to expire.
      if (!tickets.values().some(({ state }) => state === "waiting")) return heldTtlMs / 3;
      return reply.expiryMs < 0 ? renewEveryMs : Math.min(renewEveryMs, reply.expiryMs + 1);
    } catch (failure) {
      for (const ticket of batch) unsent.add(ticket);
      throw failure;
    } finally {
      for (const ticket of batch) ticket.onSent?.();
    }
  }

  const reportOf = (ticket: Ticket) => {
    const { group, state, fence } = ticket;
    return { names: namesOf(ticket), group, state, fence };
  };

  function namesOf({ kind, entry, order, number, sessions }: Ticket): string[] {
    const prefix = kind === "lane" ? `${order}\0${entry}\0` : "";
    return sessions.map(({ name }) => `${prefix}${name}/${number}`);
  }

  /** Those whose positions are requested: the new ones, and the others in turn. */
  function nextAsked({ tickets, unsent }: Queue, batch: readonly Ticket[]): readonly Ticket[] {
    const isWaiting = ({ state }: Ticket) => state === "waiting";
    const others = tickets.values().filter((ticket) => isWaiting(ticket) && !unsent.has(ticket));
    const inTurn = [...others.take(longQueue)];
    for (const ticket of inTurn) {
      tickets.delete(ticket.number);
      tickets.set(ticket.number, ticket);
    }
    return [...new Set([...batch.filter(isWaiting), ...inTurn])];
  }

  function takeGrants(queue: Queue, { mine }: Reply, under: Session, batch: readonly Ticket[]): void {
    const held = new Set<Ticket>();
    queue.unwanted = [];
    for (const [name, fence] of mine) {
      const ticket = queue.tickets.get(Number(name.split("/").at(-1)));
      // A request arrived late, after its caller had given up.
      if (ticket === undefined) queue.unwanted.push(name);
      else {
        held.add(ticket);
        ticket.sessions = ticket.sessions.slice(ticket.sessions.indexOf(under));
        if (ticket.state === "waiting") grant(queue, ticket, fence);
      }
    }
    for (const ticket of queue.tickets.values()) {
      if (ticket.state !== "held" || ticket.sessions[0] !== under || held.has(ticket) || queue.unsent.has(ticket))
        continue;
      // Redis has forgotten it. When it was just reported, others have it.
      if (batch.includes(ticket)) lose(queue, ticket);
      else queue.unsent.add(ticket);
    }
  }

  function grant(queue: Queue, ticket: Ticket, fence: number): void {
    ticket.state = "held";
    ticket.fence = fence;
    const isCounted = queue.kind === "permit";
    ticket.waiter.grant({
      fence,
      lost: ticket.lost.signal,
      isCurrent: () => ticket.state === "held" && (isCounted || clock.now() < (ticket.sessions[0]?.untilMs ?? 0)),
      // If sending fails, it is sent again, or ends with the session.
      release: async () => {
        if (ticket.state === "held") await change(queue, ticket, "released");
      },
    });
  }

  function tellPositions(queue: Queue, reply: Reply, asked: readonly Ticket[]): void {
    const { indexes, groups, groupCount, heldCount } = reply;
    const order = groups.map(([name]) => name);
    const counts = groups.map(([, held, waiting]) => ({ held, waiting }));
    for (const [at, ticket] of asked.entries()) {
      const index = indexes[at] ?? -1;
      if (ticket.state !== "waiting" || queue.unsent.has(ticket)) continue;
      if (index < 0) queue.unsent.add(ticket);
      else if (queue.kind === "lane") ticket.waiter.notify(Math.max(1, index + heldCount));
      else if (ticket.group !== spareGroup) {
        ticket.waiter.notify(fairPosition(counts, order.indexOf(ticket.group), index, groupCount));
      }
    }
  }

  /** Resolves when that was sent, or could not be. */
  function change(queue: Queue, ticket: Ticket, state: TicketState): Promise<void> {
    const sent = Promise.withResolvers<void>();
    ticket.state = state;
    ticket.onSent = sent.resolve;
    queue.unsent.add(ticket);
    void poke(queue);
    return sent.promise;
  }

  async function tell(lane: string, change: Pick<QueueRequest, "enqueued" | "removed">): Promise<void> {
    if (isClosed) throw closedError();
    await send("lane", keyOf("lane", lane), { n: 1, ...change });
  }

  const keyOf = (kind: QueueKind, name: string) => `${queueKeyPrefix}${kind}:${name}`;
  const stopListening = connection.onReady(beginSession);

  return {
    acquire: (wish, wait) => {
      if (isClosed) return Promise.reject(closedError());
      numbers += 1;
      const number = numbers;
      let joined: readonly [Queue, Ticket] | undefined;
      return waitInQueue(
        wait,
        (waiter) => {
          const queue = open(wish.kind, keyOf(wish.kind, wish.name));
          const about = { number, waiter, lost: new AbortController(), sessions: [session] };
          const ticket: Ticket = { ...wish, ...about, state: "waiting" };
          joined = [queue, ticket];
          queue.n = wish.n;
          queue.tickets.set(number, ticket);
          void change(queue, ticket, "waiting");
        },
        () => {
          if (joined?.[1].state === "waiting") void change(...joined, "left");
        },
      );
    },
    enqueue: (lane, entry, order) => tell(lane, { enqueued: [entry, order] }),
    remove: (lane, entry) => tell(lane, { removed: entry }),

    changed: (kind, key, by, granted) => {
      const queue = queues.get(key);
      if (granted.includes(session.name)) void poke(queue ?? open(kind, key));
      else if (queue !== undefined && by !== session.name) {
        pokeWithin(queue, queue.tickets.size > longQueue ? tellEveryMs : 0);
      }
    },

    close: async () => {
      isClosed = true;
      stopListening();
      cancelBeat();
      const ends = [...queues.values()].map(async (queue) => {
        queue.cancelDue();
        for (const ticket of queue.tickets.values()) {
          if (ticket.state === "waiting") ticket.waiter.fail(closedError());
          if (!isGone(ticket)) ticket.state = ticket.state === "held" ? "released" : "left";
          queue.unsent.add(ticket);
        }
        // Sends all batches up to the first failure; the rest ends with the session.
        await poke(queue);
      });
      await Promise.all(ends);
      queues.clear();
    },
  };
}
