/**
 * Counts questions and votes by channel and day, exactly once whatever dies. What may have changed is noted before the
 * fact, then applied under the day's lease, as the difference to what that Turn had added before.
 */
import type { Clock } from "../../ports/clock.ts";
import type { DayCount, DayCounting } from "../../ports/content/digest.ts";
import type { VoteCounts, Voted } from "../../ports/content/voting.ts";
import type { Log } from "../../ports/log.ts";
import { channelKey, type Place, workspaceKey } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import type { Coordinator, KeyValue, TurnStore } from "../../ports/state.ts";
import { newId } from "../../ports/tools/ids.ts";
import { type DayCell, dayMs, dayOf, emptyCell, exchanged, isSame, type Share, shareOf, sumOf } from "./day-cell.ts";

/** What a Turn added may have changed. `cell`: its channel and day. */
export type CountNote = { readonly version: 1; readonly turnId: string; readonly cell: string; readonly atMs: number };

/** The process that wrote a note has stored its fact by then, or is dead. */
const heldMs = 10_000;
/** A question that doesn't end in this time is counted with the next change of it. */
const noteMs = 2 * dayMs;
/** A digest needs eight days; more for one that was paused. */
const cellMs = 62 * dayMs;
/** Of Turns changed with one write. */
const atOnce = 50;

type Work = { readonly turnId: string; readonly key: string };

export type DayCounts = DayCounting & {
  /** Of a channel, to the quarter of an hour. */
  readonly between: (place: Place, fromMs: number, untilMs: number) => Promise<DayCount>;
  /** Looks for what dead processes left. Never rejects. */
  readonly recover: () => Promise<void>;
  readonly settled: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createDayCounts(deps: {
  /** By channel and day. Namespace "day-counts". */
  readonly cells: KeyValue<DayCell>;
  /** What each Turn has added. Namespace "counted". */
  readonly shares: KeyValue<Share>;
  /** Namespace "open-counts". */
  readonly notes: KeyValue<CountNote>;
  readonly turns: Pick<TurnStore, "get">;
  readonly votes: (turn: Voted) => Promise<VoteCounts>;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}): DayCounts {
  const { cells, shares, notes, turns, votes, coordinator, retentionMs, clock, log } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  /** By channel and day: what is to be counted next. */
  const waiting = new Map<string, Work[]>();
  const running = new Map<string, Promise<void>>();

  const shareKey = ({ askedIn, id }: Pick<Turn, "askedIn" | "id">) => `${workspaceKey(askedIn)}/${id}`;

  /** Recorded in the cell by a process that then died. */
  async function settle(cellKey: string, workspace: string, cell: DayCell): Promise<DayCell> {
    const { unsettled, ...rest } = cell;
    if (unsettled === undefined) return cell;
    for (const [id, share] of Object.entries(unsettled)) await shares.set(`${workspace}/${id}`, share, retentionMs);
    await cells.set(cellKey, rest, cellMs);
    return rest;
  }

  /** Returns the works that are done with. */
  async function count(cellKey: string, works: readonly Work[], isCurrent: () => boolean): Promise<readonly Work[]> {
    const workspace = cellKey.split("/").slice(0, 2).join("/");
    let cell = await settle(cellKey, workspace, (await cells.get(cellKey)) ?? emptyCell);
    const unsettled: Record<string, Share> = {};
    const left = new Set<string>();
    for (const turnId of new Set(works.map((work) => work.turnId))) {
      const turn = await turns.get(turnId);
      if (turn === undefined || turn.isForgotten === true) continue;
      const now = shareOf(turn, await votes(turn));
      if (now === undefined) {
        left.add(turnId);
        continue;
      }
      const before = await shares.get(shareKey(turn));
      if (isSame(before, now)) continue;
      cell = exchanged(cell, before, now);
      unsettled[turnId] = now;
    }
    if (Object.keys(unsettled).length > 0) {
      if (!isCurrent()) throw new Error("The lease of a day's counts was lost.");
      // One write changes the sums and says whose they are.
      await cells.set(cellKey, { ...cell, unsettled }, cellMs);
      await settle(cellKey, workspace, { ...cell, unsettled });
    }
    return works.filter(({ turnId }) => !left.has(turnId));
  }

  async function workOff(cellKey: string): Promise<void> {
    const lease = await coordinator.lease(`day-counts/${cellKey}`, { signal });
    try {
      for (;;) {
        const works = waiting.get(cellKey)?.splice(0, atOnce) ?? [];
        if (works.length === 0 || signal.aborted) return;
        const done = await count(cellKey, works, lease.isCurrent);
        for (const { key } of done) await notes.delete(key);
      }
    } finally {
      await lease.release();
    }
  }

  function start(cellKey: string): void {
    if (running.has(cellKey) || signal.aborted) return;
    const work = workOff(cellKey)
      .catch((err: unknown) => {
        // What is noted is found again.
        waiting.delete(cellKey);
        if (!signal.aborted) log.warn({ err }, "Questions were not counted yet");
      })
      .finally(() => {
        running.delete(cellKey);
        if ((waiting.get(cellKey)?.length ?? 0) > 0) start(cellKey);
        else waiting.delete(cellKey);
      });
    running.set(cellKey, work);
  }

  function enqueue(cellKey: string, work: Work): void {
    waiting.set(cellKey, [...(waiting.get(cellKey) ?? []), work]);
    start(cellKey);
  }

  const settled = async () => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    note: async ({ id: turnId, askedIn, createdAtMs }) => {
      const atMs = clock.now();
      const cell = cellKeyOf(askedIn, dayOf(createdAtMs));
      const key = `${workspaceKey(askedIn)}/${turnId}/${newId(atMs)}`;
      await notes.set(key, { version: 1, turnId, cell, atMs }, noteMs);
      return () => enqueue(cell, { turnId, key });
    },
    forget: async (forgotten) => {
      for (const turn of forgotten) await shares.delete(shareKey(turn));
    },
    between: async (place, fromMs, untilMs) => {
      const days = Array.from({ length: dayOf(untilMs - 1) - dayOf(fromMs) + 1 }, (_, at) => dayOf(fromMs) + at);
      const sums = await Promise.all(
        days.map(async (day) => sumOf((await cells.get(cellKeyOf(place, day))) ?? emptyCell, day, fromMs, untilMs)),
      );
      const add = (member: keyof DayCount) => sums.reduce((sum, one) => sum + one[member], 0);
      return { questions: add("questions"), withSource: add("withSource"), up: add("up"), down: add("down") };
    },
    recover: async () => {
      try {
        const known = new Set([...waiting.values()].flat().map(({ key }) => key));
        for await (const [key, { turnId, cell, atMs }] of notes.entries("")) {
          // Also if the clock was set back meanwhile.
          if (Math.abs(clock.now() - atMs) >= heldMs && !known.has(key)) enqueue(cell, { turnId, key });
        }
      } catch (err) {
        log.warn({ err }, "Can't look for questions that were not counted");
      }
    },
    settled,
    drain: async () => {
      ending.abort(new Error("The process is ending."));
      await settled();
    },
  };
}

function cellKeyOf(place: Place, day: number): string {
  return `${channelKey(place)}/${day}`;
}
