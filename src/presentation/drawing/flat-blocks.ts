/** Shows charts as their tables and folded details as their small print, for platforms that can't draw either. */
import type { Block } from "../../core/document.ts";
import { say } from "./inline.ts";

/** A block without charts and folds. */
export type FlatBlock = Exclude<Block, { readonly kind: "chart" | "fold" }>;

export function flatBlocks(blocks: readonly Block[]): readonly FlatBlock[] {
  return blocks.flatMap((block): readonly FlatBlock[] => {
    switch (block.kind) {
      case "chart":
        return [asTable(block)];
      case "fold":
        return flatBlocks(block.flat);
      default:
        return [block];
    }
  });
}

/** The table behind a chart, under the chart's title. */
export function asTable({ chart, table }: Extract<Block, { kind: "chart" }>): Extract<Block, { kind: "table" }> {
  return { kind: "table", table, caption: say`${chart.title}` };
}
