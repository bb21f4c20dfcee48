/**
 * Finds the tables in Markdown and decides which of them Slack can show as tables.
 * Slack allows one table in a message, as a table block or inside a markdown block, within its size limits. All others
 * become aligned code.
 */
import type { types } from "@slack/bolt";
import type { Table } from "../../../src/ports/model/turn.ts";
import { markdownBlocks } from "../../../src/presentation/markdown.ts";
import * as limits from "../limits.ts";

/** `prose` is everything that isn't a table; a table includes its Markdown source. */
export type TablePart =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "table"; readonly text: string; readonly table: Table };

/** Whether the table, including its header, is within Slack's limits. */
export function isWithinLimits(table: Table): boolean {
  const chars = [table.columns, ...table.rows].flat().reduce((sum, cell) => sum + Math.max(1, cell.length), 0);
  return (
    table.columns.length > 0 &&
    table.columns.length <= limits.maxTableColumns &&
    table.rows.length < limits.maxTableRows &&
    chars <= limits.maxTableChars
  );
}

/** Separates tables from prose, in order. A single table that fits stays in the prose. */
export function tableParts(markdown: string): readonly TablePart[] {
  if (!mayHoldTable.test(markdown)) return [{ kind: "prose", text: markdown }];
  const blocks = markdownBlocks(markdown);
  const tables = blocks.flatMap((block) => (block.kind === "table" ? [block.table] : []));
  if (tables.length < 2 && tables.every(isWithinLimits)) return [{ kind: "prose", text: markdown }];
  const parts: TablePart[] = [];
  for (const block of blocks) {
    const before = parts.at(-1);
    if (block.kind === "table") parts.push({ kind: "table", text: block.source, table: block.table });
    else if (before?.kind === "prose") parts[parts.length - 1] = { kind: "prose", text: before.text + block.source };
    else parts.push({ kind: "prose", text: block.source });
  }
  return parts;
}

export function countTables(blocks: readonly types.KnownBlock[]): number {
  return blocks.reduce((sum, block) => {
    if (block.type === "table") return sum + 1;
    if (block.type !== "markdown" || !mayHoldTable.test(block.text)) return sum;
    return sum + markdownBlocks(block.text).filter(({ kind }) => kind === "table").length;
  }, 0);
}

/** A line of dashes and pipes, as below a table's header. */
const mayHoldTable = /^[ \t>]*(?=[:|-])(?=[ :|\t-]*-)(?=[ :|\t-]*\|)[ :|\t-]+$/m;
