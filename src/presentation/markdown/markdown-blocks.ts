/**
 * Splits an agent's Markdown into prose, tables and code, and prose into paragraphs, headings and list items. Joined, their
 * sources are the text.
 */
import type { Table } from "../../core/model/turn.ts";
import { safeUrl } from "../drawing/sanitise.ts";
import { type Definitions, type InlineToken, inlineTokens, referenceName } from "./inline.ts";
import { type LineRole, linesOf, type ReadLine, readLines, tableCells } from "./markdown-lines.ts";

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

/** What inline marks can span. `before + text + end` is the source. */
export type MarkdownPart = {
  readonly kind: "text" | "item" | "heading" | "rule" | "blank";
  /** Indentation, marks of quotes, and the mark of a list item or heading with the spaces behind it. */
  readonly before: string;
  /** "-" or "1." of a list item, "##" of a heading, else empty. */
  readonly mark: string;
  /** May have several lines. Empty for rules and blank lines. */
  readonly text: string;
  /** Line ends. */
  readonly end: string;
};

/** A table with more cells per character is treated as text: its rows are mostly empty, and each would be padded. */
const maxCellsPerChar = 4;

/** In order. Linear. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let group: ReadLine[] = [];
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

/** The parts of a block of prose or a table, whose rows are parts. */
export function partsOf({ kind, source }: MarkdownBlock): readonly MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  for (const line of linesOf(source)) {
    const part = kind === "table" ? { kind: "text" as const, before: "", mark: "", ...ended(line) } : partOf(line);
    const last = parts.at(-1);
    const goesOn = last !== undefined && kind !== "table" && isContinued(last, part);
    if (goesOn)
      parts[parts.length - 1] = { ...last, text: last.text + last.end + part.before + part.text, end: part.end };
    else parts.push(part);
  }
  return parts;
}

function isContinued(last: MarkdownPart, part: MarkdownPart): boolean {
  if (part.kind !== "text" || (last.kind !== "text" && last.kind !== "item")) return false;
  return last.before.includes(">") || !part.before.includes(">");
}

const marked = /^[ \t>]*(?:([-*+])(?:[ \t]+|$)|(\d{1,9}[.)])[ \t]+|(#{1,6})(?:[ \t]+|$))?/;
const rule = /^[ \t>]*([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

function partOf(line: string): MarkdownPart {
  const { text, end } = ended(line);
  if (text.trim() === "") return { kind: "blank", before: text, mark: "", text: "", end };
  if (rule.test(text)) return { kind: "rule", before: text, mark: "", text: "", end };
  const [before = "", bullet, number, heading] = marked.exec(text) ?? [];
  const item = bullet ?? number;
  const kind = heading !== undefined ? "heading" : item !== undefined ? "item" : "text";
  return { kind, before, mark: heading ?? item ?? "", text: text.slice(before.length), end };
}

function ended(line: string) {
  const end = /\r?\n$/.exec(line)?.[0] ?? "";
  return { text: line.slice(0, line.length - end.length), end };
}

/** A fence is a whole block of code. A frame is what stands around inline marks: indentation, list marks, line ends. */
export type MarkdownPiece = InlineToken | { readonly kind: "fence" | "frame"; readonly source: string };

/** Everything in the order of the text. */
export function* piecesOf(markdown: string): Generator<MarkdownPiece, void> {
  for (const block of markdownBlocks(markdown)) {
    if (block.kind === "code") yield { kind: "fence", source: block.source };
    else {
      for (const { before, text, end } of partsOf(block)) {
        yield { kind: "frame", source: before };
        yield* inlineTokens(text);
        yield { kind: "frame", source: end };
      }
    }
  }
}

const definition = /^ {0,3}\[(?!\^)((?:\\.|[^[\]\\]){1,300})\]:[ \t]*(?:<([^<>\n]*)>|(\S+))/gm;

/** Where the links lead that name their address, as far as it can be linked. Of two with one name, the first counts. */
export function definitionsIn(blocks: readonly MarkdownBlock[]): Definitions {
  const found = new Map<string, string>();
  for (const block of blocks) {
    if (block.kind !== "markdown" || !block.source.includes("]:")) continue;
    for (const [, name = "", angled, bare = ""] of block.source.matchAll(definition)) {
      const url = angled ?? bare;
      if (!found.has(referenceName(name)) && safeUrl(url) !== undefined) found.set(referenceName(name), url);
    }
  }
  return found;
}

function startsBlock(before: LineRole | undefined, role: LineRole): boolean {
  if (before === undefined || role.kind === "fence-open" || role.kind === "table-header") return true;
  if (before.kind === "fence-close") return true;
  return isTable(before) && !isTable(role);
}

function isTable(role: LineRole): boolean {
  return role.kind === "table-header" || role.kind === "table-delimiter" || role.kind === "table-row";
}

function toBlock(lines: readonly ReadLine[]): MarkdownBlock {
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
