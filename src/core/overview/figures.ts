/** The port to the figures of the overview: how many questions, how well and how fast they were answered, and where. */
import type { Mode } from "../model/place.ts";

export type FigureDays = 7 | 30;

/** Of questions that were answered or failed. Votes count on the day of their question. */
export type FigureSums = {
  readonly questions: number;
  /** Answered from a source or from rows. */
  readonly withSource: number;
  readonly failed: number;
  /** Votes. */
  readonly up: number;
  readonly down: number;
  /** Answers that have a vote. */
  readonly voted: number;
  /** From the question to its answer, within 10 %. Absent: nothing was answered. */
  readonly medianMs?: number;
  readonly p95Ms?: number;
};

/** Of one day in the reader's time zone. */
export type DayFigures = FigureSums & {
  /** "2026-11-23". */
  readonly date: string;
  readonly fromMs: number;
};

/** Most frequent first. */
export type FailureFigures = {
  readonly code: string;
  /** What happened, in one sentence. */
  readonly what: string;
  readonly count: number;
};

/** Of one channel and the agent that answered there. All direct messages of a workspace are one row. */
export type ChannelFigures = {
  readonly platform: string;
  readonly workspace: string;
  /** Absent: direct messages. */
  readonly channel?: string;
  /** As people know the channel, without "#". Absent: unknown, or the channel is gone. Untrusted. */
  readonly name?: string;
  readonly isGone?: true;
  /** As people write it: "support", or "shop.support" in another project. Absent: none was asked. */
  readonly agent?: string;
  readonly isAgentGone?: true;
  /** Absent for direct messages. */
  readonly mode?: Mode;
  readonly questions: number;
  readonly withSource: number;
  readonly failed: number;
  readonly lastFailure?: { readonly atMs: number; readonly ref: string };
};

export type Figures = {
  readonly days: FigureDays;
  readonly timeZone: string;
  /** Midnight there, of the first day. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Oldest first; the last one is today. */
  readonly byDay: readonly DayFigures[];
  readonly total: FigureSums;
  /** Of as many days before. */
  readonly before: Pick<FigureSums, "questions" | "withSource" | "failed">;
  readonly failures: readonly FailureFigures[];
  /** Those with most questions first. */
  readonly channels: readonly ChannelFigures[];
  /** Rows that `channels` leaves out. */
  readonly moreChannels: number;
};

export type FigureReader = {
  /** `timeZone`: "Europe/Berlin"; an unknown one counts as UTC. Rejects with state_unavailable. */
  readonly of: (days: FigureDays, timeZone: string) => Promise<Figures>;
};
