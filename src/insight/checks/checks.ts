/**
 * Asks answered gaps again, one by one, and stores what was found beside the time before. Repeatable: a Job that resumes
 * after a crash compares with the check before it, not with itself.
 */

import type { App } from "../../app.ts";
import type { Answering } from "../../core/content/answering.ts";
import { type Checks, maxChecks } from "../../core/content/checks.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import { ParleyError } from "../../core/errors.ts";
import type { AddedAnswer, Check, CheckResult, Gap } from "../../core/model/insight.ts";
import type { CheckedItem, Job } from "../../core/model/job.ts";
import { channelKey, workspaceKey } from "../../core/model/place.ts";
import { questionText } from "../../presentation/drawing.ts";
import type { GapSight } from "../gap-sight.ts";
import type { RunOnce } from "../trials/run-once.ts";
import { resultOf } from "./right-source.ts";

/** Longer than anyone compares with. */
const keptMs = 400 * 86_400_000;

/** `store`: namespace "checks", by workspace and gap. */
export function createChecks(
  app: App,
  {
    gaps,
    answers,
    sight,
    runOnce,
  }: {
    readonly gaps: Pick<Gaps, "get" | "list" | "count">;
    readonly answers: Pick<Answering, "byId">;
    readonly sight: GapSight;
    readonly runOnce: RunOnce;
  },
): Checks {
  const { reach, clock } = app;
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
      const view = await runOnce(agent, question, signal, { platform, workspace, isSpare: true });
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
      const answer = answerId === undefined ? undefined : await answers.byId(answerId);
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
