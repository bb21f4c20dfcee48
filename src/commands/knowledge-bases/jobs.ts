/** `/kb jobs`: the Jobs that a person may see in a channel. Also the buttons under a Job's message. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline, ListItem } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import { type Actor, channelKey, isAway, type Place } from "../../core/model/place.ts";
import { unfinishedJobStates } from "../../core/ports/state.ts";
import { addsAnswer, checkedAgent } from "../../knowledge/knowledge.ts";
import { bold, cleanText, code, dotted, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { countText, jobSentences, labels, momentText, numberText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { privately } from "../results.ts";
import { jobListSentences } from "../words.ts";

/** Jobs in a list, and their buttons. */
const says = {
  title: (count: number): string => countText(count, "job"),
  none: "No jobs here yet.",
  state: { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" },
  line: (label: string, more: number, into: string): Inline =>
    say`${label}${more === 0 ? "" : ` and ${numberText(more)} more`} into ${bold(into)}`,
  checks: (count: number, agent: string): Inline => say`${countText(count, "check")} of ${bold(agent)}`,
  by: (name: string): string => `by ${name}`,
} as const;

export const maxListed = 15;
/** Recent Jobs searched for those to list, and for a reference to cancel. */
const maxLooked = 200;
const maxButtons = 3;

export const kbJobs: Command = {
  path: "kb jobs",
  summary: "Running and finished jobs",
  offer: "knowledge-bases",
  options: [],
  role: "ask",
  examples: ["kb jobs"],
  run: (app, _options, context) => listJobs(app, context),
};

/**
 * Job lines quote messages, so a Job is listed only in the channel it was started in, and to the person who started
 * it. Someone at /admin is in no channel of a chat, so what quotes its messages isn't listed there.
 */
const visibleJobs = async (app: CommandApp, place: Place, actor: Pick<Actor, "id" | "signedInAs">) =>
  (await app.knowledge.jobs.recent(place, maxLooked)).filter(
    (job) =>
      (job.askedIn.channel === place.channel && isShownThere(job) && !(isAway(actor) && quotes(job))) ||
      job.actor.id === actor.id,
  );

export const running = async (app: CommandApp, place: Place, actor: Pick<Actor, "id" | "signedInAs">) =>
  (await visibleJobs(app, place, actor)).filter((job) => unfinishedJobStates.includes(job.state));

async function listJobs(app: CommandApp, { place, actor }: CommandContext): Promise<CommandResult> {
  const all = (await visibleJobs(app, place, actor)).slice(0, maxListed);
  if (all.length === 0) return privately(infoDocument(says.none));
  return privately(listDocument(says.title(all.length), all.map(jobLine), { actions: cancelButtons(all) }));
}

/** A check whose result is for one person alone isn't listed to others, nor is an added answer with its question. */
function isShownThere(job: Job): boolean {
  return channelKey(job.askedIn) === channelKey(job.reply.place) && !addsAnswer(job);
}

const quotes = ({ items }: Job): boolean => items.some(({ kind }) => kind === "thread");

export function jobTitle(job: Job): Inline {
  const agent = checkedAgent(job);
  if (agent !== undefined) return says.checks(job.items.length, agent.name);
  const [first] = job.items;
  const label = shorten(cleanText(first?.title ?? first?.label ?? ""), 60);
  return says.line(label, Math.max(0, job.items.length - 1), job.knowledgeBase);
}

export function jobLine(job: Job): ListItem {
  const count = (state: JobItem["state"]) => job.items.filter((item) => item.state === state).length;
  const progress = jobSentences.progress(count("done"), job.items.length, count("failed"));
  const text = dotted(
    code(job.ref),
    jobTitle(job),
    `${says.state[job.state]}, ${progress}`,
    says.by(cleanText(job.actor.name)),
    momentText(job.createdAtMs),
  );
  const marks = { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "bullet" } as const;
  return { mark: marks[job.state], text };
}

export function cancelButtons(all: readonly Job[]) {
  return all
    .filter(({ state }) => unfinishedJobStates.includes(state))
    .slice(0, maxButtons)
    .map((job) => ({ id: "cancel-job", label: `${labels.cancel} ${job.ref}`, value: job.id, style: "plain" }) as const);
}

export function sayOfJob(
  sentence: string | Inline,
  tone: "info" | "failed" | "running" | "stopped" = "info",
): CommandResult {
  return privately(infoDocument(sentence, { tone }));
}

/** A button's value is untrusted: only Jobs of the caller's own workspace exist. */
export async function pressedJob(app: CommandApp, id: string, { place }: CommandContext): Promise<Job> {
  const job = await app.knowledge.jobs.get(id, place);
  if (job === undefined) throw new ParleyError("turn_gone", { what: jobListSentences.gone, hint: "" });
  return job;
}
