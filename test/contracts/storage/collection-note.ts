/** The collection that the contract of collections uses, and a process that is killed while it writes. */
import { z } from "zod";
import type { CollectionDefinition } from "../../../src/core/ports/collection.ts";

export type Note = {
  readonly team?: string;
  readonly kind?: string | number;
  readonly atMs: number;
  readonly size?: number;
  readonly text?: string;
};
export type NoteField = "team" | "kind" | "atMs" | "size";

/** As many records as Redis finds by words. */
export const wordedNotes = 5;

export const noteDefinition: CollectionDefinition<Note, NoteField> = {
  holds: "Notes of a test",
  person: "nobody",
  retain: "until it is removed",
  schema: z.looseObject({ atMs: z.number() }),
  fields: {
    team: ({ team }) => team,
    kind: ({ kind }) => kind,
    atMs: ({ atMs }) => atMs,
    size: ({ size }) => size,
  },
  indexes: [
    { by: [], order: "atMs" },
    { by: ["team"], order: "atMs" },
    { by: ["team", "kind"], order: "atMs" },
    { by: [], order: "size" },
  ],
  text: { of: ({ text = "" }) => text.split(" ").filter((word) => word !== ""), order: "atMs", newest: wordedNotes },
};
