/**
 * Renders a neutral document as Slack messages, each within Slack's limits, without losing anything. Pure.
 * A payload can be sent to every workspace: it includes alternatives for the kinds of blocks that some refuse.
 */
import type { Document } from "../../../src/ports/document.ts";
import { cleanText, type FlatBlock, flatBlocks } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { actionBlocks, expandedBlocks, headlineText, inlinePieces, type Piece, pieces } from "./blocks.ts";
import { escapeEntities, truncateBytes } from "./markup.ts";
import { always, plainest, type SlackBlock, type Slot } from "./slots.ts";
import { countTables } from "./tables.ts";

export type SlackPayload = {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly slots: readonly Slot[];
  /** Shown as the author of a new message, if the app may choose one. */
  readonly username?: string;
  /** The agent view's status: Slack shows its own Stop button while an agent is processing. */
  readonly agentStatus: "processing" | "active";
};

/** Stops at `atMost` + 1 messages, for callers that only need to know whether more than `atMost` are needed. */
export function render(document: Document, atMost = Number.POSITIVE_INFINITY): readonly SlackPayload[] {
  const buttons = actionBlocks(document.actions);
  const messages = pack(documentPieces(document), buttons.length === 0 ? undefined : always(...buttons), atMost);
  const summary = escapeEntities(document.summary);
  const isRunning = document.tone === "running" || document.tone === "waiting";
  return messages.map((slots, index) => ({
    text: truncateBytes(index === 0 ? summary : `${summary} (${index + 1})`, limits.maxTextBytes),
    slots,
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
function pack(all: Iterable<Piece>, buttons: Slot | undefined, atMost: number): readonly (readonly Slot[])[] {
  const filled: Filled[] = [{ slots: [], size: noSize }];
  const buttonsSize = buttons === undefined ? noSize : sizeOf(buttons);
  for (const { piece, isLast } of withoutSecondTables(all, () => filled.at(-1)?.size.tables ?? 0)) {
    const last = filled.at(-1);
    const pieceSize = sizeOf(piece);
    const size = sum(last?.size ?? noSize, pieceSize);
    const { withoutTable: _, ...slot } = piece;
    if (last !== undefined && (last.slots.length === 0 || fits(isLast ? sum(size, buttonsSize) : size))) {
      last.slots.push(slot);
      last.size = size;
    } else {
      filled.push({ slots: [slot], size: pieceSize });
      if (filled.length > atMost) break;
    }
  }
  if (buttons !== undefined) filled.at(-1)?.slots.push(buttons);
  return filled.map(({ slots }) => slots);
}

type Filled = { readonly slots: Slot[]; size: Size };

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

/** Of the heaviest alternative in each respect. */
function sizeOf({ alternatives }: Slot): Size {
  const [first, ...others] = alternatives.map(({ blocks }) => sizeOfBlocks(blocks));
  return others.reduce(
    (most, other) => ({
      blocks: Math.max(most.blocks, other.blocks),
      expanded: Math.max(most.expanded, other.expanded),
      tables: Math.max(most.tables, other.tables),
      markdownChars: Math.max(most.markdownChars, other.markdownChars),
      weight: Math.max(most.weight, other.weight),
    }),
    first ?? noSize,
  );
}

function sizeOfBlocks(blocks: readonly SlackBlock[]): Size {
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
  for (const { alternatives } of documentPieces(document)) {
    blocks.push(...plainest(alternatives).blocks);
    if (blocks.length > atMost) break;
  }
  return blocks;
}
