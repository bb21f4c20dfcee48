/** The bridge's settings and limits. The configuration fills them; tests use `defaultSettings`. */

import type { ReachSettings } from "../access/reach.ts";
import type { Approvers } from "../ports/model/approval.ts";
import type { HistoryLimits } from "./conversation/history.ts";
import type { QuestionLimitSettings } from "./question-limit.ts";

export type BridgeSettings = ReachSettings & {
  readonly history: HistoryLimits;
  readonly questionLimits: QuestionLimitSettings;
  /** APPROVERS. */
  readonly approvers: Approvers;
  readonly commandsPerPersonPerMinute: number;
  /** Bots that can ask, as `platform:id`, or "*". */
  readonly answerBots: readonly string[];
  readonly maxQuestionChars: number;
  /** Maximum number of unanswered questions, per person and in total, over all instances. */
  readonly waiting: { readonly perPerson: number; readonly inAll: number };
  /** Maximum number of thread messages read as context. */
  readonly maxThreadMessages: number;
  /** A running answer is redrawn after this time without an event, so that the elapsed time moves. */
  readonly heartbeatMs: number;
  /** Other instances use the same storage. */
  readonly isShared: boolean;
  /**
   * How long a Turn waits before it takes its lane, so that neighbours that arrived at other instances are journaled.
   */
  readonly laneSettleMs: number;
  /** Consecutive Turns of bots in one Conversation before it falls silent. */
  readonly maxBotTurnsInARow: number;
  /** SOURCE_OLD_DAYS. */
  readonly sourceOldMs: number;
  /** NOTIFY_AFTER_SECONDS; 0: never. */
  readonly notifyAfterMs: number;
  /** PUBLIC_URL. */
  readonly publicUrl?: string;
  /** How often to look for Turns that another instance abandoned; 0 never. */
  readonly recoveryIntervalMs: number;
};

export const defaultSettings: BridgeSettings = {
  project: "mindsdb",
  history: { maxTurns: 20, maxChars: 60_000 },
  roles: { trustedPlatforms: [] },
  questionLimits: { questionsPerPersonPerMinute: 60, questionsPerChannelPerMinute: 120 },
  approvers: "asker",
  agentScope: "bound",
  commandsPerPersonPerMinute: 30,
  answerBots: [],
  serves: () => true,
  maxQuestionChars: 120_000,
  waiting: { perPerson: 50, inAll: 20_000 },
  maxThreadMessages: 200,
  heartbeatMs: 10_000,
  isShared: false,
  laneSettleMs: 0,
  maxBotTurnsInARow: 3,
  sourceOldMs: 365 * 86_400_000,
  notifyAfterMs: 60_000,
  recoveryIntervalMs: 0,
};
