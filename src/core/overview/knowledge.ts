/** The port to knowledge bases as the overview shows them: what is in them, who looks in them, and the jobs that fill them. */

import type { LedgerDocument } from "../content/ledger.ts";
import type { Actor, Place } from "../model/place.ts";
import type { PlaceName } from "./places.ts";

export type BaseLine = {
  readonly project: string;
  readonly name: string;
  /** For buttons. */
  readonly ref: string;
  /** Names of the agents that look in it. Absent: the service can't tell now. */
  readonly readers?: readonly string[];
  /** Documents that Parley put in. */
  readonly documents: number;
  /** Rows that others put in, as far as they were counted. */
  readonly otherRows?: number;
  /** When something was last put in or read again. */
  readonly lastReadAtMs?: number;
  /** Documents that a refresh found gone, or whose rows are missing. */
  readonly problems: number;
};

export type DocumentLine = Pick<
  LedgerDocument,
  "id" | "title" | "url" | "rows" | "pages" | "addedAtMs" | "readAtMs" | "problem"
> & {
  readonly kind: LedgerDocument["origin"]["kind"];
  readonly by: string;
  readonly answerId?: string;
};

export type DocumentPage = {
  readonly base: BaseLine;
  readonly documents: readonly DocumentLine[];
  readonly next?: string;
};

export type JobStatus = "running" | "failed" | "done" | "cancelled";

export type JobLine = {
  readonly id: string;
  readonly ref: string;
  /** Where buttons about it are pressed: its workspace. Absent while that platform is off. */
  readonly place?: Place;
  /** Where it was started. */
  readonly startedIn: PlaceName & { readonly platform: string; readonly isOff?: true };
  readonly status: JobStatus;
  readonly isWaiting: boolean;
  readonly kind: "add" | "refresh" | "check" | "answer";
  readonly knowledgeBase?: string;
  readonly agent?: string;
  /** Its first item, and how many more there are. */
  readonly first: string;
  readonly items: number;
  readonly done: number;
  readonly failed: number;
  /** Of the first item that failed. */
  readonly reason?: string;
  readonly by: string;
  readonly createdAtMs: number;
  readonly endedAtMs?: number;
};

export type JobPage = { readonly jobs: readonly JobLine[]; readonly next?: string };

/** People who manage see everyone's jobs, others their own. */
export type KnowledgeReader = {
  /** Rejects while the service can't list them. */
  readonly bases: () => Promise<readonly BaseLine[]>;
  /** Newest first, those whose title or address contains `search`. Undefined: there is no such base. */
  readonly documents: (
    base: { readonly project: string; readonly name: string },
    page: { readonly cursor?: string | undefined; readonly search?: string | undefined },
  ) => Promise<DocumentPage | undefined>;
  /** Newest first. */
  readonly jobs: (
    viewer: Actor,
    filter: { readonly status?: JobStatus | undefined; readonly cursor?: string | undefined },
  ) => Promise<JobPage>;
};
