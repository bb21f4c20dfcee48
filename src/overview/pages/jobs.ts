/** The jobs of all workspaces, newest first: those that run, and those that ended. A part of the page Knowledge. */

import { z } from "zod";
import type { Job, JobItem } from "../../core/model/job.ts";
import { type Actor, idAway, type Place } from "../../core/model/place.ts";
import { type RecordCursor, unfinishedJobStates } from "../../core/ports/state.ts";
import { addsAnswer, checkedAgent, isRefresh } from "../../knowledge/knowledge.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import type { PlaceName } from "../places.ts";

const perPage = 25;
/** Records read at once: each holds what its job adds. */
const readAtOnce = 25;
/** Of one page; what was not found by then is on the next one. */
const maxRead = 400;
const maxLabelChars = 120;
const maxReasonChars = 300;

const status = z.enum(["running", "failed", "done", "cancelled"]);
export const jobsQuery = z.object({ status: status.optional(), cursor: z.string().max(200).optional() });

type JobStatus = z.infer<typeof status>;

export type JobLine = {
  readonly id: string;
  readonly ref: string;
  /** Where buttons about it are pressed: its workspace. Absent while that platform is off. */
  readonly place?: Place;
  /** Where it was started. */
  readonly startedIn: PlaceName & { readonly platform: string; readonly isOff?: true };
  readonly status: JobStatus;
  readonly isWaiting: boolean;
  readonly kind: "add" | "refresh" | "check" | "answer";
  readonly knowledgeBase?: string;
  readonly agent?: string;
  /** The label of its first item. */
  readonly first: string;
  readonly items: number;
  readonly done: number;
  readonly failed: number;
  /** Of the first item that failed. */
  readonly reason?: string;
  readonly by: string;
  readonly createdAtMs: number;
  readonly endedAtMs?: number;
};

export type JobPage = { readonly jobs: readonly JobLine[]; readonly next?: string };

export async function listJobs(
  app: OverviewApp,
  viewer: Actor,
  { status, cursor }: z.infer<typeof jobsQuery>,
): Promise<JobPage> {
  const { found, next } =
    status === "running"
      ? { found: await runningJobs(app, viewer), next: undefined }
      : await readJobs(app, viewer, status, cursorOf(cursor));
  const jobs = await Promise.all(found.map((job) => lineOf(app, job, viewer)));
  return { jobs, ...(next === undefined ? {} : { next: `${next.createdAtMs}.${next.id}` }) };
}

async function runningJobs(app: OverviewApp, viewer: Actor): Promise<readonly Job[]> {
  const found: Job[] = [];
  for await (const job of app.state.jobs.unfinished()) {
    if (maySee(app, job, viewer)) found.push(job);
    if (found.length >= maxRead) break;
  }
  return found.reverse();
}

/** From that job on, exclusive. */
async function readJobs(
  app: OverviewApp,
  viewer: Actor,
  status: JobStatus | undefined,
  after: RecordCursor | undefined,
): Promise<{ readonly found: readonly Job[]; readonly next?: RecordCursor }> {
  const found: Job[] = [];
  let before = after;
  for (let looked = 0; looked < maxRead; ) {
    const jobs = await app.state.jobs.recent(readAtOnce, before);
    for (const job of jobs) {
      before = { id: job.id, createdAtMs: job.createdAtMs };
      if (maySee(app, job, viewer) && (status === undefined || statusOf(job) === status)) found.push(job);
      if (found.length === perPage) return { found, next: before };
    }
    looked += jobs.length;
    if (jobs.length < readAtOnce || before === undefined) return { found };
  }
  return { found, next: before };
}

const maySee = (app: OverviewApp, job: Job, viewer: Actor) =>
  app.reach.oversees(viewer, job.askedIn) || isOf(app, job, viewer);

/** Whose jobs a person who doesn't manage may see. */
function isOf({ sites }: OverviewApp, { actor, askedIn }: Job, viewer: Actor): boolean {
  const isThere = sites.get(askedIn.platform)?.platform.isOwnPage === true;
  return actor.id === (isThere ? viewer.id : idAway(viewer));
}

/** A question that is checked may be one that not everyone may read; so may an answer, and a message that is saved. */
async function showsWords(app: OverviewApp, job: Job, viewer: Actor): Promise<boolean> {
  if (checkedAgent(job) !== undefined) return false;
  const isSaid = addsAnswer(job) || job.items.some(({ kind }) => kind === "thread");
  return !isSaid || app.settings.logPrivate || isOf(app, job, viewer) || app.places.isPublic(job.askedIn);
}

async function lineOf(app: OverviewApp, job: Job, viewer: Actor): Promise<JobLine> {
  const { places } = app;
  const { askedIn, items } = job;
  const { platform, workspace } = askedIn;
  const count = (state: JobItem["state"]) => items.filter((item) => item.state === state).length;
  const failed = items.find(({ state, reason }) => state === "failed" && reason !== undefined);
  const agent = checkedAgent(job);
  const kind = places.kindOf(askedIn);
  const isOff = kind === "unknown" ? (true as const) : undefined;
  const [first] = items;
  const label = (await showsWords(app, job, viewer)) ? (first?.title ?? first?.label ?? "") : "";
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
