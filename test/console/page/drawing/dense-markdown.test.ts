/** Which Markdown the page shows as text, because its parser would stop the page for seconds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";
import { describe, expect, it } from "vitest";
import { isTooDense } from "../../../../adapters/console/page/drawing/dense-markdown.ts";

const length = 100_000;
const repeated = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

describe("Markdown of 100 kB", () => {
  it.each(["_a", "*a", "a\n-\n", ">", "[", "[a](", "`", "<", "|a", "[a]: b\n"])("that repeats %j is text", (piece) => {
    expect(isTooDense(repeated(piece))).toBe(true);
  });

  it.each([
    ["a list", repeated("- **a** and `b`\n")],
    ["a table", `|a|b|\n|-|-|\n${repeated("|*c*|`d`|\n")}`],
    ["paragraphs with links", repeated("See [the guide](https://example.com/a_b) and *read* it.\n\n")],
    ["blocks just below the limit", repeated(`${"_a".repeat(480)}\n\n`)],
    ["lines of an address", repeated("http://a.example/b_c\n\n")],
  ])("with %s is parsed", (_, text) => {
    expect(isTooDense(text)).toBe(false);
    expect(new Marked({ gfm: true }).parse(text, { async: false })).not.toBe("");
  });

  it("is text where lists are nested in each other four hundred times", () => {
    expect(isTooDense(Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"))).toBe(true);
  });
});

it("Parley's own documents are parsed", () => {
  const folder = join(import.meta.dirname, "../../../../docs");
  const dense = readdirSync(folder).filter(
    (name) => name.endsWith(".md") && isTooDense(readFileSync(join(folder, name), "utf8")),
  );
  expect(dense).toEqual([]);
});
