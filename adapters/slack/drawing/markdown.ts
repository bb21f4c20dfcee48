/**
 * Makes an agent's Markdown safe for Slack's markdown block, or translates it to mrkdwn.
 * mrkdwn is for workspaces that refuse markdown blocks. Code stays as it is, except that nothing in it can ping.
 */
import {
  cleanText,
  isForgedLabel,
  maskLabel,
  safeLink,
  tableText,
  withoutEntities,
} from "../../../src/presentation/drawing.ts";
import {
  type Definitions,
  definitionsIn,
  type FoundLink,
  type InlineToken,
  inlineTokens,
  type MarkdownPart,
  markdownBlocks,
  partsOf,
  rewriteLinks,
  withoutMarks,
  wordsIn,
} from "../../../src/presentation/markdown.ts";
import {
  breakControls,
  breakDefinitions,
  breakLinks,
  breakLinksInCode,
  escapeEntities,
  literal,
  mrkdwnLink,
} from "./markup.ts";

/** Markdown for a markdown block. Visibly idempotent: broken markup stays broken. */
export function harmlessMarkdown(markdown: string): string {
  return rewriteLinks(markdown, harmlessLink, {
    code: breakLinksInCode,
    text: (text) => breakLinks(breakImages(text)),
    block: ({ kind }, text) => breakControls(kind === "code" ? breakLinksInCode(text) : breakDefinitions(text)),
  });
}

/** A reference image (`![alt][ref]`) must not load. */
function breakImages(text: string): string {
  return text.replaceAll("![", "[");
}

function harmlessLink({ source, written, address, isImage }: FoundLink): string {
  const label = breakLinks(breakImages(withoutEntities(written)));
  const safe = safeLink(label === "" && isImage ? "image" : label, address);
  if (safe.url === undefined) return breakLinks(safe.label);
  const isHonest = !isForgedLabel(shownLabel(label), safe.url);
  const isPlain = isHonest && !isImage && safe.label === written && safe.url === address;
  if (isPlain && source.startsWith(`[${written}](`)) return source;
  const shown = isHonest || safe.label !== label ? safe.label : `${label} (${safe.url})`;
  return `[${shown}](${safe.url.replace(/\(/g, "%28").replace(/\)/g, "%29")})`;
}

/** The label as people see it, without marks and backslashes. */
function shownLabel(label: string): string {
  return maskLabel(label.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/[*_`~]/g, ""));
}

/** Translates to mrkdwn, with tables as aligned code. Approximate: mrkdwn has no nested lists or headings. */
export function markdownMrkdwn(markdown: string): string {
  const blocks = markdownBlocks(cleanText(markdown));
  const definitions = definitionsIn(blocks);
  const parts = blocks.map((block, at) => {
    switch (block.kind) {
      case "code":
        return fenced(block.text);
      case "table":
        return fenced(tableText(withoutMarks(block.table)));
      case "markdown": {
        const text = partsOf(block)
          .map((part) => partMrkdwn(part, definitions) + part.end)
          .join("")
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

function partMrkdwn({ kind, before, mark, text }: MarkdownPart, definitions: Definitions): string {
  const quote = before.includes(">") ? "> " : "";
  const tokens = inlineTokens(text, definitions);
  switch (kind) {
    case "rule":
      return `${quote}──────────`;
    case "heading": {
      const title = text.replace(/(?<![ \t])[ \t]+#*$|(?<!#)#+$/, "");
      return `${quote}*${wordsMrkdwn(inlineTokens(title, definitions).filter(isNotBold))}*`;
    }
    case "item": {
      const bullet = /^\d/.test(mark) ? mark : "•";
      const indent = quote || (/^[ \t]*/.exec(before)?.[0] ?? "");
      return `${indent}${bullet} ${wordsMrkdwn(tokens)}`;
    }
    case "blank":
    case "text":
      return (quote || before) + wordsMrkdwn(tokens);
    default:
      return kind satisfies never;
  }
}

function isNotBold(token: InlineToken): boolean {
  return !("style" in token) || token.style !== "bold";
}

const marks = { bold: "*", italic: "_", struck: "~" } as const;

/** Slack pairs marks within one line only, so each line has its own; a style within the same style has none. */
function wordsMrkdwn(tokens: readonly InlineToken[]): string {
  const depth = { bold: 0, italic: 0, struck: 0 };
  const open: string[] = [];
  return tokens
    .map((token) => {
      switch (token.kind) {
        case "text":
        case "code":
          return escapeEntities(token.source);
        case "escape":
          return /[*_~`]/.test(token.text) ? literal(token.text) : escapeEntities(token.text);
        case "url":
          return mrkdwnLink(token.address, token.address);
        case "link":
        case "image":
          return mrkdwnLink(wordsIn(token.label) || "image", token.address);
        case "break": {
          const next = token.source.includes(">") ? "\n> " : token.source;
          return open.toReversed().join("") + next + open.join("");
        }
        case "open":
          depth[token.style] += 1;
          if (depth[token.style] > 1) return "";
          open.push(marks[token.style]);
          return marks[token.style];
        case "close":
          depth[token.style] -= 1;
          return depth[token.style] > 0 ? "" : (open.pop() ?? "");
        default:
          return token satisfies never;
      }
    })
    .join("");
}
