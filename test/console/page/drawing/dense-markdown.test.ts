/** Which Markdown the page shows as text, because its parser would stop the page for seconds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";
import { describe, expect, it } from "vitest";
import { hideCodeMarks, isTooDense, showCodeMarks } from "../../../../adapters/console/page/drawing/dense-markdown.ts";

const length = 100_000;
const repeated = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

describe("Markdown of 100 kB", () => {
  it.each(["_a", "*a", "a\n-\n", ">", "[", "[a](", "`", "<", "|a", "[a]: b\n", "+ ", " 1)\t", ">- ", "a(www."])(
    "that repeats %j is text",
    (piece) => {
      expect(isTooDense(repeated(piece))).toBe(true);
    },
  );

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

  it("is text where a long word could be an address of mail", () => {
    expect(isTooDense(`${repeated("a")}@`)).toBe(true);
    expect(isTooDense(repeated("ana@example.com "))).toBe(false);
  });

  it("is text where lists are nested in each other four hundred times", () => {
    expect(isTooDense(Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"))).toBe(true);
  });
});

const query = Array.from(
  { length: 130 },
  (_, at) => `  max(o.sum_in_eur_${at}) as "max_sum_in_eur_${at}", -- [all] * of <them>`,
);

describe("code between fences", () => {
  const drawn = (text: string) =>
    showCodeMarks(new Marked({ gfm: true }).parse(hideCodeMarks(text), { async: false }), (mark) =>
      mark === "<" ? "&lt;" : mark === ">" ? "&gt;" : mark,
    ).replaceAll("&quot;", '"');
  const inHtml = query.join("\n").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

  it.each([
    ["of 130 lines", ["Run **this**:", "", "```sql", ...query, "```", "", "Then *wait*."]],
    ["with longer marks", ["Run **this**:", "", "~~~~sql", ...query, "~~~", "```", "~~~~~", "", "Then *wait*."]],
    [
      "in a list",
      ["1. Run **this**:", "", "   ```sql", ...query.map((line) => `   ${line}`), "   ```", "", "   Then *wait*."],
    ],
  ])("%s doesn't count, and comes back as it was", (_, lines) => {
    const text = lines.join("\n");
    expect(isTooDense(text)).toBe(true);
    expect(isTooDense(hideCodeMarks(text))).toBe(false);
    const html = drawn(text);
    expect(html).toContain(inHtml);
    expect(html).toMatch(
      /<strong>this<\/strong>[\s\S]*<code class="language-sql">[\s\S]*<\/code>[\s\S]*<em>wait<\/em>/,
    );
  });

  it("doesn't count while its end hasn't arrived", () => {
    const html = drawn(["Run **this**:", "", "```sql", ...query].join("\n"));
    expect(html).toContain(inHtml);
    expect(isTooDense(hideCodeMarks(`\`\`\`\n${repeated("_a")}`))).toBe(false);
  });

  // The parser sees no fence there, or one that ends earlier. Marks that don't count must not reach it.
  it.each([
    ["a list that ends", `- a\n\n  \`\`\`\n${repeated("_a")}`],
    ["HTML", `<pre>\n\`\`\`\n</pre>\n\n${repeated("_a")}`],
    ["indented code", `    \`\`\`\n${repeated("a\n-\n")}`],
    ["a quote that ends", `> ~~~\n${repeated("[a](")}`],
  ])("that the parser takes for %s stops nothing", (_, text) => {
    const began = performance.now();
    expect(drawn(text).length).toBeGreaterThan(text.length / 2);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it.each([
    ["a line of code", `\`\`\`a\`\`\`\n${repeated("_a")}`],
    ["text after the code", `\`\`\`\na\n\`\`\`\n${repeated("_a")}`],
    ["text after a longer fence", `\`\`\`\na\n\`\`\`\`\n${repeated("_a")}`],
  ])("is no reason to parse %s", (_, text) => {
    expect(isTooDense(hideCodeMarks(text))).toBe(true);
  });

  it("brings no stand-in back as a mark", () => {
    expect(showCodeMarks(hideCodeMarks("\ufdd0\ufdd5"), () => "*")).toBe("\ufffd\ufffd");
  });
});

it("Parley's own documents are parsed", () => {
  const folder = join(import.meta.dirname, "../../../../docs");
  const dense = readdirSync(folder).filter(
    (name) => name.endsWith(".md") && isTooDense(readFileSync(join(folder, name), "utf8")),
  );
  expect(dense).toEqual([]);
});
