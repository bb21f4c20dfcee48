/** docs/what-parley-reads.md says of files what the code does. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  maxColumnNameChars,
  maxColumns,
  maxLineChars,
  maxPageMegabytes,
  maxRowFileMegabytes,
  maxRows,
  maxWholeMegabytes,
} from "../../../src/knowledge/foreign/content-limits.ts";
import { fileProblem } from "../../../src/knowledge/jobs/content-work.ts";
import { encodings } from "../../../src/knowledge/rows/guess-encoding.ts";
import { numberText } from "../../../src/presentation/sentences.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const [, files = ""] = /\n## Files\n([\s\S]*?)(?=\n## |$)/.exec(read("docs/what-parley-reads.md")) ?? [];
/** The cells of each row that follows a head. */
const rows = files
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|(?:---|\s*What)/.test(line))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const rowOf = (words: string) => rows.find(([what]) => what?.includes(words))?.join(" | ") ?? "";

it("has the columns of every section", () => {
  expect(files.match(/^\| What \| Read \| Named but not read \| Ignored, and why \|$/gm)).toHaveLength(3);
  expect(rows.every((cells) => cells.length === 4)).toBe(true);
});

it("names every ending that is read, and no other", () => {
  const said = rows.flatMap(([what = ""]) => [...what.matchAll(/`(\.[a-z]+)`/g)].map(([, ending = ""]) => ending));
  const known = [
    ...read("src/knowledge/rows/row-format.ts").matchAll(/^ {2}([a-z]+): "(?:json|jsonl|csv|text)",$/gm),
  ].map(([, ending]) => `.${ending}`);

  expect(known).toHaveLength(10);
  expect(known.filter((ending) => !said.includes(ending))).toEqual([]);
  expect(said.filter((ending) => fileProblem({ name: `a${ending}`, sizeBytes: 1 }) !== undefined)).toEqual([]);
});

it("names every encoding", () => {
  for (const { shown } of encodings) expect(files).toMatch(new RegExp(`[ ,|]${shown}[ ,|]`));
});

it("names the limits", () => {
  const mega = (megabytes: number) => `${megabytes} MB`;

  expect(rowOf("`.txt`")).toContain(mega(maxWholeMegabytes));
  expect(rowOf("`.json`")).toContain(mega(maxWholeMegabytes));
  expect(rowOf("`.html`")).toContain(mega(maxPageMegabytes));
  expect(rowOf("`.jsonl`")).toContain(`${mega(maxRowFileMegabytes)} or ${numberText(maxRows)} rows`);
  expect(rowOf("`.csv` `.tsv`")).toContain(mega(maxRowFileMegabytes));
  expect(rowOf("`.csv` `.tsv`")).toContain(`${numberText(maxRows)} rows or ${maxColumns} columns`);
  expect(rowOf("`.csv` `.tsv`")).toContain(`${numberText(maxLineChars)} characters`);
  expect(rowOf("headings of more than")).toContain(`${maxColumnNameChars} characters`);
  expect(fileProblem({ name: "a.pdf", sizeBytes: 101 * 1024 ** 2 })).toContain("100 MB");
  expect(rowOf("`.pdf`")).toContain("100 MB");
});
