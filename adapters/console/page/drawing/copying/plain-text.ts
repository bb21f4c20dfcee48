/** An answer as text without marks, for mail and documents that know no Markdown. It is loaded when it's asked for. */

import type { Block } from "../../../../../src/core/document.ts";
import { drawMarkdown } from "../markdown.ts";
import { copiedText } from "./copied-text.ts";

const paragraphs = new Set(["P", "DIV", "H1", "H2", "H3", "H4", "H5", "H6", "BLOCKQUOTE", "UL", "OL", "PRE", "TABLE"]);
/** Spaces right inside these only lay out the source. */
const frames = new Set(["DIV", "UL", "OL", "TABLE", "THEAD", "TBODY", "TR"]);
/** What the page adds to an answer's own words. */
const added = ".code-top, .leads, button";

/** With the address of a link whose words don't say it. */
function linkText({ href, textContent }: HTMLAnchorElement): string {
  const isSource = /^\[\d+\]$/.test(textContent);
  return isSource || textContent.includes("://") ? textContent : `${textContent} (${href})`;
}

function itemText(item: HTMLElement): string {
  const list = item.parentElement;
  const isNumbered = list instanceof HTMLOListElement;
  const mark = isNumbered ? `${[...list.children].indexOf(item) + list.start}.` : "•";
  return `${mark} ${insideOf(item).trim().replaceAll("\n", "\n  ")}\n`;
}

const insideOf = (node: Node): string => [...node.childNodes].map(textOf).join("");

/** Words of a text node may be broken over lines; fixed-width text keeps its lines. */
function textOf(node: Node): string {
  if (node instanceof Text) {
    return node.data.trim() === "" && frames.has(node.parentNode?.nodeName ?? "") ? "" : node.data.replace(/\s+/g, " ");
  }
  if (!(node instanceof HTMLElement) || node.matches(added)) return "";
  switch (node.tagName) {
    case "BR":
      return "\n";
    case "HR":
      return "\n\n";
    case "A":
      return node instanceof HTMLAnchorElement ? linkText(node) : insideOf(node);
    case "LI":
      return itemText(node);
    case "PRE":
      return `\n\n${node.textContent}\n\n`;
    case "TR":
      return `${[...node.children].map((cell) => insideOf(cell).trim()).join("\t")}\n`;
    default: {
      const text = insideOf(node);
      return paragraphs.has(node.tagName) ? `\n\n${text.trim()}\n\n` : text;
    }
  }
}

/** Without spaces at ends of lines, and with one empty line between paragraphs. */
function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "").join("\n");
}

/** Of the blocks of an answer. */
export function plainText(blocks: readonly Block[]): string {
  const flat = blocks.flatMap((block) => (block.kind === "fold" ? block.blocks : [block]));
  const texts = flat.map((block) => {
    const text = copiedText([block]);
    return block.kind === "sources" ? text : tidied(textOf(drawMarkdown(text))).trim();
  });
  return texts.filter((text) => text !== "").join("\n\n");
}
