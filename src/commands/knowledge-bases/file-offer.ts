/**
 * Offers to save the files of a message, with one button that everyone there may see. The person who presses it needs the
 * rights to add; the files go in once, however often and by however many people it is pressed.
 */
import { fileProblem } from "../../knowledge/knowledge.ts";
import type { CommandSet } from "../../ports/command-contract.ts";
import type { Asker, CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Saving } from "../../ports/content/saving.ts";
import type { Action, Document, Inline } from "../../ports/document.ts";
import type { Job } from "../../ports/model/job.ts";
import type { Attachment } from "../../ports/model/place.ts";
import { keptId } from "../../ports/tools/ids.ts";
import { bold, cleanText, infoDocument, inline, listDocument } from "../../presentation/drawing.ts";
import { feedSentences, jobListSentences, fileOfferSentences as says, shorten } from "../../presentation/sentences.ts";
import { isSeenByAnyone } from "../in-reach.ts";
import { nameOfBaseRef, refOfBase } from "../ledger/base-ref.ts";
import { safeName } from "../parsing/safe-name.ts";
import { privately } from "../results.ts";
import { fileItem } from "./add-commands.ts";
import { createBaseChoices } from "./base-choices.ts";
import { type Destination, findDestination, recordContribution, refusalToAdd } from "./destination.ts";
import { type FeedPorts, type Pending, pendingKey } from "./feed-ports.ts";

/** Discord's files can no longer be downloaded after a day. */
const offeredMs = 24 * 60 * 60_000;
const maxChoices = 20;
const maxNameChars = 60;
const maxShownFiles = 10;

type PendingFiles = Extract<Pending, { kind: "files" }>;

export function fileOffer(ports: FeedPorts): {
  readonly offer: Saving["offerFiles"];
  readonly set: CommandSet;
} {
  const { knowledge, pending, reach, names, bindings, settings, log } = ports;
  const choices = createBaseChoices(ports);

  /** Where the files surely go if the person names no base. Undefined: they are asked. */
  async function only(who: Asker): Promise<string | undefined> {
    const known = (await choices.of(who)) ?? [];
    const [first] = known;
    if (first === undefined || known.length === 1) return first;
    const [own, resolved] = await Promise.all([bindings.own(who.place), reach.resolve(who.actor, who.place)]);
    if (own?.knowledgeBase !== undefined) return first;
    if (resolved.kind !== "bound") return undefined;
    if (resolved.binding.knowledgeBase !== undefined) return first;
    const { project, agent } = resolved.binding;
    const reads = project === settings.project ? (names.agent(agent)?.knowledgeBases ?? []) : [];
    return reads.length === 1 && !reads[0]?.endsWith("*") ? first : undefined;
  }

  /** People write "Team Handbook" and mean team_handbook. */
  async function named(given: string, who: Asker): Promise<Destination | undefined> {
    for (const name of new Set([given, safeName(given, given)])) {
      const found = await findDestination(ports, who, name);
      if ("destination" in found) return found.destination;
    }
    return undefined;
  }

  const typedName = ({ project, knowledgeBase }: Destination) =>
    project === settings.project ? knowledgeBase : `${project}.${knowledgeBase}`;

  /** The base that the offer can name: what the person typed, or what everyone there may know of. */
  async function nameInOffer(given: string | undefined, who: Asker): Promise<string | undefined> {
    if (given !== undefined) {
      const found = await named(given, who);
      return found === undefined ? undefined : typedName(found);
    }
    const name = await only(who);
    if (name === undefined || reach.isDirect(who.place)) return name;
    return (await isSeenByAnyone(reach.bases, [{ name }], who.place)) ? name : undefined;
  }

  async function offer(
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
    const base = await choices.inTime(nameInOffer(given, context));
    // A redelivered message doesn't forget that it was pressed meanwhile.
    if ((await pending.get(key)) === undefined) {
      const { eventKey } = context;
      await pending.set(key, { kind: "files", files, eventKey, into: base }, offeredMs);
    }
    const what = filesText(files);
    const asked = base === undefined ? says.askWhere(what) : says.ask(what, base);
    const unknown = given !== undefined && base === undefined ? [says.noSuch(shorten(given, maxNameChars))] : [];
    const label = base === undefined ? says.add(files.length) : says.addTo(shorten(base, maxNameChars));
    const button: Action = { id: "save-file", label, value: id, style: "primary" };
    return infoDocument([...unknown, asked], { tone: "waiting", quiet: [says.question], actions: [button] });
  }

  async function press(value: string, context: CommandContext): Promise<CommandResult> {
    const [id = "", ref] = value.split(" ");
    const stored = await pending.get(pendingKey(context, id));
    if (stored?.kind !== "files") return say(says.gone);
    const earlier = stored.jobId === undefined ? undefined : await knowledge.jobs.get(stored.jobId, context.place);
    if (earlier !== undefined) return again(earlier, context);
    const given = ref === undefined ? (stored.into ?? (await only(context))) : await nameOfBaseRef(ports, ref);
    if (given === undefined) return askWhich(id, stored, context);
    const found = await findDestination(ports, context, given);
    return "refusal" in found ? found.refusal : begin(id, stored, found.destination, context);
  }

  async function askWhich(id: string, stored: PendingFiles, context: CommandContext): Promise<CommandResult> {
    const bases = (await choices.of(context)) ?? [];
    if (bases.length === 0) {
      const found = await findDestination(ports, context, undefined);
      if ("refusal" in found) return found.refusal;
      return begin(id, stored, found.destination, context);
    }
    const actions = bases.slice(0, maxChoices).map((name): Action => {
      const target = { project: settings.project, name };
      return {
        id: "save-file",
        label: shorten(name, maxNameChars),
        value: `${id} ${refOfBase(ports, target)}`,
        style: "plain",
      };
    });
    return privately(infoDocument(says.which(filesText(stored.files)), { tone: "waiting", actions }));
  }

  /** The Job's key is the offer's: a second press at the same moment finds the same Job. */
  async function begin(
    id: string,
    stored: PendingFiles,
    target: Destination,
    context: CommandContext,
  ): Promise<CommandResult> {
    const { job } = await knowledge.jobs.begin({
      context: { ...context, eventKey: `${stored.eventKey}/saved` },
      ...target,
      way: "parley",
      action: "kb add",
      items: stored.files.map(fileItem),
    });
    if (job === undefined) return say(says.gone);
    await pending
      .set(pendingKey(context, id), { ...stored, jobId: job.id }, offeredMs)
      .catch((err: unknown) => log.debug({ err }, "A pressed offer could not be noted"));
    if (job.actor.id !== context.actor.id) return say(says.already(cleanText(job.actor.name), job.knowledgeBase));
    await recordContribution(ports, context, target);
    const said = feedSentences.begun(job.items.length, "piece", job.knowledgeBase);
    return privately(infoDocument(said, { tone: "running" }));
  }

  /** Pressed again: what failed is tried once more. */
  async function again(job: Job, context: CommandContext): Promise<CommandResult> {
    if (!job.items.some(({ state }) => state === "failed" || state === "cancelled")) {
      return say(says.already(cleanText(job.actor.name), job.knowledgeBase));
    }
    const refusal = await refusalToAdd(ports, context, job);
    if (refusal !== undefined) return refusal;
    const isBegun = await knowledge.jobs.retry(job);
    return say(isBegun ? inline(jobListSentences.again) : says.already(cleanText(job.actor.name), job.knowledgeBase));
  }

  return { offer, set: { definitions: [], handlers: {}, actions: { "save-file": { role: "ingest", press } } } };
}

function nameOf({ name }: Attachment): string {
  return shorten(cleanText(name), maxNameChars);
}

function filesText(files: readonly Attachment[]): Inline {
  const [first] = files;
  return files.length === 1 && first !== undefined ? [bold(nameOf(first))] : inline(says.files(files.length));
}

function say(sentence: string | Inline): CommandResult {
  return privately(infoDocument(sentence));
}
