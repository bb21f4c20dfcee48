/** Rows out of what people paste and attach. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReadFailure } from "../../src/knowledge/pages/read-failure.ts";
import { createReadingNotes } from "../../src/knowledge/rows/reading-notes.ts";
import { formatOfFile, formatOfText, type Row, type RowsFormat } from "../../src/knowledge/rows/row-format.ts";
import { readRows } from "../../src/knowledge/rows/rows.ts";
import { runs } from "../properties.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string | Uint8Array, format: RowsFormat, size = 7): Promise<Row[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const rows: Row[] = [];
  const how = { format, title: "Pasted" };
  for await (const row of readRows(() => pieces(bytes, size), how, createReadingNotes())) rows.push(row);
  return rows;
}

const reason = (text: string | Uint8Array, format: RowsFormat) =>
  rowsOf(text, format).then(
    () => "no failure",
    (failure: ReadFailure) => failure.reason,
  );

describe("rows", () => {
  it("come from JSON, one object or a list of them", async () => {
    expect(await rowsOf('[{"id": 7, "content": "Five days", "url": "https://example.com/"}]', "json")).toEqual([
      { id: "7", content: "Five days", title: "Pasted, row 1", url: "https://example.com/" },
    ]);
    expect(await rowsOf('{"rows": [{"content": "a"}, {"content": "b"}]}', "json")).toHaveLength(2);
    expect(await rowsOf('{"content": "a"}', "json")).toHaveLength(1);
  });

  it("come from JSON lines and from CSV with any usual separator", async () => {
    expect(await rowsOf('{"content":"a"}\n\n{"content":"b"}', "jsonl")).toHaveLength(2);
    for (const mark of [",", ";", "\t"]) {
      const text = `\uFEFFID${mark}Content\r\n1${mark}"Five${mark} ""or"" six\ndays"\r\n2${mark}Käse\r\n`;
      expect(await rowsOf(text, "csv")).toEqual([
        { id: "1", content: `Five${mark} "or" six\ndays`, title: "Pasted, row 1" },
        { id: "2", content: "Käse", title: "Pasted, row 2" },
      ]);
    }
  });

  it("that have no content column are found by all their values", async () => {
    expect(await rowsOf("plan,days\nfree,5", "csv")).toMatchObject([
      { plan: "free", days: "5", content: "plan: free\ndays: 5" },
    ]);
  });

  it("that have no title are named by their file and their place in it", async () => {
    const titles = (text: string, format: RowsFormat) =>
      rowsOf(text, format).then((rows) => rows.map(({ title }) => title));

    expect(await titles("id,content\n7,Five days\n9,Ten days", "csv")).toEqual(["Pasted, row 1", "Pasted, row 2"]);
    expect(await titles("title,content\n ,Five days\nShipping,Ten days", "csv")).toEqual(["Pasted, row 1", "Shipping"]);
    expect(await titles('{"content":"a","title":null}\n{"content":"b","title":"B"}', "jsonl")).toEqual([
      "Pasted, row 1",
      "B",
    ]);
    expect(await titles("A note", "text")).toEqual(["Pasted"]);
  });

  it("have the same id whenever they say the same", async () => {
    const [first, second, third] = await rowsOf('[{"content":"a"},{"content":"a"},{"content":"b"}]', "json");

    expect(first?.["id"]).toBe(second?.["id"]);
    expect(first?.["id"]).not.toBe(third?.["id"]);
  });

  it("of an old table are read in the table's encoding", async () => {
    expect(await rowsOf(Buffer.from("name,price\nKäse,5", "latin1"), "csv")).toMatchObject([{ name: "Käse" }]);
  });

  it.each<[string, RowsFormat, string]>([
    ['[{"content": "a"},\n {"content": b}]', "json", "invalid JSON at line 2, column 14"],
    ['{"content": "a"', "json", "invalid JSON at line 1, column 16"],
    ['[1, {"content":"a"}]', "json", "row 1 isn't an object"],
    ["[]", "json", "it has no rows"],
    ["a,b\n", "csv", "it has no rows"],
    ['[{"content": ""}]', "json", "row 1 has no content"],
    ["", "csv", "it's empty"],
    ["   \n", "text", "it's empty"],
    ["PK\0\0", "text", "it isn't text"],
  ])("says what is wrong with %j as %s", async (text, format, sentence) => {
    expect(await reason(text, format)).toBe(sentence);
  });

  it("do not depend on how their bytes are parted", async () => {
    const cell = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((text) => text.trim())
      .filter((text) => text !== "");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (cells, size) => {
          const csv = [
            "id,content",
            ...cells.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")),
          ].join("\n");
          const jsonl = cells.map(([id, content]) => JSON.stringify({ id, content })).join("\n");
          const expected = cells.map(([id, content], at) => ({ id, content, title: `Pasted, row ${at + 1}` }));

          expect(await rowsOf(csv, "csv", 4_096)).toEqual(expected);
          expect(await rowsOf(jsonl, "jsonl", size)).toEqual(expected);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("of a long table take no more memory than those of a short one", async () => {
    let most = 0;
    let given = 0;
    async function* endless() {
      yield new TextEncoder().encode("id,content\n");
      for (given = 0; given < 20_000; given += 1) yield new TextEncoder().encode(`${given},${"words ".repeat(20)}\n`);
    }
    let taken = 0;
    for await (const _row of readRows(endless, { format: "csv", title: "" }, createReadingNotes())) {
      taken += 1;
      most = Math.max(most, given - taken);
    }

    expect(taken).toBe(20_000);
    expect(most).toBeLessThan(2_000);
  });
});

describe("the format", () => {
  it.each<[string, RowsFormat]>([
    ['[{"a":1}]', "json"],
    ['{"a":1}', "json"],
    ['{"a":1}\n{"a":2}', "jsonl"],
    ["id,content\n1,a", "csv"],
    ["name;days\nfree;5", "csv"],
    ["Refunds take five days.", "text"],
    ["Well, that is how it is.\nAnd so it stays, I think.", "text"],
    ["[note] this is text", "text"],
  ])("of %j is %s", (text, format) => {
    expect(formatOfText(text)).toBe(format);
  });

  it("of a file is known from its extension", () => {
    expect(["a.CSV", "b.jsonl", "c.md", "d.pdf", "e"].map(formatOfFile)).toEqual([
      "csv",
      "jsonl",
      "text",
      undefined,
      undefined,
    ]);
  });
});
