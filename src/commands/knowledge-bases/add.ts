/** `/kb add`: adds text, rows, files or pages. Without any of them, it opens a form. */

import { z } from "zod";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import { allShown, type Form } from "../../core/document.ts";
import type { JobItem } from "../../core/model/job.ts";
import { trimEnd } from "../../core/tools/trim-end.ts";
import { fileProblem, formatOfText, type Payload } from "../../knowledge/knowledge.ts";
import { cleanText, infoDocument } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import { maxTitleChars, withoutFence } from "../adding/added-text.ts";
import { addressItems } from "../adding/address-items.ts";
import { basesToOffer, inTime } from "../adding/base-choices.ts";
import { basesOf, findDestination, namedBeside, recordContribution } from "../adding/destination.ts";
import { recentBases } from "../adding/recent-bases.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { drawForm, files, formHandler, multiline, select } from "../form.ts";
import { formButton, privately } from "../results.ts";
import { feedSentences } from "../words.ts";
import { ingest } from "./ingest.ts";
import { intoOption } from "./kb-words.ts";

/** The form of `/kb add`. */
const texts = {
  title: "Add to knowledge base",
  submitLabel: "Add",
  fields: {
    files: {
      label: "Files",
      hint: "Up to 10, each up to 10 MB: text, Markdown, HTML, JSON, CSV, PDF, Office or e-mail.",
    },
    text: { label: "Text or page URLs", hint: "To add pages, write only their URLs, one on each line." },
    into: { label: "Knowledge base", hint: "Leave empty for this channel's default." },
  },
  nothing: "Add a file, some text or a URL.",
  openHere: "Add files, text or pages:",
  open: "Add to knowledge base",
} as const;

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
const says = {
  attached: "Pasted text",
} as const;

type Piece = { readonly item: JobItem; readonly payload: Payload };

const addFormId = "kb add";
/** Slack's and Discord's limit for a field. */
const maxFiles = 10;
const maxTextChars = 3_000;

/** What a person gave to be added. */
type Given = {
  readonly text: string;
  /** Pages to add. `text` is empty if there are any. */
  readonly urls: readonly string[];
  readonly into?: string | undefined;
};

const fields = z.object({
  files: files({ ...texts.fields.files, maxFiles }),
  text: multiline({ ...texts.fields.text, maxChars: maxTextChars }),
  into: select({ ...texts.fields.into, completes: "knowledge-base" }),
});

export const kbAdd: Command = {
  path: "kb add",
  summary: "Add files, text, rows (JSON, JSON lines, CSV) or pages to a knowledge base",
  offer: "knowledge-bases",
  options: [
    {
      name: "text",
      summary: "Text or rows; leave it out to open a form",
      type: "text",
      isRequired: false,
      isRest: true,
      hasOwnLimit: true,
    },
    { name: "file", summary: "Text, Markdown, JSON, CSV, PDF or a spreadsheet", type: "file", isRequired: false },
    intoOption,
  ],
  role: "ingest",
  opensForm: true,
  examples: ["kb add Refunds take five days. into:docs", "kb add"],
  form: (_app, options) => (hasText(options) ? undefined : formOf([], textOption(options, "into"))),
  formIn: openFor,
  run: (app, options, context) =>
    addGiven(app, givenOf(textOption(options, "text") ?? "", textOption(options, "into"), basesOf(app)), context),
  forms: {
    [addFormId]: formHandler(fields, {
      role: "ingest",
      check: async (_app, { text: given }, _formContext, { attachments }) =>
        given === "" && attachments.length === 0 ? { text: texts.nothing } : undefined,
      submit: (app, { text: given, into }, _formContext, context) =>
        addGiven(app, givenOf(given, into || undefined, basesOf(app)), context),
    }),
  },
};

/** Everything in one Job, so that it has one message and is begun as a whole or not at all. */
async function addGiven(app: CommandApp, { text, urls, into }: Given, context: CommandContext): Promise<CommandResult> {
  const { attachments } = context;
  // Pages alone are added as by their own command.
  if (attachments.length === 0 && urls.length > 0) {
    return ingest(app, into === undefined ? { urls } : { urls, into }, context);
  }
  const found = await findDestination(app, context, into);
  if ("refusal" in found) return found.refusal;
  const bare = withoutFence(text);
  const pieces = [...(bare.trim() === "" ? [] : [textItem(bare)]), ...attachments.map(fileItem)];
  if (pieces.length === 0) return offerForm();
  const way = (urls.length === 0 ? undefined : await app.knowledge.way()) ?? "parley";
  const { items: pages } = await addressItems(app, urls, way, context);
  const items: readonly Piece[] = [...pages.map((item) => ({ item, payload: { kind: "url" } }) as const), ...pieces];
  const limits = { limit: 1, depth: 0, domains: [] };
  await app.knowledge.jobs.begin({ context, ...found.destination, way, limits, action: "kb add", items });
  await recordContribution(app, context, found.destination);
  const said = feedSentences.begun(items.length, "piece", found.destination.knowledgeBase);
  return privately(infoDocument(said, { tone: "running" }));
}

function textItem(text: string): Piece {
  const format = formatOfText(text);
  const first = text.trim().split("\n", 1)[0] ?? "";
  const title = format === "text" ? shorten(cleanText(first).replace(/^#+\s*/, ""), maxTitleChars) : says.attached;
  return {
    item: { label: title, kind: "rows", state: "waiting" },
    payload: { kind: "rows", text, format, title },
  };
}

/** Problems that are visible without opening the file are reported immediately. */
export function fileItem(attachment: CommandContext["attachments"][number]): Piece {
  const reason = fileProblem(attachment);
  const base = { label: attachment.name, kind: "file" } as const;
  const item: JobItem = reason === undefined ? { ...base, state: "waiting" } : { ...base, state: "failed", reason };
  return { item, payload: { kind: "file", attachment: { ...attachment } } };
}

/** What was typed is added without asking. */
function hasText(options: OptionValues): boolean {
  return (textOption(options, "text") ?? "").trim() !== "";
}

/** People create a knowledge base to fill it, so theirs is chosen, unless the channel has one of its own. */
async function justCreated(app: CommandApp, { actor, place }: Asker): Promise<string | undefined> {
  const { names, bindings, contributions, settings, clock } = app;
  const recent = recentBases(names, clock.now());
  if (recent.length === 0 || (await bindings.own(place))?.knowledgeBase !== undefined) return undefined;
  const theirs = (await contributions.of(actor, place)).filter(({ project }) => project === settings.project);
  return recent.find((name) => theirs.some((base) => base.name === name));
}

async function openFor(app: CommandApp, options: OptionValues, who: Asker): Promise<Form | undefined> {
  if (hasText(options)) return undefined;
  const into = textOption(options, "into");
  const [bases, created] = await Promise.all([
    basesToOffer(app, who, into),
    into === undefined ? inTime(app, justCreated(app, who)) : undefined,
  ]);
  // Without any, the command says how to get one.
  if (bases?.length === 0) return undefined;
  const chosen = created !== undefined && bases?.includes(created) ? created : (into ?? bases?.[0]);
  return formOf(bases ?? [], chosen);
}

/** For a message, which can't open the form itself. */
function offerForm(): CommandResult {
  return privately(infoDocument(texts.openHere, { actions: [formButton(texts.open, addFormId)] }));
}

/**
 * Text is page URLs only if it is nothing else but the name of a knowledge base: a note that quotes one is still a note,
 * and isn't split into words.
 */
export function givenOf(text: string, into: string | undefined, bases: readonly string[]): Given {
  if (!/^[\s,]*(?:\S{1,100}\s{1,9})?https?:\/\//i.test(text)) return { text, urls: [], into };
  const words = text
    .split(/\s|,(?=https?:)/i)
    .map((word) => trimEnd(word, ","))
    .filter((word) => word !== "");
  const { urls, into: named } = namedBeside(words, into === undefined ? bases : []);
  const arePages = urls.length > 0 && urls.every((word) => /^https?:\/\/\S+$/i.test(word));
  return arePages ? { text: "", urls, into: into ?? named } : { text, urls: [], into };
}

function formOf(bases: readonly string[], initial: string | undefined): Form {
  const { title, submitLabel } = texts;
  const choices = bases.map((name) => ({ value: name, label: name }));
  // One of the radio buttons is chosen from the start, and stays so.
  const hint = allShown("select", choices).showsAll === true ? undefined : texts.fields.into.hint;
  const form = { id: addFormId, title, submitLabel, context: "" };
  return drawForm(fields, form, { into: { choices, initial, hint } });
}
