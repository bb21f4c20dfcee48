/** Draws one neutral block as pieces of Discord Markdown, each small enough for a message. Pure. */
import type { Block, Inline, ListItem, StepLine } from "../../../src/core/document.ts";
import { cleanText, type FlatBlock, inBold } from "../../../src/presentation/drawing.ts";
import { splitMarkdown } from "../../../src/presentation/markdown.ts";
import { labels, stepSentences } from "../../../src/presentation/sentences.ts";
import { maxMessageChars } from "../limits.ts";
import { discordMarkdown, tableMarkdown } from "./markdown.ts";
import { fenced, inlineMarkdown, literal, maskedLink, smallPrint } from "./markup.ts";

/** A quiet piece follows the one before it without an empty line. */
export type Piece = { readonly markdown: string; readonly isQuiet: boolean };

/** Leaves room for a headline, sources and small print in the message with a long answer's last part. */
const maxPieceChars = maxMessageChars - 100;

export function pieces(block: FlatBlock): readonly Piece[] {
  switch (block.kind) {
    case "headline":
      return split(inlineMarkdown(headlineText(block.text)));
    case "text":
      return split(inlineMarkdown(block.text));
    case "markdown":
      return split(discordMarkdown(block.text));
    case "steps":
      return split(stepsMarkdown(block.earlier, block.steps));
    case "table":
      return [
        ...(block.caption === undefined ? [] : split(inlineMarkdown(block.caption))),
        ...split(tableMarkdown(block.table)),
      ];
    case "code":
      return split(fenced(cleanText(block.text), block.language));
    case "list":
      return split(block.items.map(listLine).join("\n"));
    case "sources":
      return quiet(sourcesMarkdown(block.sources));
    case "quiet":
      return quiet(smallPrint(inlineMarkdown(withoutFrames(block.text))));
    // render.ts draws what is no text.
    case "actions":
    case "divider":
      return [];
    default:
      return block satisfies never;
  }
}

/** Makes a headline bold, unless it already has bold parts. Names become bold instead of code. */
function headlineText(text: Inline): Inline {
  const isMarked = text.some((span) => span.style === "bold");
  const isToBeBold = (span: Inline[number]) => span.url === undefined && (!isMarked || span.style === "code");
  return text.map((span) => (isToBeBold(span) ? { ...span, style: "bold" } : span));
}

/** Names in small print are plain text instead of code. */
function withoutFrames(text: Inline): Inline {
  return text.map(({ style, ...span }) => (style === undefined || style === "code" ? span : { ...span, style }));
}

const stepMarks = { done: "✓", running: "⏳", failed: "✗" } as const;

function stepsMarkdown(earlier: number, steps: readonly StepLine[]): string {
  const lines = steps.flatMap((step) => {
    const detail = step.detail === undefined ? "" : inlineMarkdown(step.detail).replace(/\n/g, " ");
    const title = `${stepMarks[step.state]} ${inlineMarkdown(step.title).replace(/\n/g, " ")}`;
    return detail.trim() === "" ? [title] : [title, `-# ${detail}`];
  });
  return [...(earlier > 0 ? [`-# ✓ ${literal(stepSentences.earlier(earlier))}`] : []), ...lines].join("\n");
}

const listMarks = { done: "✅ ", running: "⏳ ", waiting: "▫️ ", failed: "❌ ", bullet: "- " } as const;

function listLine(item: ListItem): string {
  return (item.mark === undefined ? "" : listMarks[item.mark]) + inlineMarkdown(item.text).replace(/\n/g, " ");
}

function sourcesMarkdown(sources: Extract<Block, { kind: "sources" }>["sources"]): string {
  const links = sources.map(({ number, title, url, from }) => {
    const shown = cleanText(title).replace(/\s+/g, " ");
    const said = from === undefined ? "" : ` · ${inlineMarkdown(inBold(from))}`;
    return `[${number}] ${url === undefined ? literal(shown) : maskedLink(shown, url)}${said}`;
  });
  const lines: string[] = [];
  for (const link of links) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + link.length < 1_500) lines[lines.length - 1] = `${last} · ${link}`;
    else lines.push(lines.length === 0 ? `${labels.sources} ${link}` : link);
  }
  return smallPrint(lines.join("\n"));
}

function quiet(markdown: string): readonly Piece[] {
  return split(markdown).map((piece) => ({ ...piece, isQuiet: true }));
}

function split(markdown: string): readonly Piece[] {
  return splitMarkdown(markdown, { maxChars: maxPieceChars })
    .map((part) => part.replace(/^\n+|(?<!\s)\s+$/g, ""))
    .filter((part) => part !== "")
    .map((part) => ({ markdown: part, isQuiet: false }));
}
