/** Composes the room: what Parley learns from its answers. Each part adds its member here and needs no other place. */

import type { App } from "../app.ts";
import type { AnswerAdded, Answering, AnswerRows } from "../core/content/answering.ts";
import type { Checks } from "../core/content/checks.ts";
import type { Digests } from "../core/content/digest.ts";
import type { Gaps, TurnNotes } from "../core/content/gaps.ts";
import type { Voting } from "../core/content/voting.ts";
import { createAnswers } from "./answers/answers.ts";
import type { InsightApp } from "./app.ts";
import { createChecks } from "./checks.ts";
import { createQuestionCounts } from "./counts/question-counts.ts";
import { createLogProjection, questionLogIn } from "./derived/question-log.ts";
import { createTurnWork, type TurnWork, withTurnWork } from "./derived/turn-work.ts";
import { createDigests } from "./digest.ts";
import { createGapList, type GapList } from "./gaps/gap-list.ts";
import { createGapSight, type GapSight } from "./gaps/gap-sight.ts";
import { createGaps } from "./gaps/gaps.ts";
import type { IsQuestion } from "./gaps/signals.ts";
import { createProofs, type Proving } from "./proof/proofs.ts";
import type { Reviews } from "./reviews.ts";
import { createReviews } from "./reviews.ts";
import { createVotes } from "./votes.ts";

export type Insight = {
  readonly voting: Voting;
  readonly notes: TurnNotes;
  readonly gaps: Gaps;
  /** Who may read which gap: every list, button and form asks it. */
  readonly sight: GapSight;
  readonly gapList: GapList;
  readonly answering: Answering;
  /** Asks again once an answer is added, and tells those who asked. */
  readonly proving: Proving;
  readonly checks: Checks;
  readonly reviews: Reviews;
  /** Called by the Job that has put an answer in. */
  readonly whenAnswerAdded: (added: AnswerAdded) => Promise<void>;
  readonly digests: Digests;
  /** Counts and lists of questions, after something about them has changed. */
  readonly derive: TurnWork["derive"];
  /** Looks for what other processes left unfinished. Never rejects. */
  readonly recover: () => Promise<void>;
  /** Deletes what is older than that. Returns how many questions it deleted. */
  readonly prune: (beforeMs: number) => Promise<number>;
  /** Ends the work in progress; what is left is found by the next process. */
  readonly drain: () => Promise<void>;
};

export function createInsight(
  app: App,
  parts: Pick<InsightApp, "answerStore" | "basesOf" | "runOnce"> & {
    readonly answerRows: AnswerRows;
    /** Thanks and greetings: nobody waits for a source. */
    readonly isQuestion: IsQuestion;
  },
): Insight {
  const gapParts = createGaps(app, parts);
  const { gaps, prune } = gapParts;
  const counts = createQuestionCounts(app);
  const work = createTurnWork(app, {
    votes: (turn) => voting.counts(turn),
    projections: [counts, createLogProjection(questionLogIn(app.state))],
  });
  const notes = withTurnWork(gapParts.notes, work);
  const voting = createVotes(app, { notes });
  const sight = createGapSight(app);
  const gapList = createGapList({ gaps, sight });
  const { answerStore: store, answerRows: rows } = parts;
  const { added: whenAnswerAdded, ...answering } = createAnswers(app, { ...parts, store, rows, gaps });
  const digests = createDigests(app, { counts, gapList, voting, answersOf: answering.answersOf });
  const { answerStore, basesOf, runOnce } = parts;
  const insightApp: InsightApp = { ...app, gaps, sight, answerStore, basesOf, runOnce };
  const { begin: beginProof, ...proving } = createProofs(insightApp);
  answering.onAdded(beginProof);
  const { added: whenDue, ...reviews } = createReviews(app, {
    ...parts,
    answers: answering,
  });
  answering.onAdded(whenDue);
  const checks = createChecks(insightApp);
  const recover = async () => {
    await gapParts.recover();
    await work.recover();
  };
  const drain = async () => {
    await Promise.all([gapParts.drain(), work.drain()]);
  };
  return {
    voting,
    notes,
    gaps,
    sight,
    gapList,
    answering,
    whenAnswerAdded,
    proving,
    checks,
    reviews,
    digests,
    derive: work.derive,
    recover,
    prune,
    drain,
  };
}
