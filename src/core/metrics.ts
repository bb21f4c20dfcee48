/** What the bridge, Jobs and delivery count. src/operations implements it. */
import type { Thumb } from "./model/turn.ts";

/** `not_answered`: a question to nobody in particular, whose end was shown to nobody. */
export type TurnOutcome = "answered" | "failed" | "stopped" | "interrupted" | "not_answered";

export type BridgeMetrics = {
  /** Once per Turn and attempt. `firstChunkMs` is absent when the service sent nothing. */
  readonly turnEnded: (
    outcome: TurnOutcome,
    times: { readonly firstChunkMs?: number; readonly totalMs: number },
  ) => void;
  /** An answer of that agent was shown. */
  readonly answerEnded: (agent: string, about: { readonly hasSource: boolean }) => void;
  /** A question to that agent failed. */
  readonly answerFailed: (agent: string) => void;
  /**
   * A stream of the service was opened (1) or ended (-1). A stream read in the background after a Stop is still open.
   */
  readonly streamsChanged: (by: 1 | -1) => void;
  /** Turns in this process: waiting in line, and holding their lane. */
  readonly turnsNow: (counts: { readonly waiting: number; readonly running: number }) => void;
};

export type JobMetrics = {
  readonly jobEnded: (outcome: "done" | "failed" | "cancelled") => void;
  /** Jobs in this process. */
  readonly jobsNow: (counts: { readonly waiting: number; readonly running: number }) => void;
};

export type WriteKind = "post" | "edit" | "remove" | "find";

export type EndWay = "edit" | "post" | "anew";

export type BudgetKind = "edits" | "posts" | "status";

/** A budget that 429s have made smaller for a while, as known in this process. */
export type LoweredBudget = {
  /** Absent: of a single answer, which has limits of its own for a while. */
  readonly workspace?: string;
  /** Absent: of the workspace as a whole. */
  readonly channel?: string;
  /** What it allows now. */
  readonly perMinute: number;
  readonly wholeAgainAtMs: number;
};

export type WatchedBudget = {
  readonly per: "workspace" | "channel";
  /** What one of them allows while the platform doesn't complain. */
  readonly perMinute: number;
  readonly lowered: () => readonly LoweredBudget[];
};

/** Counters of one platform's Reply writers: every write with its outcome, every 429. */
export type DeliveryMetrics = {
  /** `outcome` is "ok" or a ParleyError's code. */
  readonly onWrite: (kind: WriteKind, outcome: string, ms: number) => void;
  readonly onRateLimited: () => void;
  /** The end of a Turn was shown: by an edit, as its first message, or as a new message beside its progress. */
  readonly onEnd: (way: EndWay) => void;
  /** An answer was the first message of its question, although there was progress to show before it. */
  readonly onPlaceholderSkipped: () => void;
  /** A 429 made the budget of some workspace or channel smaller for a while. */
  readonly onBudgetLowered: (kind: BudgetKind) => void;
  /** `lowered` is asked at every reading. */
  readonly watchBudget: (kind: BudgetKind, budget: WatchedBudget) => void;
};

/** "limited": the platform asked to slow down. "refused": it has no such line there. */
export type StatusOutcome = "shown" | "cleared" | "limited" | "refused" | "failed";

/** What an adapter counts itself. */
export type AdapterMetrics = Pick<DeliveryMetrics, "onRateLimited" | "onBudgetLowered" | "watchBudget"> & {
  readonly onStatusLine: (outcome: StatusOutcome) => void;
  /** A workspace refuses blocks of that kind. */
  readonly onBlocksRefused: (kind: string) => void;
};

export type FeedbackMetrics = {
  /** A vote was given or changed. One that is taken back stays counted. */
  readonly voted: (agent: string, thumb: Thumb) => void;
};

export type ParleyMetrics = BridgeMetrics &
  JobMetrics &
  FeedbackMetrics & { readonly ofPlatform: (platform: string) => DeliveryMetrics & AdapterMetrics };
