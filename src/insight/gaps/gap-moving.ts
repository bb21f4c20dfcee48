/**
 * Merges gaps that people say mean the same, and takes them apart again: where it goes first, then where it was. A note
 * is stored before, so that another process finishes what a crash interrupts.
 */
import type { Gap, GapScope } from "../../core/model/insight.ts";
import { mergedWith, type StoredGap, splitFrom } from "./gap-record.ts";
import { type GapStore, scopeKeyOf, scopeOf } from "./gap-store.ts";
import type { MoveNote, Outbox } from "./outbox.ts";

export type GapMoving = {
  readonly merge: (from: Gap, into: Gap) => Promise<Gap | undefined>;
  readonly split: (gap: Gap, mergedId: string) => Promise<Gap | undefined>;
  /** What a dead process began. Every step can be repeated. */
  readonly finish: (scope: GapScope, note: MoveNote) => Promise<void>;
};

/** Every caller holds the lease of the gap's agent. */
export function createGapMoving({ store, outbox }: { readonly store: GapStore; readonly outbox: Outbox }): GapMoving {
  async function move(from: StoredGap, into: StoredGap): Promise<StoredGap> {
    const merged = mergedWith(into, from);
    await store.put(merged);
    await store.put({ ...from, askers: [] });
    return merged;
  }

  async function part(gap: StoredGap, mergedId: string): Promise<StoredGap | undefined> {
    const parts = splitFrom(gap, mergedId);
    if (parts === undefined) return undefined;
    await store.put(parts.again);
    await store.put(parts.rest);
    return parts.again;
  }

  async function noted<T>(gap: Gap, note: MoveNote, work: () => Promise<T>): Promise<T> {
    const key = await outbox.write(scopeOf(gap), note);
    const done = await work();
    await outbox.delete(key);
    return done;
  }

  return {
    merge: async (from, into) => {
      if (scopeKeyOf(from) !== scopeKeyOf(into) || from.id === into.id) return undefined;
      const [source, target] = await Promise.all([store.get(from, from.id), store.get(into, into.id)]);
      // The second of two presses.
      if (source === undefined && target?.merged?.some(({ id }) => id === from.id) === true) return target;
      if (source?.state !== "open" || target?.state !== "open") return undefined;
      return noted(into, { kind: "merge", from: from.id, into: into.id }, () => move(source, target));
    },
    split: async (gap, mergedId) => {
      const newest = await store.get(gap, gap.id);
      if (newest === undefined || splitFrom(newest, mergedId) === undefined) return undefined;
      return noted(gap, { kind: "split", from: gap.id, into: mergedId }, () => part(newest, mergedId));
    },
    finish: async (scope, { kind, from: fromId, into: intoId }) => {
      const from = await store.get(scope, fromId);
      if (from === undefined) return;
      const into = await store.get(scope, intoId);
      if (kind === "split") await part(from, intoId);
      else if (into !== undefined) await move(from, into);
    },
  };
}
