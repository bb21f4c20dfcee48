/**
 * Remembers when storage was last unreachable for this process. Another instance may then have posted an outage notice
 * for a question and died: Slack delivers a mention as two events, each to any instance. So for a while new questions
 * search for such a notice, and use it for their answer.
 */
import type { Clock } from "../../ports/clock.ts";

/** An outage notice is posted while a question is held, at most this long, and the search covers it. */
const recentMs = 10 * 60_000;

export type Outages = {
  /** Storage was unreachable a moment ago. */
  readonly note: () => void;
  readonly isRecent: () => boolean;
};

export function createOutages(clock: Pick<Clock, "now">): Outages {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    note: () => {
      lastMs = clock.now();
    },
    isRecent: () => clock.now() - lastMs < recentMs,
  };
}
