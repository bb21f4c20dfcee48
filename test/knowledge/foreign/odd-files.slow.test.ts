/** Files that are too much of something, read by the child process: each ends with rows and a note, or with one sentence. */
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createForeignContent, type ForeignContent } from "../../../src/knowledge/foreign/foreign-content.ts";
import { createScratch, type Scratch } from "../../../src/knowledge/foreign/scratch.ts";
import { createTextReading } from "../../../src/knowledge/foreign/text-reading.ts";
import { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import type { RowsFormat } from "../../../src/knowledge/rows/row-format.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { encoded, inUtf16 } from "../files/reading.ts";

let scratch: Scratch;
let content: ForeignContent;

beforeAll(() => {
  scratch = createScratch({ log: silentLog });
  content = createForeignContent({ folder: scratch.folder, clock: systemClock, log: silentLog });
});

afterAll(async () => {
  await content.close();
  await scratch.close();
});

async function rowsOf(bytes: string | Uint8Array, format: RowsFormat = "csv"): Promise<unknown> {
  const body = await scratch.file();
  const into = await scratch.file();
  try {
    await writeFile(body.path, bytes);
    const how = { format, title: "t" };
    return await content.run("rows", { path: body.path, into: into.path, how }, { owner: "alice" });
  } catch (thrown) {
    if (thrown instanceof ReadFailure) return thrown.reason;
    throw thrown;
  } finally {
    await Promise.all([body.remove(), into.remove()]);
  }
}

describe("a table", () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(",");

  it.each<[string, string | Uint8Array, unknown]>([
    [
      "of a million rows",
      `a,b\n${"1,2\n".repeat(1_000_000)}`,
      "it has more than 100,000 rows: split it into several files",
    ],
    ["of 10,000 columns", `${names}\n${names}\n`, "it has 10,000 columns: at most 500 can be added"],
    [
      "of 10,000 columns with one name",
      `${"a,".repeat(10_000)}\n1\n`,
      "it has 10,001 columns: at most 500 can be added",
    ],
    ["of one column", `name\n${"Bolt\n".repeat(1_000)}`, { rows: 1_000 }],
    ["of headings alone", "name,price\n", "it has no rows"],
    [
      "with a quotation mark that isn't closed before 5 MB",
      `"name,price\n${`Bolt,${"1".repeat(100)}\n`.repeat(50_000)}`,
      { rows: 50_000, note: "a quotation mark in line 1 isn't closed and counts as a character" },
    ],
    [
      "with a quotation mark that isn't closed in each line",
      `name,price\n${'"Bolt,1\n'.repeat(20_000)}`,
      {
        rows: 20_000,
        note: expect.stringMatching(
          /^a quotation mark in line 2 and \d[\d,]* more isn't closed and counts as a character$/,
        ),
      },
    ],
    ["with inch marks in each line", `name,price\n${'5" pipe,1\n'.repeat(20_000)}`, { rows: 20_000 }],
    [
      "with a heading of 10,000 characters",
      `name,${"n".repeat(10_000)}\nBolt,1\n`,
      { rows: 1, note: "second heading shortened to 200 characters" },
    ],
    ["that is a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "it isn't text"],
    ["of NUL", Buffer.alloc(1_000_000), "it isn't text"],
    ["of quotation marks", '"'.repeat(1_000_001), "line 1 is longer than 1,000,000 characters"],
    [
      "in Shift-JIS",
      encoded("名前;都市;住所\n田中;東京;銀座一丁目\n鈴木;大阪;梅田三番\n", "shift_jis"),
      { rows: 2, note: "read as Shift-JIS" },
    ],
  ])("%s", async (_what, bytes, expected) => {
    expect(await rowsOf(bytes)).toEqual(expected);
  });
});

describe("the text of a file", () => {
  const options = { owner: "alice", signal: new AbortController().signal };

  it("is read in the child process where it isn't UTF-8", async () => {
    const readText = createTextReading({ content, scratch });
    const text = "Das Büro ist täglich geöffnet. Größere Lieferungen über das Tor.";

    expect(await readText(Buffer.from(text), options)).toEqual({ text });
    expect(await readText(encoded(text, "windows-1252"), options)).toEqual({ text, note: "read as Windows-1252" });
    expect(await readText(inUtf16(text, "BE"), options)).toEqual({ text, note: "read as UTF-16" });
    expect(await readText(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), options)).toBeUndefined();
    expect(await readText(Buffer.from(""), options)).toEqual({ text: "" });
  });
});
