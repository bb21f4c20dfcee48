/** `/kb jobs`, `/kb cancel` and the buttons under a Job's message. */
import { addsAnswer, checkedAgent, documentId, isRefresh } from "../../knowledge/knowledge.ts";
import type { Named } from "../../ports/access.ts";
import type { Agent } from "../../ports/agent-service.ts";
import type { CompletionQuery } from "../../ports/chat-platform.ts";
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { AskedWith, CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action, Choice, Document, Form, Inline, ListItem } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Job, JobItem } from "../../ports/model/job.ts";
import { type Actor, channelKey, isAway, type Place } from "../../ports/model/place.ts";
import { unfinishedJobStates } from "../../ports/state.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import { cleanText, code, dotted, infoDocument, inlineText, listDocument } from "../../presentation/drawing.ts";
import {
  askAddedSentences,
  checkSentences,
  formSentences,
  jobListSentences,
  jobSentences,
  labels,
  momentText,
  readerSentences,
  shorten,
} from "../../presentation/sentences.ts";
import { refusalToAdd } from "../knowledge-bases/destination.ts";
import type { FeedPorts } from "../knowledge-bases/feed-ports.ts";
import { feedDefinitions } from "../knowledge-bases/kb-definitions.ts";
import { createLetLook } from "../knowledge-bases/let-look.ts";
import { checkOwner } from "../ledger/ownership.ts";
import { matching } from "../parsing/matching.ts";
import { readersHere, readersOf } from "../readers.ts";
import { privately } from "../results.ts";

const maxListed = 15;
/** Recent Jobs searched for those to list, and for a reference to cancel. */
const maxLooked = 200;
const maxButtons = 3;
/** Items of a Job that are listed to an agent. */
const maxAddedItems = 20;
const maxAddedItemChars = 200;
const paths = ["kb jobs", "kb cancel"];
const askForm = "ask-added";

export function jobCommands(ports: FeedPorts): CommandSet {
  const { knowledge, audit } = ports;
  const { jobs } = knowledge;
  const letLook = createLetLook(ports);

  /**
   * Job lines quote messages, so a Job is listed only in the channel it was started in, and to the person who started
   * it. Someone at /admin is in no channel of a chat, so what quotes its messages isn't listed there.
   */
  const visibleJobs = async (place: Place, actor: Pick<Actor, "id" | "signedInAs">) =>
    (await jobs.recent(place, maxLooked)).filter(
      (job) =>
        (job.askedIn.channel === place.channel && isShownThere(job) && !(isAway(actor) && quotes(job))) ||
        job.actor.id === actor.id,
    );
  const running = async (place: Place, actor: Pick<Actor, "id" | "signedInAs">) =>
    (await visibleJobs(place, actor)).filter((job) => unfinishedJobStates.includes(job.state));

  async function list({ place, actor }: CommandContext): Promise<CommandResult> {
    const all = (await visibleJobs(place, actor)).slice(0, maxListed);
    if (all.length === 0) return privately(infoDocument(jobListSentences.none));
    return privately(
      listDocument(jobListSentences.title(all.length), all.map(jobLine), { actions: cancelButtons(all) }),
    );
  }

  async function cancel(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const given = textOption(options, "job")?.trim().toLowerCase();
    const all = await running(context.place, context.actor);
    if (given !== undefined) {
      const job = all.find(({ id, ref }) => id === given || ref === given);
      return job === undefined ? say(jobListSentences.noSuch(given), "failed") : end(job, context);
    }
    const [only, another] = all;
    if (only === undefined) return say(jobListSentences.noneRunning);
    if (another === undefined) return end(only, context);
    return privately(
      listDocument(jobListSentences.which, all.slice(0, maxListed).map(jobLine), { actions: cancelButtons(all) }),
    );
  }

  async function end(job: Job, context: CommandContext): Promise<CommandResult> {
    const isCancelled = await jobs.cancel(job, context.actor.id);
    if (!isCancelled) return say(jobListSentences.over(job.ref));
    const agent = checkedAgent(job);
    const subject =
      agent === undefined
        ? { knowledgeBase: `${job.project}.${job.knowledgeBase}` }
        : { agent: `${agent.project}.${agent.name}` };
    const about = { job: job.id, ...subject };
    await audit.record(context, { role: "ingest", action: "kb cancel", about, outcome: "done" });
    return say(jobListSentences.cancelled(job.ref), "stopped");
  }

  /** A button's value is untrusted: only Jobs of the caller's own workspace exist. */
  async function pressed(id: string, { place }: CommandContext): Promise<Job> {
    const job = await jobs.get(id, place);
    if (job === undefined) throw new ParleyError("turn_gone", { what: jobListSentences.gone, hint: "" });
    return job;
  }

  async function again(id: string, context: CommandContext): Promise<CommandResult> {
    const job = await pressed(id, context);
    const checked = checkedAgent(job);
    if (checked !== undefined) return checkAgain(job, checked, context);
    const refusal = await refusalToAdd(ports, context, job);
    if (refusal !== undefined) return refusal;
    const isQuery = job.items.some(({ kind }) => kind === "query");
    if (isQuery && !context.roles.manage.allowed) {
      throw new ParleyError("not_allowed", { what: jobListSentences.notYours });
    }
    if (isRefresh(job)) await checkRefreshed(job, context);
    if (!(await jobs.retry(job))) return say(jobListSentences.nothingAgain);
    const about = { job: job.id, knowledgeBase: `${job.project}.${job.knowledgeBase}` };
    await audit.record(context, { role: isQuery ? "manage" : "ingest", action: "kb retry", about, outcome: "done" });
    return say(jobListSentences.again, "running");
  }

  async function checkAgain(job: Job, agent: Named, context: CommandContext): Promise<CommandResult> {
    if (!context.roles.manage.allowed) throw new ParleyError("not_allowed", { what: checkSentences.notYours });
    if (!(await jobs.retry(job))) return say(jobListSentences.nothingAgain);
    const about = { job: job.id, agent: `${agent.project}.${agent.name}` };
    await audit.record(context, { role: "manage", action: "agent check", about, outcome: "done" });
    return say(jobListSentences.again, "running");
  }

  /** Reading pages again needs the same rights as the refresh: each page that someone else added needs a manager. */
  async function checkRefreshed(job: Job, context: CommandContext): Promise<void> {
    const base = { project: job.project, name: job.knowledgeBase };
    for (const { url, label, state } of job.items) {
      if (state === "done") continue;
      const document = await knowledge.ledger.get(base, documentId({ kind: "url", url: url ?? label }));
      if (document !== undefined) checkOwner(document, context);
    }
  }

  /** Whom to ask about what a Job added: an agent there that looks in its knowledge base, the channel's first. */
  async function asked(id: string, context: CommandContext): Promise<AskedWith> {
    const { actor, place } = context;
    const nothing: AskedWith = { kind: "ask", context: "" };
    const job = await jobs.get(id, place);
    if (job === undefined) return nothing;
    const base = { project: job.project, name: job.knowledgeBase };
    if (!(await ports.reach.mayBase(actor, "search", place, base)).allowed) return nothing;
    const { agents, here } = await readersHere(ports, base, context);
    const [agent] = agents;
    if (agent === undefined) return { kind: "refused", document: await nobodyReads(base, context, true) };
    const isHere = agent.project === here?.project && agent.name === here.name;
    return { kind: "ask", context: addedText(job), agent: isHere ? undefined : agent.name };
  }

  /** Offers to let an agent look, because without one the question would find nothing. */
  async function nobodyReads(base: Named, context: CommandContext, wasAsked: boolean): Promise<Document> {
    const offer = await letLook.offerFor(base, context);
    const said = offer?.sentences ?? [readerSentences.nobody(base.name)];
    return infoDocument([...said, ...(wasAsked ? [readerSentences.notAsked] : [])], {
      actions: offer?.action === undefined ? [] : [offer.action],
    });
  }

  /** Without I/O, from the names that are known: a knowledge base of that name in any project. */
  function isSurelyUnread(value: string): boolean {
    const { base, isWhole } = partsOf(value);
    if (!isWhole || !ports.names.isLoaded()) return false;
    const agents = ports.names.agents();
    const projects = new Set([ports.settings.project, ...agents.flatMap(projectsOf)]);
    return [...projects].every((project) => readersOf(agents, { project, name: base }).length === 0);
  }

  async function pressedAsk(value: string, context: CommandContext): Promise<CommandResult> {
    const { id } = partsOf(value);
    const job = await pressed(id, context);
    const base = { project: job.project, name: job.knowledgeBase };
    await ports.reach.lists.renew();
    const { agents } = await readersHere(ports, base, context);
    if (agents.length === 0) return privately(await nobodyReads(base, context, false));
    // Connected a moment ago, perhaps through another instance.
    const again: Action = { id: "ask-about", label: labels.askAbout, value: id, style: "primary" };
    return privately(infoDocument(readerSentences.askNow(agents[0]?.name ?? "", base.name), { actions: [again] }));
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

  async function complete({ typed, place, actor }: CompletionQuery): Promise<readonly Choice[]> {
    const all = await running(place, actor);
    const labelOf = (job: Job) => shorten(`${job.ref} · ${inlineText(titleOf(job))}`, maxChoiceChars);
    const names = new Map(all.map((job) => [labelOf(job), job.ref]));
    return matching(typed, [...names.keys()]).map(({ label }) => ({ label, value: names.get(label) ?? label }));
  }

  return {
    definitions: feedDefinitions.filter(({ path }) => paths.includes(path)),
    handlers: { "kb jobs": { run: (_options, context) => list(context) }, "kb cancel": { run: cancel } },
    actions: {
      "cancel-job": { role: "ingest", press: async (id, context) => end(await pressed(id, context), context) },
      "retry-job": { role: "ingest", press: again },
      "ask-about": {
        role: "ask",
        acknowledge: (value) =>
          isSurelyUnread(value) ? { kind: "defer-private" } : { kind: "form", form: formAbout(value) },
        press: pressedAsk,
      },
    },
    formContexts: { [askForm]: asked },
    completions: { job: complete },
  };
}

const maxChoiceChars = 90;

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
  const { label, hint } = askAddedSentences.question;
  const { submitLabel } = formSentences.askAbout;
  return {
    id: askForm,
    title: labels.askAbout,
    submitLabel,
    context: id,
    fields: [{ type: "multiline", name: "question", label, hint: hint(base), isRequired: true }],
  };
}

function say(sentence: string | Inline, tone: "info" | "failed" | "running" | "stopped" = "info"): CommandResult {
  return privately(infoDocument(sentence, { tone }));
}

/** A check whose result is for one person alone isn't listed to others, nor is an added answer with its question. */
function isShownThere(job: Job): boolean {
  return channelKey(job.askedIn) === channelKey(job.reply.place) && !addsAnswer(job);
}

const quotes = ({ items }: Job): boolean => items.some(({ kind }) => kind === "thread");

function titleOf(job: Job): Inline {
  const agent = checkedAgent(job);
  if (agent !== undefined) return jobListSentences.checks(job.items.length, agent.name);
  const [first] = job.items;
  const label = shorten(cleanText(first?.title ?? first?.label ?? ""), 60);
  return jobListSentences.line(label, Math.max(0, job.items.length - 1), job.knowledgeBase);
}

function jobLine(job: Job): ListItem {
  const count = (state: JobItem["state"]) => job.items.filter((item) => item.state === state).length;
  const progress = jobSentences.progress(count("done"), job.items.length, count("failed"));
  const text = dotted(
    code(job.ref),
    titleOf(job),
    `${jobListSentences.state[job.state]}, ${progress}`,
    jobListSentences.by(cleanText(job.actor.name)),
    momentText(job.createdAtMs),
  );
  const marks = { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "bullet" } as const;
  return { mark: marks[job.state], text };
}

function cancelButtons(all: readonly Job[]) {
  return all
    .filter(({ state }) => unfinishedJobStates.includes(state))
    .slice(0, maxButtons)
    .map((job) => ({ id: "cancel-job", label: `${labels.cancel} ${job.ref}`, value: job.id, style: "plain" }) as const);
}
