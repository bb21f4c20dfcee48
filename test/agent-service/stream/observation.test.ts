import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readObservation } from "../../../src/agent-service/mindsdb/observation.ts";
import { parseCsv, parseMarkdownTable } from "../../../src/agent-service/mindsdb/tables.ts";

function csvObservation(header: string, ...records: string[]): string {
  const columns = header
    .split(",")
    .map((column) => `'${column}'`)
    .join(", ");
  return `Output columns: ${columns}\nResult in CSV format (dialect is 'excel'):\n${[header, ...records].join("\r\n")}\r\n`;
}

/** As 26.x pads it. */
function markdown(columns: string[], rows: string[][]): string {
  const widths = columns.map((column, index) =>
    Math.max(2, column.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const line = (cells: string[]) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  return [line(columns), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

describe("CSV in Python's dialect", () => {
  it("gives back every cell that was written", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", "😀", '"', ",", "\n", "\r", "'", " ", "|") });
    const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        (records) => {
          const text = records.map((record) => `${record.map(quoted).join(",")}\r\n`).join("");

          expect(parseCsv(text)).toEqual(records);
        },
      ),
    );
  });

  it("keeps a last record without its line end, and an empty last cell", () => {
    expect(parseCsv("a,b\n1,")).toEqual([
      ["a", "b"],
      ["1", ""],
    ]);
  });

  it("keeps the text of a quote that is never closed", () => {
    expect(parseCsv('a,"open, and on\nand on')).toEqual([["a", "open, and on\nand on"]]);
  });
});

describe("the padded Markdown table", () => {
  it("gives back cells that hold pipes", () => {
    const table = parseMarkdownTable(
      markdown(
        ["id", "text"],
        [
          ["1", "a | b || c"],
          ["2", "|"],
        ],
      ),
    );

    expect(table?.rows).toEqual([
      ["1", "a | b || c"],
      ["2", "|"],
    ]);
  });

  it("puts a cell with raw line ends together again", () => {
    const text =
      "| id | text            |\n| -- | --------------- |\n| 1  | first\nsecond\nthird |\n| 2  | plain           |";

    expect(parseMarkdownTable(text)?.rows).toEqual([
      ["1", "first\nsecond\nthird"],
      ["2", "plain"],
    ]);
  });

  it("reads rows whose width in characters differs, as with emoji", () => {
    const text = "| id | text    |\n| -- | ------- |\n| 1  | 😀😀     |\n| 2  | plain   |";

    expect(parseMarkdownTable(text)?.rows).toEqual([
      ["1", "😀😀"],
      ["2", "plain"],
    ]);
  });

  it("gives every row as many cells as there are columns, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("|", " ", "-", "a", "\n") }), (rest) => {
        const table = parseMarkdownTable(`| a  | b  |\n| -- | -- |\n${rest}`);

        expect(table?.rows.every((row) => row.length === 2)).toBe(true);
      }),
    );
  });

  it("isn't a table without its separator", () => {
    expect(parseMarkdownTable("| a | b |\n| 1 | 2 |")).toBeUndefined();
  });
});

describe("an observation", () => {
  it("says the names that a list holds", () => {
    expect(readObservation('["docs", "my docs"]')).toEqual({
      outcome: { kind: "names", names: ["docs", "my docs"] },
      sources: [],
    });
  });

  it.each(["No knowledge bases found.", "[]", "", "  "])("found nothing: %j", (text) => {
    expect(readObservation(text).outcome).toEqual({ kind: "nothing" });
  });

  it.each([
    "Error: Table 'x' not found in database: mindsdb",
    "Error executing SQL query: busy",
    "No valid SQL query provided. Please provide a SQL query that includes SELECT",
    "Traceback (most recent call last):",
  ])("failed: %s", (text) => {
    expect(readObservation(text).outcome).toEqual({ kind: "failed" });
  });

  it("tells the row of an added answer by its own column, by its document's id and by its chunk's", () => {
    const rowIdIn = (header: string, record: string) =>
      readObservation(csvObservation(header, record)).sources.map(({ rowId }) => rowId);
    const metadata = `"{'title': 'x', 'answer_id': 'gap7', '_original_doc_id': 'answer-gap7'}"`;

    expect(rowIdIn("id,chunk_content,metadata", `7,text,${metadata}`)).toEqual(["answer-gap7"]);
    expect(rowIdIn("id,chunk_content", "answer-gap7,text")).toEqual(["answer-gap7"]);
    expect(rowIdIn("chunk_id,chunk_content", "answer-gap7:content:1of1:0to4,text")).toEqual(["answer-gap7"]);
    expect(rowIdIn("id,chunk_content", "chat-1,text")).toEqual([undefined]);
  });

  it("returns passages with title, URL, relevance and excerpt from the Python metadata", () => {
    const metadata = `"{'title': ""It's here"", 'url': 'https://docs.example.com/a', '_original_doc_id': '7'}"`;
    const text = csvObservation("id,chunk_content,metadata,relevance", `7,"Open, then close",${metadata},0.75`);

    expect(readObservation(text)).toEqual({
      outcome: { kind: "passages", count: 1, bestRelevance: 0.75 },
      sources: [
        { title: "It's here", url: "https://docs.example.com/a", relevance: 0.75, excerpt: "Open, then close" },
      ],
    });
  });

  it("falls back from title to URL, file, and document id", () => {
    const text = csvObservation(
      "id,chunk_content,metadata,relevance",
      `1,a,"{'url': 'https://docs.example.com/a'}",`,
      `2,b,"{'source': 'manual.txt'}",nan`,
      `3,c,"{'_original_doc_id': 'doc-3'}",x`,
      "4,d,None,",
    );

    expect(readObservation(text).sources).toEqual([
      { title: "https://docs.example.com/a", url: "https://docs.example.com/a", excerpt: "a" },
      { title: "manual.txt", excerpt: "b" },
      { title: "doc-3", excerpt: "c" },
      { title: "4", excerpt: "d" },
    ]);
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "ftp://host/x", "https://"])("stores no URL like %s", (url) => {
    const text = csvObservation("id,chunk_content,metadata", `1,a,"{'url': '${url}'}"`);

    expect(readObservation(text).sources[0]?.url).toBeUndefined();
  });

  it("cuts an excerpt at 300 characters without breaking one in two", () => {
    const text = markdown(["id", "chunk_content"], [["1", `${"a".repeat(299)}😀 and more`]]);

    expect(readObservation(text).sources[0]?.excerpt).toBe("a".repeat(299));
  });

  it("returns rows that aren't passages as a table", () => {
    expect(readObservation(csvObservation("plan,copies", "free,7", "paid,30"))).toEqual({
      outcome: { kind: "rows", count: 2 },
      sources: [],
      table: {
        columns: ["plan", "copies"],
        rows: [
          ["free", "7"],
          ["paid", "30"],
        ],
      },
    });
  });

  it("counts the rows beyond its limit", () => {
    const rows = Array.from({ length: 1200 }, (_, index) => String(index));
    const { outcome, table } = readObservation(csvObservation("a,b", ...rows.map((row) => `${row},x`)));

    expect(outcome).toEqual({ kind: "rows", count: 1200 });
    expect(table?.rows).toHaveLength(1000);
    expect(table?.omittedRows).toBe(200);
  });

  it("found nothing when there is a header and no row", () => {
    expect(readObservation(csvObservation("id,chunk_content")).outcome).toEqual({ kind: "nothing" });
  });
});
