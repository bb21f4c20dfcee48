/** The buttons under a Job's message: Retry failed, and Ask about it with its form. */

import { z } from "zod";
import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, Document, Form, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { checkedAgent, documentId, isRefresh } from "../../knowledge/knowledge.ts";
import { bold, cleanText, infoDocument, say } from "../../presentation/drawing.ts";
import { formSentences, labels, numberText, shorten } from "../../presentation/sentences.ts";
import { offerReaderTo } from "../adding/connect-base.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import type { AskedWith } from "../contract.ts";
import { drawForm, multiline } from "../form.ts";
import { checkOwner } from "../ledger/ownership.ts";
import { readersHere, readersOf } from "../names/readers.ts";
import { privately } from "../results.ts";
import { jobListSentences, readerSentences } from "../words.ts";
import { pressedJob, sayOfJob } from "./jobs.ts";

/** Jobs in a list, and letting another agent look. */
const says = {
  nothingAgain: "There is nothing to retry.",
  notYours: "Only managers can retry a query.",
  notYourFolder: "Only managers can read a synced folder again.",
  askNow: (agent: string, base: string): Inline => say`${bold(agent)} looks in ${bold(base)}. You can ask now.`,
  notAsked: "Your question wasn't asked.",
} as const;

/** "Ask about it", under a Job that has finished. */
const askAddedSentences = {
  question: {
    label: "Your question",
    hint: (base: string): string => (base === "" ? "About what was added" : `About what was added to ${base}`),
  },
  told: (base: string): string => `The question is about what was just added to the knowledge base ${base}:`,
  more: (count: number): string => `and ${numberText(count)} more`,
} as const;

/** Most items of a Job that an agent is told about. */
const maxAddedItems = 20;
const maxAddedItemChars = 200;
const askForm = "ask-added";

/** The bridge reads the question. */
const fields = z.object({
  question: multiline({ label: askAddedSentences.question.label, isRequired: true }),
});

export const jobButtons: Interactions = {
  actions: {
    "retry-job": { role: "ingest", press: again },
    "ask-about": {
      role: "ask",
      acknowledge: (app, value) =>
        isSurelyUnread(app, value) ? { kind: "defer-private" } : { kind: "form", form: formAbout(value) },
      press: pressedAsk,
    },
  },
  formContexts: { [askForm]: askedAbout },
};

async function again(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const job = await pressedJob(app, id, context);
  const checked = checkedAgent(job);
  if (checked !== undefined) return checkAgain(app, job, checked, context);
  const refusal = await refusalToAdd(app, context, job);
  if (refusal !== undefined) return refusal;
  const managed = job.items.find(({ kind }) => kind === "query" || kind === "sync");
  if (managed !== undefined && !context.roles.manage.allowed) {
    throw new ParleyError("not_allowed", { what: managed.kind === "query" ? says.notYours : says.notYourFolder });
  }
  if (isRefresh(job)) await checkRefreshed(app, job, context);
  if (!(await app.knowledge.jobs.retry(job))) return sayOfJob(says.nothingAgain);
  const about = { job: job.id, knowledgeBase: `${job.project}.${job.knowledgeBase}` };
  await app.audit.record(context, {
    role: managed !== undefined ? "manage" : "ingest",
    action: "kb retry",
    about,
    outcome: "done",
  });
  return sayOfJob(jobListSentences.again, "running");
}

async function checkAgain(app: CommandApp, job: Job, agent: Named, context: CommandContext): Promise<CommandResult> {
  if (!context.roles.manage.allowed) throw new ParleyError("not_allowed", { what: "Only managers can run checks." });
  if (!(await app.knowledge.jobs.retry(job))) return sayOfJob(says.nothingAgain);
  const about = { job: job.id, agent: `${agent.project}.${agent.name}` };
  await app.audit.record(context, { role: "manage", action: "agent check", about, outcome: "done" });
  return sayOfJob(jobListSentences.again, "running");
}

/** Reading pages again needs the same rights as the refresh: each page that someone else added needs a manager. */
async function checkRefreshed(app: CommandApp, job: Job, context: CommandContext): Promise<void> {
  const base = { project: job.project, name: job.knowledgeBase };
  for (const { url, label, state } of job.items) {
    if (state === "done") continue;
    const document = await app.knowledge.ledger.get(base, documentId({ kind: "url", url: url ?? label }));
    if (document !== undefined) checkOwner(document, context);
  }
}

/** Whom to ask about what a Job added: an agent there that looks in its knowledge base, the channel's first. */
async function askedAbout(app: CommandApp, id: string, context: CommandContext): Promise<AskedWith> {
  const { actor, place } = context;
  const nothing: AskedWith = { kind: "ask", context: "" };
  const job = await app.knowledge.jobs.get(id, place);
  if (job === undefined) return nothing;
  const base = { project: job.project, name: job.knowledgeBase };
  if (!(await app.reach.mayBase(actor, "search", place, base)).allowed) return nothing;
  const { agents, here } = await readersHere(app, base, context);
  const [agent] = agents;
  if (agent === undefined) return { kind: "refused", document: await nobodyReads(app, base, context, true) };
  const isHere = agent.project === here?.project && agent.name === here.name;
  return { kind: "ask", context: addedText(job), agent: isHere ? undefined : agent.name };
}

/** Offers to let an agent look, because without one the question would find nothing. */
async function nobodyReads(
  app: CommandApp,
  base: Named,
  context: CommandContext,
  wasAsked: boolean,
): Promise<Document> {
  const offer = await offerReaderTo(app, base, context);
  const said = offer?.sentences ?? [readerSentences.nobody(base.name)];
  return infoDocument([...said, ...(wasAsked ? [says.notAsked] : [])], {
    actions: offer?.action === undefined ? [] : [offer.action],
  });
}

/** Without I/O, from the names that are known: a knowledge base of that name in any project. */
function isSurelyUnread(app: CommandApp, value: string): boolean {
  const { base, isWhole } = partsOf(value);
  if (!isWhole || !app.names.isLoaded()) return false;
  const agents = app.names.agents();
  const projects = new Set([app.settings.project, ...agents.flatMap(projectsOf)]);
  return [...projects].every((project) => readersOf(agents, { project, name: base }).length === 0);
}

async function pressedAsk(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const { id } = partsOf(value);
  const job = await pressedJob(app, id, context);
  const base = { project: job.project, name: job.knowledgeBase };
  await app.names.current.renew();
  const { agents } = await readersHere(app, base, context);
  if (agents.length === 0) return privately(await nobodyReads(app, base, context, false));
  // Connected a moment ago, perhaps through another instance.
  const again: Action = { id: "ask-about", label: labels.askAbout, value: id, style: "primary" };
  return privately(infoDocument(says.askNow(agents[0]?.name ?? "", base.name), { actions: [again] }));
}

/** What the Job added, as context for the agent. */
function addedText(job: Job): string {
  const done = job.items.filter(({ state }) => state === "done");
  const lines = done.slice(0, maxAddedItems).map(({ title, label, url }) => {
    const name = shorten(cleanText(title ?? label), maxAddedItemChars);
    return `- ${url === undefined || url === name ? name : `${name} (${url})`}`;
  });
  const more = done.length - lines.length;
  return [
    askAddedSentences.told(job.knowledgeBase),
    ...lines,
    ...(more > 0 ? [askAddedSentences.more(more)] : []),
  ].join("\n");
}

/** The Job's id and, as far as there was room, its knowledge base. */
function partsOf(value: string): { readonly id: string; readonly base: string; readonly isWhole: boolean } {
  const [id = "", ...words] = value.split(" ");
  const base = words.join(" ");
  return { id, base, isWhole: base !== "" && !base.endsWith("…") };
}

function projectsOf({ project, knowledgeBases }: Agent): readonly string[] {
  return knowledgeBases.map((entry) => splitName(entry, project).project);
}

function formAbout(value: string): Form {
  const { id, base } = partsOf(value);
  const { submitLabel } = formSentences.askAbout;
  const form = { id: askForm, title: labels.askAbout, submitLabel, context: id };
  return drawForm(fields, form, { question: { hint: askAddedSentences.question.hint(base) } });
}
