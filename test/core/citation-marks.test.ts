/** Marks that cite passages, told from everything else in brackets, however a text is split. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkReader, honestMark, replaceMarks } from "../../src/agent-service/citation-marks.ts";

/** Passages 1 and 2 were sent. */
const isKnown = (number: number) => number === 1 || number === 2;
const honest = (text: string) => replaceMarks(text, (mark) => honestMark(mark, isKnown));

describe("a number without a passage", () => {
  it.each([
    ["Two days [1]. Four [9].", "Two days [1]. Four."],
    ["Two days [1][9], four[2][9].", "Two days [1], four[2]."],
    ["Both [1, 9] and [1-3] and [^9].", "Both [1] and [1] [2] and."],
    ["Both 【9】 and 【9†page】 and [passage 9].", "Both and and."],
    ["五日です[9]。", "五日です。"],
    ["Nothing at the end [9]", "Nothing at the end"],
  ])("is removed: %j", (written, shown) => {
    expect(honest(written)).toBe(shown);
  });

  it.each([
    "Read array[3], rows[3][4] and x_1[3].",
    "Set list = [9] and sizes=[1, 9].",
    "Set `list[3]` and ``a ` [3]``.",
    "```js\nlist[3] = [9];\n```",
    "~~~\n[3]\n```\n[9]\n~~~",
    "- step:\n    ```\n    [3]\n    ```",
    "```one line [3]``` and",
    "```js\n[3] is not closed",
    "A [link](https://x.example/[9]) and [the guide][9].",
    "A [9](https://x.example/nine) page.",
    "https://x.example/?a=[9]&b[9]=1",
    "The range [0, 5] and the year [2024].",
    "[9]: https://x.example",
    "\\[9\\] and [ ] and [x] and [",
    "- [ ] open\n- [x] done",
    "[1] and [2] stay.",
  ])("is left where it is something else: %j", (text) => {
    expect(honest(text)).toBe(text);
  });

  it("is removed after code as well", () => {
    expect(honest("```\n[9]\n```\nDone [9]. `a[9]` and [9].")).toBe("```\n[9]\n```\nDone. `a[9]` and.");
  });
});

const bits = [
  "[",
  "]",
  "9",
  "1",
  ", ",
  "(",
  ")",
  "`",
  "```",
  "\n",
  " ",
  "a",
  "【",
  "】",
  "†",
  "^",
  ":",
  "~~~",
  "\\",
  "0",
];

it("is the same however the text comes in pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom(...bits), { maxLength: 8 }), { maxLength: 12 }), (pieces) => {
      const reader = createMarkReader((mark) => honestMark(mark, isKnown));
      const inPieces = pieces.map((piece) => reader.push(piece.join(""))).join("") + reader.end();
      expect(inPieces).toBe(honest(pieces.flat().join("")));
    }),
  );
});

it("changes nothing but marks", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      expect(replaceMarks(text, ({ written }) => written)).toBe(text);
    }),
  );
});

it("takes no longer than the text is long, whatever is in it", () => {
  const parts = ["[1", "[1, ", "[1](", "[1](a", "`", "``a", "[", "【1†", "[passage ", " [9]", "```\n[9]\n", "[1]["];
  const beganMs = performance.now();
  for (const part of parts) honest(part.repeat(100_000 / part.length));

  expect(performance.now() - beganMs).toBeLessThan(5_000);
});
