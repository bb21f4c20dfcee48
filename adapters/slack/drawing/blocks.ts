/** Draws one neutral block as pieces of a Slack message, each with alternatives for older workspaces. */
import type { Block, Inline, ListItem } from "../../../src/core/document.ts";
import { cleanText, inBold } from "../../../src/presentation/drawing.ts";
import * as limits from "../limits.ts";
import { actionBlocks, menuOf } from "./buttons.ts";
import { chartBlock } from "./chart.ts";
import { foldPieces } from "./fold.ts";
import { harmlessMarkdown } from "./markdown.ts";
import { inlineMrkdwn, literal, mrkdwnLink } from "./markup.ts";
import { fence, proseSlots } from "./prose.ts";
import { always, type Piece, type Slot } from "./slots.ts";
import { stepsSlot } from "./steps.ts";
import { chartPieces, tableParts, tablePieces } from "./tables.ts";
import { context, headlineText, inlineSlots, linesSlots, quietSlots, section } from "./text-blocks.ts";

/** Lazy where there can be many pieces, so that a caller who needs the first messages draws only those. */
export function pieces(block: Block): Iterable<Piece> {
  switch (block.kind) {
    case "headline":
      return inlineSlots(headlineText(block.text));
    case "text":
      return inlineSlots(block.text);
    case "markdown":
      return markdownPieces(block.text);
    case "steps":
      return [stepsSlot(block.earlier, block.steps)];
    case "table":
      return tablePieces(block.table, block);
    case "chart":
      return chartPieces(chartBlock(block.chart), block.table, [{ text: block.chart.title }]);
    case "fold":
      return foldPieces(block, pieces);
    case "code":
      return markdownPieces(fence(block.text, block.language));
    case "list":
      return listSlots(block.items);
    case "sources":
      return sourceSlots(block.sources);
    case "quiet":
      return quietSlots(block.text);
    case "actions": {
      const groups = block.layout === "column" ? block.actions.map((action) => [action]) : [block.actions];
      return groups.flatMap(actionBlocks).map((block) => always(block));
    }
    case "divider":
      return [always({ type: "divider" })];
    default:
      return block satisfies never;
  }
}

function listSlots(items: readonly ListItem[]): readonly Slot[] {
  return linesSlots(items.map(listLine));
}

const listMarks = { done: "✅ ", running: "⏳ ", waiting: "▫️ ", failed: "❌ ", bullet: "• " } as const;

function listLine({ mark, text }: ListItem): Inline {
  return [...(mark === undefined ? [] : [{ text: listMarks[mark] }]), ...text];
}

/** A list whose last line has a menu at its side. Undefined where one of them is too long for that. */
export function listWithMenu(
  items: readonly ListItem[],
  { actions }: Extract<Block, { kind: "actions" }>,
): readonly Slot[] | undefined {
  const last = items.at(-1);
  const menu = menuOf(actions);
  const text = last === undefined ? "" : inlineMrkdwn(listLine(last));
  if (menu === undefined || text.trim() === "" || text.length > limits.maxSectionChars) return undefined;
  return [...listSlots(items.slice(0, -1)), always({ ...section(text), accessory: menu })];
}

function sourceSlots(sources: Extract<Block, { kind: "sources" }>["sources"]): readonly Slot[] {
  const links = sources.map(({ number, title, url, from }) => {
    const said = from === undefined ? "" : ` · ${inlineMrkdwn(inBold(from))}`;
    return `[${number}] ${url === undefined ? literal(cleanText(title)) : mrkdwnLink(title, url)}${said}`;
  });
  const lines: string[] = [];
  for (const link of links) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + link.length + 3 <= limits.maxContextChars)
      lines[lines.length - 1] = `${last} · ${link}`;
    else lines.push(lines.length === 0 ? `*Sources* ${link}` : link);
  }
  return lines.map((line) => always(context(line)));
}

/** Tables stand apart from the words around them. */
function* markdownPieces(markdown: string): Generator<Piece, void> {
  for (const part of tableParts(harmlessMarkdown(markdown))) {
    if (part.kind === "prose") yield* proseSlots(part.text);
    else yield* tablePieces(part.table, { source: part.text });
  }
}
