/**
 * Converts an agent's Markdown to Discord's, safely.
 * Discord has no tables, rules, images or headings below the third level; tables become aligned code or lists. Nothing
 * loads, pings or hides where a link leads. Code stays as it is.
 */
import type { Table } from "../../../src/core/model/turn.ts";
import { naturalWidth, omittedText, oneLine, tableText } from "../../../src/presentation/drawing.ts";
import { type MarkdownPart, rewriteLinks, withoutMarks } from "../../../src/presentation/markdown.ts";
import { maxTableColumns } from "../limits.ts";
import { breakControls, breakLinks, breakLinksInCode, fenced, literal, maskedLink, smallPrint } from "./markup.ts";

/** What Discord alone would read as a link is broken. */
export function discordMarkdown(markdown: string): string {
  return rewriteLinks(markdown, ({ label, address }) => maskedLink(label, address), {
    code: (code) => breakControls(breakLinksInCode(code)),
    text: (text) => breakControls(breakLinks(text)).replace(/(?<!\\)\|\|/g, "\\|\\|"),
    // Two underscores mean underline in Discord, but bold in Markdown. Within bold, further marks would end it.
    mark: (mark, isWithin) => (isWithin ? "" : mark === "__" ? "**" : mark),
    part: partMarkdown,
    block: (block, text) => {
      switch (block.kind) {
        case "code":
          return `${fenced(block.text, block.language)}\n`;
        case "table":
          return `${tableMarkdown(block.table)}\n`;
        case "markdown":
          return closeUp(text);
        default:
          return block satisfies never;
      }
    },
  });
}

/** Removes empty lines where Discord adds its own space: around headings, lists and code blocks. */
function closeUp(markdown: string): string {
  return markdown
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^([^\S\n]*(?![-*>#]|\d+[.)]\s)\S[^\n]*\n)\n(?=[-*] |\d+[.)] )/gm, "$1")
    .replace(/^(#{1,3} [^\n]*\n)\n+/gm, "$1")
    .replace(/(?<!\n)\n+$/, "\n");
}

/** Aligned where a phone shows it so. Else a line a row, which wraps at words. */
export function tableMarkdown(table: Table): string {
  const plain = withoutMarks(table);
  if (naturalWidth(plain) <= maxTableColumns) return fenced(tableText(plain, { maxWidth: maxTableColumns }));
  const omitted = omittedText(table);
  const lines = plain.rows.map((row, at) => rowLine(plain.columns, row, table.rows[at] ?? []));
  return [...lines, ...(omitted === undefined ? [] : [smallPrint(omitted)])].join("\n");
}

/** "- **Starter** · Price: 49 · Rooms: 20". `marked`: its cells as they were written. */
function rowLine(columns: readonly string[], row: readonly string[], marked: readonly string[]): string {
  const [first = ""] = row;
  const cells = columns.flatMap((column, at) => {
    const cell = oneLine(row[at] ?? "");
    if (at === 0 || cell === "") return [];
    const written = /https?:/.test(cell) ? discordMarkdown(oneLine(marked[at] ?? "")) : literal(cell);
    return [`${literal(oneLine(column))}: ${written}`];
  });
  const name = oneLine(first);
  return `- ${[...(name === "" ? [] : [`**${literal(name)}**`]), ...cells].join(" · ")}`;
}

/** Without headings below the third level, and with marks as text that Discord alone knows. */
function partMarkdown({ kind, before, end }: MarkdownPart, text: string): string {
  if (kind === "rule") return `${before.includes(">") ? "> " : ""}-# ──────────${end}`;
  const first = before.replace(/#{4,6}(?=[ \t])/, "###").replace(/\+(?=[ \t])/, "-");
  return `${first}${text}`.replace(/^ {0,3}(?=>>>\s)/gm, "\\").replace(/^([ \t>]*)(?=-#[ \t])/gm, "$1\\") + end;
}
