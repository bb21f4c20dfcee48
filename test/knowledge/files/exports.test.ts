/** Tables as they leave Excel, databases and old programs: merged headings, drawn lines, marks at the end, UTF-32. */
import { describe, expect, it } from "vitest";
import { cellsOf, readFile } from "./reading.ts";

function inUtf32(text: string, order: "LE" | "BE"): Buffer {
  const codes = [...`\uFEFF${text}`].map((char) => {
    const bytes = Buffer.alloc(4);
    bytes[`writeUInt32${order}`](char.codePointAt(0) ?? 0);
    return bytes;
  });
  return Buffer.concat(codes);
}

describe("a column whose heading is a name that Parley gives", () => {
  it("keeps its values where a row far below has one more", async () => {
    const file = await readFile(`a,b,column 4\n${"1,2,3\n".repeat(300)}1,2,3,4\n`);

    expect(cellsOf(file).at(-1)).toEqual({ a: "1", b: "2", "column 4": "3", "column 4 2": "4" });
    expect(file.note).toBe("row 301 has one value too many, kept from “column 4 2” on");
  });

  it("keeps its name, and the column without a name gets another, which the note says", async () => {
    const file = await readFile("a,column 3,\n1,2,3\n4,5,6\n");

    expect(cellsOf(file)[0]).toEqual({ a: "1", "column 3": "2", "column 3 2": "3" });
    expect(file.note).toBe("third heading named “column 3 2”");
  });
});

describe("headings in two lines, with merged cells", () => {
  it.each([
    ["Region,2025,,2026,\n,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\n"],
    [",2025,,2026,\nRegion,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\n"],
  ])("become one: %j", async (text) => {
    const file = await readFile(text);

    expect(cellsOf(file)).toEqual([
      { Region: "North", "2025 Q1": "1", "2025 Q2": "2", "2026 Q1": "3", "2026 Q2": "4" },
    ]);
    expect(file.note).toBe("two lines of headings read as one");
  });

  it.each([
    ["name,,city\n,Smith,Bonn\n,Jones,Ulm\n"],
    ["name,,size\nBolt,steel,small\nNut,brass,large\n"],
    ["name,,price\nBolt,M8,3\nNut,M6,4\n"],
  ])("aren't seen in a heading without a name above data: %j", async (text) => {
    const file = await readFile(text);

    expect(file.rows).toHaveLength(2);
    expect(file.note).toBe("second heading named “column 2”");
  });
});

describe("what programs put around cells", () => {
  it.each([
    ["Markdown", "| Name | Price |\n|:---|---:|\n| Bolt | 3 |\n"],
    ["psql", " Name | Price\n------+-------\n Bolt | 3\n"],
    ["sqlcmd", "Name,Price\n----,-----\nBolt,3\n"],
  ])("is left out where it is the line below the headings: %s", async (_what, text) => {
    expect(cellsOf(await readFile(text))).toEqual([{ Name: "Bolt", Price: "3" }]);
  });

  it("is read as Excel shows it where it keeps the zeros of a number", async () => {
    const expected = [
      { name: "Ann", phone: "0049" },
      { name: "Bob", phone: "0050" },
    ];
    expect(cellsOf(await readFile('name,phone\nAnn,="0049"\nBob,"=""0050"""\n'))).toEqual(expected);
  });

  it("is no reason to refuse a file where it is DOS's mark of the end", async () => {
    expect(cellsOf(await readFile("a,b\r\n1,2\r\n\u001A"))).toEqual([{ a: "1", b: "2" }]);
    expect((await readFile("Open at nine.\r\n\u001A", "text")).rows[0]?.content).toBe("Open at nine.");
  });

  it("is a decimal comma, not a separator, in a table of one column", async () => {
    const file = await readFile("Weight\n1,5\n3,25\n");

    expect(cellsOf(file)).toEqual([{ Weight: "1,5" }, { Weight: "3,25" }]);
    expect(file.note).toBeUndefined();
  });
});

describe("UTF-32 with a byte order mark", () => {
  it.each(["LE", "BE"] as const)("is read, characters beyond 16 bits too: %s", async (order) => {
    const file = await readFile(inUtf32("Name;Größe\nBolt;3 m 😀\n", order));

    expect(cellsOf(file)).toEqual([{ Name: "Bolt", Größe: "3 m 😀" }]);
    expect(file.note).toBe("read as UTF-32");
  });

  it("costs one character where it is damaged or cut", async () => {
    const whole = inUtf32("Open from nine to five, every day of the week.", "LE");
    const file = await readFile(Buffer.concat([whole, Buffer.from([0, 0, 0, 0xff, 1])]), "text");

    expect(file.rows[0]?.content).toBe("Open from nine to five, every day of the week.\uFFFD\uFFFD");
    expect(file.note).toBe("read as UTF-32; 2 damaged characters shown as �");
  });
});
