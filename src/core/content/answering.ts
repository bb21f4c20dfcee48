/** The port to added answers: rows that people add to a knowledge base so that a question is answered from then on. */
import type { Named } from "../access.ts";
import type { CommandContext } from "../commands.ts";
import type { AddedAnswer } from "../model/insight.ts";
import type { Actor, Place } from "../model/place.ts";
import type { Source } from "../model/turn.ts";

/** Cut at that many characters, and said. */
export const maxAnswerChars = 20_000;
export const maxAnsweredQuestionChars = 300;

/** Of its row. Stable, so that adding it again replaces the row. */
export function answerRowId(answerId: string): string {
  return `answer-${answerId}`;
}

export type AnswerDraft = {
  /** As typed; untrusted. */
  readonly question: string;
  readonly answer: string;
  /** Those that can't be linked are left out. */
  readonly urls: readonly string[];
  readonly base: Named;
  readonly origin: AddedAnswer["origin"];
  /** Who says so. Default: the person who adds it. */
  readonly by?: AddedAnswer["by"];
  /** When they said so. Default: now. */
  readonly atMs?: number;
  /** Whether those who asked are told once the answer is proved. Default: no. */
  readonly tell?: boolean;
};

export type AnswerEnd =
  /** `replaced`: another person's answer that was there until now. */
  | { readonly kind: "added"; readonly answer: AddedAnswer; readonly replaced?: AddedAnswer["previous"] }
  | { readonly kind: "failed"; readonly reason: string }
  /** Another process does it. */
  | { readonly kind: "running" };

export type AnswerBegun = {
  readonly answer: AddedAnswer;
  readonly jobId: string;
  /** It was longer than `maxAnswerChars`. */
  readonly isCut: boolean;
  /** Resolves when the row is in, or could not be put in. */
  readonly ended: () => Promise<AnswerEnd>;
};

/** An answer whose row is in its knowledge base. */
export type AnswerAdded = {
  readonly answer: AddedAnswer;
  /** Unique for each time that it is added: what is told twice has the same one. */
  readonly jobId: string;
  /** Who added it, and where. */
  readonly actor: Actor;
  readonly place: Place;
  readonly tell: boolean;
};

/**
 * Called once the row is in, by the process that put it in, before the Job knows that it's done: a process that dies in
 * between calls it again. Stores what it needs by `jobId`, then resolves; what takes longer continues in the background.
 */
export type WhenAdded = (added: AnswerAdded) => Promise<void>;

export type Answering = {
  /**
   * Resolves once it is stored that it is to be added; adding the same origin to the same base again replaces the row.
   * Throws state_unavailable. The caller has checked that the person may add to that base.
   */
  readonly addAnswer: (
    draft: AnswerDraft,
    context: Pick<CommandContext, "actor" | "place" | "eventKey">,
  ) => Promise<AnswerBegun>;
  /** All that are in knowledge bases which that agent looks in, newest first. */
  readonly answersOf: (agent: Named) => Promise<readonly AddedAnswer[]>;
  /** Whichever base it is in. */
  readonly byId: (answerId: string) => Promise<AddedAnswer | undefined>;
  readonly onAdded: (listener: WhenAdded) => void;
  /** Called when its row was removed: a gap that it had answered is open again. Never rejects. */
  readonly removed: (answerId: string, place: Place) => Promise<void>;
};

/** Records of added answers, by base and id. */
export type AnswerStore = {
  readonly get: (base: Named, id: string) => Promise<AddedAnswer | undefined>;
  /** The newest, if several bases have it. */
  readonly byId: (id: string) => Promise<AddedAnswer | undefined>;
  readonly ofBase: (base: Named) => Promise<readonly AddedAnswer[]>;
  /** Whose row has that title and URL, as far as they are known. For services that don't tell a row's id. */
  readonly named: (base: Named, row: Pick<Source, "title" | "url">) => Promise<AddedAnswer | undefined>;
  readonly put: (answer: AddedAnswer) => Promise<void>;
  readonly delete: (base: Named, id: string) => Promise<void>;
};

/** An answer on its way into a base. `url`: where its row links to. */
export type AnswerRow = {
  readonly answer: AddedAnswer;
  readonly url?: string;
  readonly tell: boolean;
};

/** Puts answers into knowledge bases as rows: durable Jobs without a message of their own. */
export type AnswerRows = {
  /** Resolves with the Job's id once it is stored. Throws state_unavailable. */
  readonly begin: (
    row: AnswerRow,
    context: Pick<CommandContext, "actor" | "place" | "eventKey">,
  ) => Promise<{ readonly jobId: string }>;
  /** Waits for it if it runs in this process. */
  readonly ended: (
    jobId: string,
  ) => Promise<{ readonly state: "done" | "running" } | { readonly state: "failed"; readonly reason: string }>;
};
