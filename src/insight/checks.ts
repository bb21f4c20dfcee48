/**
 * Asks answered gaps again, one by one, and stores what was found beside the time before. Repeatable: a Job that resumes
 * after a crash compares with the check before it, not with itself.
 */

import { type Checks, maxChecks } from "../core/content/checks.ts";
import { ParleyError } from "../core/errors.ts";
import type { AddedAnswer, Check, CheckResult, Gap } from "../core/model/insight.ts";
import type { CheckedItem, Job } from "../core/model/job.ts";
import { channelKey, workspaceKey } from "../core/model/place.ts";
import type { TurnView } from "../core/model/turn.ts";
import { questionText } from "../presentation/drawing.ts";
import type { InsightApp } from "./app.ts";
import { isOfAnswer } from "./proof/proof.ts";

/** Longer than anyone compares with. */
const keptMs = 400 * 86_400_000;

export function createChecks(app: InsightApp): Checks {
  const { gaps, sight, answerStore, reach, clock } = app;
  const { coordinator } = app.state;
  const store = app.state.keyValue<Check>("checks");
  const everything = { kind: "all" } as const;

  /** The check before this Job's. */
  async function before(key: string, jobId: string): Promise<CheckedItem["before"]> {
    const stored = await store.get(key);
    if (stored === undefined || stored.jobId === jobId) return stored?.before;
    return { result: stored.result, atMs: stored.atMs };
  }

  /** What may be read where the Job is shown: by everyone there, or by that person alone. */
  async function titleOf(gap: Gap, { actor, askedIn: place, reply }: Pick<Job, "actor" | "askedIn" | "reply">) {
    const isAlone = reach.isDirect(place) || channelKey(reply.place) !== channelKey(place);
    const seen = await sight.see({ kind: isAlone ? "person" : "channel", actor, place }, gap);
    return seen.kind === "listed" ? { title: questionText(seen.question) } : {};
  }

  /** One at a time over all instances and workspaces. Throws ParleyError if it can't be asked. */
  async function askAgain(gap: Gap, answer: AddedAnswer, signal: AbortSignal): Promise<CheckResult> {
    const { platform, workspace, agent } = gap;
    const [newest] = [...gap.askers].sort((one, other) => other.atMs - one.atMs);
    const lease = await coordinator.lease("check-runs", { signal });
    try {
      const question = newest?.question ?? answer.question;
      const view = await app.runOnce(agent, question, signal, { platform, workspace, isSpare: true });
      if (view.state !== "answered") throw view.error ?? new ParleyError("no_answer");
      return resultOf(view, answer);
    } finally {
      await lease.release();
    }
  }

  const total: Checks["total"] = (scope) => gaps.count(scope, "answered", everything);

  return {
    total,
    of: async (scope) => {
      const listed = await gaps.list(scope, "answered", everything, maxChecks);
      return listed.map(({ id }) => id);
    },
    count: async (scope) => Math.min(maxChecks, await total(scope)),

    ask: async (gapId, job, signal) => {
      const gap = await gaps.get(job.askedIn, gapId);
      const answerId = gap?.state === "answered" ? gap.answeredBy?.answerId : undefined;
      const answer = answerId === undefined ? undefined : await answerStore.byId(answerId);
      if (gap === undefined || answer === undefined) return { checked: { result: "gone" } };
      const result = await askAgain(gap, answer, signal);
      const key = `${workspaceKey(job.askedIn)}/${gapId}`;
      const earlier = await before(key, job.id);
      const compared = earlier === undefined ? {} : { before: earlier };
      const check = { gapId, answerId: answer.id, result, atMs: clock.now(), jobId: job.id, ...compared };
      await store.set(key, { version: 1, ...check }, keptMs);
      const isWorthNaming = result !== "held" || (earlier !== undefined && earlier.result !== "held");
      return { checked: { result, ...compared }, ...(isWorthNaming ? await titleOf(gap, job) : {}) };
    },
  };
}

/** Whether an answer still rests on an added row, as its proof tested it. */
function resultOf(view: TurnView, answer: AddedAnswer): CheckResult {
  if (view.sources.some((source) => isOfAnswer(source, answer))) return "held";
  return view.grade === "nothing" || view.sources.length === 0 ? "no-source" : "other-source";
}
