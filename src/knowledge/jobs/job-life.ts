/**
 * Runs one Job in this process: its lock, its permit, its items, its end. As with Turns, every step is stored before
 * the next one starts, the end is shown before it is recorded, and an instance that takes over continues with the items
 * that aren't done.
 */

import { personKey, workspaceKey } from "../../core/model/place.ts";
import type { Reply } from "../../core/model/reply.ts";
import { unfinishedJobStates } from "../../core/ports/state.ts";
import type { ReplyWriter, Site } from "../../delivery/types.ts";
import { jobDocument } from "../../presentation/drawing.ts";
import type { JobApp } from "./app.ts";
import { endDocument, endJob } from "./job-end.ts";
import { handOverItems, processItems, resumeItems } from "./job-items.ts";
import { createJobPicture } from "./job-picture.ts";
import { createJobRecord, JobLost, type JobRecord } from "./job-record.ts";
import { isScheduled, isSilent } from "./payload.ts";

/** A lock is renewed, and found to be lost, at least this often. */
const lossNoticedWithinMs = 5_000;

export type JobControl = {
  /** Cancelled by a person. */
  readonly cancelled: AbortSignal;
  /** Handed over: this process is shutting down. */
  readonly drained: AbortSignal;
  /** Called when work starts, for draining. */
  readonly onRunning: () => void;
};

export async function liveJob(jobId: string, control: JobControl, app: JobApp): Promise<void> {
  const mayHideEnd = await live(jobId, control, app);
  if (mayHideEnd && !control.drained.aborted) await showEndAgain(jobId, control, app);
}

/** True: another instance has taken over, and what was written here last may have come after the end that it showed. */
async function live(jobId: string, control: JobControl, app: JobApp): Promise<boolean> {
  const { locks, clock, log } = app;
  const { jobs } = app.state;
  let record: JobRecord | undefined;
  let writer: ReplyWriter | undefined;
  let onRegained = (_fence: number) => {};
  const lock = await locks.acquire(`job/${jobId}`, {
    // Not aborted by a cancel: if the Job lives on another instance, wait until that one has handled it.
    signal: control.drained,
    onRegained: (fence) => onRegained(fence),
  });
  try {
    const job = await jobs.get(jobId);
    if (job === undefined || !unfinishedJobStates.includes(job.state)) return false;
    const site = app.sites.get(job.askedIn.platform);
    if (site === undefined) {
      log.debug({ jobId, platform: job.askedIn.platform }, "A job waits for a platform that is switched off");
      return false;
    }
    let onChange = () => {};
    const own = createJobRecord({ ...job, fence: lock.fence }, { jobs, clock, log, onChange: () => onChange() });
    record = own;
    // The record's signals report the failure.
    onRegained = (fence) => void own.regained(fence).catch(() => undefined);
    if (isSilent(job)) {
      await run(own, undefined, site, control, app);
      return false;
    }
    writer = openReply(own, site, lock.isCurrent);
    // A schedule shows its end alone.
    if (isScheduled(job)) {
      await run(own, writer, site, control, app);
      return false;
    }
    const draw = () => jobDocument(own.job(), clock.now(), { isServiceAway: app.patience.isWaiting() });
    const picture = createJobPicture(writer, draw, {
      mayShow: () =>
        own.save().then(
          () => true,
          (failure: unknown) => !(failure instanceof JobLost),
        ),
      clock,
    });
    onChange = picture.touch;
    picture.touch();
    await run(own, writer, site, control, app).finally(picture.stop);
  } catch (failure) {
    if (control.drained.aborted) return false;
    if (failure instanceof JobLost) log.info({ jobId }, "Another instance has taken over a job");
    else log.error({ err: failure, jobId }, "A job could not be completed");
  } finally {
    record?.close();
    await writer?.close();
    await lock.release();
  }
  const lostSinceMs = Math.min(lock.lostAtMs(), clock.now()) - lossNoticedWithinMs;
  return record?.taken.aborted === true && writer !== undefined && writer.writtenAtMs() >= lostSinceMs;
}

/** Edits all its messages, since nobody knows what they show. The lock makes it wait for the instance that ends it. */
async function showEndAgain(jobId: string, control: JobControl, app: JobApp): Promise<void> {
  const { jobs } = app.state;
  const lock = await app.locks.acquire(`job/${jobId}`, { signal: control.drained });
  try {
    const job = await jobs.get(jobId);
    const site = app.sites.get(job?.askedIn.platform ?? "");
    if (job === undefined || unfinishedJobStates.includes(job.state) || site === undefined) return;
    if (!job.reply.parts.some(({ messageId }) => messageId !== undefined)) return;
    const parts = job.reply.parts.map(({ hash: _unknown, ...part }) => part);
    const save = async (reply: Reply): Promise<void> => {
      await jobs.transition(jobId, [job.state], job.state, { reply }, lock.fence);
    };
    const writer = site.delivery.open({ replyId: jobId, reply: { ...job.reply, parts }, save });
    await writer.finish(await endDocument(job, app), control.drained).finally(() => writer.close());
  } catch (err) {
    if (!control.drained.aborted) app.log.warn({ err, jobId }, "A job's end may be hidden under older progress");
  } finally {
    await lock.release();
  }
}

async function run(
  record: JobRecord,
  writer: ReplyWriter | undefined,
  site: Site,
  control: JobControl,
  app: JobApp,
): Promise<void> {
  const cancelled = AbortSignal.any([control.cancelled, record.cancelled]);
  const left = AbortSignal.any([control.drained, record.taken]);
  const signal = AbortSignal.any([cancelled, left]);
  resumeItems(record);
  const { actor, askedIn, options } = record.job();
  let isCancelled = options["cancelledBy"] !== undefined;
  if (!isCancelled) {
    const workspace = workspaceKey(askedIn);
    const owner = personKey(askedIn, actor);
    const permit = await app.state.coordinator
      .permit(`jobs/${owner}`, app.settings.jobsPerPerson, workspace, { signal })
      .catch((failure: unknown) => {
        if (signal.aborted) return undefined;
        throw failure;
      });
    try {
      if (permit !== undefined) {
        control.onRunning();
        await record.move("running");
        await app.asOwner(owner, () => processItems(record, signal, { ...app, platform: site.platform }));
      }
    } finally {
      await permit?.release();
    }
    isCancelled = cancelled.aborted;
    if (left.aborted && !isCancelled) {
      handOverItems(record);
      await record.save();
      return;
    }
  }
  await endJob(record, writer, { isCancelled, left }, { ...app, ...site });
}

/** `mayShow`: progress that waited for its moment is skipped once another instance may have shown more. */
function openReply(record: JobRecord, site: Site, mayShow: () => boolean): ReplyWriter {
  const job = record.job();
  // No part is stored: the process may have died right after its first post. Look before posting.
  const mayHavePosted = job.state !== "queued" && job.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : job.reply.parts;
  return site.delivery.open({ replyId: job.id, reply: { ...job.reply, parts }, save: record.saveReply, mayShow });
}
