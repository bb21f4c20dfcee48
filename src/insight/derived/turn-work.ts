/**
 * Derives what is kept beside Turns, such as counts and the question log, whatever dies. What may have changed is noted
 * before the fact, then read and worked off under the lease of its channel and day.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../../app.ts";
import type { VoteCounts, Voted } from "../../core/content/voting.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ProjectedTurn, TurnNoting, TurnProjection } from "../../core/overview/turn-projection.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { newId } from "../../core/tools/ids.ts";
import { cellKeyOf, dayMs, dayOf } from "../digest/day-cell.ts";

/** What is derived from a Turn may have changed. `cell`: its channel and day. */
export type TurnNote = { readonly version: 1; readonly turnId: string; readonly cell: string; readonly atMs: number };

/** The process that wrote a note has stored its fact by then, or is dead. */
const heldMs = 10_000;
/** A question that doesn't end in this time is derived with the next change of it. */
const noteMs = 2 * dayMs;
/** Of Turns read at once. */
const atOnce = 50;
/** Turns of a cell that are read before anything else runs: about 1 ms. */
const readAtOnce = 5;
/** Channels and days derived at once: their writes share commits and round trips. */
const cellsAtOnce = 16;

/** Without a key: the caller waits for it, so nobody noted it. */
type Work = { readonly turnId: string; readonly key?: string };

export type TurnWork = TurnNoting & {
  /** Derives Turns that nobody noted, while the caller waits. Rejects when that failed. */
  readonly derive: (turns: readonly Pick<Turn, "id" | "askedIn" | "createdAtMs">[]) => Promise<void>;
  /** Looks for what dead processes left. Never rejects. */
  readonly recover: () => Promise<void>;
  readonly settled: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createTurnWork(
  app: App,
  {
    votes,
    projections,
  }: {
    readonly votes: (turn: Voted) => Promise<VoteCounts>;
    readonly projections: readonly TurnProjection[];
  },
): TurnWork {
  const { clock, log } = app;
  const { turns, coordinator } = app.state;
  const notes = app.state.keyValue<TurnNote>("open-counts");
  const ending = new AbortController();
  const { signal } = ending;
  /** By channel and day: what is to be derived next. */
  const waiting = new Map<string, Work[]>();
  const running = new Map<string, Promise<void>>();

  /** `counts`: undefined for a Turn that hasn't ended. */
  async function read(turnId: string) {
    const turn = await turns.get(turnId);
    if (turn?.isForgotten === true) return { turnId, turn, counts: { up: 0, down: 0 } };
    const isOver = turn !== undefined && !unfinishedTurnStates.includes(turn.state);
    return { turnId, turn, counts: isOver ? await votes(turn) : undefined };
  }

  /** Returns the works that are done with. */
  async function project(cell: string, works: readonly Work[], isCurrent: () => boolean): Promise<readonly Work[]> {
    const found: ProjectedTurn[] = [];
    const gone: string[] = [];
    const left = new Set<string>();
    const ids = [...new Set(works.map((work) => work.turnId))];
    for (let from = 0; from < ids.length; from += readAtOnce) {
      if (from > 0) await nextTurn();
      const some = ids.slice(from, from + readAtOnce);
      for (const { turnId, turn, counts } of await Promise.all(some.map(read))) {
        if (turn === undefined) gone.push(turnId);
        else if (counts === undefined) left.add(turnId);
        else found.push({ turn, votes: counts });
      }
    }
    if (found.length + gone.length > 0) {
      for (const { derive } of projections) await derive(cell, found, gone, isCurrent);
    }
    return works.filter(({ turnId }) => !left.has(turnId));
  }

  /** Until the line is empty. */
  async function workOff(cell: string): Promise<void> {
    const lease = await coordinator.lease(leaseOf(cell), { signal });
    try {
      for (;;) {
        const works = waiting.get(cell)?.splice(0, atOnce) ?? [];
        if (works.length === 0 || signal.aborted) return;
        const done = await project(cell, works, lease.isCurrent);
        for (const { key } of done) if (key !== undefined) await notes.delete(key);
      }
    } finally {
      await lease.release();
    }
  }

  async function deriveCell(cell: string, found: readonly Pick<Turn, "id">[]): Promise<void> {
    const lease = await coordinator.lease(leaseOf(cell), { signal });
    try {
      const works = found.map(({ id }) => ({ turnId: id }));
      for (let from = 0; from < works.length; from += atOnce) {
        await project(cell, works.slice(from, from + atOnce), lease.isCurrent);
      }
    } finally {
      await lease.release();
    }
  }

  function start(cell: string): void {
    if (running.has(cell) || signal.aborted) return;
    const work = workOff(cell)
      .catch((err: unknown) => {
        // What is noted is found again.
        waiting.delete(cell);
        if (!signal.aborted) log.warn({ err }, "Questions were not counted yet");
      })
      .finally(() => {
        running.delete(cell);
        if ((waiting.get(cell)?.length ?? 0) > 0) start(cell);
        else waiting.delete(cell);
      });
    running.set(cell, work);
  }

  function enqueue(cell: string, work: Work): void {
    waiting.set(cell, [...(waiting.get(cell) ?? []), work]);
    start(cell);
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
    derive: async (found) => {
      const byCell = [...Map.groupBy(found, ({ askedIn, createdAtMs }) => cellKeyOf(askedIn, dayOf(createdAtMs)))];
      for (let from = 0; from < byCell.length; from += cellsAtOnce) {
        await nextTurn();
        signal.throwIfAborted();
        const some = byCell.slice(from, from + cellsAtOnce);
        // None is still at work when the caller tries again.
        const ended = await Promise.allSettled(some.map(([cell, ofCell]) => deriveCell(cell, ofCell)));
        for (const end of ended) if (end.status === "rejected") throw end.reason;
      }
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

function leaseOf(cell: string): string {
  return `day-counts/${cell}`;
}
