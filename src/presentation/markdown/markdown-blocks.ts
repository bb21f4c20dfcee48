/** Splits an agent's Markdown into prose, tables and code. Joined, their sources are the text. */
import type { Table } from "../../core/model/turn.ts";
import { firstLine, type LineRole, linesOf, readLine, tableCells } from "./markdown-lines.ts";

type Alignment = "left" | "center" | "right" | "none";

export type MarkdownBlock =
  | { readonly kind: "markdown"; readonly source: string }
  | {
      readonly kind: "table";
      readonly source: string;
      /** Cells are inline Markdown, unescaped pipes included; every row has as many as there are columns. */
      readonly table: Table;
      readonly alignments: readonly Alignment[];
    }
  /** `text` is the content of the fence, without the last line end. */
  | { readonly kind: "code"; readonly source: string; readonly text: string; readonly language: string };

type Line = { readonly text: string; readonly role: LineRole };

/** A table with more cells per character is treated as text: its rows are mostly empty, and each would be padded. */
const maxCellsPerChar = 4;

/** In order. Linear. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let group: Line[] = [];
  const flush = () => {
    if (group.length > 0) blocks.push(toBlock(group));
    group = [];
  };
  for (const line of readLines(text)) {
    if (startsBlock(group.at(-1)?.role, line.role)) flush();
    group.push(line);
  }
  flush();
  return blocks;
}

function readLines(text: string): readonly Line[] {
  const lines = linesOf(text);
  let state = firstLine;
  return lines.map((line, at) => {
    const read = readLine(line, lines[at + 1], state);
    state = read.state;
    return { text: line, role: read.role };
  });
}

function startsBlock(before: LineRole | undefined, role: LineRole): boolean {
  if (before === undefined || role.kind === "fence-open" || role.kind === "table-header") return true;
  if (before.kind === "fence-close") return true;
  return isTable(before) && !isTable(role);
}

function isTable(role: LineRole): boolean {
  return role.kind === "table-header" || role.kind === "table-delimiter" || role.kind === "table-row";
}

function toBlock(lines: readonly Line[]): MarkdownBlock {
  const source = lines.map((line) => line.text).join("");
  const first = lines[0]?.role;
  if (first?.kind === "fence-open") {
    const content = lines.filter((line) => line.role.kind === "fence-content").map((line) => line.text);
    const indent = /^[ \t>]*/.exec(first.fence.closing)?.[0].length ?? 0;
    const shifted = content.map((line) => line.replace(new RegExp(`^[ \\t>]{0,${indent}}`), ""));
    return { kind: "code", source, text: shifted.join("").replace(/\n$/, ""), language: first.fence.language };
  }
  if (first?.kind === "table-header" && lines.length >= 2) {
    const width = tableCells(lines[0]?.text ?? "").length;
    if (width * lines.length > maxCellsPerChar * source.length) return { kind: "markdown", source };
    const [header, delimiter, ...rows] = lines.map((line) => tableCells(line.text));
    const columns = header ?? [];
    return {
      kind: "table",
      source,
      table: { columns, rows: rows.map((row) => fitRow(row, columns.length)) },
      alignments: (delimiter ?? []).map(alignment),
    };
  }
  return { kind: "markdown", source };
}

/** Extra cells go into the last column. */
function fitRow(row: readonly string[], width: number): readonly string[] {
  if (row.length <= width) return [...row, ...Array<string>(width - row.length).fill("")];
  return [...row.slice(0, width - 1), row.slice(width - 1).join(" | ")];
}

function alignment(mark: string): Alignment {
  const left = mark.startsWith(":");
  const right = mark.endsWith(":");
  if (left && right) return "center";
  if (right) return "right";
  return left ? "left" : "none";
}
