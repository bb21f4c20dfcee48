/** The outbox of notes: what is to be looked at again, stored before the fact it is about, and deleted once grouped. */

import type { GapScope, Signal } from "../../core/model/insight.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { KeyValue } from "../../core/ports/state.ts";
import { newId } from "../../core/tools/ids.ts";
import { scopeKeyOf } from "./gap-store.ts";

/** One fact about a Turn, or gaps whose questions are moving. */
export type Note = { readonly version: 1; readonly scope: GapScope; readonly atMs: number } & (
  | { readonly kind: "answer"; readonly turnId: string; readonly signals: readonly Signal[] }
  | { readonly kind: "asked-again"; readonly turnId: string }
  /** Its votes have changed. `isForgetting`: it is about to be forgotten, and the note is kept until it is. */
  | { readonly kind: "look"; readonly turnId: string; readonly isForgetting?: true }
  | MoveNote
);

/** Questions are moving: all of a gap into another, or those of a merged one back. */
export type MoveNote =
  | { readonly kind: "merge"; readonly from: string; readonly into: string }
  | { readonly kind: "split"; readonly from: string; readonly into: string };

export type StoredNote = { readonly key: string; readonly note: Note };

type NewNote =
  | { readonly kind: "answer"; readonly turnId: string; readonly signals: readonly Signal[] }
  | { readonly kind: "asked-again"; readonly turnId: string }
  | { readonly kind: "look"; readonly turnId: string; readonly isForgetting?: true }
  | MoveNote;

export type Outbox = ReturnType<typeof createOutbox>;

/** `store`: namespace "open-signals". Keys begin with the scope, and sort by time within it. */
export function createOutbox(store: KeyValue<Note>, clock: Pick<Clock, "now">, log: Pick<Log, "error">) {
  const damaged = new Set<string>();
  return {
    write: async (scope: GapScope, note: NewNote): Promise<string> => {
      const atMs = clock.now();
      const key = `${scopeKeyOf(scope)}/${newId(atMs)}`;
      await store.set(key, { version: 1, scope, atMs, ...note });
      return key;
    },
    /** Oldest first. */
    of: async (scope: GapScope): Promise<readonly StoredNote[]> => {
      const found: StoredNote[] = [];
      for await (const [key, note] of store.entries(`${scopeKeyOf(scope)}/`)) found.push({ key, note });
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    /** Every agent that has notes. */
    scopes: async (): Promise<readonly GapScope[]> => {
      const found = new Map<string, GapScope>();
      for await (const [key, { scope }] of store.entries("")) {
        if (typeof scope?.agent?.name === "string") found.set(scopeKeyOf(scope), scope);
        else if (!damaged.has(key)) {
          damaged.add(key);
          log.error({ key: `open-signals/${key}` }, "Skipping a damaged note");
        }
      }
      return [...found.values()];
    },
    delete: store.delete,
  };
}
