/**
 * What a message is made of: slots, each with alternatives for workspaces that refuse newer kinds of blocks. Pure.
 * Slack refuses a whole message for one block that it doesn't know, and only a try shows what a workspace accepts.
 */
import type { types } from "@slack/bolt";
import type { Action } from "../../../src/core/document.ts";

/** Not among Bolt's types (5.1). */
export type DataVisualizationBlock = {
  readonly type: "data_visualization";
  readonly block_id?: string;
  readonly title: string;
  readonly chart: Readonly<Record<string, unknown>>;
};

export type SlackBlock = types.KnownBlock | DataVisualizationBlock;

/** Newest first. `task-sources` are the links of a plan's task. */
export const newerKinds = [
  "data_visualization",
  "container",
  "data_table",
  "context_actions",
  "task-sources",
  "plan",
  "markdown",
  "table",
] as const;

export type NewerKind = (typeof newerKinds)[number];

const allNewerKinds: ReadonlySet<NewerKind> = new Set(newerKinds);

/** One way to show what belongs into a slot. */
export type Alternative = {
  readonly needs: readonly NewerKind[];
  readonly blocks: readonly SlackBlock[];
  /** Its last block as rich text, for a message that would otherwise have no rich text. */
  readonly asRichText?: SlackBlock;
};

/** Best first; each says the same. The last needs nothing. */
export type Slot = { readonly alternatives: readonly [Alternative, ...Alternative[]] };

/** A slot that is not in a message yet. */
export type Piece = Slot & {
  /** The same content for a message that has no room for it, or has its table or its charts already. */
  readonly instead?: readonly Piece[];
  /** Buttons in its container. */
  readonly folded?: readonly Action[];
};

/** One of the blocks to send, and the kinds that Slack must accept for it and its neighbours of the same slot. */
export type ChosenBlock = { readonly block: SlackBlock; readonly needs: readonly NewerKind[] };

/** Added to a message that would have no rich text. */
const ellipsis: types.RichTextBlock = {
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "…" }] }],
};

/**
 * The blocks to send to a workspace that refuses these kinds. There is always some rich text among them, so that one
 * choice can replace another. The block at an index is the one that Slack's pointer `/blocks/INDEX` means.
 */
export function chosenBlocks(slots: readonly Slot[], refused: ReadonlySet<NewerKind>): readonly ChosenBlock[] {
  const chosen = slots.map((slot) => chosenAlternative(slot, refused));
  const blocks = chosen.flatMap(({ blocks: all, needs }) => all.map((block) => ({ block, needs })));
  if (holdsRichText(blocks.map(({ block }) => block))) return blocks;
  const spare = chosen.findLast(({ asRichText }) => asRichText !== undefined);
  const replaced = spare?.blocks.at(-1);
  if (spare?.asRichText === undefined || replaced === undefined) {
    const buttons = chosen.at(-1)?.blocks.filter(isButtons).length ?? 0;
    return blocks.toSpliced(blocks.length - buttons, 0, { block: ellipsis, needs: [] });
  }
  const { asRichText } = spare;
  return blocks.map((one) => (one.block === replaced ? { ...one, block: asRichText } : one));
}

/** What every workspace accepts. */
export function plainBlocks(slots: readonly Slot[]): readonly SlackBlock[] {
  return chosenBlocks(slots, allNewerKinds).map(({ block }) => block);
}

function chosenAlternative({ alternatives }: Slot, refused: ReadonlySet<NewerKind>): Alternative {
  const accepted = alternatives.find(({ needs }) => !needs.some((kind) => refused.has(kind)));
  return accepted ?? plainest(alternatives);
}

/** The alternative that every workspace accepts. */
export function plainest(alternatives: Slot["alternatives"]): Alternative {
  return alternatives.at(-1) ?? alternatives[0];
}

function isButtons({ type }: SlackBlock): boolean {
  return type === "actions" || type === "context_actions";
}

export function always(...blocks: readonly SlackBlock[]): Slot {
  return { alternatives: [{ needs: [], blocks }] };
}

/**
 * Whether Slack has rich text for these blocks, without which a message stops being editable: it refuses to replace rich
 * text by blocks without it (`block_mismatch`). It turns the paragraphs, lists, quotes and code of a markdown block into
 * rich text, but headings, rules and tables into other blocks. A Reply runs, ends and can run again in one message, so
 * every version of that message needs some rich text. False in doubt: an extra line of rich text does no harm.
 */
function holdsRichText(blocks: readonly SlackBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === "rich_text") return true;
    if (block.type !== "markdown") return false;
    return block.text.split("\n").some((line, at, lines) => isProse(line, lines[at - 1], lines[at + 1] ?? ""));
  });
}

/** Not prose: a line directly below a table, which belongs to it, and an underlined one, which is a heading. */
function isProse(line: string, before: string | undefined, after: string): boolean {
  if (/^\s*$|^\s{0,3}#|\||^[\s=*_-]+$/.test(line) || /^\s{0,3}(=+|-+)\s*$/.test(after)) return false;
  return before === undefined || /^\s*$|^\s{0,3}#/.test(before);
}
