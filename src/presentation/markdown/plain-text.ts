/** Turns Markdown and documents into plain text, for summaries and for platforms that reject formatting. */
import type { Block, Document } from "../../core/document.ts";
import { asTable } from "../drawing/flat-blocks.ts";
import { inlineText, say } from "../drawing/inline.ts";
import { tableText } from "../drawing/table-text.ts";
import { labels } from "../sentences/questions.ts";
import { stepSentences } from "../sentences/steps.ts";

/** Markdown without its marks: readable, not exact. One line. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/^[ \t>]*(`{3,}|~{3,}).*$/gm, " ")
      .replace(/!?\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, "$1")
      // "1986." begins a sentence rather than a list.
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, "")
      .replace(/^(?=[ \t|:]*-)[ \t|:-]*$/gm, " ")
      .replace(/(?<!\\)\|/g, " ")
      .replaceAll("\\|", "|")
      .replace(/(\*\*|__|~~|`+)/g, "")
      // In pairs around words: "C:\\*.log" and "10 * 2" have none.
      .replace(/(^|[\s([{"'“])([*_])(?=\S)([^\n]{0,200}?\S)\2(?=$|[\s)\]}.,;:!?"'”])/gm, "$1$3")
      .replace(/\s+/g, " ")
      .trim()
  );
}

/** A document as text, block by block, without its buttons. */
export function documentText(document: Document): string {
  return document.blocks.map(blockText).join("\n\n");
}

/** The same text without formatting, for a platform that rejected it. */
export function plainDocument(document: Document): Document {
  return {
    ...document,
    blocks: document.blocks.map((block) => plainBlock(block)),
  };
}

function plainBlock(block: Block): Block {
  switch (block.kind) {
    case "headline":
    case "quiet":
    case "text":
      return { kind: block.kind, text: say`${inlineText(block.text)}` };
    case "actions":
    case "divider":
      return block;
    case "fold":
      return {
        ...block,
        title: say`${inlineText(block.title)}`,
        blocks: block.blocks.map(plainBlock),
        quiet: say`${inlineText(block.quiet)}`,
        flat: block.flat.map(plainBlock),
      };
    default:
      return { kind: "text", text: say`${blockText(block)}` };
  }
}

export function blockText(block: Block): string {
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return inlineText(block.text);
    case "markdown":
    case "code":
      return block.text;
    case "steps": {
      const lines = block.steps.map((step) => {
        const mark = { done: "✓", running: "⏳", failed: "✗" }[step.state];
        return `${mark} ${inlineText(step.title)}${step.detail === undefined ? "" : `\n  ${inlineText(step.detail)}`}`;
      });
      return [...(block.earlier === 0 ? [] : [stepSentences.earlier(block.earlier)]), ...lines].join("\n");
    }
    case "table":
      return [...(block.caption === undefined ? [] : [inlineText(block.caption)]), tableText(block.table)].join("\n");
    case "chart":
      return blockText(asTable(block));
    case "fold":
      return block.flat.map(blockText).join("\n\n");
    case "list":
      return block.items
        .map((item) => {
          const mark =
            item.mark === undefined
              ? ""
              : { done: "✓ ", running: "⏳ ", waiting: "· ", failed: "✗ ", bullet: "• " }[item.mark];
          return `${mark}${item.text.map((span) => (span.url === undefined || span.url === span.text ? span.text : `${span.text} (${span.url})`)).join("")}`;
        })
        .join("\n");
    case "actions":
      return block.actions.map(({ label }) => `[${label}]`).join(block.layout === "row" ? " " : "\n");
    case "divider":
      return "—";
    case "sources":
      return `${labels.sources}\n${block.sources.map((source) => `[${source.number}] ${source.title}${source.from === undefined ? "" : ` · ${source.from}`}${source.url === undefined ? "" : ` ${source.url}`}`).join("\n")}`;
    default:
      return block satisfies never;
  }
}
