/** Metrics that count nothing. */
import type { ParleyMetrics } from "../../../src/core/metrics.ts";

export const noMetrics: ParleyMetrics = {
  turnEnded: () => undefined,
  answerEnded: () => undefined,
  answerFailed: () => undefined,
  voted: () => undefined,
  turnsNow: () => undefined,
  streamsChanged: () => undefined,
  jobEnded: () => undefined,
  jobsNow: () => undefined,
  ofPlatform: () => ({
    onWrite: () => undefined,
    onRateLimited: () => undefined,
    onEnd: () => undefined,
    onPlaceholderSkipped: () => undefined,
    onBudgetLowered: () => undefined,
    watchBudget: () => undefined,
    onStatusLine: () => undefined,
    onBlocksRefused: () => undefined,
  }),
};
