/** Derives counts and lists of questions that a store was filled with, as a running Parley does once one has ended. */

import { questionLogCollection } from "../../src/core/overview/question-log.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { State } from "../../src/core/ports/state.ts";
import { createTurnWork } from "../../src/insight/derived/turn-work.ts";
import { createDayCounts } from "../../src/insight/digest/day-counts.ts";
import { createVotes } from "../../src/insight/feedback/votes.ts";
import { createProjections } from "../../src/overview/overview.ts";

const retentionMs = 90 * 86_400_000;

export function createDeriving(state: State, clock: Clock, log: Log) {
  const { keyValue } = state;
  const counts = createDayCounts({
    cells: keyValue("day-counts"),
    shares: keyValue("counted"),
    isCounted: ({ agent, scheduleId, visibility }) =>
      agent !== undefined && scheduleId === undefined && visibility !== "direct",
    retentionMs,
  });
  const voting = createVotes({
    store: keyValue("feedback"),
    notes: { noteSignal: async () => () => {}, withdrawSignal: async () => () => {} },
    metrics: { voted: () => {} },
    retentionMs,
    clock,
  });
  const questionLog = state.collection("question-log", questionLogCollection);
  return createTurnWork({
    ...state,
    notes: keyValue("open-counts"),
    votes: voting.counts,
    projections: [counts, ...createProjections({ ...state, questionLog, platformOf: () => undefined, clock })],
    clock,
    log,
  });
}
