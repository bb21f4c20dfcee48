/** Composes the room: what Parley learns from its answers. Each part adds its member here and needs no other place. */

import type { Lists, Named, Reach } from "../core/access.ts";
import type { AnswerAdded, Answering, AnswerRows, AnswerStore } from "../core/content/answering.ts";
import type { Checks } from "../core/content/checks.ts";
import type { Digests } from "../core/content/digest.ts";
import type { Gaps, TurnNotes } from "../core/content/gaps.ts";
import type { Voting } from "../core/content/voting.ts";
import type { FeedbackMetrics } from "../core/metrics.ts";
import type { Turn } from "../core/model/turn.ts";
import type { TurnProjection } from "../core/overview/turn-projection.ts";
import type { AgentService } from "../core/ports/agent-service.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Claims, Coordinator, KeyValueFactory, TurnStore } from "../core/ports/state.ts";
import type { QuestionIndex } from "../core/ports/storage/question-index.ts";
import type { Rankings } from "../core/ports/storage/rankings.ts";
import type { Notices } from "../delivery/notices.ts";
import type { Site } from "../delivery/types.ts";
import { createAnswers } from "./answers/answers.ts";
import { createChecks } from "./checks/checks.ts";
import { withTurnWork } from "./derived/noted.ts";
import { createTurnWork, type TurnWork } from "./derived/turn-work.ts";
import { createDayCounts } from "./digest/day-counts.ts";
import { createDigests } from "./digest/digest.ts";
import { createVotes } from "./feedback/votes.ts";
import { createGapList, type GapList } from "./gap-list.ts";
import { createGapSight, type GapSight } from "./gap-sight.ts";
import { createGaps } from "./gaps/gaps.ts";
import type { IsQuestion } from "./gaps/signals.ts";
import type { Reviews } from "./review/reviews.ts";
import { createReviews } from "./review/reviews.ts";
import type { DueWork } from "./schedules/due-work.ts";
import type { RunOnce } from "./trials/run-once.ts";
import type { Proving } from "./trials/trials.ts";
import { createTrials } from "./trials/trials.ts";

export type InsightDeps = {
  readonly keyValue: KeyValueFactory;
  readonly turns: TurnStore;
  readonly rankings: Rankings;
  readonly questions: QuestionIndex;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  readonly notices: Pick<Notices, "post">;
  readonly answerStore: AnswerStore;
  readonly answerRows: AnswerRows;
  /** The knowledge bases that an agent looks in. */
  readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  readonly dueWork: DueWork;
  /** 0: nobody is asked. */
  readonly answerReviewMs: number;
  readonly service: AgentService;
  readonly lists: Lists;
  readonly reach: Pick<Reach, "may" | "mayAgent" | "mayBase" | "agents" | "isDirect" | "resolve">;
  /** Asks for proofs and checks. */
  readonly runOnce: RunOnce;
  readonly siteOf: (platform: string) => Site | undefined;
  /** What else is derived from each Turn. */
  readonly projections: readonly TurnProjection[];
  /** Thanks and greetings: nobody waits for a source. */
  readonly isQuestion: IsQuestion;
  readonly metrics: FeedbackMetrics;
  readonly project: string;
  /** LOG_PRIVATE: people who manage read gaps of private places on the admin pages. */
  readonly logPrivate: boolean;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

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

export function createInsight(deps: InsightDeps): Insight {
  const { keyValue, metrics, retentionMs, clock } = deps;
  const gapParts = createGaps(deps);
  const { gaps, prune } = gapParts;
  const counts = createDayCounts({
    cells: keyValue("day-counts"),
    shares: keyValue("counted"),
    isCounted: (turn) => isCounted(turn, deps),
    retentionMs,
  });
  const work = createTurnWork({
    ...deps,
    notes: keyValue("open-counts"),
    votes: (turn) => voting.counts(turn),
    projections: [counts, ...deps.projections],
  });
  const notes = withTurnWork(gapParts.notes, work, counts);
  const voting = createVotes({ store: keyValue("feedback"), notes, metrics, retentionMs, clock });
  const sight = createGapSight(deps);
  const gapList = createGapList({ gaps, sight });
  const { answerStore: store, answerRows: rows } = deps;
  const { added: whenAnswerAdded, ...answering } = createAnswers({ ...deps, store, rows, gaps });
  const digests = createDigests({ ...deps, counts, gapList, voting, answersOf: answering.answersOf });
  const trials = createTrials({ ...deps, gaps, sight });
  answering.onAdded(trials.begin);
  const { added: whenDue, ...reviews } = createReviews({
    ...deps,
    store: keyValue("reviews"),
    answers: answering,
    reviewMs: deps.answerReviewMs,
    platformOf: (name) => deps.siteOf(name)?.platform,
  });
  answering.onAdded(whenDue);
  const checks = createChecks({ ...deps, store: keyValue("checks"), gaps, answers: answering, sight });
  const recover = async () => {
    await gapParts.recover();
    await work.recover();
    await trials.recover();
  };
  const drain = async () => {
    await Promise.all([gapParts.drain(), work.drain(), trials.drain()]);
  };
  return {
    voting,
    notes,
    gaps,
    sight,
    gapList,
    answering,
    whenAnswerAdded,
    proving: trials,
    checks,
    reviews,
    digests,
    derive: work.derive,
    recover,
    prune,
    drain,
  };
}

/** Nobody gets a digest of direct messages, and what a schedule asks is nobody's question. */
function isCounted({ agent, askedIn, scheduleId }: Turn, { siteOf }: Pick<InsightDeps, "siteOf">): boolean {
  const { platform } = siteOf(askedIn.platform) ?? {};
  const isDirect = platform?.isDirect?.(askedIn) === true && platform.isOwnPage !== true;
  return agent !== undefined && scheduleId === undefined && !isDirect;
}
