/**
 * Derives what is kept beside Turns, such as counts and the question log, whatever dies. What may have changed is noted
 * before the fact, then read and worked off under the lease of its quarter of an hour.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../../app.ts";
import type { Begin, TurnNotes } from "../../core/content/gaps.ts";
import type { VoteCounts, Voted } from "../../core/content/voting.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { type Lease, unfinishedTurnStates } from "../../core/ports/state.ts";
import { newId } from "../../core/tools/ids.ts";

/** Turns are derived by the quarter of an hour (UTC) in which they were asked, which has a number. */
export const quarterMs = 900_000;

export const quarterOf = (ms: number): number => Math.floor(ms / quarterMs);

export type DerivingLease = Pick<Lease, "isCurrent" | "fence">;

export type ProjectedTurn = { readonly turn: Turn; readonly votes: VoteCounts };

/**
 * Derived by one worker, which notes a Turn before the fact and finds the note after a crash. It calls `derive` under
 * the lease of the quarter of an hour in which all these questions were asked: again with the same Turn whenever that
 * has ended, was asked again, voted on or forgotten, and after a crash. So each call must say what is true now, and sums
 * must know what a Turn had added before. It rejects if it could not: the Turns stay noted and come again.
 */
export type TurnProjection = {
  /**
   * Turns have a final state or are forgotten. `gone`: ids of Turns that no longer exist. `lease`: of that quarter; ask
   * whether it is current before the first write, and let writes carry its fence.
   */
  readonly derive: (
    quarter: number,
    turns: readonly ProjectedTurn[],
    gone: readonly string[],
    lease: DerivingLease,
  ) => Promise<void>;
};

/** Order: note, store the fact, begin. A process that dies in between is healed by another one. */
export type TurnNoting = {
  /** Durable when it resolves. Rejects with state_unavailable. */
  readonly note: (turn: Pick<Turn, "id" | "askedIn" | "createdAtMs">) => Promise<Begin>;
};

/** What is derived from a Turn may have changed. `quarter`: when it was asked. */
export type TurnNote = {
  readonly version: 1;
  readonly turnId: string;
  readonly quarter: number;
  readonly atMs: number;
};

/** The process that wrote a note has stored its fact by then, or is dead. */
const heldMs = 10_000;
/** A question that doesn't end in this time is derived with the next change of it. */
const noteMs = 2 * 86_400_000;
/** Of Turns read at once. */
const atOnce = 50;
/** Turns that are read before anything else runs: about 1 ms. */
const readAtOnce = 5;
/** Quarters derived at once: their writes share commits and round trips. */
const quartersAtOnce = 16;

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
  /** By quarter: what is to be derived next. */
  const waiting = new Map<number, Work[]>();
  const running = new Map<number, Promise<void>>();

  /** `counts`: undefined for a Turn that hasn't ended. */
  async function read(turnId: string) {
    const turn = await turns.get(turnId);
    if (turn?.isForgotten === true) return { turnId, turn, counts: { up: 0, down: 0 } };
    const isOver = turn !== undefined && !unfinishedTurnStates.includes(turn.state);
    return { turnId, turn, counts: isOver ? await votes(turn) : undefined };
  }

  /** Returns the works that are done with. */
  async function project(quarter: number, works: readonly Work[], lease: DerivingLease): Promise<readonly Work[]> {
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
      for (const { derive } of projections) await derive(quarter, found, gone, lease);
    }
    return works.filter(({ turnId }) => !left.has(turnId));
  }

  /** Until the line is empty. */
  async function workOff(quarter: number): Promise<void> {
    const lease = await coordinator.lease(leaseOf(quarter), { signal });
    try {
      for (;;) {
        const works = waiting.get(quarter)?.splice(0, atOnce) ?? [];
        if (works.length === 0 || signal.aborted) return;
        const done = await project(quarter, works, lease);
        await Promise.all(done.map(({ key }) => (key === undefined ? undefined : notes.delete(key))));
      }
    } finally {
      await lease.release();
    }
  }

  async function deriveQuarter(quarter: number, found: readonly Pick<Turn, "id">[]): Promise<void> {
    const lease = await coordinator.lease(leaseOf(quarter), { signal });
    try {
      const works = found.map(({ id }) => ({ turnId: id }));
      for (let from = 0; from < works.length; from += atOnce) {
        await project(quarter, works.slice(from, from + atOnce), lease);
      }
    } finally {
      await lease.release();
    }
  }

  function start(quarter: number): void {
    if (running.has(quarter) || signal.aborted) return;
    const work = workOff(quarter)
      .catch((err: unknown) => {
        // What is noted is found again.
        waiting.delete(quarter);
        if (!signal.aborted) log.warn({ err }, "Questions were not counted yet");
      })
      .finally(() => {
        running.delete(quarter);
        if ((waiting.get(quarter)?.length ?? 0) > 0) start(quarter);
        else waiting.delete(quarter);
      });
    running.set(quarter, work);
  }

  function enqueue(quarter: number, work: Work): void {
    waiting.set(quarter, [...(waiting.get(quarter) ?? []), work]);
    start(quarter);
  }

  const settled = async () => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    note: async ({ id: turnId, askedIn, createdAtMs }) => {
      const atMs = clock.now();
      const quarter = quarterOf(createdAtMs);
      const key = `${workspaceKey(askedIn)}/${turnId}/${newId(atMs)}`;
      await notes.set(key, { version: 1, turnId, quarter, atMs }, noteMs);
      return () => enqueue(quarter, { turnId, key });
    },
    derive: async (found) => {
      const byQuarter = [...Map.groupBy(found, ({ createdAtMs }) => quarterOf(createdAtMs))];
      for (let from = 0; from < byQuarter.length; from += quartersAtOnce) {
        await nextTurn();
        signal.throwIfAborted();
        const some = byQuarter.slice(from, from + quartersAtOnce);
        // None is still at work when the caller tries again.
        const ended = await Promise.allSettled(some.map(([quarter, ofQuarter]) => deriveQuarter(quarter, ofQuarter)));
        for (const end of ended) if (end.status === "rejected") throw end.reason;
      }
    },
    recover: async () => {
      try {
        const known = new Set([...waiting.values()].flat().map(({ key }) => key));
        for await (const [key, { turnId, quarter, atMs }] of notes.entries("")) {
          // Also if the clock was set back meanwhile.
          if (Math.abs(clock.now() - atMs) >= heldMs && !known.has(key)) enqueue(quarter, { turnId, key });
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

function leaseOf(quarter: number): string {
  return `question-counts/${quarter}`;
}

/** Adds deriving to what is noted of Turns: their end, votes on them, that they are forgotten. */
export function withTurnWork(notes: TurnNotes, work: TurnNoting): TurnNotes {
  async function both(turn: Turn, noting: Promise<Begin>): Promise<Begin> {
    const begins = await Promise.all([noting, work.note(turn)]);
    return () => {
      for (const begin of begins) begin();
    };
  }

  return {
    noteEnd: notes.noteEnd,
    noteFinal: work.note,
    noteSignal: (turn, signal) => both(turn, notes.noteSignal(turn, signal)),
    withdrawSignal: (turn, signal) => both(turn, notes.withdrawSignal(turn, signal)),
    noteVote: work.note,
    noteForgotten: async (turns) => {
      const forget = await notes.noteForgotten(turns);
      const begins: Begin[] = [];
      for (const turn of turns) begins.push(await work.note(turn));
      return async () => {
        await forget();
        for (const begin of begins) begin();
      };
    },
  };
}
