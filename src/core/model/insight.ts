/**
 * What Parley learns from its answers: votes, gaps, added answers and checks. Stored records are plain JSON, and every
 * text in them is untrusted.
 */
import type { Named } from "../access.ts";
import type { Actor, Place, Visibility } from "./place.ts";
import type { Thumb } from "./turn.ts";

export type FeedbackReason = "wrong" | "incomplete" | "outdated" | "not-what-i-asked";

/** One person's vote on one answer. */
export type Feedback = {
  readonly version: 1;
  readonly turnId: string;
  /** The person, or the browser where people don't sign in. */
  readonly voter: string;
  readonly actor: Pick<Actor, "id" | "name">;
  readonly thumb: Thumb;
  readonly reason?: FeedbackReason;
  readonly comment?: string;
  /** Wants to know when it is fixed. Absent: the form was not sent. */
  readonly tell?: boolean;
  /** Shares a question of a direct message with the people who answer. */
  readonly isShared?: true;
  readonly atMs: number;
};

/** Why an answer counts as not good enough. */
export type Signal = "thumbs-down" | "nothing" | "unsure" | "asked-again";

/** One question that was not answered well. Its wording is for those only who may read where it was asked. */
export type Asker = {
  readonly turnId: string;
  readonly actor: Pick<Actor, "id" | "name">;
  readonly question: string;
  /** Where the answer is, and where the asker can be notified. */
  readonly place: Place;
  /** When it was asked. Absent: unknown, so nobody else reads it. */
  readonly visibility?: Visibility;
  readonly isShared?: true;
  readonly signals: readonly Signal[];
  readonly tell?: boolean;
  readonly toldAtMs?: number;
  readonly atMs: number;
};

export type GapState = "open" | "answered" | "dismissed";

/** Gaps belong to one workspace and one agent. */
export type GapScope = Pick<Place, "platform" | "workspace"> & { readonly agent: Named };

/** Questions of one meaning that were not answered well. */
export type Gap = GapScope & {
  readonly version: 1;
  readonly id: string;
  /** The newest, at most 100. */
  readonly askers: readonly Asker[];
  /** Also those who are no longer in `askers`. */
  readonly askerCount: number;
  readonly state: GapState;
  readonly createdAtMs: number;
  readonly lastAtMs: number;
  /** Set by a proof that used the added answer. */
  readonly answeredBy?: { readonly answerId: string; readonly atMs: number };
  readonly dismissedBy?: {
    readonly id: string;
    readonly name: string;
    readonly atMs: number;
    readonly askerCount: number;
  };
  /** Gaps that people merged into it: their ids, and which questions came from them. */
  readonly merged?: readonly MergedGap[];
};

export type MergedGap = {
  readonly id: string;
  readonly turnIds: readonly string[];
  /** People of it who are counted here. */
  readonly askerCount: number;
};

/** A row that a person added to a knowledge base so that a question is answered. */
export type AddedAnswer = {
  readonly version: 1;
  /** The row's id is made of it, so adding again replaces the row. */
  readonly id: string;
  readonly project: string;
  readonly knowledgeBase: string;
  readonly question: string;
  readonly answer: string;
  readonly urls: readonly string[];
  readonly by: { readonly key: string; readonly name: string };
  /** What it came from. Its question and its thread may be less public than the row. */
  readonly origin:
    | { readonly kind: "gap"; readonly gapId: string }
    | { readonly kind: "message"; readonly place: Place; readonly messageId: string }
    | { readonly kind: "turn"; readonly turnId: string };
  /** What a source that is this row is called, and where it leads. */
  readonly row?: { readonly title: string; readonly url?: string };
  /** What it replaced, so that it can be put back. */
  readonly previous?: Pick<AddedAnswer, "question" | "answer" | "urls" | "by" | "atMs">;
  readonly atMs: number;
};

/** What its agent answers with now: the added row, something else, or nothing. */
export type CheckResult = "held" | "other-source" | "no-source";

/** The last time an answered gap was asked again to see that its answer still holds. */
export type Check = {
  readonly version: 1;
  readonly gapId: string;
  readonly answerId: string;
  readonly result: CheckResult;
  readonly atMs: number;
  /** The Job that asked, so that one that resumes after a crash doesn't compare with itself. */
  readonly jobId: string;
  readonly before?: Pick<Check, "result" | "atMs">;
};
