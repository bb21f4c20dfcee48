/**
 * Ends a Job: stores the result, shows it, then records the end. In that order, so that an instance that takes over in
 * between continues at the right step.
 */

import type { Audit } from "../../core/audit.ts";
import type { Document } from "../../core/document.ts";
import { toParleyError } from "../../core/errors.ts";
import type { JobMetrics } from "../../core/metrics.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import { conversationKey } from "../../core/model/place.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { type Elsewhere, sayElsewhere } from "../../delivery/say-elsewhere.ts";
import type { ReplyWriter } from "../../delivery/types.ts";
import { jobDocument, unshownJobDocument } from "../../presentation/drawing.ts";
import type { JobApp } from "./app.ts";
import type { JobRecord } from "./job-record.ts";
import { actionOf, addsAnswer, checkedAgent, isScheduled } from "./payload.ts";

const maxAudited = 50;
const maxAuditedChars = 4_000;

/** Throws what the record throws. If `left` aborts before the end is shown, the next owner shows it. */
export async function endJob(
  record: JobRecord,
  writer: ReplyWriter | undefined,
  { isCancelled, left }: { readonly isCancelled: boolean; readonly left: AbortSignal },
  deps: Elsewhere & {
    readonly audit: Audit;
    readonly metrics: Pick<JobMetrics, "jobEnded">;
    readonly offerReader: JobApp["offerReader"];
    readonly clock: Clock;
    readonly log: Log;
  },
): Promise<void> {
  const { audit, metrics, clock, log } = deps;
  record.changeAll((item) =>
    item.state === "waiting" || item.state === "running" ? { ...item, state: "cancelled" } : item,
  );
  // After a long pause, another instance may have shown a different end.
  await record.save();
  const job = record.job();
  const count = (state: JobItem["state"]) => job.items.filter((item) => item.state === state).length;
  const done = count("done");
  const state = isCancelled ? "cancelled" : done > 0 ? "done" : "failed";
  const endedAtMs = clock.now();
  const ended = { ...job, state, endedAtMs } as const;
  try {
    if (writer !== undefined && !(isScheduled(ended) && isUnchanged(ended))) {
      await writer.finish(await endDocument(ended, deps), left);
    }
  } catch (failure) {
    if (left.aborted) return;
    // What was to be shown to one person alone is shown nowhere else.
    if (conversationKey(job.reply.place) === conversationKey(job.askedIn)) await tellElsewhere(ended, failure, deps);
    else log.warn({ err: failure, jobId: job.id, ref: job.ref }, "A job's end could not be shown to its owner alone");
  }
  await record.move(state, { endedAtMs });
  metrics.jobEnded(state);
  await audit.record({ actor: job.actor, place: job.askedIn }, auditOf(ended, count));
  log.info({ jobId: job.id, ref: job.ref, outcome: state, done, failed: count("failed") }, "A job ended");
}

/** What a Job that has ended shows. */
export async function endDocument(
  job: Job,
  { offerReader, clock }: Pick<JobApp, "offerReader" | "clock">,
): Promise<Document> {
  const hasAdded = job.items.some(({ state }) => state === "done") && checkedAgent(job) === undefined;
  const offer = hasAdded ? await offerReader(job) : undefined;
  return jobDocument(job, job.endedAtMs ?? clock.now(), { offer });
}

/** Of what a schedule does, only changes are told. */
function isUnchanged({ state, items }: Job): boolean {
  return state !== "cancelled" && items.every(({ outcome }) => outcome === "unchanged");
}

/** The message couldn't be posted or edited: sends the result to the person who started the Job another way. */
async function tellElsewhere(job: Job, failure: unknown, deps: Elsewhere & { readonly clock: Clock }): Promise<void> {
  const error = toParleyError(failure);
  deps.log.warn({ err: error, jobId: job.id, ref: job.ref }, "A job's end could not be shown in its place");
  const document = unshownJobDocument(job, deps.clock.now(), error);
  await sayElsewhere({ ...job, shownIn: job.reply.place }, { outside: document, direct: document }, deps);
}

function auditOf(job: Job, count: (state: JobItem["state"]) => number): Parameters<Audit["record"]>[1] {
  const action = actionOf(job);
  const agent = checkedAgent(job);
  // What people said, perhaps in private, isn't a name.
  const named = addsAnswer(job) ? [] : job.items.filter(({ kind }) => kind !== "thread");
  const labels = named.slice(0, maxAudited).map(({ label }) => label);
  return {
    role: action === "kb query" || action === "kb sync" || agent !== undefined ? "manage" : "ingest",
    action,
    about: {
      job: job.id,
      ...(agent === undefined
        ? { knowledgeBase: `${job.project}.${job.knowledgeBase}` }
        : { agent: `${agent.project}.${agent.name}` }),
      way: job.items.some((item) => item.kind === "url") ? job.way : undefined,
      items: labels.length === 0 ? undefined : labels.join(" ").slice(0, maxAuditedChars),
      done: String(count("done")),
      failed: String(count("failed")),
      cancelled: String(count("cancelled")),
    },
    outcome: job.state === "done" ? "done" : "failed",
  };
}
