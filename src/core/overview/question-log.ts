/**
 * The port to the question log: one entry per finished Turn, without its texts, in an index of the store. Entries are
 * derived from Turns again and again, so they can always be replaced.
 */
import type { Place, Visibility } from "../model/place.ts";

export const questionOutcomes = [
  "answered",
  "unsure",
  "nothing",
  "passages-only",
  "failed",
  "stopped",
  "not-shown",
] as const;
/** "answered": for sure; "unsure" and "nothing" are the other grades of an answer. "passages-only": its model failed. "not-shown": its end was not shown where it was asked. */
export type QuestionOutcome = (typeof questionOutcomes)[number];

/** Why an end was not shown where it was asked. */
export const reasonsNotShown = ["nothing", "unsure", "failed", "unchanged", "limit", "not-for-you", "unshown"] as const;
/** "unshown": its place could not be written in. */
export type NotShown = (typeof reasonsNotShown)[number];

export type QuestionEntry = {
  /** The Turn's. */
  readonly id: string;
  readonly ref: string;
  /** By the clock of the instance that took the question. */
  readonly askedAtMs: number;
  /** Of the newest attempt. */
  readonly endedAtMs?: number;
  /** From the first moment of the newest attempt to its end; never negative. */
  readonly durationMs?: number;
  readonly place: Place;
  /** Who could read `place` when it was asked. Absent: unknown. */
  readonly visibility?: Visibility;
  /** Only its asker reads the answer. */
  readonly isPrivate?: true;
  /** "PROJECT.NAME". Absent: none was asked. */
  readonly agent?: string;
  readonly outcome: QuestionOutcome;
  /** Set with "not-shown". */
  readonly why?: NotShown;
  /** The error's, if there was one. */
  readonly code?: string;
  readonly hasSource: boolean;
  readonly up: number;
  readonly down: number;
  /** The asker's key: `personKey` of the place and the person. */
  readonly asker: string;
  /** A schedule asked. */
  readonly isScheduled?: true;
};

/** All that are set must apply. */
export type QuestionFilter = {
  /** Asked at that time or later. */
  readonly fromMs?: number;
  /** Asked before that time. */
  readonly untilMs?: number;
  readonly platform?: string;
  readonly workspace?: string;
  readonly channel?: string;
  /** "PROJECT.NAME". */
  readonly agent?: string;
  readonly outcome?: QuestionOutcome;
  /** Together with "not-shown". */
  readonly why?: NotShown;
  readonly feedback?: "up" | "down";
  readonly ref?: string;
  /** `personKey`. */
  readonly asker?: string;
};

/** Where a page ends: newest first, by time and then by id. Entries that arrive meanwhile move no page. */
export type QuestionCursor = Pick<QuestionEntry, "askedAtMs" | "id">;

export type QuestionPage = {
  readonly entries: readonly QuestionEntry[];
  /** Where the next page begins. Absent: this is the last one. */
  readonly next?: QuestionCursor;
};

/** `isMore`: counting ended there. */
export type QuestionCount = { readonly count: number; readonly isMore: boolean };

/** An index in the store: it walks in small pieces, so that neither the event loop nor Redis is blocked for long. */
export type QuestionLogStore = {
  /** Adds entries, or replaces those with the same id. */
  readonly put: (entries: readonly QuestionEntry[]) => Promise<void>;
  /** Removing what isn't there succeeds. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly get: (id: string) => Promise<QuestionEntry | undefined>;
  /** Newest first. */
  readonly page: (filter: QuestionFilter, limit: number, after?: QuestionCursor) => Promise<QuestionPage>;
  /** Counts up to `most`. */
  readonly count: (filter: QuestionFilter, most: number) => Promise<QuestionCount>;
  /** Everything that matches, newest first, page by page. */
  readonly all: (filter: QuestionFilter) => AsyncIterable<QuestionEntry>;
  /** Removes what was asked before that time; returns the number. */
  readonly prune: (beforeMs: number) => Promise<number>;
};
