/** Derives counts and lists of questions that a store was filled with, as a running Parley does once one has ended. */

import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { State } from "../../src/core/ports/state.ts";
import { createQuestionCounts } from "../../src/insight/counts/question-counts.ts";
import { createLogProjection, questionLogIn } from "../../src/insight/derived/question-log.ts";
import { createTurnWork } from "../../src/insight/derived/turn-work.ts";
import { createVotes } from "../../src/insight/votes.ts";
import { appOf } from "../../test/doubles/app.ts";

export function createDeriving(state: State, clock: Clock, log: Log) {
  const app = appOf({ ...state, clock, log });
  const voting = createVotes(app, {
    notes: { noteSignal: async () => () => {}, withdrawSignal: async () => () => {} },
  });
  return createTurnWork(app, {
    votes: voting.counts,
    projections: [createQuestionCounts(app), createLogProjection(questionLogIn(state))],
  });
}
