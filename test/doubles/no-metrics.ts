/** Metrics that count nothing. */
import type { ParleyMetrics } from "../../src/ports/metrics.ts";

export const noMetrics: ParleyMetrics = {
  turnEnded: () => undefined,
  turnsNow: () => undefined,
  streamsChanged: () => undefined,
  jobEnded: () => undefined,
  jobsNow: () => undefined,
  ofPlatform: () => ({ onWrite: () => undefined, onRateLimited: () => undefined }),
};
