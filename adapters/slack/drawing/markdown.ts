/**
 * Makes an agent's Markdown safe for Slack's markdown block, or translates it to mrkdwn.
 * mrkdwn is for workspaces that refuse markdown blocks. Code stays as it is, except that nothing in it can ping.
 */
import type { Table } from "../../../src/core/model/turn.ts";
import {
  cleanText,
  isForgedLabel,
  maskLabel,
  safeLink,
  tableText,
  withoutEntities,
} from "../../../src/presentation/drawing.ts";
import { codeRanges, insideOf, isEscaped, markdownBlocks } from "../../../src/presentation/markdown.ts";
import { breakControls, breakDefinitions, breakLinks, breakLinksInCode, escapeEntities, mrkdwnLink } from "./markup.ts";

/**
 * `[label](url "title")`, with or without an image's "!"; one level of brackets in the label, of parentheses in the
 * URL. Every repetition is bounded, because adjacent unbounded ones backtrack quadratically.
 */
const link =
  /(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]{0,99}\]){0,300})\]\(\s{0,9}<?((?:[^()\s<>]|\([^()\s<>]*\))*)>?(?:\s{1,9}(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s{0,9}\)/g;

/** Markdown for a markdown block. Visibly idempotent: broken markup stays broken. */
export function harmlessMarkdown(markdown: string): string {
  return markdownBlocks(cleanText(markdown))
    .map((block) => breakControls(block.kind === "code" ? breakLinksInCode(block.source) : harmlessProse(block.source)))
    .join("");
}

function harmlessProse(text: string): string {
  return breakDefinitions(
    mapLinks(text, (isImage, written, target, source) => {
      const label = plainLabel(written);
      const safe = safeLink(label === "" && isImage ? "image" : label, target);
      const isHonest = safe.url !== undefined && !isForgedLabel(shownLabel(label), safe.url);
      if (isHonest && !isImage && safe.label === written && safe.url === target) return source;
      if (safe.url === undefined) return breakLinks(safe.label);
      const shown = isHonest || safe.label !== label ? safe.label : `${label} (${safe.url})`;
      return `[${shown}](${safe.url.replace(/\(/g, "%28").replace(/\)/g, "%29")})`;
    }),
  );
}

/** A link label without nested links, images or entities that would be shown as other characters. */
function plainLabel(label: string): string {
  return withoutEntities(label)
    .replace(/!?\[([^[\]]{0,300})\]\([^()]{0,2000}\)/g, "$1")
    .replaceAll("](", "] (");
}

/** The label as people see it, without marks and backslashes. */
function shownLabel(label: string): string {
  return maskLabel(label.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/[*_`~]/g, ""));
}

function mapLinks(
  text: string,
  change: (isImage: boolean, label: string, target: string, source: string) => string,
): string {
  const codes = codeRanges(text);
  const isInCode = insideOf(codes);
  const parts: string[] = [];
  let code = 0;
  /** Adds text that isn't a link, and makes sure that Slack does not see one in it. */
  const addText = (from: number, to: number) => {
    let at = from;
    for (; code < codes.length; code += 1) {
      const { start, end } = codes[code] ?? { start: to, end: to };
      if (start >= to) break;
      if (end <= at) continue;
      parts.push(
        breakLinks(text.slice(at, Math.max(at, start))),
        breakLinksInCode(text.slice(Math.max(at, start), end)),
      );
      at = Math.min(to, end);
    }
    parts.push(breakLinks(text.slice(at, to)));
  };
  let at = 0;
  for (const { 0: source, 1: mark = "", 2: label = "", 3: target = "", index } of text.matchAll(link)) {
    const bracket = index + mark.length;
    const isLink = !isEscaped(text, bracket) && !isInCode(bracket) && !isInCode(bracket + label.length + 1);
    if (!isLink) continue;
    addText(at, index);
    parts.push(change(mark === "!", label, target, source));
    at = index + source.length;
  }
  addText(at, text.length);
  // A reference image (`![alt][ref]`) must not load either.
  return parts.join("").replace(/!\[/g, "[");
}

/** Translates to mrkdwn, with tables as aligned code. Approximate: mrkdwn has no nested lists or headings. */
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
        // Slack adds space around code.
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

/** Removes marks from cells: in fixed-width text they would be shown literally. */
export function withoutMarks(table: Table): Table {
  const bare = (cell: string) =>
    mapLinks(cell, (_isImage, label, target) => `${label} (${target})`).replace(/`+|\*\*|__|~~/g, "");
  return { ...table, columns: table.columns.map(bare), rows: table.rows.map((row) => row.map(bare)) };
}

function lineMrkdwn(line: string): string {
  const quote = /^[ ]{0,3}(?:>[ ]?)+/.exec(line)?.[0] ?? "";
  const rest = line.slice(quote.length);
  const mark = quote === "" ? "" : "> ";
  if (/^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(rest)) return `${mark}──────────`;
  const heading = /^#{1,6}[ \t]+/.exec(rest);
  if (heading !== null) {
    const title = rest.slice(heading[0].length).replace(/(?<![ \t])[ \t]+#*$|(?<!#)#+$/, "");
    return `${mark}*${wordsMrkdwn(title.replace(/(\*\*|__)/g, ""))}*`;
  }
  const item = /^([ \t]*)[-*+][ \t]+/.exec(rest);
  if (item !== null) return `${mark}${item[1]}• ${wordsMrkdwn(rest.slice(item[0].length))}`;
  return mark + wordsMrkdwn(rest);
}

const codeSpan = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/;
const oneLink = new RegExp(link.source);
const codeOrLink = new RegExp(`(?<code>${codeSpan.source.replace("\\1", "\\2")})|(?<link>${link.source})`, "g");
const autolink = /<(https?:\/\/[^\s<>|]+)>|https?:\/\/[^\s<>()[\]*_`"']+[^\s<>()[\]*_`"'.,;:!?]/g;

/** Replaces code and links by placeholders first, so that emphasis is found around them and not inside. */
function wordsMrkdwn(text: string): string {
  const aside: string[] = [];
  const put = (mrkdwn: string) => `\uE000${aside.push(mrkdwn) - 1}\uE001`;
  const marked = text
    .replace(codeOrLink, (source) => {
      const inLink = oneLink.exec(source);
      const isLink = inLink !== null && inLink[0] === source;
      return put(isLink ? mrkdwnLink(inLink[2] || "image", inLink[3] ?? "") : escapeEntities(source));
    })
    .replace(autolink, (source, target: string | undefined) => put(mrkdwnLink(target ?? source, target ?? source)));
  return emphasisMrkdwn(marked).replace(/\uE000(\d+)\uE001/g, (_, index: string) => aside[Number(index)] ?? "");
}

/** Nothing reaches across another mark of the same kind, so that each character is read once. */
function emphasisMrkdwn(text: string): string {
  return escapeEntities(text)
    .replace(/(?<![*\w])\*(?![*\s])([^*\n]+?)(?<!\s)\*(?![*\w])/g, "_$1_")
    .replace(/(\*\*|__)(?=\S)((?:(?!\1)[^\n])+)(?<=\S)\1/g, "*$2*")
    .replace(/~~(?=\S)((?:(?!~~)[^\n])+)(?<=\S)~~/g, "~$1~");
}
