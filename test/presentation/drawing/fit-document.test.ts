import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Document } from "../../../src/core/document.ts";
import { drawWithin, fitNow } from "../../../src/presentation/drawing/fit-document.ts";
import { cutBlocks, restMarkdown } from "../../../src/presentation/markdown/cut-blocks.ts";
import { blockText, documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { splitMarkdown } from "../../../src/presentation/markdown/split-markdown.ts";
import { runs } from "../../properties.ts";

/** A platform of short messages. */
const draw = (document: Document) => splitMarkdown(documentText(document), { maxChars: 1_200 });
const room = { maxMessages: 4, charsPerMessage: 1_000 };

let next = 0;
const word = () => {
  next += 1;
  return `w${next}z`;
};
const words = (count: number) => Array.from({ length: count }, word).join(" ");

const count = fc.integer({ min: 0, max: 400 });
const block: fc.Arbitrary<Block> = fc.oneof(
  count.map((many): Block => ({ kind: "markdown", text: `${words(many)}\n\n${words(many)}\n` })),
  count.map((many): Block => ({ kind: "markdown", text: `\`\`\`\n${words(many).replaceAll(" ", "\n")}\n\`\`\`\n` })),
  count.map((many): Block => ({ kind: "markdown", text: `${"\n".repeat(many)}${words(3)}${"\n".repeat(many * 9)}` })),
  count.map((many): Block => ({ kind: "text", text: [{ text: words(many) }] })),
  count.map((many): Block => ({ kind: "code", text: words(many).replaceAll(" ", "\n") })),
  count.map(
    (many): Block => ({
      kind: "table",
      table: { columns: ["a", "b"], rows: Array.from({ length: many }, () => [word(), word()]) },
    }),
  ),
  count.map(
    (many): Block => ({ kind: "list", items: Array.from({ length: many }, () => ({ text: [{ text: word() }] })) }),
  ),
);

const tail = fc
  .tuple(count, fc.integer({ min: 1, max: 20 }), fc.boolean())
  .map(([many, few, isFolded]): readonly Block[] => {
    const sources = { kind: "sources" as const, sources: Array.from({ length: many }, (_, number) => named(number)) };
    const flat: readonly Block[] = [sources, { kind: "quiet", text: [{ text: words(few) }] }];
    return isFolded ? [{ kind: "fold", title: [], blocks: [sources], actions: [], quiet: [], flat }] : flat;
  });
const named = (number: number) => ({ number, title: word() });

const documents = fc
  .tuple(fc.array(block, { maxLength: 6 }), fc.oneof(fc.constant([]), tail))
  .map(([body, end]): Document => ({ tone: "done", blocks: [...body, ...end], actions: [], summary: "summary" }));

describe("a document that is fitted", () => {
  it("loses no word, whatever it contains, and uses no more messages than allowed", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { pages, rest } = fitNow(document, room, draw);
        const shown = pages.map(documentText).join("\n");
        const over = rest === undefined ? "" : [...restMarkdown(rest)].join("");
        const expected = documentText(document).match(/w\d+z/g) ?? [];

        expect([...`${shown}\n${over}`.matchAll(/w\d+z/g)].map(([found]) => found).sort()).toEqual(expected.sort());
        expect(pages.reduce((sum, page) => sum + draw(page).length, 0)).toBeLessThanOrEqual(room.maxMessages);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(
    (["text", "markdown"] as const).flatMap((kind) => [
      [kind, "a word alone", "w0123456789z"] as const,
      [kind, "a word behind a short one", "w1z w0123456789z"] as const,
    ]),
  )("of %s isn't cut inside %s", (kind, _where, text) => {
    const block: Block = kind === "text" ? { kind, text: [{ text }] } : { kind, text };
    for (let budget = 0; budget < 60; budget += 1) {
      const { kept, rest } = cutBlocks([block], [], budget);
      const parts = [...kept, ...(rest?.blocks ?? [])].map(blockText);

      expect(parts.join("")).toBe(text);
      for (const part of parts) expect(part.trim()).toMatch(/^(w\d+z ?)+$/);
    }
  });

  it("shows only the first rows of a table that it offers as CSV, where the platform says how many", () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => [`row ${at}`]);
    const table: Block = { kind: "table", table: { columns: ["a"], rows, omittedRows: 7 } };
    const offering: Document = {
      tone: "done",
      blocks: [table],
      actions: [{ id: "csv", label: "Get CSV", value: "turn1", style: "plain" }],
      summary: "summary",
    };
    const fitted = (document: Document) => fitNow(document, { ...room, maxTableRows: 30 }, draw);

    expect(fitted(offering)).toMatchObject({
      pages: [{ blocks: [{ table: { rows: rows.slice(0, 30), omittedRows: 4_977 } }] }],
    });
    expect(fitted(offering).rest).toBeUndefined();
    expect(fitted({ ...offering, actions: [] }).rest).toBeDefined();
  });

  it("shows only the first rows of a table within the text too, unless the CSV holds another table", () => {
    const row = (at: number) => `| ${at} | x |\n`;
    const rows = Array.from({ length: 12 }, (_, at) => row(at)).join("");
    const text = `Before.\n\n| a | b |\n|---|---|\n${rows}\nAfter.`;
    const csv = { id: "csv", label: "Get CSV", value: "turn1", style: "plain" } as const;
    const offering = (blocks: readonly Block[]): Document => ({ tone: "done", blocks, actions: [csv], summary: "s" });
    const shown = (blocks: readonly Block[]) => {
      const { pages } = fitNow(offering(blocks), { ...room, maxTableRows: 10 }, draw);
      return pages.flatMap((page) => page.blocks.map(blockText)).join("\n");
    };

    // The CSV has only the tables of the beginning of a text.
    expect(shown([{ kind: "markdown", text: `${text}${"x".repeat(100_000)}` }])).toContain(row(11));
    const short = shown([{ kind: "markdown", text }]);
    expect(short).toContain(`${row(9)}\n2 more rows not shown here.\n\n\nAfter.`);
    expect(short).not.toContain(row(10));
    expect(
      shown([
        { kind: "markdown", text },
        { kind: "table", table: { columns: ["a"], rows: [["1"]] } },
      ]),
    ).toContain(row(11));
  });

  it("is cut in a word that is longer than a line", () => {
    const { kept, rest } = cutBlocks([{ kind: "text", text: [{ text: "x".repeat(3_000) }] }], [], 1_000);

    expect(kept.map(blockText).join("").length).toBeGreaterThan(900);
    expect([...kept, ...(rest?.blocks ?? [])].map(blockText).join("")).toBe("x".repeat(3_000));
  });

  it("says how much is not shown where no file can follow", async () => {
    const text = words(2_000);
    const { pages } = await drawWithin(
      { tone: "info", blocks: [{ kind: "markdown", text }], actions: [], summary: "s" },
      room,
      draw,
      async () => undefined,
    );

    expect(pages.map(documentText).join("")).toMatch(/Shortened: [\d,]+ more characters not shown\.$/);
    expect(pages.flatMap(draw).length).toBeLessThanOrEqual(room.maxMessages);
  });
});
