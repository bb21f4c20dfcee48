import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { halfWritten } from "../../../src/presentation/markdown.ts";
import { runs } from "../../properties.ts";

const cases: readonly (readonly [what: string, written: string, shown: string])[] = [
  ["plain words", "The refund takes two", "The refund takes two"],
  ["an open emphasis", "It is **very impor", "It is **very impor**"],
  ["an emphasis that has just begun", "It is **", "It is "],
  ["half of the mark that ends an emphasis", "It is **important*", "It is **important**"],
  ["emphasis within emphasis", "It **is _very", "It **is _very_**"],
  ["an emphasis before a space", "It **is ", "It **is**"],
  ["a product", "It costs 2 * 3 and 5*3", "It costs 2 * 3 and 5*3"],
  ["a name with underscores", "Set max_run_time", "Set max_run_time"],
  ["open code", "Run `npm inst", "Run `npm inst`"],
  ["code that has just begun", "Run `", "Run "],
  ["code with a star", "Run `a **b` and", "Run `a **b` and"],
  ["half a link's words", "See [the gui", "See "],
  ["half a link's address", "See [the guide](https://docs.exam", "See "],
  [
    "a whole link",
    "See [the guide](https://docs.example.com/a) and",
    "See [the guide](https://docs.example.com/a) and",
  ],
  ["half an image", "So:\n\n![a chart](https://exa", "So:\n\n"],
  ["half an address", "See https://docs.example.com/pri", "See "],
  [
    "an address with words after it",
    "See https://docs.example.com/prices for",
    "See https://docs.example.com/prices for",
  ],
  ["an open block of code", "So:\n\n```js\nlet a = 1;\nlet b", "So:\n\n```js\nlet a = 1;\nlet b"],
  ["half of the mark that opens a block", "So:\n\n``", "So:\n\n"],
  ["half of the language of a block", "So:\n\n```j", "So:\n\n"],
  ["half of the mark that closes a block", "```js\nlet a;\n``", "```js\nlet a;\n"],
  ["stars in a block of code", "```\n**a", "```\n**a"],
  ["the head of a table", "Prices:\n\n| Plan | Pri", "Prices:\n\n"],
  ["a whole head without its line", "Prices:\n\n| Plan | Price |\n", "Prices:\n\n"],
  ["half the line below a head", "Prices:\n\n| Plan | Price |\n|---|-", "Prices:\n\n"],
  ["half a row", "| Plan | Price |\n|---|---|\n| Pro | 1", "| Plan | Price |\n|---|---|\n"],
  ["whole rows", "| Plan | Price |\n|---|---|\n| Pro | 10 |\n", "| Plan | Price |\n|---|---|\n| Pro | 10 |\n"],
  ["a dash that would make a heading of the line above", "The plans\n-", "The plans\n"],
  ["half the number of a list item", "First\n1", "First\n"],
  ["a list item", "- **Pro", "- **Pro**"],
  ["an escaped star", "It costs \\*", "It costs \\*"],
  ["an escaped bracket", "Not a link: \\[", "Not a link: \\["],
  ["half of an escape", "It costs \\", "It costs "],
  ["an emphasis of which a part has ended", "***very* import", "***very* import**"],
  ["an emphasis that ended in two steps", "***very* important** and more", "***very* important** and more"],
  ["two emphases that end together", "*it is **so*** and more", "*it is **so*** and more"],
  ["an emphasis between words without spaces", "これは**重要", "これは**重要**"],
  ["a whole one between words without spaces", "これは**重要**", "これは**重要**"],
  ["a power of two", "It is 2**3 and", "It is 2**3 and"],
  ["code that holds a backtick", "Use ``a ` ", "Use ``a ` ``"],
  ["half an address in angle brackets", "See <https:", "See "],
  ["where a link leads that stands elsewhere", "See [it][1].\n\n[1]: ht", "See [it][1].\n\n"],
  ["half of its title", 'See.\n\n[1]: https://docs.example.com/a "Tit', "See.\n\n"],
  ["an emphasis of an earlier paragraph", "A ** b\n\nnow", "A ** b\n\nnow"],
];

describe("a text that is being written", () => {
  it.each(cases)("is shown without unfinished marks: %s", (_what, written, shown) => {
    expect(halfWritten(written)).toBe(shown);
  });

  it("is shown whole once it ends in a paragraph without marks", () => {
    const text =
      "# Plans\n\n| Plan | Price |\n|---|---|\n| Pro | 10 |\n\n**Pro** is [here](https://a.example.com).\n\n";

    expect(halfWritten(text)).toBe(text);
  });

  it("never loses more than its last lines, whatever was written", () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      "\n",
      "*",
      "**",
      "_",
      "`",
      "```",
      "|",
      "-",
      "[",
      "](",
      ")",
      "https://x.y/",
      "1.",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const shown = halfWritten(text);
        expect(halfWritten(`${text}\n\nDone.`).endsWith("Done.")).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(text.length + 40);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ["brackets", "[".repeat(50_000)],
    ["stars", "*".repeat(50_000)],
    ["stars that open and close", "***a* b** *c **d*** ".repeat(2_500)],
    ["stars that only open", "***a **b *c ".repeat(4_000)],
    ["brackets before a colon", "[".repeat(25_000) + "]:".repeat(12_000)],
    ["backticks", "` ``".repeat(12_000)],
    ["words in emphasis", "**a ".repeat(12_000)],
    ["rows", "| a ".repeat(12_000)],
  ])("is read in linear time: %s", (_what, text) => {
    const beganAt = performance.now();

    halfWritten(text);

    expect(performance.now() - beganAt).toBeLessThan(500);
  });
});
