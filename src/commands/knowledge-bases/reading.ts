/** Reads knowledge bases for programs, with whole passages and documents. What people reach is what they reach in chat. */
import type { Asker } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import { ParleyError } from "../../core/errors.ts";
import type { FoundPassages, ReadableDocument, ReadDocument } from "../../core/ports/platform-module.ts";
import { cleanText } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";
import { titleOf } from "../ledger/documents.ts";
import { baseInReach, defaultBaseInReach } from "../names/in-reach.ts";

/** How many passages of a knowledge base are searched for those of a document. */
const maxPassages = 10_000;

const says = {
  documentGone: {
    what: "This document is no longer in the knowledge base.",
    hint: "List the resources again.",
  },
  unreadable: {
    what: "The agent service read this document itself, so Parley doesn't know its text.",
    hint: "Search for what it says, or open its URL.",
  },
};

/** Undefined: no base is set there, and none is within reach. */
export async function searchWhole(
  app: CommandApp,
  who: Asker,
  { words, base, limit }: { readonly words: string; readonly base?: string | undefined; readonly limit: number },
): Promise<FoundPassages | undefined> {
  const target = base === undefined ? await defaultBaseInReach(app, "search", who) : await baseInReach(app, base, who);
  if (target === undefined) return undefined;
  const found = await app.service.search(target.project, target.name, words, limit);
  const passages = found.map(({ content, source: { title, url, updatedAtMs } }) => ({
    text: cleanText(content),
    title: cleanText(title),
    url,
    updatedAtMs,
  }));
  return { base: target.name, passages };
}

/** Newest first, from the number `from` (0: the newest). */
export async function documentsIn(
  app: CommandApp,
  who: Asker,
  base: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<{ readonly documents: readonly ReadableDocument[]; readonly total: number }> {
  const { documents, total } = await app.knowledge.ledger.page(await baseInReach(app, base, who), from, count);
  return { documents: documents.map(readable), total };
}

/** Throws place_gone for one that isn't there, and service_request_refused where its text isn't known. */
export async function readDocument(app: CommandApp, who: Asker, base: string, id: string): Promise<ReadDocument> {
  const target = await baseInReach(app, base, who);
  const { ledger } = app.knowledge;
  const document = await ledger.get(target, id);
  if (document === undefined) throw new ParleyError("place_gone", says.documentGone);
  if (!hasText(document)) throw new ParleyError("service_request_refused", says.unreadable);
  const texts = await app.service.readRows(target.project, target.name, await ledger.rowIds(target, id), maxPassages);
  return { ...readable(document), text: cleanText(texts.join("\n\n")) };
}

const hasText = ({ way, rows }: LedgerDocument) => way === "parley" && rows !== undefined;

function readable(document: LedgerDocument): ReadableDocument {
  const { id, url, readAtMs } = document;
  return { id, title: titleOf(document), url, readAtMs, hasText: hasText(document) };
}
