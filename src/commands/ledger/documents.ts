/** What the commands about the documents of a knowledge base share: their options, and how a document is found. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult, OptionDefinition } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { Document, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { bold, cleanText, infoDocument, inlineText, say, titledDocument } from "../../presentation/drawing.ts";
import { labels, shorten } from "../../presentation/sentences.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import type { OptionValues } from "../command.ts";
import { baseAndRest, typedBase as typedName } from "../names/base-ref.ts";
import { baseInReach, manages } from "../names/in-reach.ts";
import { readersOf } from "../names/readers.ts";
import { privately } from "../results.ts";

export const baseOption: OptionDefinition = {
  name: "name",
  summary: "The knowledge base",
  type: "text",
  isRequired: true,
  completes: "knowledge-base",
};

const maxGivenChars = 100;
export const all = Number.MAX_SAFE_INTEGER;
export const maxDocumentTitle = 80;

export function documentOption(isRequired: boolean, summary: string): OptionDefinition {
  return {
    name: "url",
    summary,
    type: "text",
    isRequired,
    // A URL is no option of its own, and a title may have several words.
    isList: true,
  };
}

/** Of the agents that the person reaches; undefined if that can't be found out now. */
export async function readerNames(
  app: CommandApp,
  base: Named,
  who: CommandContext,
): Promise<readonly string[] | undefined> {
  const agents = manages(app, who) ? app.names.current.agents() : app.reach.agents(who.actor, who.place);
  return agents
    .then((reached) => readersOf(reached, base).map(({ name }) => name))
    .catch((err: unknown) => {
      app.log.debug({ err }, "Could not find out which agents look in a knowledge base");
      return undefined;
    });
}

/** A button's value is untrusted: the base must be within the person's reach. */
export async function reached(app: CommandApp, value: string, context: CommandContext) {
  const { base, rest } = await baseAndRest(app, value);
  return { base: await baseInReach(app, typedName(app, base), context), rest };
}

/** By its URL, or by the title that the list shows. Throws when there is none. */
export async function findDocument(app: CommandApp, base: Named, given: string): Promise<LedgerDocument> {
  const wanted = given.trim();
  const address = URL.canParse(wanted) ? withoutFragment(new URL(wanted)) : undefined;
  const { documents } = await app.knowledge.ledger.page(base, 0, all);
  const found =
    documents.find(({ url }) => url !== undefined && (url === address || url === wanted)) ??
    documents.find((document) => document.title === wanted || titleOf(document) === wanted);
  if (found !== undefined) return found;
  throw notThere(base, wanted);
}

async function byId(app: CommandApp, base: Named, id: string): Promise<LedgerDocument> {
  const document = await app.knowledge.ledger.get(base, id);
  if (document === undefined)
    throw new ParleyError("turn_gone", { what: "This document is no longer there.", hint: "" });
  return document;
}

/** The document behind a button, if the person may change it. */
export async function pressed(app: CommandApp, value: string, context: CommandContext) {
  const { base, rest } = await reached(app, value, context);
  const refusal = await refusalToAdd(app, context, { project: base.project, knowledgeBase: base.name });
  if (refusal !== undefined) return { refusal };
  return { base, document: await byId(app, base, rest) };
}

export function documentNamed({ url }: OptionValues): string {
  return Array.isArray(url) ? url.join(" ").trim() : "";
}

export function sayOfBase(sentence: string | Inline, tone: "info" | "failed" | "done" = "info"): CommandResult {
  return privately(infoDocument(sentence, { tone }));
}

export function askFirst(title: Inline, lines: readonly (string | Inline)[], label: string, value: string): Document {
  const blocks = lines.map((line) => ({ kind: "text", text: infoInline(line) }) as const);
  return titledDocument(title, blocks, {
    tone: "waiting",
    quiet: ["This can't be undone."],
    actions: [
      { id: "confirm", label, value, style: "danger" },
      { id: "dismiss", label: labels.cancel, value, style: "plain" },
    ],
  });
}

function infoInline(line: string | Inline): Inline {
  return typeof line === "string" ? [{ text: cleanText(line) }] : line;
}

function withoutFragment(url: URL): string {
  url.hash = "";
  return url.href;
}

function notThere({ name }: Named, given: string): ParleyError {
  const what = inlineText(say`There is no ${bold(shorten(cleanText(given), maxGivenChars))} in ${bold(name)}.`);
  return new ParleyError("resource_not_found", { what, hint: "/kb show lists what is there." });
}

export function isRefreshable({ origin }: LedgerDocument): boolean {
  return origin.kind === "url";
}

export function titleOf({ title, url }: LedgerDocument): string {
  const said = shorten(cleanText(title), maxDocumentTitle);
  return said === "" ? shorten(cleanText(url ?? ""), maxDocumentTitle) : said;
}
