/**
 * Fits a document into a number of messages; the rest becomes Markdown for a file. Only the platform's own drawing knows
 * what a message has room for, so it is tried message by message: however long the text, about one message of it is drawn
 * in one go. A generator, so that other work can run between two tries.
 */

import type { Action, Block, Document, Inline } from "../../core/document.ts";
import type { Table } from "../../core/model/turn.ts";
import type { AnswerRoom } from "../../core/ports/chat-platform.ts";
import { cutBlocks, exceeds, type Rest } from "../markdown/cut-blocks.ts";
import { markdownBlocks } from "../markdown/markdown-blocks.ts";
import { linesOf } from "../markdown/markdown-lines.ts";
import { restSentences } from "../sentences/questions.ts";
import { say } from "./inline.ts";
import { omittedText } from "./table-text.ts";
import { maxSearchedChars } from "./turn/turn-actions.ts";

const says = {
  /** Space is reserved for any of these. */
  longest: "x".repeat(300),
};

/** Draws at most one message more than `atMost`. */
export type Draw = (document: Document, atMost: number) => { readonly length: number };

export type Room = Pick<AnswerRoom, "maxMessages" | "charsPerMessage" | "maxTableRows">;

/** For platforms that state no limits. */
export const defaultRoom: Room = { maxMessages: 10, charsPerMessage: 4_000 };

export type Fitted = {
  /** Each is drawn on its own, usually as one message. The last doesn't mention the rest yet. */
  readonly pages: readonly Document[];
  readonly rest?: Rest;
};

/** A message this nearly full counts as full. */
const closeEnough = 1 / 10;
/** The names of a table's columns, and the line below them. */
const headLines = 2;
/** Long lines take less room than the estimate says. */
const generous = 1.3;

function* fitting(whole: Document, room: Room, draw: Draw): Generator<void, Fitted> {
  const document = withShortTables(whole, room);
  if (isSmall(document, room) && draw(document, room.maxMessages).length <= room.maxMessages) {
    return { pages: [document] };
  }
  const at = tailOf(document.blocks);
  const tail = document.blocks.slice(at);
  let body = document.blocks.slice(0, at);
  const pages: Document[] = [];
  let left = room.maxMessages;
  /** Only blank lines follow. */
  let isTrimmed = false;
  const page = (blocks: readonly Block[], isLast: boolean): Document => ({
    ...document,
    blocks,
    actions: isLast ? document.actions : [],
    summary: pages.length === 0 ? document.summary : `${document.summary} (${pages.length + 1})`,
  });
  for (;;) {
    const most = room.charsPerMessage * generous;
    const all = page([...body, ...tail], true);
    yield;
    // Everything fits the messages that are left.
    if ((isTrimmed || !exceeds(body, most)) && draw(all, left).length <= left) return { pages: [...pages, all] };
    const isLast = left === 1;
    const ending = isLast ? cutBlocks([], tail, 0, room.charsPerMessage / 2) : undefined;
    const end = ending?.kept ?? [];
    const tried = (kept: readonly Block[]) =>
      isLast
        ? withNote({ pages: [page([...kept, ...end], true)] }, says.longest, document.whenCut)[0]
        : page(kept, false);
    let low = 0;
    let high = most;
    let found = cutBlocks(body, [], 0);
    for (let budget = high; high - low > high * closeEnough && high - low > 1; budget = (low + high) / 2) {
      yield;
      const candidate = cutBlocks(body, [], budget);
      const shown = candidate.kept.length === 0 ? undefined : tried(candidate.kept);
      if (shown === undefined || draw(shown, 1).length <= 1) {
        low = budget;
        found = candidate;
      } else high = budget;
    }
    // Only blank lines are left.
    if (found.rest === undefined && found.kept.length > 0 && !isTrimmed) {
      body = [...found.kept];
      isTrimmed = true;
      continue;
    }
    if (isLast) {
      const over = [...(found.rest?.blocks ?? []), ...(ending?.rest?.blocks ?? [])];
      const chars = (found.rest?.chars ?? 0) + (ending?.rest?.chars ?? 0);
      const all = [...pages, page([...found.kept, ...end], true)];
      return over.length === 0 ? { pages: all } : { pages: all, rest: { blocks: over, chars } };
    }
    // A block that can't be divided takes the messages it needs, or goes into the file with everything after it.
    if (found.kept.length === 0) {
      const [first, ...others] = body;
      const needs = first === undefined ? left : draw(page([first], false), left).length;
      if (first !== undefined && needs < left) {
        pages.push(page([first], false));
        left -= needs;
        body = others;
      } else left = 1;
      continue;
    }
    pages.push(page(found.kept, false));
    left -= 1;
    body = [...(found.rest?.blocks ?? [])];
  }
}

/** The CSV that the document offers holds the other rows. */
function withShortTables(document: Document, { maxTableRows }: Room): Document {
  if (maxTableRows === undefined || !document.actions.some(({ id }) => id === "csv")) return document;
  const short = (table: Table): Table => {
    const over = table.rows.length - maxTableRows;
    if (over <= 0) return table;
    return { ...table, rows: table.rows.slice(0, maxTableRows), omittedRows: (table.omittedRows ?? 0) + over };
  };
  const hasTable = document.blocks.some(({ kind }) => kind === "table" || kind === "chart");
  const shown = (block: Block): Block => {
    if (block.kind === "table" || block.kind === "chart") return { ...block, table: short(block.table) };
    // The CSV has the tables of the text only where the answer has no table of its own.
    if (block.kind === "markdown" && !hasTable) return { ...block, text: withShortRows(block.text, maxTableRows) };
    return block;
  };
  return { ...document, blocks: document.blocks.map(shown) };
}

function withShortRows(markdown: string, maxRows: number): string {
  // Of a longer text the CSV has not all tables.
  if (markdown.length > maxSearchedChars) return markdown;
  const written = markdownBlocks(markdown).map((block) => {
    const over = block.kind === "table" ? block.table.rows.length - maxRows : 0;
    if (block.kind !== "table" || over <= 0) return block.source;
    const lines = linesOf(block.source).slice(0, headLines + maxRows);
    return `${lines.join("")}\n${omittedText({ ...block.table, omittedRows: over })}\n\n`;
  });
  return written.join("");
}

/** Synchronous, for small documents and callers that can't wait. */
export function fitNow(document: Document, room: Room, draw: Draw): Fitted {
  const steps = fitting(document, room, draw);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Pauses between two tries, so that other work can run. */
export async function fitSlowly(
  document: Document,
  room: Room,
  draw: Draw,
  pause: () => Promise<void>,
): Promise<Fitted> {
  const steps = fitting(document, room, draw);
  for (;;) {
    await pause();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Small enough to be drawn in one go. */
export function isSmall(document: Document, room: Room): boolean {
  return !exceeds(withShortTables(document, room).blocks, room.charsPerMessage);
}

/** Puts the note into the last message, above the sources and the small print. */
export function withNote(
  { pages }: Fitted,
  note: string | Inline,
  action?: Action,
): readonly [...Document[], Document] {
  const last = pages.at(-1);
  if (last === undefined) throw new RangeError("No page");
  const at = tailOf(last.blocks);
  const said: Block = { kind: "text", text: say`${note}` };
  const noted = {
    ...last,
    blocks: [...last.blocks.slice(0, at), said, ...last.blocks.slice(at)],
    actions: action === undefined ? last.actions : [...last.actions, action],
  };
  return [...pages.slice(0, -1), noted];
}

/**
 * For places without files: fills as many messages as there is room for, and says how much is missing. Pauses between two
 * tries and between two messages, so that other work can run.
 */
export async function drawWithin<Payload>(
  document: Document,
  room: Room,
  render: (document: Document, atMost?: number) => readonly Payload[],
  pause: () => Promise<void>,
): Promise<{ readonly pages: readonly Document[]; readonly payloads: readonly Payload[] }> {
  const fitted = await fitSlowly(document, room, (tried, atMost) => render(tried, atMost), pause);
  const pages = fitted.rest === undefined ? fitted.pages : withNote(fitted, restSentences.hidden(fitted.rest.chars));
  const payloads: Payload[] = [];
  for (const page of pages) {
    await pause();
    payloads.push(...render(page));
  }
  return { pages, payloads };
}

const ofTail: ReadonlySet<Block["kind"]> = new Set(["quiet", "sources", "fold"]);

/** The index where the final sources and small print of a document begin. */
function tailOf(blocks: readonly Block[]): number {
  return blocks.findLastIndex(({ kind }) => !ofTail.has(kind)) + 1;
}
