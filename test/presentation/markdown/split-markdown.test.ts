import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdown } from "../../../src/presentation/markdown/split-markdown.ts";
import { runs } from "../../properties.ts";
import { joinMarkdown } from "./join-markdown.ts";

/** Pieces that hurt: fences of every kind, tables, lists, links, marks without partners, clusters, blanks. */
const nasty = fc.constantFrom(
  "```js\n",
  "```\n",
  "``` ",
  "```",
  "~~~~\n",
  "~~~",
  "````md\n",
  "````",
  "  ```py\n",
  "- ```sh\n",
  "> ```\n",
  "    ```\n",
  "`",
  "``",
  "| a | b |\n|---|---|\n",
  "| a | b |\n",
  "|---|---|\n",
  "| 1 | 2 |\n",
  "|",
  "a | b\n-|-\n1 | 2\n",
  "| a | b |",
  "\n|---|---|",
  "- item\n",
  "  - nested item\n",
  "1. one\n",
  "# Heading\n",
  "> quote\n",
  "\n",
  "\n\n",
  "\r\n",
  " ",
  "  ",
  "\t",
  "[label](https://example.com/a(b)c)",
  "**bold words here**",
  "*it*",
  "__",
  "[",
  "](",
  "<https://a.b>",
  "A sentence. Another one! ",
  "word ",
  "verylongwordwithoutanyblankinside",
  "👩‍👩‍👧‍👦",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "é̂",
  "日本語。",
  "\uD83D",
  "\uDE00",
  "🇩🇪",
);
const nastyText = fc
  .array(fc.oneof({ weight: 4, arbitrary: nasty }, { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) }), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(""));

const bytes = (text: string) => Buffer.byteLength(text);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").length;

describe("splitting and joining", () => {
  it("gives back exactly the whole, in parts that fit and are not empty", () => {
    fc.assert(
      fc.property(nastyText, fc.integer({ min: 4, max: 120 }), (text, maxChars) => {
        const parts = splitMarkdown(text, { maxChars });

        expect(joinMarkdown(parts)).toBe(text);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(maxChars);
        if (text !== "") expect(parts).not.toContain("");
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each([
    ["bytes", bytes],
    ["escaped length", escaped],
  ] as const)("holds for a limit in %s", (_name, measure) => {
    fc.assert(
      fc.property(nastyText, fc.integer({ min: 40, max: 200 }), (text, max) => {
        const parts = splitMarkdown(text, { max, measure });

        expect(joinMarkdown(parts)).toBe(text);
        for (const part of parts) expect(measure(part)).toBeLessThanOrEqual(max);
      }),
      { numRuns: runs(500) },
    );
  });

  it("never cuts a grapheme cluster that fits", () => {
    const cluster = fc.constantFrom("👩‍👩‍👧‍👦", "🇩🇪", "é̂", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्षि", "a", "日", " ");
    const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });
    const segments = (text: string) => [...clusters.segment(text)].map(({ segment }) => segment);
    fc.assert(
      fc.property(
        fc.array(cluster, { minLength: 10, maxLength: 80 }),
        fc.integer({ min: 16, max: 60 }),
        (pieces, maxChars) => {
          const text = pieces.join("");

          const parts = splitMarkdown(text, { maxChars });

          expect(parts.flatMap(segments)).toEqual(segments(text));
        },
      ),
    );
  });

  it.each([
    ["a fence that opens right after one that closed", "```\na\n```\n``` js and more words of info\nb\n```\n"],
    ["a closing line with blanks behind it", `\`\`\`\nab\n\`\`\`${" ".repeat(90)}\nwords`],
    [
      "a mark like the closing one in a fence too long to repeat",
      `\`\`\`${"i".repeat(60)}\n${"abcd\n``` no end\n".repeat(9)}`,
    ],
    ["a table whose header comes again as a row", `${"| a | b |\n|---|---|\n".repeat(9)}`],
    ["a fence that holds closing lines of a shorter one", `\`\`\`\`md\n${"```js\nx\n```\n".repeat(9)}\`\`\`\`\n`],
  ])("is not misled by %s", (_name, text) => {
    for (let maxChars = 4; maxChars <= text.length + 1; maxChars += 1) {
      expect(joinMarkdown(splitMarkdown(text, { maxChars }))).toBe(text);
    }
  });

  it("uses a text that fits unchanged", () => {
    expect(splitMarkdown("# All of it\n\n```js\n1\n```", { maxChars: 100 })).toEqual(["# All of it\n\n```js\n1\n```"]);
    expect(splitMarkdown("", { maxChars: 100 })).toEqual([""]);
  });

  it("refuses a limit without room", () => {
    expect(() => splitMarkdown("text", { maxChars: 3 })).toThrow(RangeError);
    expect(() => splitMarkdown("text", { maxChars: Number.NaN })).toThrow(RangeError);
  });
});

describe("where it cuts", () => {
  it("closes a code fence and opens it again with the same info string", () => {
    const text = `\`\`\`python title="x"\n${"print(1)\n".repeat(20)}\`\`\`\n`;

    const parts = splitMarkdown(text, { maxChars: 100 });

    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(part.startsWith('```python title="x"\n')).toBe(true);
      expect(part.trimEnd().endsWith("\n```")).toBe(true);
    }
  });

  it("begins the rest of a table with its header", () => {
    const head = "| method | days |\n|---|---:|\n";
    const text = `${head}${Array.from({ length: 20 }, (_row, at) => `| card ${at} | ${at} |\n`).join("")}`;

    const parts = splitMarkdown(text, { maxChars: 120 });

    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.startsWith(head)).toBe(true);
  });

  it("keeps a fence and a table whole when they fit a part of their own", () => {
    const fence = `\`\`\`sql\n${"SELECT 1;\n".repeat(6)}\`\`\`\n`;
    const table = `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(6)}`;
    const text = `${"Some words before it. ".repeat(3)}\n\n${fence}\n${"Words between. ".repeat(3)}\n\n${table}`;

    const parts = splitMarkdown(text, { maxChars: 120 });

    expect(parts.some((part) => part.includes(fence))).toBe(true);
    expect(parts.some((part) => part.includes(table))).toBe(true);
  });

  it("cuts between paragraphs before sentences, and sentences before words", () => {
    const paragraph = "One sentence is here. Two sentences are here.";

    expect(splitMarkdown(`${paragraph}\n\n${paragraph}`, { maxChars: 60 })).toEqual([`${paragraph}\n\n`, paragraph]);
    expect(splitMarkdown(paragraph, { maxChars: 40 })).toEqual(["One sentence is here. ", "Two sentences are here."]);
  });

  it.each([
    ["a link", "Words before [a label of words](https://example.com/path) and after."],
    ["inline code", "Words before `some code with words in` and after all of it."],
    ["emphasis", "Words before **some strong words that shout** and after it all."],
  ])("does not break %s", (_name, text) => {
    const inner = /\[.*\)|`.*`|\*\*.*\*\*/.exec(text)?.[0] ?? "";

    for (let maxChars = inner.length + 2; maxChars < text.length; maxChars += 1) {
      const parts = splitMarkdown(text, { maxChars });
      expect(
        parts.some((part) => part.includes(inner)),
        `${maxChars}: ${JSON.stringify(parts)}`,
      ).toBe(true);
    }
  });

  it("doesn't read four spaces as a fence at the top level, but does inside a list", () => {
    const indented = `    \`\`\`\n${"words of plain text. ".repeat(10)}`;
    const listed = `1. Do this:\n    \`\`\`sh\n${"    run it\n".repeat(20)}    \`\`\`\n`;

    expect(splitMarkdown(indented, { maxChars: 80 })[1]).not.toContain("```");
    expect(splitMarkdown(listed, { maxChars: 80 })[1]).toMatch(/^ {4}```sh\n/);
  });

  it("leaves no heading alone at the end of a part", () => {
    const section = "## Heading\n\nA paragraph of some length stands under it.\n\n";

    for (let maxChars = 70; maxChars < 200; maxChars += 1) {
      for (const part of splitMarkdown(section.repeat(8), { maxChars })) expect(part).not.toMatch(/## Heading\s*$/);
    }
  });

  it("leaves no list item, heading or sentence in two when there is a better place", () => {
    const text = `# Title\n\n${Array.from({ length: 12 }, (_item, at) => `- item ${at} with some words\n`).join("")}`;

    const parts = splitMarkdown(text, { maxChars: 90 });

    for (const part of parts.slice(1)) expect(part).toMatch(/^- item/);
  });
});

describe("its cost", () => {
  /** Work is counted, not timed: how many characters were measured in all. */
  function measured(text: string, max: number): number {
    let chars = 0;
    const parts = splitMarkdown(text, {
      max,
      measure: (piece) => {
        chars += piece.length;
        return piece.length;
      },
    });
    expect(joinMarkdown(parts)).toBe(text);
    return chars;
  }

  it.each([
    ["one line", "word ".repeat(20_000)],
    ["no blank at all", "x".repeat(100_000)],
    ["a fence", `\`\`\`js\n${"call();\n".repeat(12_000)}`],
    ["a table", `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(10_000)}`],
    ["backticks", "`".repeat(100_000)],
    ["runs of backticks", Array.from({ length: 400 }, (_run, at) => "`".repeat(at)).join(" ")],
    ["brackets", "[a](".repeat(25_000)],
    ["stars", "**a ".repeat(25_000)],
    ["a fence mark as long as the text", `\`\`\`${" ".repeat(100_000)}`],
  ])("grows with the text alone: %s", (_name, text) => {
    expect(measured(text, 40)).toBeLessThan(text.length * 40);
  });
});
