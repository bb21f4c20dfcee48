/**
 * An agent's Markdown for Slack: made harmless for a markdown block, or translated to mrkdwn for workspaces that refuse
 * such blocks. Code is never touched except that nothing in it can ping.
 */

import type { Table } from "../../src/bridge/words.ts";
import { markdownBlocks } from "../../src/presentation/markdown-blocks.ts";
import { cleanText, safeLink } from "../../src/presentation/sanitise.ts";
import { tableText } from "../../src/presentation/table-text.ts";
import { breakControls, breakDefinitions, escapeEntities, mrkdwnLink } from "./markup.ts";

const codeSpan = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/;
/**
 * `[label](address "title")`, with or without the image's "!"; one level of brackets in the label, of parentheses in the
 * address. Everything is counted, because free numbers beside each other take a square of their number to give up.
 */
const link =
  /(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]{0,99}\]){0,300})\]\(\s{0,9}<?((?:[^()\s<>]|\([^()\s<>]*\))*)>?(?:\s{1,9}(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s{0,9}\)/;
const codeOrLink = new RegExp(`(?<code>${codeSpan.source.replace("\\1", "\\2")})|(?<link>${link.source})`, "g");

/** For a markdown block. Idempotent as far as one can see: what is broken stays broken. */
export function harmlessMarkdown(markdown: string): string {
  return markdownBlocks(cleanText(markdown))
    .map((block) => breakControls(block.kind === "code" ? block.source : harmlessProse(block.source)))
    .join("");
}

function harmlessProse(text: string): string {
  return breakDefinitions(
    mapLinks(text, (isImage, label, address, source) => {
      const safe = safeLink(label === "" && isImage ? "image" : label, address);
      if (safe.url === undefined) return safe.label;
      if (!isImage && safe.label === label && safe.url === address) return source;
      return `[${safe.label}](${safe.url.replace(/\(/g, "%28").replace(/\)/g, "%29")})`;
    }),
  );
}

function mapLinks(
  text: string,
  change: (isImage: boolean, label: string, address: string, source: string) => string,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(codeOrLink)) {
    const inLink = match.groups?.["link"] === undefined ? null : link.exec(match[0]);
    parts.push(withoutLinks(text.slice(at, match.index)));
    // Code stands for itself.
    if (inLink === null) parts.push(match[0]);
    else parts.push(change(inLink[1] === "!", inLink[2] ?? "", inLink[3] ?? "", match[0]));
    at = match.index + match[0].length;
  }
  parts.push(withoutLinks(text.slice(at)));
  // What is left of an image (`![alt][ref]`) must not load either.
  return parts.join("").replace(/!\[/g, "[");
}

/** What was not seen as a link here must not be one in Slack's eyes either. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** The same words in mrkdwn; tables become aligned code. Readable, not exact: it has no nested lists or headings. */
export function markdownMrkdwn(markdown: string): string {
  const blocks = markdownBlocks(cleanText(markdown).replace(/[\uE000\uE001]/g, ""));
  const parts = blocks.map((block, at) => {
    switch (block.kind) {
      case "code":
        return fenced(block.text);
      case "table":
        return fenced(tableText(withoutMarks(block.table)));
      case "markdown": {
        const text = block.source
          .split("\n")
          .map(lineMrkdwn)
          .join("\n")
          .replace(/\n{3,}/g, "\n\n");
        // Slack sets code apart by itself.
        return at === blocks.length - 1 ? text : text.replace(/(?<!\n)\n+$/, "\n");
      }
      default:
        return block satisfies never;
    }
  });
  return parts.join("");
}

function fenced(text: string): string {
  return `\`\`\`\n${escapeEntities(text.replace(/```/g, "ˋˋˋ"))}\n\`\`\`\n`;
}

/** In fixed-width text marks would stand for themselves. */
export function withoutMarks(table: Table): Table {
  const bare = (cell: string) =>
    mapLinks(cell, (_isImage, label, address) => `${label} (${address})`).replace(/`+|\*\*|__|~~/g, "");
  return { ...table, columns: table.columns.map(bare), rows: table.rows.map((row) => row.map(bare)) };
}

function lineMrkdwn(line: string): string {
  const quote = /^[ ]{0,3}(?:>[ ]?)+/.exec(line)?.[0] ?? "";
  const rest = line.slice(quote.length);
  const mark = quote === "" ? "" : "> ";
  if (/^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(rest)) return `${mark}──────────`;
  const heading = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/.exec(rest);
  if (heading !== null) return `${mark}*${wordsMrkdwn((heading[1] ?? "").replace(/(\*\*|__)/g, ""))}*`;
  const item = /^([ \t]*)[-*+][ \t]+(.*)$/.exec(rest);
  if (item !== null) return `${mark}${item[1]}• ${wordsMrkdwn(item[2] ?? "")}`;
  return mark + wordsMrkdwn(rest);
}

const autolink = /<(https?:\/\/[^\s<>|]+)>|https?:\/\/[^\s<>()[\]*_`"']+[^\s<>()[\]*_`"'.,;:!?]/g;

/** Code and links are put aside first, so that emphasis around them is seen, and none is seen inside. */
function wordsMrkdwn(text: string): string {
  const aside: string[] = [];
  const put = (mrkdwn: string) => `\uE000${aside.push(mrkdwn) - 1}\uE001`;
  const marked = text
    .replace(codeOrLink, (source) => {
      const inLink = link.exec(source);
      const isLink = inLink !== null && inLink[0] === source;
      return put(isLink ? mrkdwnLink(inLink[2] || "image", inLink[3] ?? "") : escapeEntities(source));
    })
    .replace(autolink, (source, address: string | undefined) => put(mrkdwnLink(address ?? source, address ?? source)));
  return emphasisMrkdwn(marked).replace(/\uE000(\d+)\uE001/g, (_, index: string) => aside[Number(index)] ?? "");
}

function emphasisMrkdwn(text: string): string {
  return escapeEntities(text)
    .replace(/(?<![*\w])\*(?![*\s])([^*\n]+?)(?<!\s)\*(?![*\w])/g, "_$1_")
    .replace(/(\*\*|__)(?=\S)([^\n]+?)(?<=\S)\1/g, "*$2*")
    .replace(/~~(?=\S)([^\n]+?)(?<=\S)~~/g, "~$1~");
}
