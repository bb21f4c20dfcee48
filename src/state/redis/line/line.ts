/**
 * One instance's part in one line (a lane, the permits of a key, a lease) on Redis. What has changed is sent in batches
 * (redis-line-script.ts), one request at a time: after each change, when another instance changed the line, before its
 * leases lapse. Nothing depends on a message arriving: each answer says how many tickets Redis knows of this instance,
 * and one that has forgotten some is told all of them again.
 */

import type { Clock } from "../../../ports/clock.ts";
import { ParleyError } from "../../../ports/errors.ts";
import type { Lease, WaitOptions } from "../../../ports/state.ts";
import { closedError, type Waiter, waitInLine } from "../../memory/wait-in-line.ts";
import { createLineErrands, type LineErrands, type Place } from "./errands.ts";
import { createPositionTurns, longLine, type PositionTurns } from "./positions.ts";
import { type LineLimits, lineBatch, lineTtlMs } from "./script.ts";

export type LineTimes = LineLimits & {
  readonly renewEveryMs: number;
  /** After a failure. */
  readonly retryMs: number;
};

/** In a long line, positions are asked for again no sooner than this after others moved. */
const movedEveryMs = 1_000;

/** The same for all lines of a kind; `line` is the key of one. */
export type LineOptions = {
  /** This instance. */
  readonly owner: string;
  /** Of a ticket; never the same twice, whatever line it is for. */
  readonly nextId: () => string;
  /** Entries have their place by order, as in a lane; else it is first come, first served. */
  readonly keepsPlace: boolean;
  /** What is held counts for as long as it is held, beyond the number of permits if need be, and is never lost. */
  readonly isCounted: boolean;
  readonly times: LineTimes;
  readonly clock: Clock;
  /** Runs the script on that line. */
  readonly evaluate: (line: string, request: string) => Promise<unknown>;
  /** Renews that lease, and nothing else: when this was sent, or undefined when there is more to do on that line. */
  readonly renew: (line: string, id: string) => Promise<number | undefined>;
  /** Called when this instance wants nothing more of the line. */
  readonly onIdle: (line: string) => void;
};

type Wish = Place & { readonly group: string };
/** `position` as last told; 0 before. */
type Waiting = Wish & { readonly waiter: Waiter; position: number };

type Held = Wish & {
  readonly fence: number;
  /** By this instance's clock, from when the renewal was sent: never later than Redis has it. */
  lapsesAtMs: number;
  readonly controller: AbortController;
};

/** What a line has only while somebody waits or Redis has yet to be told something: ten thousand lanes may just be held. */
type Busy = {
  readonly waiting: Map<string, Waiting>;
  /** Of those who wait, whom Redis has not been told of. */
  readonly untold: Set<string>;
  readonly errands: LineErrands;
  readonly turns: PositionTurns;
};

export type RedisLine = {
  /** `n` permits from now on; 1 for lanes and leases. */
  readonly acquire: (wish: Wish, n: number, options?: WaitOptions) => Promise<Lease>;
  readonly enqueue: (place: Place) => Promise<void>;
  readonly remove: (entry: string) => Promise<void>;
  /** Asks Redis how things stand. */
  readonly poke: () => void;
  /** Others have moved: asks Redis where everybody stands now, in a long line not too often. */
  readonly moved: () => void;
  /** Gives up all waiting and gives back all that is held. */
  readonly close: () => Promise<void>;
};

/** The script's answer: flat lists of strings in pairs, and numbers. */
function parseReply(reply: unknown) {
  const [grants, positions, lost, lapseMs, ownTickets, waiting] = reply as [
    string[],
    string[],
    string[],
    number,
    number,
    number,
  ];
  const pairs = (flat: readonly string[]) =>
    new Map(flat.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [])));
  return { grants: pairs(grants), positions: pairs(positions), lost, lapseMs, ownTickets, waiting };
}

export function createRedisLine(line: string, options: LineOptions): RedisLine {
  const { clock, times } = options;
  const held = new Map<string, Held>();
  let busy: Busy | undefined;
  let permits = 1;
  let lineLength = 0;
  let syncing: Promise<void> | undefined;
  /** When Redis was last asked, nobody else waited or held here. */
  let isAlone = false;
  let isStale = false;
  let isClosed = false;
  let cancelNext = () => {};
  let cancelMoved: (() => void) | undefined;

  function becomeBusy(): Busy {
    busy ??= {
      waiting: new Map(),
      untold: new Set(),
      errands: createLineErrands(clock, times.leaseMs),
      turns: createPositionTurns(),
    };
    return busy;
  }

  function poke(): void {
    isStale = true;
    syncing ??= syncUntilCurrent();
  }

  function moved(): void {
    if (lineLength <= longLine) poke();
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
      // What is asked for in the same moment goes in one request.
      await Promise.resolve();
      nextMs = await sync();
    }
    syncing = undefined;
    rest(nextMs);
  }

  function rest(nextMs: number): void {
    cancelNext();
    if (busy !== undefined && busy.waiting.size === 0 && busy.errands.isEmpty()) busy = undefined;
    if (busy === undefined && held.size === 0) {
      cancelMoved?.();
      options.onIdle(line);
    } else if (!isClosed) cancelNext = clock.after(nextMs, goOn);
  }

  function goOn(): void {
    if (busy === undefined && isAlone && !options.isCounted) void renewHeld();
    else poke();
  }

  /** What is only held is renewed together with what is held on other lines. */
  async function renewHeld(): Promise<void> {
    let nextMs = times.renewEveryMs;
    for (const id of held.keys()) {
      try {
        const sentAtMs = await options.renew(line, id);
        const lease = held.get(id);
        if (lease === undefined) return;
        if (sentAtMs === undefined) return poke();
        lease.lapsesAtMs = sentAtMs + times.leaseMs;
      } catch {
        if (!held.has(id)) return;
        nextMs = nextAfterFailure();
      }
    }
    if (syncing === undefined) rest(nextMs);
  }

  function nextAfterFailure(): number {
    const nowMs = clock.now();
    dropLapsed(nowMs);
    const lapses = options.isCounted ? [] : [...held.values()].map(({ lapsesAtMs }) => lapsesAtMs - nowMs);
    return Math.min(times.retryMs, ...lapses);
  }

  /** One exchange with Redis; returns when the next one is due. */
  async function sync(): Promise<number> {
    const sentAtMs = clock.now();
    dropLapsed(sentAtMs);
    const { waiting, untold, errands, turns } = becomeBusy();
    const batch = errands.take(lineBatch);
    const joined = [...untold.values().take(lineBatch)];
    for (const id of joined) untold.delete(id);
    const request = {
      owner: options.owner,
      keepsPlace: options.keepsPlace,
      isCounted: options.isCounted,
      leaseMs: times.leaseMs,
      unattendedMs: times.unattendedMs,
      ttlMs: lineTtlMs(times),
      n: permits,
      joined: joined.flatMap((id) => {
        const wish = waiting.get(id);
        return wish === undefined ? [] : [{ id, entry: wish.entry, order: wish.order, group: wish.group }];
      }),
      held: [...held].map(([id, { entry, order, group, fence }]) => ({ id, entry, order, group, fence })),
      released: batch.released,
      left: batch.left,
      enqueued: batch.enqueued,
      removed: batch.removed,
      asked: [...new Set([...joined, ...turns.next(waiting, sentAtMs)])],
    };
    try {
      const reply = parseReply(await options.evaluate(line, JSON.stringify(request)));
      lineLength = reply.waiting;
      isAlone = reply.lapseMs < 0;
      for (const { id } of request.held) {
        const lease = held.get(id);
        if (lease === undefined) continue;
        if (reply.lost.includes(id)) lose(id, lease);
        else lease.lapsesAtMs = sentAtMs + times.leaseMs;
      }
      for (const [id, fence] of reply.grants) takeGrant(id, fence, sentAtMs);
      for (const [id, position] of reply.positions) tell(id, position);
      batch.succeed();
      if (reply.ownTickets < waiting.size - untold.size) {
        // It has forgotten some, as after a restart: told again, those it knows stay where they are.
        for (const id of waiting.keys()) untold.add(id);
      }
      if (untold.size > 0 || !errands.isEmpty()) isStale = true;
      const othersLapseMs = reply.lapseMs >= 0 ? reply.lapseMs + 1 : times.renewEveryMs;
      return Math.min(times.renewEveryMs, othersLapseMs);
    } catch (thrown) {
      batch.fail(thrown);
      const others = [...untold];
      untold.clear();
      for (const id of [...joined, ...others]) if (waiting.has(id)) untold.add(id);
      return nextAfterFailure();
    }
  }

  function tell(id: string, position: number): void {
    const wanted = busy?.waiting.get(id);
    if (wanted === undefined) return;
    wanted.position = position;
    wanted.waiter.tell(position);
  }

  function takeGrant(id: string, fence: number, sentAtMs: number): void {
    const { waiting, untold, errands } = becomeBusy();
    if (held.has(id) || errands.isGivenUp(id)) return;
    const wanted = waiting.get(id);
    if (wanted === undefined) {
      // Nobody here wants it: a request arrived late, or Redis came back with something older.
      void errands.release(id);
      return;
    }
    waiting.delete(id);
    untold.delete(id);
    const { waiter, entry, order, group } = wanted;
    const controller = new AbortController();
    held.set(id, { entry, order, group, fence, lapsesAtMs: sentAtMs + times.leaseMs, controller });
    waiter.grant({ fence, lost: controller.signal, isCurrent: () => isCurrent(id), release: () => release(id) });
  }

  function isCurrent(id: string): boolean {
    const lease = held.get(id);
    return lease !== undefined && (options.isCounted || lease.lapsesAtMs > clock.now());
  }

  async function release(id: string): Promise<void> {
    if (!held.delete(id)) return;
    const told = becomeBusy().errands.release(id);
    poke();
    // When it cannot be told, the lease lapses by itself.
    await told.catch(() => {});
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

  function afterTelling(told: Promise<void>): Promise<void> {
    poke();
    return told;
  }

  return {
    poke,
    moved,

    acquire: (wish, n, wait) => {
      if (isClosed) return Promise.reject(closedError());
      const id = options.nextId();
      return waitInLine(
        wait,
        (waiter) => {
          const { waiting, untold } = becomeBusy();
          permits = n;
          waiting.set(id, { ...wish, waiter, position: 0 });
          untold.add(id);
          poke();
        },
        () => {
          if (busy?.waiting.delete(id) !== true || busy.untold.delete(id)) return;
          void busy.errands.leave(id);
          poke();
        },
      );
    },

    enqueue: (place) => (isClosed ? Promise.reject(closedError()) : afterTelling(becomeBusy().errands.enqueue(place))),
    remove: (entry) => (isClosed ? Promise.reject(closedError()) : afterTelling(becomeBusy().errands.remove(entry))),

    close: async () => {
      isClosed = true;
      cancelNext();
      cancelMoved?.();
      const { waiting, untold, errands } = becomeBusy();
      for (const [id, { waiter }] of waiting) {
        waiter.fail(closedError());
        if (!untold.delete(id)) void errands.leave(id);
      }
      for (const id of held.keys()) void errands.release(id);
      waiting.clear();
      held.clear();
      // All batches, or up to the first failure: the rest lapses.
      poke();
      await syncing;
    },
  };
}
