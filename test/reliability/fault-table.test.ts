/** docs/reliability.md promises a test for each fault: each must be there, under the words that the table has for it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/reliability.md", root), "utf8");
const table = page.slice(page.indexOf("| fault |"), page.indexOf("\n## A Discord gateway"));
const rows = table
  .split("\n")
  .map((line) => line.split(" | "))
  .filter((cells) => cells.length === 3 && !/^\| (fault|---)/.test(cells[0] ?? ""))
  .map(([fault = "", , tests = ""]) => ({ fault: fault.replace(/^\| /, ""), tests }));

/** Whether one of its titles has these words. */
function hasTest(file: string, words: string): boolean {
  const source = readFileSync(new URL(file, root), "utf8");
  const titles = source.matchAll(/(?:\bit(?:\.\w+)?\(|\)\()\s*(?:"([^"]+)"|`([^`]+)`)/g);
  return [...titles].some(([, plain = "", template = ""]) => `${plain}${template}`.includes(words));
}

describe("the table of faults", () => {
  it.each(rows)("names the tests of: $fault", ({ tests }) => {
    const named = [...tests.matchAll(/`(test\/[^`]+\.ts)`: ([^`|]+)/g)].flatMap(([, file = "", words = ""]) =>
      words
        .replace(/[,|\s]+$/, "")
        .split("; ")
        .map((each) => ({ file, words: each })),
    );

    expect(named.length).toBeGreaterThan(0);
    expect(tests, "a file without words").not.toMatch(/\.ts`(?!: )/);
    expect(named.filter(({ file, words }) => !hasTest(file, words))).toEqual([]);
  });

  it("is read whole", () => {
    expect(rows.length).toBeGreaterThan(30);
  });
});
