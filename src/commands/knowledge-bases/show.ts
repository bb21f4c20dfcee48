/** `/kb show`: what is in a knowledge base, ten documents a page, each with a menu to refresh, edit or remove it. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument, LedgerPage } from "../../core/content/ledger.ts";
import type { Action, Block, Document, Inline, ListItem } from "../../core/document.ts";
import { bold, cleanText, day, dotted, link, say, titledDocument } from "../../presentation/drawing.ts";
import { answerLabels, countText, ledgerSentences, numberText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import {
  baseOption,
  isRefreshable,
  maxDocumentTitle,
  reached,
  readerNames,
  sayOfBase,
  titleOf,
} from "../ledger/documents.ts";
import { refOfBase } from "../names/base-ref.ts";
import { baseInReach } from "../names/in-reach.ts";
import { privately } from "../results.ts";

const says = {
  /** In the list of a knowledge base. */
  answerBy: (name: string, ms: number, nowMs: number): Inline => say`answer by ${name}, ${day(ms, nowMs)}`,
};

const dayMs = 86_400_000;
const documentsPerPage = 10;
const maxAddressChars = 70;

type BaseListing = {
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

export const kbShow: Command = {
  path: "kb show",
  summary: "Show what was added to a knowledge base, and which agents read it",
  offer: "knowledge-bases",
  options: [
    baseOption,
    {
      name: "page",
      summary: "Which page of the list",
      type: "integer",
      isRequired: false,
      minimum: 1,
      maximum: 10_000,
    },
  ],
  role: "ask",
  examples: ["kb show docs", "kb show docs page 2"],
  run: async (app, options, context) => {
    const { page } = options;
    const base = await baseInReach(app, textOption(options, "name") ?? "", context);
    return showBase(app, base, typeof page === "number" ? page : 1, context);
  },
  actions: {
    "kb-page": {
      role: "ask",
      press: async (app, value, context) => {
        const { base, rest } = await reached(app, value, context);
        return showBase(app, base, Math.max(1, Math.trunc(Number(rest)) || 1), context);
      },
    },
  },
};

async function showBase(app: CommandApp, base: Named, page: number, context: CommandContext): Promise<CommandResult> {
  const [listed, readers, others] = await Promise.all([
    app.knowledge.ledger.page(base, (page - 1) * documentsPerPage, documentsPerPage),
    readerNames(app, base, context),
    app.knowledge.elsewhere.of(base),
  ]);
  const pages = Math.max(1, Math.ceil(listed.total / documentsPerPage));
  if (page > pages) return sayOfBase(`The list has only ${countText(pages, "page")}.`, "failed");
  const ref = refOfBase(app, base);
  return privately(baseDocument({ base, ref, listed, page, readers, elsewhere: others }, app.clock.now()));
}

function baseDocument({ base, ref, listed, page, readers, elsewhere }: BaseListing, nowMs: number): Document {
  const { documents, total } = listed;
  const first = (page - 1) * documentsPerPage + 1;
  const pages = Math.max(1, Math.ceil(total / documentsPerPage));
  const blocks: Block[] = [];
  if (readers !== undefined) {
    blocks.push({
      kind: "text",
      text: readers.length === 0 ? say`No agent looks here yet.` : ledgerSentences.readBy(readers),
    });
  }
  if (documents.length === 0) blocks.push({ kind: "text", text: say`Nothing has been added through Parley yet.` });
  for (const [index, document] of documents.entries()) {
    blocks.push({ kind: "list", items: [documentLine(document, first + index, nowMs)] });
    const actions = documentActions(document, first + index, ref);
    if (actions.length > 0) blocks.push({ kind: "actions", layout: "menu", actions });
  }
  return titledDocument(say`${bold(base.name)} · ${countText(total, "document")}`, blocks, {
    quiet: [
      ...(elsewhere?.missing === undefined || elsewhere.missing === 0
        ? []
        : [
            elsewhere.missing === 1
              ? "1 document is no longer complete in the service"
              : `${numberText(elsewhere.missing)} documents are no longer complete in the service`,
          ]),
      ...(elsewhere === undefined || elsewhere.rows === 0
        ? []
        : [`${elsewhere.isAtLeast ? "at least " : ""}${countText(elsewhere.rows, "row")} from elsewhere`]),
      ...(pages === 1 ? [] : [`page ${numberText(page)} of ${numberText(pages)}`]),
    ],
    actions: [
      ...(page > 1 ? [pageButton("Newer", ref, page - 1)] : []),
      ...(page < pages ? [pageButton("Older", ref, page + 1)] : []),
    ],
  });
}

function documentActions(document: LedgerDocument, number: number, ref: string): readonly Action[] {
  const { id, origin, rows } = document;
  const action = (actionId: Action["id"], label: string, value: string): Action => {
    return { id: actionId, label, accessibleLabel: `${label} ${number}: ${titleOf(document)}`, value, style: "plain" };
  };
  return [
    ...(isRefreshable(document) ? [action("refresh-document", "Refresh", `${ref} ${id}`)] : []),
    ...(origin.kind === "answer" ? [action("edit-answer", answerLabels.edit, origin.answerId)] : []),
    ...(rows === undefined ? [] : [action("remove-document", ledgerSentences.remove, `${ref} ${id}`)]),
  ];
}

function pageButton(label: string, ref: string, page: number): Action {
  return { id: "kb-page", label, value: `${ref} ${page}`, style: "plain" };
}

/** Title, address, who added it and when, and what is known about its content. */
function documentLine(document: LedgerDocument, number: number, nowMs: number): ListItem {
  const { by, addedAtMs, readAtMs, problem, way, rows, pages, origin } = document;
  const name = shorten(cleanText(by.name), maxDocumentTitle);
  const amount = rows === undefined ? undefined : origin.kind === "url" ? undefined : countText(rows, "row");
  const isReadAgain = readAtMs - addedAtMs >= dayMs;
  const text = dotted(
    say`${number}. ${documentName(document)}`,
    origin.kind === "answer" ? says.answerBy(name, addedAtMs, nowMs) : say`added by ${name}, ${day(addedAtMs, nowMs)}`,
    isReadAgain ? say`read again ${day(readAtMs, nowMs)}` : undefined,
    amount,
    way === "service" && pages !== undefined ? countText(pages, "page") : undefined,
    way === "service" ? "read by the agent service" : undefined,
    problem === undefined ? undefined : cleanText(problem),
  );
  return problem === undefined ? { text } : { mark: "failed", text };
}

function documentName(document: LedgerDocument): Inline {
  const { url } = document;
  const title = titleOf(document);
  if (url === undefined) return say`${title}`;
  const address = shorten(shownAddress(url), maxAddressChars);
  return title === url || title === address
    ? say`${link(address, url)}`
    : say`${link(title, url)}${document.origin.kind === "url" ? ` (${address})` : ""}`;
}

/** "example.com/docs/start", without scheme, query and trailing slash. */
function shownAddress(url: string): string {
  if (!URL.canParse(url)) return cleanText(url);
  const { host, pathname } = new URL(url);
  return cleanText(`${host}${pathname.replace(/\/$/, "")}`);
}
