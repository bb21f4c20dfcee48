/** Draws Markdown as markdown blocks, or as sections where a workspace refuses those. */
import { markdownParts, splitMarkdown } from "../../../src/presentation/markdown.ts";
import * as limits from "../limits.ts";
import { markdownMrkdwn } from "./markdown.ts";
import { escapeEntities } from "./markup.ts";
import type { SlackBlock, Slot } from "./slots.ts";
import { section } from "./text-blocks.ts";

/** Weight of a markdown piece: leaves room in its message for a headline, sources and buttons. */
const maxPieceWeight = 10_500;
/** Weight of a heading, rule, fence or table: Slack turns each into a block, and a message may have at most 50. */
const expandsWeight = maxPieceWeight / 40;
/** Markdown characters per section of the plain alternative; the translation to mrkdwn can add some. */
const maxSectionSource = 2_600;
const expanding = /^(#{1,6} |-{3,}\s*$|\*{3,}\s*$|```|~~~|(?=[ :|-]*-{3})[ :|-]*\|)/gm;

export function* proseSlots(harmless: string): Generator<Slot, void> {
  for (const part of markdownParts(harmless, { max: maxPieceWeight, measure: markdownWeight })) {
    const text = part.replace(/^\n+/, "");
    if (text.trim() === "") continue;
    yield {
      alternatives: [
        { needs: ["markdown"], blocks: [{ type: "markdown", text }] },
        { needs: [], blocks: mrkdwnSections(text) },
      ],
    };
  }
}

/** Weight of the heavier alternative. A sum over characters, so that a part never weighs more than the whole. */
function markdownWeight(markdown: string): number {
  return Math.max(escapedLength(markdown), expandedBlocks(markdown) * expandsWeight);
}

/** How many further blocks Slack creates from a markdown block. */
export function expandedBlocks(markdown: string): number {
  return (markdown.match(expanding) ?? []).length;
}

function escapedLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ampersand) length += 4;
    else if (code === lessThan || code === greaterThan) length += 3;
  }
  return length;
}

const [ampersand, lessThan, greaterThan] = [38, 60, 62];

/** If the translation is too long for a section (a wide table), the Markdown source is shown instead. */
function mrkdwnSections(markdown: string): readonly SlackBlock[] {
  return splitMarkdown(markdown, { max: maxSectionSource, measure: escapedLength })
    .map((part) => {
      const translated = markdownMrkdwn(part);
      return translated.length <= limits.maxSectionChars ? translated : escapeEntities(part);
    })
    .map((text) => text.replace(/^\n+|(?<!\n)\n+$/g, ""))
    .filter((text) => text.trim() !== "")
    .map(section);
}

export function fence(text: string, language: string | undefined): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${language ?? ""}\n${text.replace(/\n$/, "")}\n${marks}\n`;
}
