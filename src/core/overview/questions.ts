/** The port to the Questions pages: the list of what was asked, and one question with all that is known about it. */
import type { Inline } from "../document.ts";
import type { FeedbackReason } from "../model/insight.ts";
import type { Source, Table, Thumb, TurnState } from "../model/turn.ts";
import type { NotShown, QuestionCount, QuestionFilter, QuestionOutcome } from "./question-log.ts";

/** Where something was asked, as far as people know it. */
export type AskedIn = {
  readonly platform: string;
  readonly workspace: string;
  /** "private": a channel that not everyone can read, or nobody knows who can. */
  readonly kind: "public" | "private" | "direct";
  /** Absent for direct messages. */
  readonly channel?: string;
  /** Without "#"; cleaned. */
  readonly name?: string;
  readonly isGone?: true;
  /** Parley is no longer connected to the platform. */
  readonly isOff?: true;
};

export type ListedQuestion = {
  readonly id: string;
  readonly ref: string;
  readonly askedAtMs: number;
  readonly askedIn: AskedIn;
  /** "PROJECT.NAME", and as people write it. */
  readonly agent?: { readonly key: string; readonly name: string; readonly isGone?: true };
  readonly isScheduled?: true;
  /** Absent: nobody may read them here. Cleaned. */
  readonly text?: { readonly question: string; readonly by: string };
} & (
  | { readonly state: Extract<TurnState, "queued" | "running" | "waiting" | "interrupted"> }
  | {
      readonly state: "ended";
      readonly outcome: QuestionOutcome;
      readonly why?: NotShown;
      readonly code?: string;
      /** What the code says, in one sentence. */
      readonly what?: string;
      readonly durationMs?: number;
      readonly up: number;
      readonly down: number;
    }
);

export type QuestionList = {
  /** Newest first; only with the first page, and at most 20. They aren't in `rows`. */
  readonly running: readonly ListedQuestion[];
  readonly moreRunning: number;
  readonly rows: readonly ListedQuestion[];
  /** Where the next page begins. Absent: this is the last one. */
  readonly next?: string;
  /** With the first page. Absent with words. */
  readonly count?: QuestionCount;
  /** With words: questions asked since then were compared. Absent: all of them. */
  readonly comparedFromMs?: number;
};

/** `words`: each has to occur in the question, in any case. Only questions whose text the viewer may read are found. */
export type QuestionSearch = QuestionFilter & { readonly words?: string | undefined };

export type SeenStep = {
  /** "Searched **pricing** for “SSO”". */
  readonly title: Inline;
  readonly found?: string;
  readonly state: "running" | "done" | "failed";
  readonly tookMs?: number;
  readonly passages: readonly Source[];
  readonly hasRaw: boolean;
};

/** What only those may read who may read the question. All of it is cleaned. */
export type SeenTexts = {
  readonly question: string;
  readonly by: string;
  /** Its asker, as they are named for export and erasure: "slack:T1/U123". */
  readonly person: string;
  /** Markdown. */
  readonly answer?: string;
  readonly answerOmittedChars?: number;
  readonly table?: Table;
  readonly isPartial: boolean;
  readonly sources: readonly Source[];
  readonly steps: readonly SeenStep[];
  readonly omittedSteps: number;
  readonly votes: readonly SeenVote[];
  readonly error?: { readonly what: string; readonly hint: string };
  readonly stoppedBy?: string;
};

export type SeenVote = {
  readonly thumb: Thumb;
  readonly by: string;
  readonly atMs: number;
  readonly reason?: FeedbackReason;
  readonly comment?: string;
  readonly wantsToKnow?: true;
};

export type QuestionTimes = {
  /** From the question to the beginning of its run. */
  readonly waitedMs?: number;
  /** Until the last step ended. */
  readonly stepsMs?: number;
  /** From there to the end of the answer. */
  readonly answerMs?: number;
  readonly shownMs?: number;
  readonly totalMs?: number;
};

export type SeenQuestion = {
  readonly listed: ListedQuestion;
  readonly texts?: SeenTexts;
  readonly times: QuestionTimes;
  readonly stepCount: number;
  readonly sourceCount: number;
  readonly attempt: number;
  readonly traceId?: string;
  /** Its gap's address among the gaps of all workspaces. */
  readonly gapKey?: string;
  /** Of the message in the chat. Absent for a direct message that may not be read. */
  readonly url?: string;
  /** Of the same conversation, newest first, without this one. */
  readonly others: readonly ListedQuestion[];
  readonly moreOthers: number;
};

/** One step as the service sent it. */
export type RawStep = {
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  readonly reason: string;
};

/** A line of the list for spreadsheets: texts are left out as in the list. */
export type ExportedQuestion = ListedQuestion & { readonly endedAtMs?: number; readonly hasSource: boolean };

/** What the filters offer: what is known now. What is gone can still be asked for. */
/** `isOff`: Parley is no longer connected to the platform. `isGone`: it no longer exists, but questions were asked there. */
type Offered = { readonly name: string; readonly isOff?: true; readonly isGone?: true };

export type QuestionChoices = {
  readonly platforms: readonly Offered[];
  /** `key`: `channelKey`. Without direct messages. */
  readonly channels: readonly (Offered & { readonly key: string; readonly platform: string })[];
  readonly agents: readonly (Offered & { readonly key: string })[];
};

/** `viewer`: `personKey` of who looks; they may read what they asked themselves. All reject with state_unavailable. */
export type Questions = {
  readonly choices: () => Promise<QuestionChoices>;
  readonly list: (viewer: string, search: QuestionSearch, limit: number, after?: string) => Promise<QuestionList>;
  /** By its id, or by its reference: then the newest one that has it. */
  readonly one: (viewer: string, idOrRef: string) => Promise<SeenQuestion | undefined>;
  /** Undefined if that may not be read. */
  readonly raw: (viewer: string, id: string, step: number) => Promise<RawStep | undefined>;
  /** Everything that matches: what still runs, then what has ended, each newest first. */
  readonly all: (viewer: string, search: QuestionSearch) => AsyncIterable<readonly ExportedQuestion[]>;
};
