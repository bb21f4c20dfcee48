/** What the bridge takes of the settings, and its limits that no variable changes. */

import type { ReachSettings } from "../access/reach.ts";
import type { Settings } from "../config/settings.ts";

export const bridgeLimits = {
  commandsPerPersonPerMinute: 30,
  maxQuestionChars: 120_000,
  /** Maximum number of unanswered questions, per person and in total, over all instances. */
  waiting: { perPerson: 50, inAll: 20_000 },
  /** Maximum number of thread messages read as context. */
  maxThreadMessages: 200,
  /** A running answer is redrawn after this time without an event, so that the elapsed time moves. */
  heartbeatMs: 10_000,
  /**
   * How long a Turn waits before it takes its lane, if other instances use the same storage, so that neighbours that
   * arrived there are journaled.
   */
  laneSettleMs: 150,
  /** Consecutive Turns of bots in one Conversation before it falls silent. */
  maxBotTurnsInARow: 3,
  /** How often to look for Turns that another instance abandoned; 0 never. */
  recoveryIntervalMs: 5_000,
};

export type BridgeLimits = Readonly<typeof bridgeLimits>;

export type BridgeSettings = BridgeLimits &
  ReachSettings &
  Pick<
    Settings,
    "answerBots" | "approvers" | "history" | "notifyAfterMs" | "publicUrl" | "questionLimits" | "sourceOldMs"
  > & {
    /** Other instances use the same storage. */
    readonly isShared: boolean;
  };
