/** JSON and JSON lines as people and programs write them are read, and what is broken is named. */
import { describe, expect, it } from "vitest";
import { cellsOf, inUtf16, readFile } from "./reading.ts";

const rows = [{ name: "Bolt" }, { name: "Nut" }];
const repaired = "trailing commas and comments ignored";

describe("JSON", () => {
  it.each<[string, string | Uint8Array, string | undefined]>([
    ["with a byte order mark", '\uFEFF[{"name":"Bolt"},{"name":"Nut"}]', undefined],
    ["in UTF-16", inUtf16('\uFEFF[{"name":"Bolt"},{"name":"Nut"}]', "LE"), "read as UTF-16"],
    ["with trailing commas", '[{"name":"Bolt",},{"name":"Nut"},]', repaired],
    ["with comments", '// parts\n[{"name":"Bolt"}, /* small */ {"name":"Nut"}]', repaired],
    ["below “rows”", '{"rows":[{"name":"Bolt"},{"name":"Nut"}]}', undefined],
    ["that has one object a line", '{"name":"Bolt"}\n{"name":"Nut"}\n', undefined],
  ])("%s is read", async (_what, content, note) => {
    const file = await readFile(content, "json");

    expect(cellsOf(file)).toEqual(rows);
    expect(file.note).toBe(note);
  });

  it("skips objects without values", async () => {
    const file = await readFile('[{"name":"Bolt"},{},{"name":""},{"name":"Nut"}]', "json");

    expect(cellsOf(file)).toEqual(rows);
    expect(file.note).toBe("2 empty rows skipped");
  });

  it("that is broken is refused with line and column", async () => {
    expect((await readFile('[{"name":"Bolt"},\n{"name":}]', "json")).reason).toBe("invalid JSON at line 2, column 9");
  });
});

describe("JSON lines", () => {
  it.each<[string, string, string | undefined]>([
    ["with a byte order mark", '\uFEFF{"name":"Bolt"}\r\n{"name":"Nut"}\r\n', undefined],
    ["with commas behind them", '{"name":"Bolt"},\n{"name":"Nut",}\n', repaired],
    ["that are a list", '[\n{"name":"Bolt"},\n{"name":"Nut"}\n]\n', repaired],
    ["of which one is broken", '{"name":"Bolt"}\n{"name":\n{"name":"Nut"}\n', "line 2 left out: invalid JSON"],
    ["of which one is no object", '{"name":"Bolt"}\n5\n{"name":"Nut"}\n', "line 2 left out: invalid JSON"],
    [
      "of which several are broken",
      '{"name":"Bolt"}\n{"name":\n\n{"name":"Nut"}\n{"na',
      "line 2 and 1 other line left out: invalid JSON",
    ],
  ])("%s are read", async (_what, content, note) => {
    const file = await readFile(content, "jsonl");

    expect(cellsOf(file)).toEqual(rows);
    expect(file.note).toBe(note);
  });

  it("of which none can be read are refused", async () => {
    expect((await readFile('{"name":}\n{"na', "jsonl")).reason).toBe("invalid JSON at line 1, column 9");
  });
});
