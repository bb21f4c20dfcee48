/** Reads entries of the question log as a store has them: a damaged one is left out and counted. */
import { z } from "zod";
import { type QuestionEntry, questionOutcomes, reasonsNotShown } from "../core/overview/question-log.ts";
import type { DamagedRecords } from "./damaged-records.ts";

const text = z.string();
/** SQLite has no empty columns: "" says that there is none. */
const maybe = text.transform((value) => (value === "" ? undefined : value)).optional();

const stored = z.object({
  id: text,
  ref: text,
  askedAtMs: z.number(),
  endedAtMs: z.number().optional(),
  durationMs: z.number().optional(),
  place: z.object({ platform: text, workspace: text, channel: text, thread: text.optional() }),
  visibility: z.enum(["public", "private", "direct"]).optional(),
  isPrivate: z.literal(true).optional(),
  agent: maybe,
  outcome: z.enum(questionOutcomes),
  why: maybe.pipe(z.enum(reasonsNotShown).optional()),
  code: maybe,
  hasSource: z.boolean(),
  up: z.number(),
  down: z.number(),
  asker: text,
  isScheduled: z.literal(true).optional(),
});

/** Its name among damaged records. */
export const entryRecord = (id: string): string => `question_log/${id}`;

/** Nothing, or the one entry. */
export function readEntry(found: unknown, id: string, damaged: DamagedRecords): readonly QuestionEntry[] {
  const parsed = stored.safeParse(found);
  if (!parsed.success) {
    damaged.add(entryRecord(id), "It is not an entry of the question log.");
    return [];
  }
  return [parsed.data as QuestionEntry];
}

/** What no filter asks for. */
export function detailsOf(entry: QuestionEntry) {
  const { endedAtMs, durationMs, visibility, isPrivate, code, hasSource, isScheduled } = entry;
  const { thread } = entry.place;
  return { endedAtMs, durationMs, visibility, isPrivate, code, hasSource, isScheduled, thread };
}
