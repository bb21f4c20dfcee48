/**
 * Works off notes in the background, for each agent by one process at a time: note, gap, note gone.
 * What a dead process left is found and done again.
 */

import type { App } from "../../app.ts";
import type { GapScope } from "../../core/model/insight.ts";
import { newId } from "../../core/tools/ids.ts";
import { type GapStore, scopeKeyOf } from "./gap-store.ts";
import { finishMove, type MoveNote } from "./merging.ts";
import { regroup, type TurnNote } from "./regroup.ts";

/** What is to be looked at again: stored before the fact it is about, and deleted once that is grouped. */
export type Note = { readonly version: 1; readonly scope: GapScope; readonly atMs: number } & (TurnNote | MoveNote);

type StoredNote = { readonly key: string; readonly note: Note };

/** The process that wrote a note has stored its fact by then, or is dead. */
const heldMs = 10_000;
/** So long a process that died while it forgot may have left what it had noted. */
const forgettingMs = 3_600_000;
/** What could not be done in a day is dropped, and logged. */
const patienceMs = 86_400_000;

type Running = { isAgain: boolean; readonly promise: Promise<void> };

export type GapWork = ReturnType<typeof createGapWork>;

/** Keys of notes begin with the scope, and sort by time within it. */
export function createGapWork(app: App, store: GapStore) {
  const { clock, log } = app;
  const { coordinator } = app.state;
  const noted = app.state.keyValue<Note>("open-signals");
  const damaged = new Set<string>();
  const ending = new AbortController();
  const running = new Map<string, Running>();
  const others = new Set<Promise<void>>();
  /** Turns whose facts are stored, by agent: their notes need not grow old first. */
  const begun = new Map<string, Set<string>>();

  /** False: the lease was lost, and what was not done is found again. */
  async function underLease<T>(scope: GapScope, work: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    const lease = await coordinator.lease(`gaps/${scopeKeyOf(scope)}`, { signal: ending.signal });
    try {
      return await work(lease.isCurrent);
    } finally {
      await lease.release();
    }
  }

  /** Also if the clock was set back meanwhile. */
  const ageOf = ({ atMs }: Note) => Math.abs(clock.now() - atMs);
  const isForgetting = (note: Note) => note.kind === "look" && note.isForgetting === true && ageOf(note) < forgettingMs;

  async function deleteAll(notes: readonly StoredNote[]): Promise<void> {
    await Promise.all(notes.map(({ key }) => noted.delete(key)));
  }

  /** Oldest first. */
  async function notesOf(scope: GapScope): Promise<readonly StoredNote[]> {
    const found: StoredNote[] = [];
    for await (const [key, note] of noted.entries(`${scopeKeyOf(scope)}/`)) found.push({ key, note });
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Every agent that has notes. */
  async function notedScopes(): Promise<readonly GapScope[]> {
    const found = new Map<string, GapScope>();
    for await (const [key, { scope }] of noted.entries("")) {
      if (typeof scope?.agent?.name === "string") found.set(scopeKeyOf(scope), scope);
      else if (!damaged.has(key)) {
        damaged.add(key);
        log.error({ key: `open-signals/${key}` }, "Skipping a damaged note");
      }
    }
    return [...found.values()];
  }

  /** True if its notes are done with. */
  async function workOff(scope: GapScope, turnId: string, notes: readonly StoredNote[], isBegun: boolean) {
    const isOld = notes.some(({ note }) => ageOf(note) >= heldMs);
    if (!isBegun && !isOld) return;
    const about = notes.flatMap(({ note }) => ("turnId" in note ? [note] : []));
    const outcome = await regroup(app.state, store, scope, turnId, about);
    const isGivenUp = notes.every(({ note }) => note.atMs + patienceMs <= clock.now());
    if (isGivenUp || outcome === "gone") await deleteAll(notes);
    else if (outcome === "done") await deleteAll(notes.filter(({ note }) => !isForgetting(note)));
  }

  async function workOffAll(scope: GapScope, isCurrent: () => boolean): Promise<void> {
    const scopeKey = scopeKeyOf(scope);
    const ready = begun.get(scopeKey) ?? new Set<string>();
    begun.delete(scopeKey);
    const notes = await notesOf(scope);
    const byTurn = Map.groupBy(notes, ({ note }) => subjectOf(note));
    // Also without a note: another instance may have worked it off before its fact was stored.
    for (const turnId of ready) if (!byTurn.has(turnId)) byTurn.set(turnId, []);
    for (const [turnId, found] of byTurn) {
      if (!isCurrent() || ending.signal.aborted) return;
      const [first] = found;
      try {
        if (first?.note.kind === "merge" || first?.note.kind === "split") {
          await finishMove(store, scope, first.note);
          await deleteAll(found);
        } else await workOff(scope, turnId, found, ready.has(turnId));
      } catch (err) {
        log.warn({ err, turnId }, "A question was not grouped yet");
        const isGivenUp = found.every(({ note }) => note.atMs + patienceMs <= clock.now());
        if (isGivenUp) await deleteAll(found);
      }
    }
  }

  function start(scope: GapScope): void {
    const key = scopeKeyOf(scope);
    const now = running.get(key);
    if (now !== undefined) {
      now.isAgain = true;
      return;
    }
    const work = async () => {
      do {
        entry.isAgain = false;
        await underLease(scope, (isCurrent) => workOffAll(scope, isCurrent));
      } while (entry.isAgain && !ending.signal.aborted);
    };
    const entry: Running = {
      isAgain: true,
      promise: Promise.resolve()
        .then(work)
        .catch((err: unknown) => {
          if (!ending.signal.aborted) log.warn({ err }, "Questions were not grouped yet");
        })
        .finally(() => running.delete(key)),
    };
    running.set(key, entry);
  }

  const all = () => [...others, ...[...running.values()].map(({ promise }) => promise)];

  return {
    underLease,
    /** Durable when it resolves, with its key. */
    note: async (scope: GapScope, note: TurnNote | MoveNote): Promise<string> => {
      const atMs = clock.now();
      const key = `${scopeKeyOf(scope)}/${newId(atMs)}`;
      await noted.set(key, { version: 1, scope, atMs, ...note });
      return key;
    },
    deleteNote: noted.delete,
    /** Background work of a moment; it never rejects. */
    track: (work: Promise<void>): void => {
      const tracked = work.finally(() => others.delete(tracked));
      others.add(tracked);
    },
    /** The facts of that Turn's notes are stored. */
    begin: (scope: GapScope, turnIds: readonly string[]): void => {
      const key = scopeKeyOf(scope);
      const known = begun.get(key);
      begun.set(key, new Set([...(known ?? []), ...turnIds]));
      start(scope);
    },
    recover: async (): Promise<void> => {
      try {
        for (const scope of await notedScopes()) start(scope);
      } catch (err) {
        log.warn({ err }, "Can't look for questions that were not grouped");
      }
    },
    /** Everything that was begun here has been tried. */
    settled: async (): Promise<void> => {
      while (running.size + others.size > 0) await Promise.all(all());
    },
    drain: async (): Promise<void> => {
      ending.abort(new Error("The process is ending."));
      await Promise.all([...running.values()].map(({ promise }) => promise));
    },
  };
}

/** Notes about one subject are worked off together. */
function subjectOf(note: Note): string {
  return "turnId" in note ? note.turnId : `${note.kind}:${note.from}/${note.into}`;
}
