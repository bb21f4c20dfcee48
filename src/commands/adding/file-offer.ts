/**
 * Offers to save the files of a message, with one button that everyone there may see. The person who presses it needs
 * the rights to add; the files go in once, however often and by however many people it is pressed.
 */

import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, Document, Inline } from "../../core/document.ts";
import type { Job } from "../../core/model/job.ts";
import type { Attachment } from "../../core/model/place.ts";
import { keptId } from "../../core/tools/ids.ts";
import { fileProblem } from "../../knowledge/knowledge.ts";
import { bold, cleanText, code, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { countText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import { fileItem } from "../knowledge-bases/add.ts";
import { nameOfBaseRef, refOfBase } from "../names/base-ref.ts";
import { isSeenByAnyone } from "../names/in-reach.ts";
import { safeName } from "../names/safe-name.ts";
import { type Pending, pendingIn, pendingKey } from "../pending.ts";
import { privately } from "../results.ts";
import { feedSentences, jobListSentences } from "../words.ts";
import { basesToOffer, inTime } from "./base-choices.ts";
import { type Destination, findDestination, recordContribution, refusalToAdd } from "./destination.ts";

/** Files that someone sent with words like "save this". */
const says = {
  files: (count: number): string => countText(count, "file"),
  ask: (what: Inline, base: string): Inline => say`Add ${what} to ${bold(base)}?`,
  askWhere: (what: Inline): Inline => say`Add ${what} to a knowledge base?`,
  which: (what: Inline): Inline => say`Which knowledge base should I add ${what} to?`,
  addTo: (base: string): string => `Add to ${base}`,
  add: (count: number): string => (count === 1 ? "Add file" : "Add files"),
  question: "To ask about a file instead, send it with your question.",
  noSuch: (name: string): Inline => say`I don't know a knowledge base called ${code(name)} here.`,
  noneFits: "I can't add that:",
  problem: (name: string, reason: string): Inline => say`${bold(name)}: ${reason}`,
  already: (person: string, base: string): Inline => say`${person} already added that to ${bold(base)}.`,
  gone: "This offer has expired. Send the file again.",
} as const;

/** Discord's files can no longer be downloaded after a day. */
const offeredMs = 24 * 60 * 60_000;
const maxChoices = 20;
const maxNameChars = 60;
const maxShownFiles = 10;

type PendingFiles = Extract<Pending, { kind: "files" }>;

export const fileButtons: Interactions = { actions: { "save-file": { role: "ingest", press } } };

/** Where the files surely go if the person names no base. Undefined: they are asked. */
async function only(app: CommandApp, who: Asker): Promise<string | undefined> {
  const known = (await basesToOffer(app, who)) ?? [];
  const [first] = known;
  if (first === undefined || known.length === 1) return first;
  const [own, resolved] = await Promise.all([app.bindings.own(who.place), app.reach.resolve(who.actor, who.place)]);
  if (own?.knowledgeBase !== undefined) return first;
  if (resolved.kind !== "bound") return undefined;
  if (resolved.binding.knowledgeBase !== undefined) return first;
  const { project, agent } = resolved.binding;
  const reads = project === app.settings.project ? (app.names.agent(agent)?.knowledgeBases ?? []) : [];
  return reads.length === 1 && !reads[0]?.endsWith("*") ? first : undefined;
}

/** People write "Team Handbook" and mean team_handbook. */
async function named(app: CommandApp, given: string, who: Asker): Promise<Destination | undefined> {
  for (const name of new Set([given, safeName(given, given)])) {
    const found = await findDestination(app, who, name);
    if ("destination" in found) return found.destination;
  }
  return undefined;
}

const typedName = (app: CommandApp, { project, knowledgeBase }: Destination) =>
  project === app.settings.project ? knowledgeBase : `${project}.${knowledgeBase}`;

/** The base that the offer can name: what the person typed, or what everyone there may know of. */
async function nameInOffer(app: CommandApp, given: string | undefined, who: Asker): Promise<string | undefined> {
  if (given !== undefined) {
    const found = await named(app, given, who);
    return found === undefined ? undefined : typedName(app, found);
  }
  const name = await only(app, who);
  if (name === undefined || app.reach.isDirect(who.place)) return name;
  return (await isSeenByAnyone(app.reach.bases, [{ name }], who.place)) ? name : undefined;
}

export async function offer(
  app: CommandApp,
  files: readonly Attachment[],
  given: string | undefined,
  context: CommandContext,
): Promise<Document> {
  const problems = files.map((file) => ({ file, reason: fileProblem(file) }));
  if (problems.every(({ reason }) => reason !== undefined)) {
    const lines = problems.slice(0, maxShownFiles).map(({ file, reason = "" }) => says.problem(nameOf(file), reason));
    return listDocument(says.noneFits, lines, { tone: "failed" });
  }
  const id = keptId(context.eventKey);
  const key = pendingKey(context, id);
  const base = await inTime(app, nameInOffer(app, given, context));
  // A redelivered message doesn't forget that it was pressed meanwhile.
  if ((await pendingIn(app).get(key)) === undefined) {
    const { eventKey } = context;
    await pendingIn(app).set(key, { kind: "files", files, eventKey, into: base }, offeredMs);
  }
  const what = filesText(files);
  const asked = base === undefined ? says.askWhere(what) : says.ask(what, base);
  const unknown = given !== undefined && base === undefined ? [says.noSuch(shorten(given, maxNameChars))] : [];
  const label = base === undefined ? says.add(files.length) : says.addTo(shorten(base, maxNameChars));
  const button: Action = { id: "save-file", label, value: id, style: "primary" };
  return infoDocument([...unknown, asked], { tone: "waiting", quiet: [says.question], actions: [button] });
}

async function press(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const [id = "", ref] = value.split(" ");
  const stored = await pendingIn(app).get(pendingKey(context, id));
  if (stored?.kind !== "files") return told(says.gone);
  const earlier = stored.jobId === undefined ? undefined : await app.knowledge.jobs.get(stored.jobId, context.place);
  if (earlier !== undefined) return again(app, earlier, context);
  const given = ref === undefined ? (stored.into ?? (await only(app, context))) : await nameOfBaseRef(app, ref);
  if (given === undefined) return askWhich(app, id, stored, context);
  const found = await findDestination(app, context, given);
  return "refusal" in found ? found.refusal : begin(app, id, stored, found.destination, context);
}

async function askWhich(
  app: CommandApp,
  id: string,
  stored: PendingFiles,
  context: CommandContext,
): Promise<CommandResult> {
  const bases = (await basesToOffer(app, context)) ?? [];
  if (bases.length === 0) {
    const found = await findDestination(app, context, undefined);
    if ("refusal" in found) return found.refusal;
    return begin(app, id, stored, found.destination, context);
  }
  const actions = bases.slice(0, maxChoices).map((name): Action => {
    const target = { project: app.settings.project, name };
    return {
      id: "save-file",
      label: shorten(name, maxNameChars),
      value: `${id} ${refOfBase(app, target)}`,
      style: "plain",
    };
  });
  return privately(infoDocument(says.which(filesText(stored.files)), { tone: "waiting", actions }));
}

/** The Job's key is the offer's: a second press at the same moment finds the same Job. */
async function begin(
  app: CommandApp,
  id: string,
  stored: PendingFiles,
  target: Destination,
  context: CommandContext,
): Promise<CommandResult> {
  const { job } = await app.knowledge.jobs.begin({
    context: { ...context, eventKey: `${stored.eventKey}/saved` },
    ...target,
    way: "parley",
    action: "kb add",
    items: stored.files.map(fileItem),
  });
  if (job === undefined) return told(says.gone);
  await pendingIn(app)
    .set(pendingKey(context, id), { ...stored, jobId: job.id }, offeredMs)
    .catch((err: unknown) => app.log.debug({ err }, "A pressed offer could not be noted"));
  if (job.actor.id !== context.actor.id) return told(says.already(cleanText(job.actor.name), job.knowledgeBase));
  await recordContribution(app, context, target);
  const said = feedSentences.begun(job.items.length, "piece", job.knowledgeBase);
  return privately(infoDocument(said, { tone: "running" }));
}

/** Pressed again: what failed is tried once more. */
async function again(app: CommandApp, job: Job, context: CommandContext): Promise<CommandResult> {
  if (!job.items.some(({ state }) => state === "failed" || state === "cancelled")) {
    return told(says.already(cleanText(job.actor.name), job.knowledgeBase));
  }
  const refusal = await refusalToAdd(app, context, job);
  if (refusal !== undefined) return refusal;
  const isBegun = await app.knowledge.jobs.retry(job);
  return told(isBegun ? say`${jobListSentences.again}` : says.already(cleanText(job.actor.name), job.knowledgeBase));
}

function nameOf({ name }: Attachment): string {
  return shorten(cleanText(name), maxNameChars);
}

function filesText(files: readonly Attachment[]): Inline {
  const [first] = files;
  return files.length === 1 && first !== undefined ? [bold(nameOf(first))] : say`${says.files(files.length)}`;
}

function told(sentence: string | Inline): CommandResult {
  return privately(infoDocument(sentence));
}
