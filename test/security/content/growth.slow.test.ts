/**
 * Every parser that reads text from outside: ten times the text takes at most fifteen times as long, whichever odd character
 * the text consists of. Figures: `npm run bench -- parsers`.
 */
import { describe, expect, it } from "vitest";
import { type Growth, growthOf } from "./growth.ts";
import { oddPieces, outsideParsers } from "./outside-parsers.ts";

/** Ten is linear. */
const most = 15;

const grownTooFast = (found: readonly Growth[]) =>
  found
    .filter(({ ratio }) => ratio > most)
    .map(({ piece, ratio, ms }) => `${JSON.stringify(piece)}: ${ratio.toFixed(0)} times, ${ms.toFixed(0)} ms`);

describe("the measure", () => {
  it.each([
    [
      "copies for each word",
      (text: string) => text.split(" ").reduce<readonly string[]>((before, word) => before.concat(word), []),
      "abcdefg ",
    ],
    [
      "searches to the end for each quote",
      (text: string) => [...text.matchAll(/"/g)].filter(({ index }) => text.includes('" ', index)).length,
      '"abcdefghi',
    ],
  ])("sees what %s", async (_what, squared, piece) => {
    expect(grownTooFast(await growthOf(squared, [piece], most))).not.toEqual([]);
  });
});

describe.each(Object.entries(outsideParsers))("%s", (_kind, parsers) => {
  it.each(Object.entries(parsers))("%s", async (_name, parse) => {
    expect(grownTooFast(await growthOf(parse, oddPieces, most))).toEqual([]);
  });
});
