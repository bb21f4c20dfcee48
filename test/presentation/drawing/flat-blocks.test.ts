/** Charts and folded details where a platform can draw neither. */
import { expect, it } from "vitest";
import type { Block, Document } from "../../../src/core/document.ts";
import { flatBlocks, say } from "../../../src/presentation/drawing.ts";
import { cutBlocks } from "../../../src/presentation/markdown/cut-blocks.ts";
import { documentText, plainDocument } from "../../../src/presentation/markdown/plain-text.ts";

const table = { columns: ["Month", "Orders"], rows: Array.from({ length: 40 }, (_, at) => [`Month ${at}`, `${at}`]) };

const chart: Block = {
  kind: "chart",
  chart: { kind: "bar", title: "Orders by month", categories: [], series: [], says: "Orders rose." },
  table,
};

const fold = {
  kind: "fold",
  title: say`1 source`,
  blocks: [
    { kind: "sources", sources: [{ number: 1, title: "Docs", excerpt: "Folded away." }] },
    { kind: "steps", earlier: 0, steps: [{ state: "done", title: say`Searched docs` }] },
  ],
  actions: [],
  quiet: say`support_agent · 12 s`,
  flat: [
    { kind: "sources", sources: [{ number: 1, title: "Docs" }] },
    { kind: "quiet", text: say`support_agent · 1 step · 12 s` },
  ],
} satisfies Block;

it("shows a chart as its table under the chart's title, and folded details as small print", () => {
  expect(flatBlocks([chart, fold, { kind: "divider" }])).toEqual([
    { kind: "table", table, caption: say`Orders by month` },
    ...fold.flat,
    { kind: "divider" },
  ]);
});

it("keeps both in the plain text of a document that was refused with formatting", () => {
  const document: Document = { tone: "done", blocks: [chart, fold], actions: [], summary: "Done." };

  for (const shown of [document, plainDocument(document)]) {
    expect(documentText(shown)).toContain("Orders by month");
    expect(documentText(shown)).toContain("Month 39");
    expect(documentText(shown)).toContain("[1] Docs");
    expect(documentText(shown)).toContain("support_agent · 1 step · 12 s");
  }
});

it("cuts a chart that is too long as its table, without losing a row", () => {
  const { kept, rest } = cutBlocks([chart], [], 1_000);

  const rows = [...kept, ...(rest?.blocks ?? [])].flatMap((block) => (block.kind === "table" ? block.table.rows : []));
  expect(rest).toBeDefined();
  expect(rows).toEqual(table.rows);
});

it("keeps folded details at the end of a long answer, and the sources without room in the rest", () => {
  const sources = Array.from({ length: 8 }, (_, at) => ({ number: at + 1, title: `Page ${at} `.repeat(10) }));
  const long: Block = { ...fold, blocks: [{ kind: "sources", sources }], flat: [{ kind: "sources", sources }] };

  const { kept, rest } = cutBlocks([], [long], 0, 250);

  const shown = kept.flatMap((block) => (block.kind === "fold" ? block.flat : []));
  const left = rest?.blocks ?? [];
  const numbers = [...shown, ...left].flatMap((block) => (block.kind === "sources" ? block.sources : []));
  expect(shown).toMatchObject([{ sources: { length: 3 } }]);
  expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
