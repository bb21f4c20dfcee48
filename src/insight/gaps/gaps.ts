/** Composes gaps: noting, grouping, listing, forgetting. */

import type { App } from "../../app.ts";
import type { Gaps, TurnNotes } from "../../core/content/gaps.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Gap, GapScope } from "../../core/model/insight.ts";
import { type StoredGap, withoutOld } from "./gap-record.ts";
import { createGapStore, scopeOf } from "./gap-store.ts";
import { createGapWork } from "./gap-work.ts";
import { type MoveNote, mergeGaps, splitGap } from "./merging.ts";
import type { IsQuestion } from "./signals.ts";
import { createTurnNotes } from "./turn-notes.ts";

export type GapRoom = {
  readonly notes: TurnNotes;
  readonly gaps: Gaps;
  readonly recover: () => Promise<void>;
  readonly prune: (beforeMs: number) => Promise<number>;
  /** Resolves when everything that was begun here has been tried. */
  readonly settled: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createGaps(
  app: App,
  parts: {
    readonly isQuestion: IsQuestion;
  },
): GapRoom {
  const { log } = app;
  const store = createGapStore(app.state);
  const work = createGapWork(app, store);
  const notes = createTurnNotes(app, { ...parts, store, work });

  async function noted<T>(scope: GapScope, note: MoveNote, move: () => Promise<T>): Promise<T> {
    const key = await work.note(scopeOf(scope), note);
    const moved = await move();
    await work.deleteNote(key);
    return moved;
  }

  /** Under the lease of its agent, with the newest record. */
  function withNewest<T>(gap: Gap, act: (newest: StoredGap | undefined) => Promise<T>): Promise<T> {
    return work.underLease(scopeOf(gap), async () => act(await store.get(gap, gap.id)));
  }

  const change: Gaps["change"] = (gap, changed) =>
    withNewest(gap, async (newest) => {
      if (newest === undefined) return undefined;
      const wanted = changed(newest);
      if (wanted === undefined) return newest;
      const next = { ...wanted, forms: newest.forms };
      await store.put(next);
      return next;
    });

  /** Returns how many questions it deleted. */
  function pruneOne(gap: Gap, beforeMs: number): Promise<number> {
    return withNewest(gap, async (newest) => {
      if (newest === undefined) return 0;
      const left = withoutOld(newest, beforeMs);
      await store.put(left);
      return newest.askers.length - left.askers.length;
    });
  }

  async function prune(beforeMs: number): Promise<number> {
    let deleted = 0;
    for await (const { id, record } of store.olderThan(beforeMs)) {
      try {
        deleted += await pruneOne(record, beforeMs);
      } catch (err) {
        if (err instanceof ParleyError && err.code === "state_unavailable") throw err;
        // Damaged: it must not keep those behind it.
        log.error({ err, key: `gaps/${id}` }, "Old questions of a gap could not be deleted");
      }
    }
    return deleted;
  }

  const gaps: Gaps = {
    get: store.get,
    ofTurn: ({ id, askedIn }) => store.ofTurn(askedIn, id),
    list: store.list,
    count: store.count,
    everywhere: store.everywhere,
    countEverywhere: store.countEverywhere,
    byKey: store.byKey,
    change,
    merge: (from, into) => work.underLease(scopeOf(into), () => mergeGaps(store, from, into, noted)),
    split: (gap, mergedId) => work.underLease(scopeOf(gap), () => splitGap(store, gap, mergedId, noted)),
  };

  return { notes, gaps, prune, recover: work.recover, settled: work.settled, drain: work.drain };
}
