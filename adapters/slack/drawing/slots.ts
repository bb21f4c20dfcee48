/**
 * What a message is made of: slots, each with alternatives for workspaces that refuse newer kinds of blocks. Pure.
 * Slack refuses a whole message for one block that it doesn't know, and only a try shows what a workspace accepts.
 */
import type { types } from "@slack/bolt";
import { holdsRichText } from "./rich-text.ts";

export type SlackBlock = types.KnownBlock;

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
export type Alternative = { readonly needs: readonly NewerKind[]; readonly blocks: readonly SlackBlock[] };

export type Slot = {
  /** Best first; each says the same. The last needs nothing. */
  readonly alternatives: readonly [Alternative, ...Alternative[]];
  /** The same content as rich text, for a message that would otherwise have no rich text. */
  readonly asRichText?: SlackBlock;
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
  const chosen = slots.map((slot) => ({ slot, alternative: chosenAlternative(slot, refused) }));
  const blocks = chosen.flatMap(({ alternative: { blocks: all, needs } }) => all.map((block) => ({ block, needs })));
  if (holdsRichText(blocks.map(({ block }) => block))) return blocks;
  const spare = chosen.findLast(({ slot }) => slot.asRichText !== undefined);
  const [replaced] = spare?.alternative.blocks ?? [];
  if (spare?.slot.asRichText === undefined || replaced === undefined) {
    const buttons = chosen.at(-1)?.alternative.blocks.filter(isButtons).length ?? 0;
    return blocks.toSpliced(blocks.length - buttons, 0, { block: ellipsis, needs: [] });
  }
  const { asRichText } = spare.slot;
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
