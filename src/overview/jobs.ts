/** Reads the jobs of all workspaces, newest first: those that run, and those that ended, a page at a time. */

import type { App } from "../app.ts";
import type { Job, JobItem } from "../core/model/job.ts";
import { type Actor, idAway } from "../core/model/place.ts";
import type { JobLine, JobPage, JobStatus } from "../core/overview/knowledge.ts";
import type { Places } from "../core/overview/places.ts";
import { type RecordCursor, unfinishedJobStates } from "../core/ports/state.ts";
import { addsAnswer, checkedAgent, isRefresh } from "../knowledge/knowledge.ts";
import { cleanText } from "../presentation/drawing.ts";
import { shorten } from "../presentation/sentences.ts";

const perPage = 25;
/** Records read at once: each holds what its job adds. */
const readAtOnce = 25;
/** Of one page; what was not found by then is on the next one. */
const maxRead = 400;
const maxLabelChars = 120;
const maxReasonChars = 300;

export type JobsReader = {
  readonly page: (
    viewer: Actor,
    filter: { readonly status?: JobStatus | undefined; readonly cursor?: string | undefined },
  ) => Promise<JobPage>;
};

export function createJobsReader(app: App, { places }: { readonly places: Places }): JobsReader {
  const { logPrivate: showsPrivate } = app.settings;
  const { jobs: jobStore } = app.state;
  /** Whose jobs a person who doesn't manage may see. */
  const isOf = ({ actor, askedIn }: Job, viewer: Actor) => {
    const isThere = app.sites.get(askedIn.platform)?.platform.isOwnPage === true;
    return actor.id === (isThere ? viewer.id : idAway(viewer));
  };
  const maySee = (job: Job, viewer: Actor) => viewer.signedInAs === "manage" || isOf(job, viewer);

  /** A question that is checked may be one that not everyone may read; so may an answer, and a message that is saved. */
  async function showsWords(job: Job, viewer: Actor): Promise<boolean> {
    if (checkedAgent(job) !== undefined) return false;
    const isSaid = addsAnswer(job) || job.items.some(({ kind }) => kind === "thread");
    return !isSaid || showsPrivate || isOf(job, viewer) || places.isPublic(job.askedIn);
  }

  async function lineOf(job: Job, viewer: Actor): Promise<JobLine> {
    const { askedIn, items } = job;
    const { platform, workspace } = askedIn;
    const count = (state: JobItem["state"]) => items.filter((item) => item.state === state).length;
    const failed = items.find(({ state, reason }) => state === "failed" && reason !== undefined);
    const agent = checkedAgent(job);
    const kind = places.kindOf(askedIn);
    const isOff = kind === "unknown" ? (true as const) : undefined;
    const [first] = items;
    const label = (await showsWords(job, viewer)) ? (first?.title ?? first?.label ?? "") : "";
    return {
      id: job.id,
      ref: job.ref,
      startedIn: { platform, isOff, ...(kind === "direct" ? {} : await places.nameOf(askedIn)) },
      status: statusOf(job),
      isWaiting: job.state === "queued",
      kind: agent !== undefined ? "check" : addsAnswer(job) ? "answer" : isRefresh(job) ? "refresh" : "add",
      first: shorten(cleanText(label), maxLabelChars),
      items: items.length,
      done: count("done"),
      failed: count("failed"),
      by: shorten(cleanText(job.actor.name), maxLabelChars),
      createdAtMs: job.createdAtMs,
      place: isOff ? undefined : { platform, workspace, channel: kind === "own" ? askedIn.channel : "" },
      knowledgeBase: agent === undefined ? cleanText(job.knowledgeBase) : undefined,
      agent: agent === undefined ? undefined : cleanText(agent.name),
      reason: failed?.reason === undefined ? undefined : shorten(cleanText(failed.reason), maxReasonChars),
      endedAtMs: job.endedAtMs,
    };
  }

  async function running(viewer: Actor): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const job of jobStore.unfinished()) {
      if (maySee(job, viewer)) found.push(job);
      if (found.length >= maxRead) break;
    }
    return found.reverse();
  }

  /** From that job on, exclusive. */
  async function read(
    viewer: Actor,
    status: JobStatus | undefined,
    after: RecordCursor | undefined,
  ): Promise<{ readonly found: readonly Job[]; readonly next?: RecordCursor }> {
    const found: Job[] = [];
    let before = after;
    for (let looked = 0; looked < maxRead; ) {
      const jobs = await jobStore.recent(readAtOnce, before);
      for (const job of jobs) {
        before = { id: job.id, createdAtMs: job.createdAtMs };
        if (maySee(job, viewer) && (status === undefined || statusOf(job) === status)) found.push(job);
        if (found.length === perPage) return { found, next: before };
      }
      looked += jobs.length;
      if (jobs.length < readAtOnce || before === undefined) return { found };
    }
    return { found, next: before };
  }

  return {
    page: async (viewer, { status, cursor }) => {
      if (status === "running")
        return { jobs: await Promise.all((await running(viewer)).map((job) => lineOf(job, viewer))) };
      const { found, next } = await read(viewer, status, cursorOf(cursor));
      const jobs = await Promise.all(found.map((job) => lineOf(job, viewer)));
      return { jobs, ...(next === undefined ? {} : { next: `${next.createdAtMs}.${next.id}` }) };
    },
  };
}

/** A job of which nothing was added has failed, as its own message says. */
function statusOf({ state, items }: Job): JobStatus {
  if (unfinishedJobStates.includes(state)) return "running";
  if (state === "cancelled") return "cancelled";
  return state === "failed" || items.some((item) => item.state === "failed") ? "failed" : "done";
}

function cursorOf(text: string | undefined): RecordCursor | undefined {
  const found = /^(\d{1,15})\.([A-Za-z0-9_-]{1,60})$/.exec(text ?? "");
  return found === null ? undefined : { createdAtMs: Number(found[1]), id: found[2] ?? "" };
}
