/** Reads tables, data tables and charts of blocks as Markdown tables, with as many rows as there is room for. */

import { mayRead, oneLine, say } from "../../shared/reading.ts";
import { isRaw, type Raw, rawList, rawObject, rawText } from "./raw.ts";
import { readRichText } from "./rich-text.ts";
import type { Work } from "./work.ts";

/** Of a table or data_table block. The first row is the head. */
export function readTable(block: Raw, work: Work): string {
  const rows = Array.isArray(block["rows"]) ? block["rows"].filter(Array.isArray) : [];
  return markdownTable(rows, (cell) => cellText(cell, work), work);
}

/** Of a data_visualization block: what the chart shows, as its numbers. */
export function readChart(block: Raw, work: Work): string {
  const chart = rawObject(block["chart"]);
  const title = say(rawText(block["title"]), work);
  const segments = rawList(chart["segments"]);
  const plain = (cell: unknown) => say(rawText(cell), work);
  if (segments.length > 0) {
    const rows = segments.map(({ label, value }) => [label, value]);
    return `${title}\n\n${markdownTable([["", "value"], ...rows], plain, work)}`.trim();
  }
  const series = rawList(chart["series"]);
  const axis = rawObject(chart["axis_config"]);
  const labels = new Set(series.flatMap(({ data }) => rawList(data).map(({ label }) => rawText(label))));
  const values = series.map(({ data }) => new Map(rawList(data).map(({ label, value }) => [rawText(label), value])));
  const head = [rawText(axis["x_label"]), ...series.map(({ name }) => rawText(name))];
  const rows = [...labels].map((label) => [label, ...values.map((of) => of.get(label) ?? "")]);
  const unit = rawText(axis["y_label"]) === "" ? "" : ` (${say(rawText(axis["y_label"]), work)})`;
  return `${title}${unit}\n\n${markdownTable([head, ...rows], plain, work)}`.trim();
}

function markdownTable(rows: readonly (readonly unknown[])[], read: (cell: unknown) => string, work: Work): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const drawn: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (work.found.charsLeft <= 0 || work.found.partsLeft < width) {
      work.found.isCut = true;
      drawn.push("", `(${rows.length - index} more rows of this table left out)`);
      break;
    }
    const cells = Array.from({ length: width }, (_, at) => (mayRead(work) ? inCell(read(row[at])) : ""));
    drawn.push(`| ${cells.join(" | ")} |`);
    if (index === 0) drawn.push(`|${" --- |".repeat(width)}`);
    work.found.charsLeft -= Math.min(work.found.charsLeft, width * 3);
  }
  return drawn.join("\n");
}

function cellText(cell: unknown, work: Work): string {
  if (!isRaw(cell)) return "";
  if (cell["type"] === "rich_text") return readRichText(cell, work);
  // A button in a cell; people see its words, which the fallback repeats.
  if (cell["type"] === "action_cell") return cellText(cell["fallback"], work);
  return say(rawText(cell["text"] ?? cell["value"]), work);
}

function inCell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}
