/** Draws a table that people can sort and page through: numbers as numbers, URLs as links. */
import type { types } from "@slack/bolt";
import type { Table } from "../../../src/core/model/turn.ts";
import { cleanText, columnNumbers } from "../../../src/presentation/drawing.ts";
import { inlineTokens, withoutMarks, wordsIn } from "../../../src/presentation/markdown.ts";
import { richText } from "./text-blocks.ts";

/** Rows on a page. Slack's own default is 5. */
const pageRows = 10;

type Cell = types.DataTableBlock["rows"][number][number];

/** `isMarkdown`: the cells are as an agent wrote them. Undefined without rows: Slack wants one below the header. */
export function dataTable(table: Table, caption: string, isMarkdown: boolean): types.DataTableBlock | undefined {
  if (table.rows.length === 0) return undefined;
  const width = Math.max(table.columns.length, ...table.rows.map((row) => row.length));
  const bare = isMarkdown ? withoutMarks(table) : table;
  const columns = Array.from({ length: width }, (_column, at) => {
    const texts = bare.rows.map((row) => shownText(row[at]));
    const links = table.rows.map((row) => linkOf(row[at] ?? "", isMarkdown));
    const header = shownText(bare.columns[at]);
    const numbers = links.some((link) => link !== undefined) ? undefined : columnNumbers(header, texts);
    return { header, texts, links, numbers };
  });
  const rows = table.rows.map((_row, at) =>
    columns.map(({ texts, links, numbers }): Cell => {
      const text = texts[at] ?? " ";
      const value = numbers?.[at];
      if (value !== undefined) return { type: "raw_number", value, text };
      const link = links[at];
      return link === undefined ? { type: "raw_text", text } : richText([[link]]);
    }),
  );
  const header = columns.map((column): Cell => ({ type: "raw_text", text: column.header }));
  return { type: "data_table", caption, page_size: pageRows, rows: [header, ...rows] };
}

/** Slack refuses an empty cell. */
function shownText(cell = ""): string {
  const text = cleanText(cell).trim();
  return text === "" ? " " : text;
}

/** A cell that is a link and nothing else. */
function linkOf(cell: string, isMarkdown: boolean): { readonly text: string; readonly url: string } | undefined {
  const [token, ...more] = inlineTokens(cell.trim());
  if (token === undefined || more.length > 0 || !("address" in token) || token.kind === "image") return undefined;
  const { kind, address: url } = token;
  if (!/^https?:\/\/[^\s<>]+$/i.test(url) || (kind === "link" && !isMarkdown)) return undefined;
  return { text: kind === "url" ? url : wordsIn([token]), url };
}
