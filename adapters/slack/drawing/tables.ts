/**
 * Tables. Slack takes one in a message, whether it is a table block or stands in a markdown block, and none beyond its
 * limits; the others are aligned code, which says the same.
 */
import type { types } from "@slack/bolt";
import type { Table } from "../../../src/ports/model/turn.ts";
import { markdownBlocks } from "../../../src/presentation/markdown.ts";
import * as limits from "../limits.ts";

/** Prose has everything that is no table; a table comes with its source. */
export type TablePart =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "table"; readonly text: string; readonly table: Table };

/** Whether Slack's tables have room for it, header included. */
export function isWithinLimits(table: Table): boolean {
  const chars = [table.columns, ...table.rows].flat().reduce((sum, cell) => sum + Math.max(1, cell.length), 0);
  return (
    table.columns.length > 0 &&
    table.columns.length <= limits.maxTableColumns &&
    table.rows.length < limits.maxTableRows &&
    chars <= limits.maxTableChars
  );
}

/** The text in order, tables apart. One table that fits stays where it is. */
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

/** A row of dashes and pipes. */
const mayHoldTable = /^[ \t>]*(?=[:|-])(?=[ :|\t-]*-)(?=[ :|\t-]*\|)[ :|\t-]+$/m;
