import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth, wrapToWidth } from "../../../src/presentation/drawing/display-width.ts";
import { tableCsv, tableText } from "../../../src/presentation/drawing/table-text.ts";
import { markdownBlocks } from "../../../src/presentation/markdown/markdown-blocks.ts";
import { runs } from "../../properties.ts";

describe("a table as text", () => {
  it("is aligned, with numbers to the right", () => {
    const table = {
      columns: ["method", "days"],
      rows: [
        ["card", "14"],
        ["transfer", "21"],
      ],
    };

    expect(tableText(table)).toBe(
      ["method   │ days", "─────────┼─────", "card     │   14", "transfer │   21"].join("\n"),
    );
  });

  it("has amounts of money to the right, whatever sign they have, and cells without a value beside them", () => {
    const rows = [
      ["Vienna", "€48,200"],
      ["Kraków", "€-2,100"],
      ["Lisbon", "n/a"],
    ];

    expect(
      tableText({ columns: ["Office", "Revenue"], rows })
        .split("\n")
        .slice(2),
    ).toEqual(["Vienna │ €48,200", "Kraków │ €-2,100", "Lisbon │     n/a"]);
  });

  it("counts full-width characters and emoji as two columns", () => {
    const lines = tableText({
      columns: ["名前", "x"],
      rows: [
        ["👩‍👩‍👧‍👦", "a"],
        ["é̂bc", "b"],
      ],
    }).split("\n");

    expect(lines).toEqual(["名前 │ x", "─────┼──", "👩‍👩‍👧‍👦   │ a", "é̂bc  │ b"]);
  });

  it("wraps long cells inside their column and loses no word", () => {
    const long = "a rather long cell that does not fit into its column at all";

    const lines = tableText({ columns: ["key", "text"], rows: [["k", long]] }, { maxWidth: 30 }).split("\n");

    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(30);
    expect(
      lines
        .slice(2)
        .map((line) => line.slice(6))
        .join(" "),
    ).toBe(long);
  });

  it("becomes records when no width is enough", () => {
    const columns = Array.from({ length: 12 }, (_column, at) => `column ${at}`);

    const text = tableText({ columns, rows: [columns.map((_column, at) => `value ${at}`)] }, { maxWidth: 60 });

    expect(text.split("\n").slice(0, 3)).toEqual(["Row 1", "column 0: value 0", "column 1: value 1"]);
    expect(text).toContain("column 11: value 11");
  });

  it("breaks no word that is shorter than a column can be", () => {
    const columns = ["Plan", "What it includes", "Cancellation"];
    const rows = [
      ["Enterprise", "The whole upper floor with a private lift", "Full price within two weeks"],
      ["Starter", "A single bed by the window", "Free until the day before"],
    ];
    const words = (text: string) => text.split(/[\s│─┼]+/).filter((word) => word !== "");

    for (const maxWidth of [30, 40, 50, 78]) {
      const shown = words(tableText({ columns, rows }, { maxWidth }));
      for (const word of words([columns, ...rows].flat().join(" "))) expect(shown.join(" ")).toContain(word);
    }
  });

  it("never loses a column, and stays within its width", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(cell, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 12 }),
        (count, cells, height) => {
          const columns = Array.from({ length: count }, (_, at) => `c${at}`);
          const rows = Array.from({ length: height }, (_, at) =>
            columns.map((_column, to) => cells[(at * count + to) % cells.length] ?? ""),
          );

          const text = tableText({ columns, rows }, { maxWidth: 40 });

          if (text.startsWith("Row 1\n")) return;
          expect(text.split("\n")[0]?.split("│")).toHaveLength(count);
          for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(40 + 2);
        },
      ),
    );
  });

  it("keeps the cells beside one that is written from right to left in their places", () => {
    const text = tableText({ columns: ["city", "orders"], rows: [["القاهرة", "1021"]] });

    expect(text.split("\n").at(-1)).toBe("القاهرة\u200E │   1021");
  });

  it("says how many rows are missing", () => {
    expect(tableText({ columns: ["a"], rows: [["1"]], omittedRows: 1_200 })).toContain(
      "1,200 more rows not shown here.",
    );
  });

  it("keeps every visible character of every cell", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 10, max: 60 }),
        (rows, maxWidth) => {
          const visible = (text: string) => [...text.replace(/[\s│─┼\u200E]/g, "")].sort().join("");
          // Letters that cannot be seen (the Hangul fillers) are taken out as any invisible control is.
          const unseen = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
          const clean = rows.map((row) => row.map((value) => value.replace(unseen, "")));

          const text = tableText({ columns: ["A", "B", "C"], rows: clean }, { maxWidth });

          const isRecords = text.startsWith("Row 1");
          if (!isRecords) expect(visible(text)).toBe(visible(["A", "B", "C", ...clean.flat()].join("")));
          for (const line of isRecords ? [] : text.split("\n"))
            expect(displayWidth(line)).toBeLessThanOrEqual(maxWidth + 2);
        },
      ),
    );
  });

  it("wraps to at least one line, at spaces where there are any", () => {
    expect(wrapToWidth("", 5)).toEqual([""]);
    expect(wrapToWidth("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapToWidth("日本語日本語", 5)).toEqual(["日本", "語日", "本語"]);
  });
});

describe("a table as CSV", () => {
  it("quotes what needs quoting and ends lines as RFC 4180 does", () => {
    expect(
      tableCsv({
        columns: ["a", "b,c"],
        rows: [
          ['say "hi"', "two\nlines"],
          ["", " x "],
        ],
      }),
    ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n," x "\r\n');
  });

  it.each(["=1+1", "+cmd", "-cmd", "@SUM(A1)", "\t=1", "  =1+1", "-1+2", "\r=x"])("disarms %j", (cell) => {
    expect(
      tableCsv({ columns: ["a"], rows: [[cell]] })
        .split("\r\n")[1]
        ?.replace(/^"/, ""),
    ).toMatch(/^'/);
  });

  it.each(["-1", "+1.5", "1e-3", "-0.5E+10"])("leaves the number %s a number", (cell) => {
    expect(tableCsv({ columns: ["a"], rows: [[cell]] })).toBe(`a\r\n${cell}\r\n`);
  });
});

describe("Markdown taken apart", () => {
  const pieces = fc.constantFrom(
    "| a | b |\n",
    "|---|---|\n",
    "| 1 | 2 |\n",
    "```js\n",
    "```\n",
    "text\n",
    "\n",
    "# h\n",
    "- i\n",
    "~~~\n",
    "a | b\n",
    "-|-\n",
    "x",
    "\r\n",
  );

  it("is the same text when its blocks are joined", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
        (text) => {
          expect(
            markdownBlocks(text)
              .map((block) => block.source)
              .join(""),
          ).toBe(text);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  it("finds prose, tables and code in order", () => {
    const text = "Words.\n\n| a | b\\|c |\n|:--|--:|\n| 1 | 2 |\n| 3 |\n\nMore.\n```js\nlet x;\n\n```\nEnd.";

    expect(markdownBlocks(text)).toMatchObject([
      { kind: "markdown", source: "Words.\n\n" },
      {
        kind: "table",
        table: {
          columns: ["a", "b|c"],
          rows: [
            ["1", "2"],
            ["3", ""],
          ],
        },
        alignments: ["left", "right"],
      },
      { kind: "markdown", source: "\nMore.\n" },
      { kind: "code", text: "let x;\n", language: "js" },
      { kind: "markdown", source: "End." },
    ]);
  });

  it("doesn't read a line with a pipe, or a table inside a fence, as a table", () => {
    expect(markdownBlocks("a | b\nc | d\n").map((block) => block.kind)).toEqual(["markdown"]);
    expect(markdownBlocks("```\n| a |\n|---|\n```\n").map((block) => block.kind)).toEqual(["code"]);
  });

  it("is text where its rows hold hardly any of its cells: 100 kB would become 12 million", () => {
    const wide = `${"|a".repeat(240)}|\n${"|-".repeat(240)}|\n`;

    expect(markdownBlocks(wide + "|\n".repeat(1_000)).map((block) => block.kind)).toEqual(["markdown"]);
    expect(markdownBlocks(wide + "|||\n".repeat(10)).map((block) => block.kind)).toEqual(["table"]);
    expect(markdownBlocks(`|a|b|c|\n|-|-|-|\n${"|1\n".repeat(1_000)}`).map((block) => block.kind)).toEqual(["table"]);
  });

  it("keeps the cells of a row that has too many", () => {
    const [table] = markdownBlocks("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n");

    expect(table).toMatchObject({ table: { rows: [["1", "2 | 3"]] } });
  });
});
