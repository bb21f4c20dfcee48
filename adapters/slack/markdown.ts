/**
 * An agent's Markdown for Slack: made harmless for a markdown block, or translated to mrkdwn for workspaces that refuse
 * such blocks. Code is never touched except that nothing in it can ping.
 */
import { markdownBlocks } from "../../src/presentation/markdown-blocks.ts";
import { cleanText, safeLink } from "../../src/presentation/sanitise.ts";
import { tableText } from "../../src/presentation/table-text.ts";
import { breakControls, breakDefinitions, escapeEntities, mrkdwnLink } from "./markup.ts";

const codeSpan = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/;
/** `[label](address "title")`, with or without the image's "!"; one level of brackets in the label, of parentheses in the address. */
const link =
  /(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?((?:[^()\s<>]|\([^()\s<>]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/;
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
    if (inLink === null) continue;
    parts.push(text.slice(at, match.index), change(inLink[1] === "!", inLink[2] ?? "", inLink[3] ?? "", match[0]));
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  // What is left of an image (`![alt][ref]`) must not load either.
  return parts.join("").replace(/!\[/g, "[");
}

/** The same words in mrkdwn; tables become aligned code. Readable, not exact: it has no nested lists or headings. */
export function markdownMrkdwn(markdown: string): string {
  return markdownBlocks(cleanText(markdown))
    .map((block) => {
      switch (block.kind) {
        case "code":
          return fenced(block.text);
        case "table":
          return fenced(tableText(block.table));
        case "markdown":
          return block.source.split("\n").map(lineMrkdwn).join("\n");
        default:
          return block satisfies never;
      }
    })
    .join("");
}

function fenced(text: string): string {
  return `\`\`\`\n${escapeEntities(text.replace(/```/g, "ˋˋˋ"))}\n\`\`\`\n`;
}

function lineMrkdwn(line: string): string {
  const quote = /^[ ]{0,3}(?:>[ ]?)+/.exec(line)?.[0] ?? "";
  const rest = line.slice(quote.length);
  const mark = quote === "" ? "" : "> ";
  const heading = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/.exec(rest);
  if (heading !== null) return `${mark}*${wordsMrkdwn((heading[1] ?? "").replace(/(\*\*|__)/g, ""))}*`;
  const item = /^([ \t]*)[-*+][ \t]+(.*)$/.exec(rest);
  if (item !== null) return `${mark}${item[1]}• ${wordsMrkdwn(item[2] ?? "")}`;
  return mark + wordsMrkdwn(rest);
}

function wordsMrkdwn(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(codeOrLink)) {
    parts.push(emphasisMrkdwn(text.slice(at, match.index)));
    const inLink = match.groups?.["link"] === undefined ? null : link.exec(match[0]);
    parts.push(inLink === null ? escapeEntities(match[0]) : mrkdwnLink(inLink[2] || "image", inLink[3] ?? ""));
    at = match.index + match[0].length;
  }
  parts.push(emphasisMrkdwn(text.slice(at)));
  return parts.join("");
}

function emphasisMrkdwn(text: string): string {
  return escapeEntities(text)
    .replace(/(?<![*\w])\*(?![*\s])([^*\n]+?)(?<!\s)\*(?![*\w])/g, "_$1_")
    .replace(/(\*\*|__)(?=\S)([^\n]+?)(?<=\S)\1/g, "*$2*")
    .replace(/~~(?=\S)([^\n]+?)(?<=\S)~~/g, "~$1~");
}
