/**
 * Merges gaps that people say mean the same, and takes them apart again: where it goes first, then where it was. A note
 * is stored before, so that another process finishes what a crash interrupts. Every caller holds the agent's lease.
 */
import type { Gap, GapScope } from "../../core/model/insight.ts";
import { mergedWith, type StoredGap, splitFrom } from "./gap-record.ts";
import { type GapStore, scopeKeyOf } from "./gap-store.ts";

/** Questions are moving: all of a gap into another, or those of a merged one back. */
export type MoveNote = { readonly kind: "merge" | "split"; readonly from: string; readonly into: string };

/** Stores the note, does the work, and deletes the note. */
type Noted = (scope: GapScope, note: MoveNote, work: () => Promise<Gap | undefined>) => Promise<Gap | undefined>;

export async function mergeGaps(store: GapStore, from: Gap, into: Gap, noted: Noted): Promise<Gap | undefined> {
  if (scopeKeyOf(from) !== scopeKeyOf(into) || from.id === into.id) return undefined;
  const [source, target] = await Promise.all([store.get(from, from.id), store.get(into, into.id)]);
  // The second of two presses.
  if (source === undefined && target?.merged?.some(({ id }) => id === from.id) === true) return target;
  if (source?.state !== "open" || target?.state !== "open") return undefined;
  return noted(into, { kind: "merge", from: from.id, into: into.id }, () => move(store, source, target));
}

export async function splitGap(store: GapStore, gap: Gap, mergedId: string, noted: Noted): Promise<Gap | undefined> {
  const newest = await store.get(gap, gap.id);
  if (newest === undefined || splitFrom(newest, mergedId) === undefined) return undefined;
  return noted(gap, { kind: "split", from: gap.id, into: mergedId }, () => part(store, newest, mergedId));
}

/** What a dead process began. Every step can be repeated. */
export async function finishMove(
  store: GapStore,
  scope: GapScope,
  { kind, from: fromId, into: intoId }: MoveNote,
): Promise<void> {
  const [from, into] = await Promise.all([store.get(scope, fromId), store.get(scope, intoId)]);
  if (from === undefined) return;
  if (kind === "split") await part(store, from, intoId);
  else if (into !== undefined) await move(store, from, into);
}

async function move(store: GapStore, from: StoredGap, into: StoredGap): Promise<Gap> {
  const merged = mergedWith(into, from);
  await store.put(merged);
  await store.put({ ...from, askers: [] });
  return merged;
}

async function part(store: GapStore, gap: StoredGap, mergedId: string): Promise<Gap | undefined> {
  const parts = splitFrom(gap, mergedId);
  if (parts === undefined) return undefined;
  await store.put(parts.again);
  await store.put(parts.rest);
  return parts.again;
}
