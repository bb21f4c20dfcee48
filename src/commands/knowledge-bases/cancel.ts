/** `/kb cancel`: cancels a running Job. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Choice, Inline } from "../../core/document.ts";
import type { Job } from "../../core/model/job.ts";
import type { CompletionQuery } from "../../core/ports/chat-platform.ts";
import { checkedAgent } from "../../knowledge/knowledge.ts";
import { code, inlineText, listDocument, say } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { matching } from "../names/matching.ts";
import { privately } from "../results.ts";
import { cancelButtons, jobLine, jobTitle, maxListed, pressedJob, running, sayOfJob } from "./jobs.ts";

/** Jobs in a list, and their buttons. */
const jobListSentences = {
  cancelled: (ref: string): Inline => say`Cancelling job ${code(ref)}.`,
  over: (ref: string): Inline => say`Job ${code(ref)} has already finished.`,
  noSuch: (given: string): Inline => say`There is no running job ${code(given)}.`,
  noneRunning: "Nothing is running here.",
  which: "Several jobs are running. Which one do you want to cancel?",
} as const;

const maxChoiceChars = 90;

export const kbCancel: Command = {
  path: "kb cancel",
  summary: "Cancel a running job",
  offer: "knowledge-bases",
  options: [
    {
      name: "job",
      summary: "The job's reference (default: the only running one)",
      type: "text",
      isRequired: false,
      completes: "job",
    },
  ],
  role: "ingest",
  examples: ["kb cancel", "kb cancel k3x9"],
  run: cancelNamed,
  actions: {
    "cancel-job": {
      role: "ingest",
      press: async (app, id, context) => endJob(app, await pressedJob(app, id, context), context),
    },
  },
  completions: { job: complete },
};

async function cancelNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const given = textOption(options, "job")?.trim().toLowerCase();
  const all = await running(app, context.place, context.actor);
  if (given !== undefined) {
    const job = all.find(({ id, ref }) => id === given || ref === given);
    return job === undefined ? sayOfJob(jobListSentences.noSuch(given), "failed") : endJob(app, job, context);
  }
  const [only, another] = all;
  if (only === undefined) return sayOfJob(jobListSentences.noneRunning);
  if (another === undefined) return endJob(app, only, context);
  return privately(
    listDocument(jobListSentences.which, all.slice(0, maxListed).map(jobLine), { actions: cancelButtons(all) }),
  );
}

async function endJob(app: CommandApp, job: Job, context: CommandContext): Promise<CommandResult> {
  const isCancelled = await app.knowledge.jobs.cancel(job, context.actor.id);
  if (!isCancelled) return sayOfJob(jobListSentences.over(job.ref));
  const agent = checkedAgent(job);
  const subject =
    agent === undefined
      ? { knowledgeBase: `${job.project}.${job.knowledgeBase}` }
      : { agent: `${agent.project}.${agent.name}` };
  const about = { job: job.id, ...subject };
  await app.audit.record(context, { role: "ingest", action: "kb cancel", about, outcome: "done" });
  return sayOfJob(jobListSentences.cancelled(job.ref), "stopped");
}

async function complete(app: CommandApp, { typed, place, actor }: CompletionQuery): Promise<readonly Choice[]> {
  const all = await running(app, place, actor);
  const labelOf = (job: Job) => shorten(`${job.ref} · ${inlineText(jobTitle(job))}`, maxChoiceChars);
  const names = new Map(all.map((job) => [labelOf(job), job.ref]));
  return matching(typed, [...names.keys()]).map(({ label }) => ({ label, value: names.get(label) ?? label }));
}
