/**
 * A neutral document as Slack messages: pure, each within Slack's limits, nothing lost. Every payload carries a second,
 * plain form, because only the workspace can say whether it takes the rich one.
 */
import type { Action, Block, Document } from "../../src/presentation/document.ts";
import { expandedBlocks, headlineText, inlinePieces, type Piece, pieces, richText, type SlackBlock } from "./blocks.ts";
import * as limits from "./limits.ts";
import { escapeEntities, withinBytes } from "./markup.ts";
import { holdsRichText } from "./rich-text.ts";
import { countTables } from "./tables.ts";

export type SlackPayload = {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly rich: readonly SlackBlock[];
  /** Shown instead where the workspace answers `invalid_blocks`. */
  readonly plain: readonly SlackBlock[];
  /** What the agent view is told with it: Slack shows its own Stop while an agent is processing. */
  readonly agentStatus: "processing" | "active";
};

type Message = { rich: SlackBlock[]; plain: SlackBlock[] };

/** Stands in a message that would have no rich text: there is more before or after it. */
const goesOn = richText([[{ text: "…" }]]);

export function render(document: Document): readonly SlackPayload[] {
  const buttons = actionBlocks(document.actions);
  const messages = pack(documentPieces(document), buttons);
  const summary = escapeEntities(document.summary);
  const isRunning = document.tone === "running" || document.tone === "waiting";
  return messages.map(({ rich, plain }, index) => ({
    text: withinBytes(index === 0 ? summary : `${summary} (${index + 1})`, limits.maxTextBytes),
    rich,
    plain,
    agentStatus: isRunning ? "processing" : "active",
  }));
}

/** What failed and what to do are one paragraph. */
function documentPieces({ blocks, tone }: Document): readonly Piece[] {
  const made: Piece[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    const next: Block | undefined = blocks[at + 1];
    if (block === undefined) break;
    if (block.kind === "headline" && tone === "failed") {
      const todo = next?.kind === "text" ? [{ text: " " }, ...next.text] : [];
      made.push(...inlinePieces([{ text: "⚠️ " }, ...headlineText(block.text), ...todo]));
      at += todo.length === 0 ? 0 : 1;
    } else {
      made.push(...pieces(block));
    }
  }
  return made;
}

/** Fills messages in order; the buttons stand under the last one. */
function pack(all: readonly Piece[], buttons: readonly SlackBlock[]): readonly Message[] {
  const messages: Message[] = [{ rich: [], plain: [] }];
  const inWords = new Map(all.map(({ rich, asRichText }) => [rich[0], asRichText]));
  const waiting = [...all];
  for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
    const last = messages.at(-1) ?? { rich: [], plain: [] };
    if (piece.withoutTable !== undefined && countTables(last.rich) > 0) {
      waiting.unshift(...piece.withoutTable);
      continue;
    }
    const added = waiting.length === 0 ? buttons : [];
    const isFull =
      last.rich.length > 0 &&
      !(fits([...last.rich, ...piece.rich, ...added]) && fits([...last.plain, ...piece.plain, ...added]));
    if (isFull) messages.push({ rich: [...piece.rich], plain: [...piece.plain] });
    else {
      last.rich.push(...piece.rich);
      last.plain.push(...piece.plain);
    }
  }
  for (const message of messages) message.rich = editable(message.rich, inWords);
  const last = messages.at(-1);
  last?.rich.push(...buttons);
  last?.plain.push(...buttons);
  return messages;
}

function editable(
  blocks: SlackBlock[],
  inWords: ReadonlyMap<SlackBlock | undefined, SlackBlock | undefined>,
): SlackBlock[] {
  if (holdsRichText(blocks)) return blocks;
  const at = blocks.findLastIndex((block) => inWords.get(block) !== undefined);
  return at === -1 ? [...blocks, goesOn] : blocks.with(at, inWords.get(blocks[at]) ?? goesOn);
}

function fits(blocks: readonly SlackBlock[]): boolean {
  const markdown = blocks.flatMap((block) => (block.type === "markdown" ? [block.text] : []));
  const expanded = markdown.reduce((sum, text) => sum + expandedBlocks(text), 0);
  return (
    blocks.length + expanded <= limits.maxBlocks &&
    countTables(blocks) <= 1 &&
    markdown.join("").length <= limits.maxMarkdownChars &&
    weight(blocks) + blocks.length * limits.blockWeight <= limits.maxMessageWeight
  );
}

/** Characters that a person sees, wherever they stand in the blocks. */
function weight(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + weight(item), 0);
  if (typeof node !== "object" || node === null) return 0;
  return Object.entries(node).reduce((sum, [key, value]) => {
    if (typeof value === "string") return sum + (key === "text" || key === "title" ? value.length : 0);
    return sum + weight(value);
  }, 0);
}

function actionBlocks(actions: readonly Action[]): readonly SlackBlock[] {
  const buttons = actions.map((action, index) => ({
    type: "button" as const,
    // An action_id must be the only one of its kind in a block.
    action_id: `${action.id}${actionSeparator}${index}`,
    text: {
      type: "plain_text" as const,
      text: [...action.label].slice(0, limits.maxButtonChars).join(""),
      emoji: true,
    },
    value: action.value.slice(0, limits.maxButtonValueChars),
    ...(action.style === "plain" ? {} : { style: action.style }),
    ...(action.accessibleLabel === undefined ? {} : { accessibility_label: action.accessibleLabel }),
  }));
  const blocks: SlackBlock[] = [];
  for (let at = 0; at < buttons.length; at += limits.maxButtonsPerBlock) {
    blocks.push({ type: "actions", elements: buttons.slice(at, at + limits.maxButtonsPerBlock) });
  }
  return blocks;
}

export const actionSeparator = ":";

/** Which form a modal takes: nothing that is for messages only. */
export function viewBlocks(document: Document): readonly SlackBlock[] {
  return documentPieces(document).flatMap((piece) => piece.plain);
}
