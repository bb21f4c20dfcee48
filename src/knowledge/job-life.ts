/**
 * The life of one Job in this process: its lease, its place among its owner's Jobs, its items, its end. As with Turns,
 * every step is stored before the next one begins, the end is shown before it is recorded, and whoever takes the Job up
 * after this process died goes on with the items that are not done.
 */
import type { AgentService } from "../bridge/ports/agent-service.ts";
import type { ChatPlatform } from "../bridge/ports/chat-platform.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Delivery, ReplyWriter } from "../bridge/ports/delivery.ts";
import { type Coordinator, type JobStore, unfinishedJobStates } from "../bridge/ports/state.ts";
import { type JobItem, workspaceKey } from "../bridge/words.ts";
import type { Audit } from "../commands/audit.ts";
import type { Log } from "../operations/log.ts";
import { jobDocument } from "../presentation/job-document.ts";
import { workSentences } from "../presentation/sentences-knowledge.ts";
import { createJobPicture } from "./job-picture.ts";
import { createJobRecord, JobLost, type JobRecord } from "./job-record.ts";
import type { JobWork } from "./job-work.ts";
import { actionOf, isSilent, payloadOf } from "./payload.ts";
import { reasonOf } from "./url-work.ts";

/** A platform and what writes to it. */
export type JobSite = { readonly platform: ChatPlatform; readonly delivery: Delivery };

export type JobDeps = {
  readonly service: AgentService;
  readonly jobs: JobStore;
  readonly coordinator: Coordinator;
  /** Undefined for a platform that is switched off. */
  readonly siteOf: (platform: string) => JobSite | undefined;
  readonly work: JobWork;
  readonly audit: Audit;
  readonly jobsPerPerson: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** Reason of a life's signal: ended by a person, or left to whoever takes it up. */
export type JobEnding = { readonly kind: "cancel" } | { readonly kind: "drain" };

/** Pages of several hosts are read side by side; what the service reads, it reads alone. */
const itemsAtOnce = { parley: 4, service: 1 } as const;
/** Addresses that are looked at side by side: each may take 2 s, and 64 kB. */
const looksAtOnce = 20;

export type JobControl = {
  /** Its reason is a JobEnding. */
  readonly signal: AbortSignal;
  /** Told when it begins to work, for draining. */
  readonly onRunning: () => void;
};

export async function liveJob(jobId: string, control: JobControl, deps: JobDeps): Promise<void> {
  const { jobs, coordinator, clock, log } = deps;
  const { signal } = control;
  const lease = await coordinator.lease(`job/${jobId}`, { signal });
  let record: JobRecord | undefined;
  let writer: ReplyWriter | undefined;
  try {
    const job = await jobs.get(jobId);
    if (job === undefined || !unfinishedJobStates.includes(job.state)) return;
    const site = deps.siteOf(job.askedIn.platform);
    if (site === undefined) {
      log.debug({ jobId, platform: job.askedIn.platform }, "A job waits for a platform that is switched off");
      return;
    }
    const either = AbortSignal.any([signal, lease.lost]);
    let onChange = () => {};
    record = createJobRecord({ ...job, fence: lease.fence }, { ...deps, onChange: () => onChange() });
    if (isSilent(job)) return await run(record, undefined, site, { ...control, signal: either }, deps);
    writer = openReply(record, site);
    const { job: now } = record;
    const picture = createJobPicture(writer, () => jobDocument(now(), clock.now()), clock);
    onChange = picture.touch;
    picture.touch();
    await run(record, writer, site, { ...control, signal: either }, deps).finally(picture.stop);
  } catch (failure) {
    if (signal.aborted) return;
    if (failure instanceof JobLost) log.info({ jobId }, "Another instance has gone on with a job");
    else log.error({ err: failure, jobId }, "A job could not be carried to its end");
  } finally {
    record?.close();
    await writer?.close();
    await lease.release();
  }
}

async function run(
  record: JobRecord,
  writer: ReplyWriter | undefined,
  site: JobSite,
  { signal, onRunning }: JobControl,
  deps: JobDeps,
): Promise<void> {
  settleItems(record);
  const { actor, askedIn, options } = record.job();
  let isCancelled = options["cancelledBy"] !== undefined;
  if (!isCancelled) {
    const workspace = workspaceKey(askedIn);
    const permit = await deps.coordinator
      .permit(`jobs/${workspace}/${encodeURIComponent(actor.id)}`, deps.jobsPerPerson, workspace, { signal })
      .catch((failure: unknown) => {
        if (isCancel(signal)) return undefined;
        throw failure;
      });
    try {
      if (permit !== undefined) {
        onRunning();
        await record.move("running");
        await workOff(record, site, signal, deps);
      }
    } finally {
      await permit?.release();
    }
    isCancelled = isCancel(signal);
    if (signal.aborted && !isCancelled) {
      // Left to the next process: what ran here waits again, but for what must not be done twice.
      record.changeAll((item) => (item.state === "running" && item.kind !== "query" ? waitingAgain(item) : item));
      await record.move("running");
      return;
    }
  }
  await end(record, writer, isCancelled, deps);
}

/** What an earlier process was doing when it died is done again, but for what must not be done twice. */
function settleItems(record: JobRecord): void {
  record.changeAll((item) => {
    if (item.state !== "running") return item;
    return item.kind === "query"
      ? { ...item, state: "failed", reason: workSentences.queryInterrupted }
      : waitingAgain(item);
  });
}

function waitingAgain({ startedAtMs: _startedAtMs, pages: _pages, ...item }: JobItem): JobItem {
  return { ...item, state: "waiting" };
}

async function workOff(record: JobRecord, site: JobSite, signal: AbortSignal, deps: JobDeps): Promise<void> {
  const { way } = record.job();
  if (way === "service") {
    await eachWaiting(record, looksAtOnce, signal, (at, item) => lookFirst(record, at, item, signal, deps));
  }
  await eachWaiting(record, itemsAtOnce[way], signal, (at) => workOn(record, at, site, signal, deps));
}

async function eachWaiting(
  record: JobRecord,
  atOnce: number,
  signal: AbortSignal,
  work: (at: number, item: JobItem) => Promise<void>,
): Promise<void> {
  const waiting = record.job().items.entries();
  const takeNext = async (): Promise<void> => {
    // One iterator for all: what one of them took, no other one gets.
    for (const [at, item] of waiting) {
      if (signal.aborted) return;
      if (item.state === "waiting") await work(at, item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
}

/** Each given address before the first is inserted, so that a wrong one is known in seconds and not after minutes. */
async function lookFirst(
  record: JobRecord,
  at: number,
  { kind, url }: JobItem,
  signal: AbortSignal,
  { work, clock }: JobDeps,
): Promise<void> {
  if (kind !== "url" || url === undefined) return;
  const { title, reason } = await work.look(url, signal);
  if (reason !== undefined) record.change(at, { state: "failed", reason, endedAtMs: clock.now() });
  else if (title !== undefined) record.change(at, { title });
}

async function workOn(
  record: JobRecord,
  at: number,
  site: JobSite,
  signal: AbortSignal,
  { work, clock, log }: JobDeps,
): Promise<void> {
  const job = record.job();
  const payload = payloadOf(job, at);
  record.change(at, { state: "running", startedAtMs: clock.now() });
  try {
    const report = (patch: Partial<JobItem>) => {
      if (!signal.aborted) record.change(at, patch);
    };
    const ended = await orAborted(work.perform(job, at, payload, site.platform, signal, report), signal);
    record.change(at, { ...ended, state: "done", endedAtMs: clock.now() });
  } catch (thrown) {
    if (signal.aborted) return;
    log.info({ err: thrown, jobId: job.id, ref: job.ref, item: at }, "Something could not be added");
    record.change(at, { state: "failed", reason: reasonOf(thrown), endedAtMs: clock.now() });
  }
}

/** Whoever cancels waits for nothing: what cannot be broken off ends by itself, unheard. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}

/** Shown, then recorded: a process that dies in between is followed by one that shows it again. */
async function end(
  record: JobRecord,
  writer: ReplyWriter | undefined,
  isCancelled: boolean,
  { audit, clock, log }: JobDeps,
): Promise<void> {
  record.changeAll((item) =>
    item.state === "waiting" || item.state === "running" ? { ...item, state: "cancelled" } : item,
  );
  const job = record.job();
  const count = (state: JobItem["state"]) => job.items.filter((item) => item.state === state).length;
  const done = count("done");
  const state = isCancelled ? "cancelled" : done > 0 ? "done" : "failed";
  const endedAtMs = clock.now();
  await writer
    ?.finish(jobDocument({ ...job, state, endedAtMs }, endedAtMs))
    .catch((failure: unknown) => log.warn({ err: failure, jobId: job.id }, "A job's end could not be shown"));
  await record.move(state, { endedAtMs });
  await audit.record(
    { actor: job.actor, place: job.askedIn },
    {
      role: actionOf(job) === "kb query" ? "manage" : "ingest",
      action: actionOf(job),
      about: {
        job: job.id,
        knowledgeBase: `${job.project}.${job.knowledgeBase}`,
        ...(job.items.some((item) => item.kind === "url") ? { way: job.way } : {}),
        items: job.items
          .slice(0, maxAudited)
          .map(({ label }) => label)
          .join(" ")
          .slice(0, maxAuditedChars),
        done: String(done),
        failed: String(count("failed")),
        cancelled: String(count("cancelled")),
      },
      outcome: state === "done" ? "done" : "failed",
    },
  );
  log.info({ jobId: job.id, ref: job.ref, outcome: state, done, failed: count("failed") }, "A job ended");
}

const maxAudited = 50;
const maxAuditedChars = 4_000;

function openReply(record: JobRecord, site: JobSite): ReplyWriter {
  const job = record.job();
  // Taken up without a stored part: the process may have died right after its first post. Look before posting.
  const mayHavePosted = job.state !== "queued" && job.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : job.reply.parts;
  return site.delivery.open({ replyId: job.id, reply: { ...job.reply, parts }, save: record.saveReply });
}

function isEnding(reason: unknown): reason is JobEnding {
  return typeof reason === "object" && reason !== null && "kind" in reason;
}

function isCancel(signal: AbortSignal): boolean {
  return signal.aborted && isEnding(signal.reason) && signal.reason.kind === "cancel";
}
