/** An answer as it was written, with its tables and sources, for the clipboard. */

import { ownHref } from "../markdown.js";

export const copiedText = (blocks) => blocks.flatMap(textOf).join("\n\n");

function textOf(block) {
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

function cells(row) {
  return `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function sourceText({ number, title, url, from }) {
  const said = from === undefined ? "" : ` (${from})`;
  return `[${number}] ${title}${said}${url === undefined ? "" : ` ${ownHref(url)}`}`;
}
