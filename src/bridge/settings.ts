/**
 * The numbers the bridge goes by. Main fills them from the Config; tests from `defaultSettings`.
 */

import type { Place } from "../ports/model/place.ts";
import type { AgentScope } from "./access/access.ts";
import type { RoleSettings } from "./access/roles.ts";
import type { HistoryLimits } from "./conversation/history.ts";
import type { PaceSettings } from "./pace.ts";

export type BridgeSettings = {
  readonly project: string;
  readonly history: HistoryLimits;
  readonly roles: RoleSettings;
  readonly pace: PaceSettings;
  /** AGENT_SCOPE. */
  readonly agentScope: AgentScope;
  readonly commandsPerPersonPerMinute: number;
  /** Bots that may ask, as `platform:id`, or "*". */
  readonly answerBots: readonly string[];
  /** WORKSPACES: whether a place is served at all. */
  readonly serves: (place: Place) => boolean;
  readonly maxQuestionChars: number;
  /** Questions that are not answered yet, of one person and of all, over all instances. */
  readonly waiting: { readonly perPerson: number; readonly inAll: number };
  /** Messages of a thread that are read as context, at most. */
  readonly maxThreadMessages: number;
  /** A running answer is drawn again after so long without an event, so that the elapsed time moves. */
  readonly heartbeatMs: number;
  /** Other instances work on the same storage. */
  readonly isShared: boolean;
  /** How long a Turn waits before it takes its lane, so that neighbours that arrived elsewhere are journaled. */
  readonly laneSettleMs: number;
  /** Turns of bots in a row in one Conversation before it falls silent. */
  readonly maxBotTurnsInARow: number;
  /** How often Turns are looked for that another instance has left behind; 0 never. */
  readonly recoveryIntervalMs: number;
};

export const defaultSettings: BridgeSettings = {
  project: "mindsdb",
  history: { maxTurns: 20, maxChars: 60_000 },
  roles: { trustedPlatforms: [] },
  pace: { questionsPerPersonPerMinute: 60, questionsPerChannelPerMinute: 120 },
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
  recoveryIntervalMs: 0,
};
