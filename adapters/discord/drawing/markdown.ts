/**
 * Converts an agent's Markdown to Discord's, safely.
 * Discord has no tables, rules, images or headings below the third level; tables become aligned code. Nothing loads,
 * pings or hides where a link leads. Code stays as it is.
 */
import type { Table } from "../../../src/core/model/turn.ts";
import { tableText } from "../../../src/presentation/drawing.ts";
import { codeRanges, insideOf, markdownBlocks, rewriteLinks } from "../../../src/presentation/markdown.ts";
import { maxTableColumns } from "../limits.ts";
import { breakControls, breakLinks, breakLinksInCode, fenced, maskedLink } from "./markup.ts";

/** Marks links that Parley wrote, until all other links are broken. Removed from incoming text. */
const ours = "\uE000";

/** `hidesColumns`: its tables can be fetched as CSV. */
export function discordMarkdown(markdown: string, hidesColumns = false): string {
  const linked = rewriteLinks(markdown.replaceAll(ours, ""), ({ label, address }) =>
    maskedLink(label, address).replace(/\]\((?=<[^<>]*>\)$)/, `]${ours}(`),
  );
  return markdownBlocks(linked)
    .map((block) => {
      switch (block.kind) {
        case "code":
          return `${fenced(block.text, block.language)}\n`;
        case "table":
          return `${tableMarkdown(block.table, hidesColumns)}\n`;
        case "markdown":
          return closeUp(withoutForeignLinks(prose(block.source)));
        default:
          return block satisfies never;
      }
    })
    .join("");
}

/** Breaks everything that Discord would read as a link and Parley did not write. */
function withoutForeignLinks(source: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of codeRanges(source)) {
    parts.push(breakLinks(source.slice(at, start)), breakLinksInCode(source.slice(start, end)));
    at = end;
  }
  parts.push(breakLinks(source.slice(at)));
  return parts.join("").replaceAll(ours, "");
}

/** Removes empty lines where Discord adds its own space: around headings, lists and code blocks. */
function closeUp(markdown: string): string {
  return markdown
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^([^\S\n]*(?![-*>#]|\d+[.)]\s)\S[^\n]*\n)\n(?=[-*] |\d+[.)] )/gm, "$1")
    .replace(/^(#{1,3} [^\n]*\n)\n+/gm, "$1")
    .replace(/(?<!\n)\n+$/, "\n");
}

/** `hidesColumns`: all of them can be fetched as CSV. */
export function tableMarkdown(table: Table, hidesColumns: boolean): string {
  return fenced(tableText(withoutMarks(table), { maxWidth: maxTableColumns, hidesColumns }));
}

/** Removes marks from cells, which a code block would show literally. */
function withoutMarks(table: Table): Table {
  const plain = (cell: string) =>
    cell
      .replaceAll(ours, "")
      .replace(/\[([^[\]\n]*)\]\(<?([^()>\n]*(?:\([^()>\n]*\)[^()>\n]*)*)>?\)/g, "$1 ($2)")
      .replace(/(\*\*|__|~~)(?=\S)(.+?)\1/g, "$2")
      .replace(/`([^`]+)`/g, "$1");
  return { ...table, columns: table.columns.map(plain), rows: table.rows.map((row) => row.map(plain)) };
}

function prose(source: string): string {
  const isInCode = insideOf(codeRanges(source));
  let at = 0;
  return source
    .split(/(?<=\n)/)
    .map((line) => {
      const start = at;
      at += line.length;
      return proseLine(line, (offset) => isInCode(start + offset));
    })
    .join("");
}

function proseLine(line: string, isInCode: (offset: number) => boolean): string {
  if (isInCode(0) && isInCode(Math.max(0, line.length - 1))) return line;
  if (/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\n?$/.test(line)) return "-# ──────────\n";
  const outside = (text: string, pattern: RegExp, put: string) =>
    text.replace(pattern, (found: string, ...rest: unknown[]) => {
      const offset = rest.find((value): value is number => typeof value === "number") ?? 0;
      return isInCode(offset) ? found : put.replace("$1", typeof rest[0] === "string" ? rest[0] : "");
    });
  // Two bars would make a spoiler.
  const open = outside(line, /(?<!\\)\|\|/g, "\\|\\|");
  // Two underscores mean underline in Discord, but bold in Markdown.
  const bold = open === line ? outside(open, /(?<![\w_])__(?=\S)([^_\n]+?)(?<=\S)__(?![\w_])/g, "**$1**") : open;
  return breakControls(bold)
    .replace(/^( {0,3})#{4,6}(?=[ \t])/, "$1###")
    .replace(/^([ \t]*)\+(?=[ \t])/, "$1-")
    .replace(/^ {0,3}>>>(?=\s)/, "\\>>>")
    .replace(/^( {0,3})-#(?=[ \t])/, "$1\\-#");
}
