/** Writes the cells of a sheet as CSV, which is then read like any table. */
import { documentSentences, numberText, shorten } from "../../presentation/sentences.ts";
import { maxRows } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Part } from "./parts.ts";

/** A program writes at most 31. */
const maxLabelChars = 60;

/** Undefined for an empty sheet. One of a single line has no headings, so it is a text. */
export function sheetPart(name: string, rows: readonly (readonly string[])[]): Part | undefined {
  const filled = rows.filter((cells) => cells.some((cell) => cell !== ""));
  if (filled.length === 0) return undefined;
  const label = shorten(name.replace(/\s+/g, " ").trim(), maxLabelChars);
  if (filled.length === 1) return { label, text: (filled[0] ?? []).filter((cell) => cell !== "").join(" ") };
  const width = Math.max(...filled.slice(0, 1_000).map((cells) => cells.findLastIndex((cell) => cell !== "") + 1));
  const lines = rows.map((cells) =>
    cells
      .slice(0, Math.max(width, cells.findLastIndex((cell) => cell !== "") + 1))
      .map(quoted)
      .join(","),
  );
  return { label, csv: `sep=,\n${lines.join("\n")}\n` };
}

function quoted(cell: string): string {
  return /[",\r\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Throws ReadFailure. */
export function checkSheetRows(rows: number): void {
  if (rows > maxRows) throw new ReadFailure("unreadable", documentSentences.tooManyRows(numberText(maxRows)));
}
