/**
 * One instance's part in one line (a lane, the permits of a key, a lease) on Redis. All that it wants is sent as a whole
 * (redis-line-script.ts), one request at a time: after each change, when another instance changed the line, before its
 * leases lapse. So nothing depends on a message arriving, and a lost answer is made good by the next one.
 */
import { ParleyError } from "../bridge/errors.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Lease, WaitOptions } from "../bridge/ports/state.ts";
import { closedError, type Waiter, waitInLine } from "./wait-in-line.ts";

export type LineTimes = {
  /** A holder that is not heard of for so long has lost its lease. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** After a failure. */
  readonly retryMs: number;
  /** An entry that nobody acquires leaves its lane after this long. */
  readonly unattendedMs: number;
};

type LineOptions = {
  /** This instance. */
  readonly owner: string;
  /** Entries have their place by order, as in a lane; else it is first come, first served. */
  readonly keepsPlace: boolean;
  /** What is held counts for as long as it is held, beyond the number of permits if need be, and is never lost. */
  readonly isCounted: boolean;
  readonly times: LineTimes;
  readonly clock: Clock;
  /** Runs the script on this line. */
  readonly evaluate: (request: string) => Promise<unknown>;
  /** Called when this instance wants nothing more of the line. */
  readonly onIdle: () => void;
};

type Place = { readonly entry: string; readonly order: string };
type Wish = Place & { readonly group: string };
type Waiting = Wish & { readonly waiter: Waiter };

type Held = Wish & {
  readonly fence: number;
  /** By this instance's clock, from when the renewal was sent: never later than Redis has it. */
  lapsesAtMs: number;
  readonly controller: AbortController;
};

/** To be told again after a failure, but not for longer than Redis would remember it. */
type GivenUp = { readonly id: string; readonly untilMs: number };

/** What Redis has yet to be told once. */
type Errands = {
  readonly released: GivenUp[];
  readonly left: GivenUp[];
  readonly enqueued: Place[];
  readonly removed: string[];
  /** The outcome of telling it. */
  readonly told: PromiseWithResolvers<void>;
};

export type RedisLine = {
  /** `n` permits from now on; 1 for lanes and leases. */
  readonly acquire: (wish: Wish, n: number, options?: WaitOptions) => Promise<Lease>;
  readonly enqueue: (place: Place) => Promise<void>;
  readonly remove: (entry: string) => Promise<void>;
  /** Asks Redis how things stand. */
  readonly poke: () => void;
  /** Gives up all waiting and gives back all that is held. */
  readonly close: () => Promise<void>;
};

function newErrands(again?: Errands): Errands {
  const told = Promise.withResolvers<void>();
  // Not everybody who has an errand waits for its outcome.
  told.promise.catch(() => {});
  return { released: again?.released ?? [], left: again?.left ?? [], enqueued: [], removed: [], told };
}

/** The script's answer: flat lists of strings in pairs, and a number. */
function parseReply(reply: unknown) {
  const [grants, positions, lost, lapseMs] = reply as [string[], string[], string[], number];
  const pairs = (flat: readonly string[]) =>
    new Map(flat.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [])));
  return { grants: pairs(grants), positions: pairs(positions), lost, lapseMs };
}

export function createRedisLine(options: LineOptions): RedisLine {
  const { clock, times } = options;
  const waiting = new Map<string, Waiting>();
  const held = new Map<string, Held>();
  let errands = newErrands();
  let permits = 1;
  let tickets = 0;
  let isSyncing = false;
  let isStale = false;
  let isClosed = false;
  let cancelNext = () => {};

  function poke(): void {
    isStale = true;
    if (!isSyncing) void syncUntilCurrent();
  }

  async function syncUntilCurrent(): Promise<void> {
    isSyncing = true;
    cancelNext();
    let nextMs = 0;
    while (isStale) {
      isStale = false;
      // What is asked for in the same moment goes in one request.
      await Promise.resolve();
      nextMs = await sync();
    }
    isSyncing = false;
    const isIdle = waiting.size + held.size + errands.released.length + errands.left.length === 0;
    if (isIdle) options.onIdle();
    else if (!isClosed) cancelNext = clock.after(nextMs, poke);
  }

  /** One exchange with Redis; returns when the next one is due. */
  async function sync(): Promise<number> {
    const sentAtMs = clock.now();
    dropLapsed(sentAtMs);
    const batch = errands;
    errands = newErrands();
    const request = {
      owner: options.owner,
      keepsPlace: options.keepsPlace,
      isCounted: options.isCounted,
      leaseMs: times.leaseMs,
      unattendedMs: times.unattendedMs,
      n: permits,
      waiting: [...waiting].map(([id, { entry, order, group }]) => ({ id, entry, order, group })),
      held: [...held].map(([id, { entry, order, group, fence }]) => ({ id, entry, order, group, fence })),
      released: batch.released.map(({ id }) => id),
      left: batch.left.map(({ id }) => id),
      enqueued: batch.enqueued,
      removed: batch.removed,
    };
    try {
      const reply = parseReply(await options.evaluate(JSON.stringify(request)));
      for (const { id } of request.held) {
        const lease = held.get(id);
        if (lease === undefined) continue;
        if (reply.lost.includes(id)) lose(id, lease);
        else lease.lapsesAtMs = sentAtMs + times.leaseMs;
      }
      for (const [id, fence] of reply.grants) grant(id, fence, sentAtMs);
      for (const [id, position] of reply.positions) waiting.get(id)?.waiter.tell(position);
      batch.told.resolve();
      const othersLapseMs = reply.lapseMs >= 0 ? reply.lapseMs + 1 : times.renewEveryMs;
      return Math.min(times.renewEveryMs, othersLapseMs);
    } catch (thrown) {
      const nowMs = clock.now();
      errands.released.push(...batch.released.filter(({ untilMs }) => untilMs > nowMs));
      errands.left.push(...batch.left.filter(({ untilMs }) => untilMs > nowMs));
      batch.told.reject(thrown);
      dropLapsed(nowMs);
      const lapses = options.isCounted ? [] : [...held.values()].map(({ lapsesAtMs }) => lapsesAtMs - nowMs);
      return Math.min(times.retryMs, ...lapses);
    }
  }

  function grant(id: string, fence: number, sentAtMs: number): void {
    const wanted = waiting.get(id);
    // Given up, released or lost in the meantime: that is told with the next request.
    if (wanted === undefined) return;
    waiting.delete(id);
    const { waiter, ...wish } = wanted;
    const controller = new AbortController();
    held.set(id, { ...wish, fence, lapsesAtMs: sentAtMs + times.leaseMs, controller });
    waiter.grant({ fence, lost: controller.signal, isCurrent: () => isCurrent(id), release: () => release(id) });
  }

  function isCurrent(id: string): boolean {
    const lease = held.get(id);
    return lease !== undefined && (options.isCounted || lease.lapsesAtMs > clock.now());
  }

  async function release(id: string): Promise<void> {
    if (!held.delete(id)) return;
    errands.released.push({ id, untilMs: clock.now() + times.leaseMs });
    const { told } = errands;
    poke();
    // When it cannot be told, the lease lapses by itself.
    await told.promise.catch(() => {});
  }

  function lose(id: string, lease: Held): void {
    held.delete(id);
    lease.controller.abort(
      new ParleyError("state_unavailable", { cause: new Error("The lease could not be renewed in time.") }),
    );
  }

  function dropLapsed(nowMs: number): void {
    if (options.isCounted) return;
    for (const [id, lease] of held) if (lease.lapsesAtMs <= nowMs) lose(id, lease);
  }

  function tell(): Promise<void> {
    if (isClosed) return Promise.reject(closedError());
    const { told } = errands;
    poke();
    return told.promise;
  }

  return {
    poke,

    acquire: (wish, n, wait) => {
      if (isClosed) return Promise.reject(closedError());
      const id = `${options.owner}/${tickets}`;
      tickets += 1;
      return waitInLine(
        wait,
        (waiter) => {
          permits = n;
          waiting.set(id, { ...wish, waiter });
          poke();
        },
        () => {
          if (!waiting.delete(id)) return;
          errands.left.push({ id, untilMs: clock.now() + times.leaseMs });
          poke();
        },
      );
    },

    enqueue: (place) => {
      errands.enqueued.push(place);
      return tell();
    },

    remove: (entry) => {
      errands.removed.push(entry);
      return tell();
    },

    close: async () => {
      isClosed = true;
      cancelNext();
      const untilMs = clock.now() + times.leaseMs;
      for (const [id, { waiter }] of waiting) {
        waiter.fail(closedError());
        errands.left.push({ id, untilMs });
      }
      for (const id of held.keys()) errands.released.push({ id, untilMs });
      waiting.clear();
      held.clear();
      const { told } = errands;
      poke();
      await told.promise.catch(() => {});
    },
  };
}
