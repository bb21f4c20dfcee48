/** An answer as it was written, with its tables and sources, for the clipboard. */

import type { Block } from "../../../../../src/core/document.ts";
import { ownHref } from "../markdown.ts";

export const copiedText = (blocks: readonly Block[]): string => blocks.flatMap(textOf).join("\n\n");

function textOf(block: Block): readonly string[] {
  switch (block.kind) {
    case "markdown":
      return [block.text];
    case "chart":
    case "table": {
      const { columns, rows } = block.table;
      return [[cells(columns), cells(columns.map(() => "---")), ...rows.map(cells)].join("\n")];
    }
    case "sources":
      return [block.sources.map(sourceText).join("\n")];
    case "fold":
      return block.blocks.flatMap(textOf);
    default:
      return [];
  }
}

function cells(row: readonly string[]): string {
  return `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function sourceText({
  number,
  title,
  url,
  from,
}: Extract<Block, { readonly kind: "sources" }>["sources"][number]): string {
  const said = from === undefined ? "" : ` (${from.map(({ text }) => text).join("")})`;
  return `[${number}] ${title}${said}${url === undefined ? "" : ` ${ownHref(url)}`}`;
}
