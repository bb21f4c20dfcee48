/**
 * Saves a message or its thread to a knowledge base, by a form or a reaction. The Job behind it posts no message: the
 * person gets a reply, and the message a mark.
 */
import { type PayloadOf, payloadOf, savedRowId } from "../../knowledge/knowledge.ts";
import type { MessageRef } from "../../ports/chat-platform.ts";
import { type CommandSet, fieldText } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { SaveAbout, Saving } from "../../ports/content/saving.ts";
import { allShown, type FieldErrors, type Form, type FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Job } from "../../ports/model/job.ts";
import { channelKey } from "../../ports/model/place.ts";
import { newId } from "../../ports/tools/ids.ts";
import { cleanText, errorDocument, infoDocument, type ReaderOffer } from "../../presentation/drawing.ts";
import { saveSentences as says, shorten } from "../../presentation/sentences.ts";
import { privately, working } from "../results.ts";
import { createBaseChoices } from "./base-choices.ts";
import { type Destination, findDestination, recordContribution, refusalToAdd } from "./destination.ts";
import { type FeedPorts, type Pending, pendingKey, pendingMs } from "./feed-ports.ts";
import { createLetLook } from "./let-look.ts";

const formId = "kb save";
const maxTitleChars = 80;
const maxFieldTitleChars = 200;
/** After this time it is offered again to let an agent look. */
const offeredMs = 90 * 86_400_000;

type SavePending = Extract<Pending, { kind: "save" }>;

export function saveCommands(
  ports: FeedPorts,
  settings: { readonly emoji: string },
): { readonly set: CommandSet; readonly saving: Omit<Saving, "offerFiles"> } {
  const { knowledge, pending, offered, audit, clock, log } = ports;
  const letLook = createLetLook(ports);
  const choices = createBaseChoices(ports);

  async function openForm(about: SaveAbout, context: CommandContext): ReturnType<Saving["openForm"]> {
    const bases = (await choices.of(context)) ?? [];
    if (bases.length === 0) {
      const found = await choices.inTime(findDestination(ports, context, undefined));
      if (found === undefined)
        return { kind: "document", document: errorDocument(new ParleyError("service_unreachable")) };
      if ("refusal" in found && found.refusal.kind === "document") return found.refusal;
    }
    const id = newId(clock.now());
    const { place, messageId, authorName, text } = about;
    await pending.set(pendingKey(context, id), { kind: "save", place, messageId, authorName, text }, pendingMs);
    return { kind: "form", form: formOf(id, titleOf(authorName, text), bases) };
  }

  async function check(values: FormValues): Promise<FieldErrors | undefined> {
    if (fieldText(values, "title") === "") return { title: says.form.noTitle };
    return fieldText(values, "into") === "" ? { into: says.form.noBase } : undefined;
  }

  async function submit(values: FormValues, id: string, context: CommandContext): Promise<CommandResult> {
    const about = await pending.get(pendingKey(context, id));
    if (about?.kind !== "save") return privately(infoDocument(says.gone, { tone: "failed" }));
    const found = await findDestination(ports, context, fieldText(values, "into"));
    if ("refusal" in found) return found.refusal;
    const scope = fieldText(values, "scope") === "message" ? "message" : "thread";
    const title = shorten(cleanText(fieldText(values, "title")), maxFieldTitleChars);
    return save(about, scope, title, found.destination, context);
  }

  async function saveMarked({ place, messageId }: MessageRef, context: CommandContext): Promise<CommandResult> {
    const found = await findDestination(ports, context, undefined);
    if ("refusal" in found) return found.refusal;
    const about: SavePending = { kind: "save", place, messageId, authorName: "", text: "" };
    return save(about, "thread", "", found.destination, context);
  }

  /** Without a title, one is derived from the content. */
  function save(
    about: SavePending,
    scope: "message" | "thread",
    title: string,
    target: Destination,
    context: CommandContext,
  ): CommandResult {
    const { place, messageId, authorName, text } = about;
    const said = text.trim() === "" ? undefined : { authorName, text };
    const rowId = savedRowId(place, messageId, scope);
    const payload: PayloadOf<"thread"> = {
      kind: "thread",
      place,
      messageId,
      scope,
      rowId,
      title,
      said,
    };
    const shown = infoDocument(says.saving(title, target.knowledgeBase), { tone: "running" });
    return working(shown, log, async () => {
      const { job } = await knowledge.jobs.begin({
        context,
        ...target,
        way: "parley",
        action: "kb save",
        isSilent: true,
        items: [{ item: { label: title === "" ? says.message : title, kind: "thread", state: "waiting" }, payload }],
      });
      if (job !== undefined) await recordContribution(ports, context, target);
      const ended = job === undefined ? undefined : await knowledge.jobs.ended(job.id);
      return savedResult(ended, ended?.state === "done" ? await firstOffer(target, context) : undefined);
    });
  }

  /** Once per channel and knowledge base: nobody wants to read it under every saved message. */
  async function firstOffer(target: Destination, context: CommandContext): Promise<ReaderOffer | undefined> {
    const key = `${channelKey(context.place)}/${target.project}.${target.knowledgeBase}`;
    try {
      if ((await offered.get(key)) !== undefined) return undefined;
      const offer = await letLook.offerFor({ project: target.project, name: target.knowledgeBase }, context);
      if (offer !== undefined) await offered.set(key, { atMs: clock.now() }, offeredMs);
      return offer;
    } catch (err) {
      log.warn({ err }, "Could not find out whether an agent looks in a knowledge base");
      return undefined;
    }
  }

  function savedResult(job: Job | undefined, offer?: ReaderOffer): CommandResult {
    const [item] = job?.items ?? [];
    const title = item?.title ?? item?.label ?? "";
    if (job === undefined || item === undefined || item.state === "waiting" || item.state === "running") {
      return privately(infoDocument(says.stillRunning, { tone: "running" }));
    }
    if (item.state !== "done") {
      return privately(infoDocument(says.notSaved(title, item.reason ?? ""), { tone: "failed" }));
    }
    const remove = {
      id: "remove-saved",
      label: says.remove(job.knowledgeBase),
      value: job.id,
      style: "plain",
    } as const;
    const said = says.saved(title, job.knowledgeBase, item.url);
    const actions = [...(offer?.action === undefined ? [] : [offer.action]), remove];
    return privately(infoDocument([said, ...(offer?.sentences ?? [])], { tone: "done", actions }));
  }

  async function remove(id: string, context: CommandContext): Promise<CommandResult> {
    const job = await knowledge.jobs.get(id, context.place);
    const payload = job === undefined ? undefined : payloadOf(job, 0);
    if (job === undefined || payload?.kind !== "thread") {
      throw new ParleyError("turn_gone", { what: says.savedGone, hint: "" });
    }
    const { project, knowledgeBase } = job;
    const refusal = await refusalToAdd(ports, context, job);
    if (refusal !== undefined) return refusal;
    await knowledge.removeSaved(job, payload);
    const about = { knowledgeBase: `${project}.${knowledgeBase}`, row: payload.rowId };
    await audit.record(context, { role: "ingest", action: "kb remove saved", about, outcome: "done" });
    return privately(infoDocument(says.removed(job.items[0]?.title ?? payload.title, knowledgeBase)));
  }

  return {
    set: {
      definitions: [],
      handlers: {},
      forms: { [formId]: { role: "ingest", check, submit } },
      actions: { "remove-saved": { role: "ingest", press: remove } },
    },
    saving: {
      isSaveMark: (emoji) => settings.emoji !== "off" && plainEmoji(emoji) === plainEmoji(settings.emoji),
      openForm,
      saveMarked,
    },
  };
}

function formOf(id: string, title: string, bases: readonly string[]): Form {
  const { form } = says;
  const choices = bases.map((name) => ({ value: name, label: name }));
  const scopes = (["thread", "message"] as const).map((value) => ({ value, label: form.scopes[value] }));
  return {
    id: formId,
    title: form.title,
    submitLabel: form.submit,
    context: id,
    fields: [
      { name: "title", ...form.name, type: "text", isRequired: true, maxChars: maxFieldTitleChars, initial: title },
      {
        name: "into",
        ...form.into,
        type: "select",
        isRequired: true,
        choices,
        ...allShown("select", choices),
        completes: "knowledge-base",
        initial: bases[0],
      },
      {
        name: "scope",
        ...form.scope,
        type: "select",
        isRequired: true,
        initial: "thread",
        choices: scopes,
        ...allShown("select", scopes),
      },
    ],
  };
}

function titleOf(author: string, text: string): string {
  const words = cleanText(text).replace(/\s+/g, " ").trim();
  return shorten(says.titleOf(cleanText(author), words), maxTitleChars);
}

/** Emoji come with and without a variation selector, names with and without colons. */
function plainEmoji(emoji: string): string {
  return emoji
    .replace(/\uFE0F/g, "")
    .replace(/^:|:$/g, "")
    .toLowerCase();
}
