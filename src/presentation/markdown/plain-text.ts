/** Turns Markdown and documents into plain text, for summaries and for platforms that reject formatting. */
import type { Block, Document } from "../../core/document.ts";
import type { Table } from "../../core/model/turn.ts";
import { asTable } from "../drawing/flat-blocks.ts";
import { inlineText, say } from "../drawing/inline.ts";
import { cleanText } from "../drawing/sanitise.ts";
import { tableText } from "../drawing/table-text.ts";
import { labels } from "../sentences/questions.ts";
import { shorten, stepSentences } from "../sentences/steps.ts";
import { type Definitions, type InlineToken, inlineTokens } from "./inline.ts";
import { definitionsIn, type MarkdownPart, markdownBlocks, partsOf } from "./markdown-blocks.ts";
import { tableCells } from "./markdown-lines.ts";

/** Markdown without its marks: readable, not exact. One line. */
export function plainText(markdown: string): string {
  const lines = /[\\*_`~[<|>#+-]|\d[.)]/.test(markdown) ? plainLines(markdown).map(({ text }) => text) : [markdown];
  return lines.join(" ").replace(/\s+/g, " ").trim();
}

/**
 * A found passage in one line: without the headings above its first words, which its title says, and with a colon behind
 * later ones. Empty when it has nothing but headings.
 */
export function passageExcerpt(markdown: string, maxChars: number): string {
  const lines = plainLines(cleanText(markdown));
  const first = lines.findIndex(({ kind }) => kind !== "heading");
  const told = first < 0 ? [] : lines.slice(first);
  const words = told.map(({ text, kind }, at) =>
    kind === "heading" && at < told.length - 1 && /[\p{L}\p{N})]$/u.test(text) ? `${text}:` : text,
  );
  return shorten(words.join(" "), maxChars);
}

type PlainLine = { readonly text: string; readonly kind: "heading" | "item" | "text" };

/** The same line by line, without those that are only marks. */
export function plainLines(markdown: string): readonly PlainLine[] {
  const blocks = markdownBlocks(markdown);
  const definitions = definitionsIn(blocks);
  const cellWords = (cell: string) => wordsIn(inlineTokens(cell, definitions)).replaceAll("\n", " ");
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case "code":
        return linesIn(block.text);
      case "table":
        return [block.table.columns, ...block.table.rows].flatMap((row) => linesIn(row.map(cellWords).join(" ")));
      case "markdown":
        return partsOf(block).flatMap((part) => linesIn(partWords(part, definitions), part.kind));
      default:
        return block satisfies never;
    }
  });
}

/** Only the first line of an item carries its mark. */
function linesIn(words: string, kind?: MarkdownPart["kind"]): readonly PlainLine[] {
  const lines = words.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines
    .filter((line) => line !== "")
    .map((text, at) => {
      const isItem = kind === "item" && at === 0;
      return { text, kind: kind === "heading" ? kind : isItem ? "item" : "text" };
    });
}

function partWords({ mark, text }: MarkdownPart, definitions: Definitions): string {
  // "1986." begins a sentence rather than a list.
  const year = mark.length > 4 && /^\d/.test(mark) ? `${mark} ` : "";
  // The table that a row belongs to may have been cut.
  const rows = text.replace(/^[ \t]*\|.*$/gm, (row) => (/[^\s|:-]/.test(row) ? tableCells(row).join(" ") : ""));
  return year + wordsIn(inlineTokens(rows, definitions));
}

/** Marks that end or begin nothing, as at a cut. */
const looseMark = /(?<!\w)(?:\*\*|__|~~|`+)|(?:\*\*|__|~~|`+)(?!\w)/g;

/** The words without their marks. `link`: what is said of a link. Default: its label. */
export function wordsIn(
  tokens: readonly InlineToken[],
  link: (label: string, address: string) => string = (label) => label,
): string {
  return tokens
    .map((token): string => {
      switch (token.kind) {
        case "text":
          return token.source.replace(looseMark, "");
        case "code":
          return token.text;
        case "url":
          return token.address;
        case "escape":
          return token.source === "\\|" ? token.text : token.source;
        case "link":
        case "image":
          return link(wordsIn(token.label, link), token.address);
        case "break":
          return "\n";
        case "open":
        case "close":
          return "";
        default:
          return token satisfies never;
      }
    })
    .join("");
}

/** The table as people read it where marks would be shown: the address of a link follows its label. */
export function withoutMarks(table: Table): Table {
  const link = (label: string, address: string) => (label === address ? address : `${label} (${address})`);
  const plain = (cell: string) => wordsIn(inlineTokens(cell), link);
  return { ...table, columns: table.columns.map(plain), rows: table.rows.map((row) => row.map(plain)) };
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
      return block.actions.map(({ label }) => `[${label}]`).join(block.layout === "column" ? "\n" : " ");
    case "divider":
      return "—";
    case "sources":
      return `${labels.sources}\n${block.sources.map((source) => `[${source.number}] ${source.title}${source.from === undefined ? "" : ` · ${inlineText(source.from)}`}${source.url === undefined ? "" : ` ${source.url}`}`).join("\n")}`;
    default:
      return block satisfies never;
  }
}
