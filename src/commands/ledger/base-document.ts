/** Draws what is in a knowledge base: ten documents a page, with buttons to refresh, edit and remove them. */
import type { Named } from "../../ports/access.ts";
import type { LedgerDocument, LedgerPage } from "../../ports/content/ledger.ts";
import type { Action, Block, Document, Inline, ListItem } from "../../ports/document.ts";
import { cleanText, dotted, inline, link, titledDocument } from "../../presentation/drawing.ts";
import { answerLabels, answerSentences, ledgerSentences as says, shorten } from "../../presentation/sentences.ts";

export const documentsPerPage = 10;
/** Discord's limit for a row of buttons. */
const buttonsPerRow = 5;
const maxTitleChars = 80;
const maxAddressChars = 70;

export type BaseListing = {
  readonly base: Named;
  /** For the buttons' values. */
  readonly ref: string;
  readonly listed: LedgerPage;
  /** From 1. */
  readonly page: number;
  /** Agents that look in it, as far as the person reaches them; undefined if that is unknown now. */
  readonly readers: readonly string[] | undefined;
  readonly elsewhere: { readonly rows: number; readonly isAtLeast: boolean; readonly missing?: number } | undefined;
};

export function baseDocument({ base, ref, listed, page, readers, elsewhere }: BaseListing): Document {
  const { documents, total } = listed;
  const first = (page - 1) * documentsPerPage + 1;
  const pages = Math.max(1, Math.ceil(total / documentsPerPage));
  const items = documents.map((document, index) => documentLine(document, first + index));
  const blocks: Block[] = [];
  if (readers !== undefined) {
    blocks.push({ kind: "text", text: readers.length === 0 ? inline(says.noReaders) : says.readBy(readers) });
  }
  blocks.push(items.length === 0 ? { kind: "text", text: inline(says.empty) } : { kind: "list", items });
  const numbered = documents.map((document, index) => ({ document, number: first + index }));
  const refreshing = numbered.filter(({ document }) => isRefreshable(document));
  const removing = numbered.filter(({ document }) => document.rows !== undefined);
  const editing = numbered.filter(({ document }) => document.origin.kind === "answer");
  for (const [some, id, label] of [
    [refreshing, "refresh-document", says.refresh],
    [editing, "edit-answer", answerLabels.edit],
    [removing, "remove-document", says.remove],
  ] as const) {
    const actions = some.map(
      ({ document, number }): Action => ({
        id,
        label: `${label} ${number}`,
        accessibleLabel: `${label} ${titleOf(document)}`,
        value: id === "edit-answer" ? answerIdOf(document) : `${ref} ${document.id}`,
        style: "plain",
      }),
    );
    for (let at = 0; at < actions.length; at += buttonsPerRow) {
      blocks.push({ kind: "actions", layout: "row", actions: actions.slice(at, at + buttonsPerRow) });
    }
  }
  return titledDocument(says.title(base.name, total), blocks, {
    quiet: [
      ...(elsewhere?.missing === undefined || elsewhere.missing === 0 ? [] : [says.missing(elsewhere.missing)]),
      ...(elsewhere === undefined || elsewhere.rows === 0 ? [] : [says.elsewhere(elsewhere.rows, elsewhere.isAtLeast)]),
      ...(pages === 1 ? [] : [says.pageOf(page, pages)]),
    ],
    actions: [
      ...(page > 1 ? [pageButton(says.newer, ref, page - 1)] : []),
      ...(page < pages ? [pageButton(says.older, ref, page + 1)] : []),
    ],
  });
}

export function isRefreshable({ origin }: LedgerDocument): boolean {
  return origin.kind === "url";
}

function answerIdOf({ origin }: LedgerDocument): string {
  return origin.kind === "answer" ? origin.answerId : "";
}

export function titleOf({ title, url }: LedgerDocument): string {
  const said = shorten(cleanText(title), maxTitleChars);
  return said === "" ? shorten(cleanText(url ?? ""), maxTitleChars) : said;
}

function pageButton(label: string, ref: string, page: number): Action {
  return { id: "kb-page", label, value: `${ref} ${page}`, style: "plain" };
}

/** Title, address, who added it and when, and what is known about its content. */
function documentLine(document: LedgerDocument, number: number): ListItem {
  const { by, addedAtMs, readAtMs, problem, way, rows, pages, origin } = document;
  const name = shorten(cleanText(by.name), maxTitleChars);
  const amount = rows === undefined ? undefined : origin.kind === "url" ? undefined : says.rows(rows);
  const read = says.day(readAtMs) === says.day(addedAtMs) ? undefined : says.readOn(readAtMs);
  const text = dotted(
    inline(`${number}. `, nameOf(document)),
    origin.kind === "answer" ? answerSentences.answerBy(name, addedAtMs) : says.addedBy(name, addedAtMs),
    read,
    amount,
    way === "service" ? says.byService(pages, origin.kind === "url") : undefined,
    problem === undefined ? undefined : cleanText(problem),
  );
  return problem === undefined ? { text } : { mark: "failed", text };
}

function nameOf(document: LedgerDocument): Inline {
  const { url } = document;
  const title = titleOf(document);
  if (url === undefined) return inline(title);
  const address = shorten(shownAddress(url), maxAddressChars);
  return title === url || title === address
    ? inline(link(address, url))
    : inline(link(title, url), document.origin.kind === "url" ? ` (${address})` : "");
}

/** "example.com/docs/start", without scheme, query and trailing slash. */
function shownAddress(url: string): string {
  if (!URL.canParse(url)) return cleanText(url);
  const { host, pathname } = new URL(url);
  return cleanText(`${host}${pathname.replace(/\/$/, "")}`);
}
