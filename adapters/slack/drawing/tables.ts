/**
 * Draws tables, and finds those in Markdown.
 * Slack allows one table in a message, as a block or inside a markdown block, within its size limits. All others become
 * aligned code.
 */

import type { types } from "@slack/bolt";
import type { Inline } from "../../../src/core/document.ts";
import type { Table } from "../../../src/core/model/turn.ts";
import { cleanText, tableText } from "../../../src/presentation/drawing.ts";
import { markdownBlocks, withoutMarks } from "../../../src/presentation/markdown.ts";
import { countText, numberText } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { dataTable } from "./data-table.ts";
import { harmlessMarkdown } from "./markdown.ts";
import { inlinePlain, literal } from "./markup.ts";
import { fence, proseSlots } from "./prose.ts";
import {
  type Alternative,
  type DataVisualizationBlock,
  type Piece,
  plainest,
  type SlackBlock,
  type Slot,
} from "./slots.ts";
import { context, inlineSlots, richText } from "./text-blocks.ts";

const says = {
  omittedRows: (count: number): string => `${countText(count, "more row")} not shown here.`,
};

/** `prose` is everything that isn't a table; a table includes its Markdown source. */
export type TablePart =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "table"; readonly text: string; readonly table: Table };

type Captioned = {
  readonly caption?: Inline;
  /** The table as an agent wrote it, in Markdown. */
  readonly source?: string;
};

/** As one piece if all of its forms fit one message, else as code. */
export function tablePieces(table: Table, about: Captioned = {}): Iterable<Piece> {
  const forms = tableForms(table, about);
  return forms === undefined
    ? codeSlots(table, about)
    : [{ alternatives: forms, instead: [...codeSlots(table, about)] }];
}

/** The chart, and for workspaces that refuse charts its table. A message may have one table only. */
export function chartPieces(chart: DataVisualizationBlock | undefined, table: Table, caption: Inline): Iterable<Piece> {
  const asTable = tablePieces(table, { caption });
  const forms = tableForms(table, { caption });
  const code = codeForms(table, caption);
  if (chart === undefined || forms === undefined || code === undefined) return asTable;
  const drawn: Alternative = { needs: ["data_visualization"], blocks: [chart] };
  return [{ alternatives: [drawn, ...forms], instead: [{ alternatives: [drawn, ...code], instead: [...asTable] }] }];
}

type Forms = Slot["alternatives"];

function tableForms(table: Table, { caption = [], source }: Captioned): Forms | undefined {
  if (!isWithinLimits(table)) return undefined;
  const code = codeForms(source === undefined ? table : withoutMarks(table), caption);
  if (code === undefined) return undefined;
  const omitted = table.omittedRows ?? 0;
  const note = omitted === 0 ? [] : [context(literal(says.omittedRows(omitted)))];
  const said =
    inlinePlain(caption).trim() ||
    (omitted === 0
      ? countText(table.rows.length, "row")
      : `First ${numberText(table.rows.length)} of ${countText(table.rows.length + omitted, "row")}`);
  const data = dataTable(table, said, source !== undefined);
  const native = source === undefined ? [withAbove(caption, "table", [nativeTable(table), ...note])] : written(source);
  const [first, ...others] = [
    ...(data === undefined ? [] : [{ needs: ["data_table"], blocks: [data, ...note] } as const]),
    ...native,
    ...code,
  ];
  return first && [first, ...others];
}

function withAbove(
  caption: Inline,
  needs: "table" | "markdown" | undefined,
  blocks: readonly SlackBlock[],
): Alternative {
  const above = inlineSlots(caption).flatMap(({ alternatives }) => plainest(alternatives).blocks);
  return { needs: needs === undefined ? [] : [needs], blocks: [...above, ...blocks] };
}

/** A table of Markdown, if it fits one block. */
function written(source: string): readonly Alternative[] {
  const [only, ...more] = proseSlots(source);
  return only === undefined || more.length > 0 ? [] : only.alternatives.slice(0, 1);
}

function nativeTable(table: Table): types.TableBlock {
  const cells = (row: readonly string[]): types.RawTextElement[] =>
    row.map((cell) => ({ type: "raw_text", text: cleanText(cell) === "" ? " " : cleanText(cell) }));
  const header = table.columns.map((name) => richText([[{ text: name === "" ? " " : name, style: "bold" }]]));
  return { type: "table", rows: [header, ...table.rows.map(cells)] };
}

/** The table as text in one block: aligned, or if that is too long, with a line between the cells. */
function codeForms(table: Table, caption: Inline): Forms | undefined {
  for (const text of [tableText(table), denseText(table)]) {
    const [only, ...more] = proseSlots(asCode(text));
    if (only === undefined || more.length > 0) continue;
    const [first, ...others] = only.alternatives.map(({ needs, blocks }) =>
      withAbove(caption, needs.length === 0 ? undefined : "markdown", blocks),
    );
    return first && [first, ...others];
  }
  return undefined;
}

function* codeSlots(table: Table, { caption = [], source }: Captioned): Generator<Slot, void> {
  yield* inlineSlots(caption);
  yield* proseSlots(asCode(tableText(source === undefined ? table : withoutMarks(table))));
}

function asCode(text: string): string {
  return harmlessMarkdown(fence(text, undefined));
}

function denseText({ columns, rows, omittedRows = 0 }: Table): string {
  const lines = [columns, ...rows].map((row) =>
    row.map((cell) => cleanText(cell).replace(/\s+/g, " ").trim()).join(" │ "),
  );
  return [...lines, ...(omittedRows === 0 ? [] : [says.omittedRows(omittedRows)])].join("\n");
}

/** Whether the table, including its header, is within Slack's limits. */
function isWithinLimits(table: Table): boolean {
  const chars = [table.columns, ...table.rows].flat().reduce((sum, cell) => sum + Math.max(1, cell.length), 0);
  return (
    table.columns.length > 0 &&
    table.columns.length <= limits.maxTableColumns &&
    table.rows.length < limits.maxTableRows &&
    chars <= limits.maxTableChars
  );
}

/** Separates tables from prose, in order. */
export function tableParts(markdown: string): readonly TablePart[] {
  if (!mayHoldTable.test(markdown)) return [{ kind: "prose", text: markdown }];
  const blocks = markdownBlocks(markdown);
  const parts: TablePart[] = [];
  for (const block of blocks) {
    const before = parts.at(-1);
    if (block.kind === "table") parts.push({ kind: "table", text: block.source, table: block.table });
    else if (before?.kind === "prose") parts[parts.length - 1] = { kind: "prose", text: before.text + block.source };
    else parts.push({ kind: "prose", text: block.source });
  }
  return parts;
}

export function countTables(blocks: readonly SlackBlock[]): number {
  return blocks.reduce((sum, block) => {
    if (block.type === "table" || block.type === "data_table") return sum + 1;
    if (block.type !== "markdown" || !mayHoldTable.test(block.text)) return sum;
    return sum + markdownBlocks(block.text).filter(({ kind }) => kind === "table").length;
  }, 0);
}

/** A line of dashes and pipes, as below a table's header. */
const mayHoldTable = /^[ \t>]*(?=[:|-])(?=[ :|\t-]*-)(?=[ :|\t-]*\|)[ :|\t-]+$/m;
