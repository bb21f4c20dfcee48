/**
 * Renders a neutral document as Slack messages, each within Slack's limits, without losing anything. Pure.
 * Every payload includes a plain variant, because only a try shows whether a workspace accepts the rich one.
 */
import type { Document } from "../../../src/ports/document.ts";
import { cleanText, type FlatBlock, flatBlocks } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import {
  actionBlocks,
  expandedBlocks,
  headlineText,
  inlinePieces,
  type Piece,
  pieces,
  richText,
  type SlackBlock,
} from "./blocks.ts";
import { escapeEntities, truncateBytes } from "./markup.ts";
import { holdsRichText } from "./rich-text.ts";
import { countTables } from "./tables.ts";

export type SlackPayload = {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly rich: readonly SlackBlock[];
  /** Sent instead if Slack answers `invalid_blocks`. */
  readonly plain: readonly SlackBlock[];
  /** Shown as the author of a new message, if the app may choose one. */
  readonly username?: string;
  /** The agent view's status: Slack shows its own Stop button while an agent is processing. */
  readonly agentStatus: "processing" | "active";
};

type Message = { rich: SlackBlock[]; plain: SlackBlock[] };

/** Added to a message that would have no rich text. */
const ellipsis = richText([[{ text: "…" }]]);

/** Stops at `atMost` + 1 messages, for callers that only need to know whether more than `atMost` are needed. */
export function render(document: Document, atMost = Number.POSITIVE_INFINITY): readonly SlackPayload[] {
  const buttons = actionBlocks(document.actions);
  const messages = pack(documentPieces(document), buttons, atMost);
  const summary = escapeEntities(document.summary);
  const isRunning = document.tone === "running" || document.tone === "waiting";
  return messages.map(({ rich, plain }, index) => ({
    text: truncateBytes(index === 0 ? summary : `${summary} (${index + 1})`, limits.maxTextBytes),
    rich,
    plain,
    agentStatus: isRunning ? "processing" : "active",
    ...(document.byline === undefined ? {} : { username: noticeSentences.byline(cleanText(document.byline)) }),
  }));
}

/** For a failure, what happened and what to do form one paragraph. */
function* documentPieces({ blocks: all, tone }: Document): Generator<Piece, void> {
  const blocks = flatBlocks(all);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    const next: FlatBlock | undefined = blocks[at + 1];
    if (block === undefined) break;
    if (block.kind === "headline" && tone === "failed") {
      const todo = next?.kind === "text" ? [{ text: " " }, ...next.text] : [];
      yield* inlinePieces([{ text: "⚠️ " }, ...headlineText(block.text), ...todo]);
      at += todo.length === 0 ? 0 : 1;
    } else {
      yield* pieces(block);
    }
  }
}

/** Fills messages in order; the buttons go below the last one. */
function pack(all: Iterable<Piece>, buttons: readonly SlackBlock[], atMost: number): readonly Message[] {
  const filled: Filled[] = [emptyMessage()];
  const richTexts = new Map<SlackBlock | undefined, SlackBlock | undefined>();
  const buttonsSize = sizeOf(buttons);
  for (const { piece, isLast } of withoutSecondTables(all, () => filled.at(-1)?.richSize.tables ?? 0)) {
    const last = filled.at(-1) ?? emptyMessage();
    const added = isLast ? buttonsSize : noSize;
    const richSize = sum(last.richSize, sizeOf(piece.rich));
    const plainSize = sum(last.plainSize, sizeOf(piece.plain));
    richTexts.set(piece.rich[0], piece.asRichText);
    if (last.rich.length === 0 || (fits(sum(richSize, added)) && fits(sum(plainSize, added)))) {
      last.rich.push(...piece.rich);
      last.plain.push(...piece.plain);
      Object.assign(last, { richSize, plainSize });
    } else {
      filled.push({
        rich: [...piece.rich],
        plain: [...piece.plain],
        richSize: sizeOf(piece.rich),
        plainSize: sizeOf(piece.plain),
      });
      if (filled.length > atMost) break;
    }
  }
  const messages = filled.map(({ rich, plain }): Message => ({ rich: editable(rich, richTexts), plain }));
  const last = messages.at(-1);
  last?.rich.push(...buttons);
  last?.plain.push(...buttons);
  return messages;
}

type Filled = Message & { readonly richSize: Size; readonly plainSize: Size };

function emptyMessage(): Filled {
  return { rich: [], plain: [], richSize: noSize, plainSize: noSize };
}

/** Replaces the second table of a message. Which table that is depends on how full the messages are so far. */
function* withoutSecondTables(
  all: Iterable<Piece>,
  tables: () => number,
): Generator<{ readonly piece: Piece; readonly isLast: boolean }, void> {
  let waiting: Piece | undefined;
  function* chosen(piece: Piece, isLast: boolean) {
    if (piece.withoutTable === undefined || tables() === 0) yield { piece, isLast };
    else
      for (const [at, one] of piece.withoutTable.entries())
        yield { piece: one, isLast: isLast && at === piece.withoutTable.length - 1 };
  }
  for (const piece of all) {
    if (waiting !== undefined) yield* chosen(waiting, false);
    waiting = piece;
  }
  if (waiting !== undefined) yield* chosen(waiting, true);
}

function editable(
  blocks: SlackBlock[],
  richTexts: ReadonlyMap<SlackBlock | undefined, SlackBlock | undefined>,
): SlackBlock[] {
  if (holdsRichText(blocks)) return blocks;
  const at = blocks.findLastIndex((block) => richTexts.get(block) !== undefined);
  return at === -1 ? [...blocks, ellipsis] : blocks.with(at, richTexts.get(blocks[at]) ?? ellipsis);
}

/** The quantities Slack limits in a message. Sums, so that each piece is measured only once. */
type Size = {
  readonly blocks: number;
  /** Further blocks that Slack creates from markdown blocks. */
  readonly expanded: number;
  readonly tables: number;
  readonly markdownChars: number;
  readonly weight: number;
};

const noSize: Size = { blocks: 0, expanded: 0, tables: 0, markdownChars: 0, weight: 0 };

function sizeOf(blocks: readonly SlackBlock[]): Size {
  const markdown = blocks.flatMap((block) => (block.type === "markdown" ? [block.text] : []));
  return {
    blocks: blocks.length,
    expanded: markdown.reduce((all, text) => all + expandedBlocks(text), 0),
    tables: countTables(blocks),
    markdownChars: markdown.reduce((all, text) => all + text.length, 0),
    weight: weight(blocks),
  };
}

function sum(one: Size, other: Size): Size {
  return {
    blocks: one.blocks + other.blocks,
    expanded: one.expanded + other.expanded,
    tables: one.tables + other.tables,
    markdownChars: one.markdownChars + other.markdownChars,
    weight: one.weight + other.weight,
  };
}

function fits({ blocks, expanded, tables, markdownChars, weight: characters }: Size): boolean {
  return (
    blocks + expanded <= limits.maxBlocks &&
    tables <= 1 &&
    markdownChars <= limits.maxMarkdownChars &&
    characters + blocks * limits.blockWeight <= limits.maxMessageWeight
  );
}

/** Visible characters anywhere in the blocks. */
function weight(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((all, item) => all + weight(item), 0);
  if (typeof node !== "object" || node === null) return 0;
  return Object.entries(node).reduce((all, [key, value]) => {
    if (typeof value === "string") return all + (key === "text" || key === "title" ? value.length : 0);
    return all + weight(value);
  }, 0);
}

/** The document as blocks that a modal accepts. Stops once there are more than `atMost`. */
export function viewBlocks(document: Document, atMost: number): readonly SlackBlock[] {
  const blocks: SlackBlock[] = [];
  for (const { plain } of documentPieces(document)) {
    blocks.push(...plain);
    if (blocks.length > atMost) break;
  }
  return blocks;
}
