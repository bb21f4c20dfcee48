/**
 * Renders a neutral document as Slack messages, each within Slack's limits, without losing anything. Pure.
 * A payload can be sent to every workspace: it includes alternatives for the kinds of blocks that some refuse.
 */

import type { Action, Block, Document } from "../../../src/core/document.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { listWithMenu, pieces } from "./blocks.ts";
import { buttonSlots } from "./buttons.ts";
import { escapeEntities, truncateBytes } from "./markup.ts";
import { expandedBlocks } from "./prose.ts";
import { type Piece, plainest, type SlackBlock, type Slot } from "./slots.ts";
import { countTables } from "./tables.ts";
import { headlineText, inlineSlots } from "./text-blocks.ts";

const says = {
  /** The author of an agent's answer, where a message can have a name of its own. */
  byline: (agent: string): string => `${shorten(agent, 60)} (Parley)`,
};

export type SlackPayload = {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly slots: readonly Slot[];
  /** Shown as the author of a new message, if the app may choose one. */
  readonly username?: string;
  /** The agent view's status: Slack shows its own Stop button while an agent is processing. */
  readonly agentStatus: "processing" | "active";
  /** For the title of the agent view's session: the question. */
  readonly topic?: string;
};

/** Stops at `atMost` + 1 messages, for callers that only need to know whether more than `atMost` are needed. */
export function render(document: Document, atMost = Number.POSITIVE_INFINITY): readonly SlackPayload[] {
  const messages = pack(documentPieces(document), document.actions, atMost);
  const isRunning = document.tone === "running" || document.tone === "waiting";
  return messages.map((slots, index) => ({
    text: truncateBytes(escapeEntities(notification(document, index, slots)), limits.maxTextBytes),
    slots,
    agentStatus: isRunning ? "processing" : "active",
    topic: document.topic,
    username: document.byline === undefined ? undefined : says.byline(cleanText(document.byline)),
  }));
}

/** A chart says nothing in notifications and to screen readers, so it is said in words. */
function notification({ summary, blocks }: Document, index: number, slots: readonly Slot[]): string {
  const said = index === 0 ? summary : `${summary} (${index + 1})`;
  const hasChart = slots.some(({ alternatives: [best] }) => best.needs.includes("data_visualization"));
  if (!hasChart) return said;
  const charts = blocks.flatMap((block) => (block.kind === "chart" ? [cleanText(block.chart.says)] : []));
  return [said, ...charts.filter((says) => !said.includes(says))].join("\n");
}

/** For a failure, what happened and what to do form one paragraph; a menu is at the side of its line. */
function* documentPieces({ blocks, tone }: Document): Generator<Piece, void> {
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    const next: Block | undefined = blocks[at + 1];
    if (block === undefined) break;
    const withMenu =
      block.kind === "list" && next?.kind === "actions" && next.layout === "menu"
        ? listWithMenu(block.items, next)
        : undefined;
    if (withMenu !== undefined) {
      yield* withMenu;
      at += 1;
    } else if (block.kind === "headline" && tone === "failed") {
      const todo = next?.kind === "text" ? [{ text: " " }, ...next.text] : [];
      yield* inlineSlots([{ text: "⚠️ " }, ...headlineText(block.text), ...todo]);
      at += todo.length === 0 ? 0 : 1;
    } else {
      yield* pieces(block);
    }
  }
}

/** Fills messages in order; the buttons go below the last one. */
function pack(all: Iterable<Piece>, actions: readonly Action[], atMost: number): readonly (readonly Slot[])[] {
  const filled: Filled[] = [{ slots: [], size: noSize, folded: [] }];
  const buttonsSize = sizeOf(buttonSlots(actions, []));
  for (const { piece, isLast } of withLast(all)) {
    const room = () => filled.at(-1) ?? { slots: [], size: noSize, folded: [] };
    const added = isLast ? buttonsSize : noSize;
    for (const one of chosenPieces(piece, () => room().size, added)) {
      const last = room();
      const { instead: _, folded = [], ...slot } = one;
      const oneSize = sizeOf([slot]);
      const size = sum(last.size, oneSize);
      if (last.slots.length === 0 || fits(sum(size, added))) {
        last.slots.push(slot);
        last.folded.push(...folded);
        last.size = size;
      } else filled.push({ slots: [slot], size: oneSize, folded: [...folded] });
    }
    if (filled.length > atMost) break;
  }
  const last = filled.at(-1);
  last?.slots.push(...buttonSlots(actions, last.folded));
  return filled.map(({ slots }) => slots);
}

type Filled = { readonly slots: Slot[]; size: Size; readonly folded: Action[] };

function* withLast(all: Iterable<Piece>): Generator<{ readonly piece: Piece; readonly isLast: boolean }, void> {
  let waiting: Piece | undefined;
  for (const piece of all) {
    if (waiting !== undefined) yield { piece: waiting, isLast: false };
    waiting = piece;
  }
  if (waiting !== undefined) yield { piece: waiting, isLast: true };
}

/**
 * What replaces a piece depends on how full its message is: a second table becomes code, a third chart a table, and
 * folded details that would need a message of their own are shown flat.
 */
function* chosenPieces(piece: Piece, used: () => Size, added: Size): Generator<Piece, void> {
  const size = sizeOf([piece]);
  const { tables, charts } = sum(used(), size);
  const isTooMuch = tables > 1 || charts > limits.maxCharts;
  const isTooLong = piece.folded !== undefined && !fits(sum(sum(used(), size), added));
  if (piece.instead === undefined || !(isTooMuch || isTooLong)) yield piece;
  else for (const one of piece.instead) yield* chosenPieces(one, used, added);
}

/** The quantities Slack limits in a message. Sums, so that each piece is measured only once. */
type Size = {
  readonly blocks: number;
  /** Further blocks that Slack creates from markdown blocks. */
  readonly expanded: number;
  readonly tables: number;
  readonly charts: number;
  readonly markdownChars: number;
  readonly weight: number;
};

const noSize: Size = { blocks: 0, expanded: 0, tables: 0, charts: 0, markdownChars: 0, weight: 0 };

/** Of the heaviest alternative of each, in each respect. */
function sizeOf(slots: readonly Slot[]): Size {
  return slots
    .map(({ alternatives }) => alternatives.map(({ blocks }) => sizeOfBlocks(blocks)).reduce(larger))
    .reduce(sum, noSize);
}

function larger(one: Size, other: Size): Size {
  return {
    blocks: Math.max(one.blocks, other.blocks),
    expanded: Math.max(one.expanded, other.expanded),
    tables: Math.max(one.tables, other.tables),
    charts: Math.max(one.charts, other.charts),
    markdownChars: Math.max(one.markdownChars, other.markdownChars),
    weight: Math.max(one.weight, other.weight),
  };
}

function sizeOfBlocks(blocks: readonly SlackBlock[]): Size {
  const markdown = blocks.flatMap((block) => (block.type === "markdown" ? [block.text] : []));
  return {
    blocks: blocks.length,
    expanded: markdown.reduce((all, text) => all + expandedBlocks(text), 0),
    tables: countTables(blocks),
    charts: blocks.filter(({ type }) => type === "data_visualization").length,
    markdownChars: markdown.reduce((all, text) => all + text.length, 0),
    weight: weight(blocks),
  };
}

function sum(one: Size, other: Size): Size {
  return {
    blocks: one.blocks + other.blocks,
    expanded: one.expanded + other.expanded,
    tables: one.tables + other.tables,
    charts: one.charts + other.charts,
    markdownChars: one.markdownChars + other.markdownChars,
    weight: one.weight + other.weight,
  };
}

function fits({ blocks, expanded, tables, charts, markdownChars, weight: characters }: Size): boolean {
  return (
    blocks + expanded <= limits.maxBlocks &&
    tables <= 1 &&
    charts <= limits.maxCharts &&
    markdownChars <= limits.maxMarkdownChars &&
    characters + blocks * limits.blockWeight <= limits.maxMessageWeight
  );
}

const weighed: ReadonlySet<string> = new Set(["text", "title", "subtitle", "alt_text", "caption"]);

/** Visible characters anywhere in the blocks. */
function weight(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((all, item) => all + weight(item), 0);
  if (typeof node !== "object" || node === null) return 0;
  return Object.entries(node).reduce((all, [key, value]) => {
    if (typeof value === "string") return all + (weighed.has(key) ? value.length : 0);
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
