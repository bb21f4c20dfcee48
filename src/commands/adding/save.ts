/**
 * Saves a message or its thread to a knowledge base, by a form or a reaction. The Job behind it posts no message: the
 * person gets a reply, and the message a mark.
 */
import { z } from "zod";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Document, Form, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import { type Attachment, channelKey } from "../../core/model/place.ts";
import type { MessageRef } from "../../core/ports/chat-platform.ts";
import { newId } from "../../core/tools/ids.ts";
import { type PayloadOf, payloadOf, savedRowId } from "../../knowledge/knowledge.ts";
import {
  bold,
  cleanText,
  errorDocument,
  infoDocument,
  link,
  type ReaderOffer,
  say,
} from "../../presentation/drawing.ts";
import { saveSentences, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import { drawForm, formHandler, select, text } from "../form.ts";
import { type Pending, pendingIn, pendingKey, pendingMs } from "../pending.ts";
import { privately, working } from "../results.ts";
import { basesToOffer, inTime } from "./base-choices.ts";
import { offerReaderTo } from "./connect-base.ts";
import { type Destination, findDestination, recordContribution, refusalToAdd } from "./destination.ts";
import { offer } from "./file-offer.ts";

export type SaveAbout = MessageRef & {
  /** Untrusted. */
  readonly authorName: string;
  readonly text: string;
};

export type Saving = {
  /** Whether that reaction saves; `emoji` as adapters pass it. */
  readonly isSaveMark: (emoji: string) => boolean;
  /** The form that the shortcut opens, prefilled; else a document that says why not. Within 2 s. */
  readonly openForm: (
    about: SaveAbout,
    context: CommandContext,
  ) => Promise<
    { readonly kind: "form"; readonly form: Form } | { readonly kind: "document"; readonly document: Document }
  >;
  /**
   * Asks whether to save the files of a message, for everyone there; `base`: as typed. Stored, so that the button works
   * after a restart. Within 2 s.
   */
  readonly offerFiles: (
    files: readonly Attachment[],
    base: string | undefined,
    context: CommandContext,
  ) => Promise<Document>;
  /** Saves the message with its thread to the channel's default knowledge base. */
  readonly saveMarked: (message: MessageRef, context: CommandContext) => Promise<CommandResult>;
};

const says = {
  notSaved: (title: string, reason: string): Inline =>
    say`Couldn't save ${title === saveSentences.message ? title : bold(title)}${reason === "" ? "." : `: ${reason}`}`,
};

const saveFormId = "kb save";
const maxTitleChars = 80;
const maxFieldTitleChars = 200;
/** After this time it is offered again to let an agent look. */
const offeredMs = 90 * 86_400_000;

type SavePending = Extract<Pending, { kind: "save" }>;

const scopes = (["thread", "message"] as const).map((value) => ({ value, label: saveSentences.form.scopes[value] }));
const fields = z.object({
  title: text({ ...saveSentences.form.name, maxChars: maxFieldTitleChars, missing: saveSentences.form.noTitle }),
  into: select({ ...saveSentences.form.into, completes: "knowledge-base", missing: saveSentences.form.noBase }),
  scope: select({ ...saveSentences.form.scope, choices: scopes, isRequired: true }),
});

export const saveForm: Interactions = {
  forms: { [saveFormId]: formHandler(fields, { role: "ingest", submit }) },
  actions: { "remove-saved": { role: "ingest", press: remove } },
};

async function openForm(app: CommandApp, about: SaveAbout, context: CommandContext): ReturnType<Saving["openForm"]> {
  const bases = (await basesToOffer(app, context)) ?? [];
  if (bases.length === 0) {
    const found = await inTime(app, findDestination(app, context, undefined));
    if (found === undefined)
      return { kind: "document", document: errorDocument(new ParleyError("service_unreachable")) };
    if ("refusal" in found && found.refusal.kind === "document") return found.refusal;
  }
  const id = newId(app.clock.now());
  const { place, messageId, authorName, text: written } = about;
  await pendingIn(app).set(
    pendingKey(context, id),
    { kind: "save", place, messageId, authorName, text: written },
    pendingMs,
  );
  return { kind: "form", form: formOf(id, titleOf(authorName, written), bases) };
}

async function submit(
  app: CommandApp,
  { title: given, into, scope: asked }: z.output<typeof fields>,
  id: string,
  context: CommandContext,
): Promise<CommandResult> {
  const about = await pendingIn(app).get(pendingKey(context, id));
  if (about?.kind !== "save")
    return privately(infoDocument("This form has expired. Choose “Save to knowledge base” again.", { tone: "failed" }));
  const found = await findDestination(app, context, into);
  if ("refusal" in found) return found.refusal;
  const scope = asked === "message" ? "message" : "thread";
  const title = shorten(cleanText(given), maxFieldTitleChars);
  return save(app, about, scope, title, found.destination, context);
}

async function saveMarked(
  app: CommandApp,
  { place, messageId }: MessageRef,
  context: CommandContext,
): Promise<CommandResult> {
  const found = await findDestination(app, context, undefined);
  if ("refusal" in found) return found.refusal;
  const about: SavePending = { kind: "save", place, messageId, authorName: "", text: "" };
  return save(app, about, "thread", "", found.destination, context);
}

/** Without a title, one is derived from the content. */
function save(
  app: CommandApp,
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
  const shown = infoDocument(
    say`Saving ${title === "" ? saveSentences.message : bold(title)} to ${bold(target.knowledgeBase)}…`,
    { tone: "running" },
  );
  return working(shown, app.log, async () => {
    const { job } = await app.knowledge.jobs.begin({
      context,
      ...target,
      way: "parley",
      action: "kb save",
      isSilent: true,
      items: [
        { item: { label: title === "" ? saveSentences.message : title, kind: "thread", state: "waiting" }, payload },
      ],
    });
    if (job !== undefined) await recordContribution(app, context, target);
    const ended = job === undefined ? undefined : await app.knowledge.jobs.ended(job.id);
    return savedResult(ended, ended?.state === "done" ? await firstOffer(app, target, context) : undefined);
  });
}

/** Once per channel and knowledge base: nobody wants to read it under every saved message. */
async function firstOffer(
  app: CommandApp,
  target: Destination,
  context: CommandContext,
): Promise<ReaderOffer | undefined> {
  const key = `${channelKey(context.place)}/${target.project}.${target.knowledgeBase}`;
  const offered = app.state.keyValue<{ readonly atMs: number }>("offers");
  try {
    if ((await offered.get(key)) !== undefined) return undefined;
    const offer = await offerReaderTo(app, { project: target.project, name: target.knowledgeBase }, context);
    if (offer !== undefined) await offered.set(key, { atMs: app.clock.now() }, offeredMs);
    return offer;
  } catch (err) {
    app.log.warn({ err }, "Could not find out whether an agent looks in a knowledge base");
    return undefined;
  }
}

function savedResult(job: Job | undefined, offer?: ReaderOffer): CommandResult {
  const [item] = job?.items ?? [];
  const title = item?.title ?? item?.label ?? "";
  if (job === undefined || item === undefined || item.state === "waiting" || item.state === "running") {
    return privately(infoDocument("Still saving. The message is marked when it's done.", { tone: "running" }));
  }
  if (item.state !== "done") {
    return privately(infoDocument(says.notSaved(title, item.reason ?? ""), { tone: "failed" }));
  }
  const remove = {
    id: "remove-saved",
    label: `Remove from ${job.knowledgeBase}`.slice(0, 75),
    value: job.id,
    style: "plain",
  } as const;
  const said = say`Saved ${item.url === undefined ? bold(title) : link(title, item.url)} to ${bold(job.knowledgeBase)}.`;
  const actions = [...(offer?.action === undefined ? [] : [offer.action]), remove];
  return privately(infoDocument([said, ...(offer?.sentences ?? [])], { tone: "done", actions }));
}

async function remove(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const job = await app.knowledge.jobs.get(id, context.place);
  const payload = job === undefined ? undefined : payloadOf(job, 0);
  if (job === undefined || payload?.kind !== "thread") {
    throw new ParleyError("turn_gone", { what: "This saved item is no longer available.", hint: "" });
  }
  const { project, knowledgeBase } = job;
  const refusal = await refusalToAdd(app, context, job);
  if (refusal !== undefined) return refusal;
  await app.knowledge.removeSaved(job, payload);
  const about = { knowledgeBase: `${project}.${knowledgeBase}`, row: payload.rowId };
  await app.audit.record(context, { role: "ingest", action: "kb remove saved", about, outcome: "done" });
  return privately(
    infoDocument(say`Removed ${bold(job.items[0]?.title ?? payload.title)} from ${bold(knowledgeBase)}.`),
  );
}

function formOf(id: string, title: string, bases: readonly string[]): Form {
  const { form } = saveSentences;
  const choices = bases.map((name) => ({ value: name, label: name }));
  return drawForm(
    fields,
    { id: saveFormId, title: form.title, submitLabel: form.submit, context: id },
    { title: { initial: title }, into: { choices, initial: bases[0] }, scope: { initial: "thread" } },
  );
}

function titleOf(author: string, text: string): string {
  const words = cleanText(text).replace(/\s+/g, " ").trim();
  return shorten(saveSentences.titleOf(cleanText(author), words), maxTitleChars);
}

/** Emoji come with and without a variation selector, names with and without colons. */
function plainEmoji(emoji: string): string {
  return emoji
    .replace(/\uFE0F/g, "")
    .replace(/^:|:$/g, "")
    .toLowerCase();
}

export function savingOf(app: CommandApp): Saving {
  const emoji = app.settings.saveEmoji;
  return {
    isSaveMark: (given) => emoji !== "off" && plainEmoji(given) === plainEmoji(emoji),
    openForm: (about, context) => openForm(app, about, context),
    saveMarked: (message, context) => saveMarked(app, message, context),
    offerFiles: (files, given, context) => offer(app, files, given, context),
  };
}
