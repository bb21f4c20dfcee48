/** Charts and folded details where a platform can draw neither. */
import { expect, it } from "vitest";
import type { Block, Document } from "../../src/ports/document.ts";
import { flatBlocks, inline } from "../../src/presentation/drawing.ts";
import { cutBlocks } from "../../src/presentation/markdown/cut-blocks.ts";
import { documentText, plainDocument } from "../../src/presentation/markdown/plain-text.ts";

const table = { columns: ["Month", "Orders"], rows: Array.from({ length: 40 }, (_, at) => [`Month ${at}`, `${at}`]) };

const chart: Block = {
  kind: "chart",
  chart: { kind: "bar", title: "Orders by month", categories: [], series: [], says: "Orders rose." },
  table,
};

const fold: Block = {
  kind: "fold",
  title: inline("1 source"),
  blocks: [{ kind: "sources", sources: [{ number: 1, title: "Docs" }] }],
};

it("shows a chart as its table under the chart's title, and folded details after their own title", () => {
  expect(flatBlocks([chart, fold, { kind: "divider" }])).toEqual([
    { kind: "table", table, caption: inline("Orders by month") },
    { kind: "quiet", text: inline("1 source") },
    ...(fold.kind === "fold" ? fold.blocks : []),
    { kind: "divider" },
  ]);
});

it("keeps both in the plain text of a document that was refused with formatting", () => {
  const document: Document = { tone: "done", blocks: [chart, fold], actions: [], summary: "Done." };

  for (const shown of [document, plainDocument(document)]) {
    expect(documentText(shown)).toContain("Orders by month");
    expect(documentText(shown)).toContain("Month 39");
    expect(documentText(shown)).toContain("1 source");
    expect(documentText(shown)).toContain("[1] Docs");
  }
});

it("cuts a chart that is too long as its table, without losing a row", () => {
  const { kept, rest } = cutBlocks([chart], [], 1_000);

  const rows = [...kept, ...(rest?.blocks ?? [])].flatMap((block) => (block.kind === "table" ? block.table.rows : []));
  expect(rest).toBeDefined();
  expect(rows).toEqual(table.rows);
});
