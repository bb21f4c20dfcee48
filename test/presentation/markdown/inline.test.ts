/** The marks within a paragraph: what they are, that nothing of the text is lost, and that no text takes long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usedMs } from "../../../bench/own-work.ts";
import { type InlineToken, inlineTokens, piecesOf, plainText } from "../../../src/presentation/markdown.ts";
import { runs } from "../../properties.ts";

/** "<bold>" and "</bold>" for marks, the kind before what is no text. */
function said(tokens: readonly InlineToken[]): string {
  return tokens
    .map((token) => {
      switch (token.kind) {
        case "open":
          return `<${token.style}>`;
        case "close":
          return `</${token.style}>`;
        case "link":
        case "image":
          return `{${token.kind} ${said(token.label)} → ${token.address}}`;
        case "code":
          return `{code ${token.text}}`;
        case "url":
          return `{url ${token.address}}`;
        default:
          return token.source;
      }
    })
    .join("");
}

describe("inline marks", () => {
  it.each([
    ["a **b *c* d** e", "a <bold>b <italic>c</italic> d</bold> e"],
    ["***a* b** x", "<bold><italic>a</italic> b</bold> x"],
    ["*it is **so***", "<italic>it is <bold>so</bold></italic>"],
    ["__a__ ~~b~~ ~c~", "<bold>a</bold> <struck>b</struck> ~c~"],
    ["5*3*2, 2**3, snake_case_x, 2 * 3 * 4", "5*3*2, 2**3, snake_case_x, 2 * 3 * 4"],
    ["src/**/*.ts, /api/*/users/*, kb.*list|.*(kb", "src/**/*.ts, /api/*/users/*, kb.*list|.*(kb"],
    ["これは**重要**で、**「次」**も", "これは<bold>重要</bold>で、<bold>「次」</bold>も"],
    ["[a [b] c](https://x.y/a(b)c 'title')", "{link a [b] c → https://x.y/a(b)c}"],
    ["[![cat](a.png)](b)", "{link {image cat → a.png} → b}"],
    ["*[a*](b)", "*{link a* → b}"],
    ["[a [b](c) d](e)", "[a {link b → c} d](e)"],
    ["`` a`b `` and `c", "{code a`b} and `c"],
    ["[a `](b)`", "[a {code ](b)}"],
    ["<https://a.b/`> (https://c.d/e_f).", "{url https://a.b/`} ({url https://c.d/e_f})."],
    ["\\*a\\* \\[b](c)", "\\*a\\* \\[b](c)"],
  ])("of %j are %s", (text, tokens) => {
    expect(said(inlineTokens(text))).toBe(tokens);
  });

  const piece = fc.constantFrom(
    ..."*_~`[]()<>!\\ \n|#-1.a漢👩",
    "**",
    "***",
    "](",
    "![",
    "https://a.b/",
    "<https://a",
    "- ",
    "> ",
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

  it("lose nothing of the text, and are properly nested", () => {
    fc.assert(
      fc.property(text, (written) => {
        const tokens = inlineTokens(written);
        expect(tokens.map(({ source }) => source).join("")).toBe(written);
        expect(Array.from(piecesOf(written), ({ source }) => source).join("")).toBe(written);
        const open: string[] = [];
        for (const token of tokens) {
          if (token.kind === "open") open.push(token.style + token.source);
          if (token.kind === "close") expect(open.pop()).toBe(token.style + token.source);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe("plain words", () => {
  it.each([
    ["run `f[0](x)` or `__init__`", "run f[0](x) or __init__"],
    ["```sql\nSELECT '**a**' || b\n```", "SELECT '**a**' || b"],
    ["Travel | Acme Help", "Travel | Acme Help"],
    ["| cut | from |\n| a | table |", "cut from a table"],
    ["**cut in a wo", "cut in a wo"],
    ["It is 2**3", "It is 2**3"],
    ["1986. A year\n1. an item", "1986. A year an item"],
    ["see <https://example.com/x>", "see https://example.com/x"],
    ["See [the guide][g].\n\n[g]: https://example.com/g", "See the guide. [g]: https://example.com/g"],
  ])("of %j are %j", (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});

/** Each took the parser of the page from a tenth of a second to 40 seconds, or all of the memory. */
const hostile = [
  ...["*a", "_a", "**a ", "***a* b** *c **d*** ", "[", "[a](", "![a](", "[[a]", "``a`", "` ``", ">", "<"],
  ...["<b><i>", "|a", "|a|b|\n|-|-|\n|1|2|\n\n", "- a\n", "a\n-\n", "a\n=\n", "&#"],
];

it.each(hostile)("are read of 100,000 characters in no time to speak of, even if these are %j", (part) => {
  const text = part.repeat(100_000 / part.length);
  const beforeMs = usedMs();

  for (const _piece of piecesOf(text));

  expect(usedMs() - beforeMs).toBeLessThan(500);
});
