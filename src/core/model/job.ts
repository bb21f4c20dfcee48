/** The record of a Job: durable work that adds content to a knowledge base, or asks an agent's checks. */
import type { Check, CheckResult } from "./insight.ts";
import type { Actor, Place } from "./place.ts";
import type { Reply } from "./reply.ts";

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/**
 * What a refresh found: "moved" to another URL, "gone" with 404 or 410, "removed" because it is gone, "login" for people
 * who log in only.
 */
export type RefreshOutcome = "updated" | "unchanged" | "moved" | "gone" | "removed" | "login";

/** What a check found. "gone": the added answer was removed. */
export type CheckedItem = {
  readonly result: CheckResult | "gone";
  /** The time before. Absent: it was the first time. */
  readonly before?: Pick<Check, "result" | "atMs">;
};

/** Names of files, the first ones of all. */
export type SomeFiles = { readonly count: number; readonly names: readonly string[] };

/** What reading a synced source found. What fails stays as it was read before. */
export type SyncedItem = {
  readonly added: SomeFiles;
  readonly updated: SomeFiles;
  /** They are removed. */
  readonly gone: SomeFiles;
  readonly unchanged: number;
  /** Files of kinds that aren't read. */
  readonly leftOut: number;
  readonly failed: {
    readonly count: number;
    readonly files: readonly { readonly name: string; readonly reason: string }[];
  };
};

/** How much a document has: "40 pages". "file": of a document without such parts, or how many documents it is of. */
export type DocumentSize = { readonly count: number; readonly unit: "page" | "sheet" | "slide" | "file" };

/** One URL, file, batch of rows, query, thread or synced source of a Job; or a question that it asks again. */
export type JobItem = {
  readonly label: string;
  readonly kind: "url" | "file" | "rows" | "query" | "thread" | "sync" | "check";
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly title?: string;
  readonly url?: string;
  /** Web pages. */
  readonly pages?: number;
  /** Of the documents that it is, or leads to. */
  readonly size?: DocumentSize;
  readonly rows?: number;
  /** Rows of other documents that these replaced, because their `id` columns say the same. */
  readonly replaced?: number;
  readonly reason?: string;
  /** What else to know about an item that is done, a line each: what was assumed to read it, linked pages that failed. */
  readonly notes?: readonly string[];
  /** Of a refresh. "gone" and "login" are failures. */
  readonly outcome?: RefreshOutcome;
  /** Of a synced source, also while it is read. */
  readonly synced?: SyncedItem;
  /** Of a check. Its title is set only if its question may be read where the Job is shown, and is worth naming. */
  readonly checked?: CheckedItem;
  /** Attempts that were begun, or about to begin, in processes that did not shut down cleanly. Absent: none. */
  readonly attempts?: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
};

export type Job = {
  readonly version: 1;
  readonly id: string;
  readonly ref: string;
  readonly eventKey: string;
  readonly askedIn: Place;
  readonly actor: Actor;
  readonly project: string;
  readonly knowledgeBase: string;
  readonly way: "service" | "parley";
  readonly options: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly items: readonly JobItem[];
  readonly state: JobState;
  readonly reply: Reply;
  readonly createdAtMs: number;
  readonly endedAtMs?: number;
  readonly fence: number;
};
