/**
 * No link of an answer shows another address than it leads to. What Parley writes is read again by two readers that are not
 * Parley's: a CommonMark parser, and the expressions that Discord's own clients read links with.
 */
import fc from "fast-check";
import { Marked, type Token } from "marked";
import { describe, expect, it } from "vitest";
import { pieces as discordPieces } from "../../../adapters/discord/drawing/blocks.ts";
import { pieces as slackPieces } from "../../../adapters/slack/drawing/blocks.ts";
import type { FlatBlock } from "../../../src/presentation/drawing.ts";
import { runs } from "../../properties.ts";

type Link = { readonly label: string; readonly url: string };

/** Discord knows neither definitions nor pictures; Slack may know both. */
function linksIn(markdown: string, knowsAll: boolean): readonly Link[] {
  const marked = new Marked();
  if (!knowsAll) marked.use({ tokenizer: { def: () => undefined } });
  const found: Link[] = [];
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type !== "link" && !(knowsAll && token.type === "image")) return;
    found.push({ label: shownOf(token), url: String(token["href"]) });
  });
  return found;
}

const linksInAll = (markdown: string) => linksIn(markdown, true);

/** The words of a link as a person sees them: without marks and escapes. */
function shownOf(token: Token): string {
  const inner = "tokens" in token && token.tokens !== undefined ? token.tokens.map(shownOf).join("") : undefined;
  return inner ?? ("text" in token ? String(token.text) : token.raw);
}

/** From simple-markdown, which Discord's clients are made from: code and escapes come before links. */
const discordRules =
  /```[\s\S]*?```|\\[^0-9A-Za-z\s]|(`+)[\s\S]*?[^`]\1(?!`)|\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"][\s\S]*?['"])?\s*\)/g;

function discordLinksIn(markdown: string): readonly Link[] {
  return [...markdown.matchAll(discordRules)].flatMap(([, , label, url]) =>
    label === undefined || url === undefined ? [] : [{ label: label.replace(/\\(.)/g, "$1"), url }],
  );
}

/** Independent of how Parley finds addresses: a bank's is in the words, and the link does not lead there. */
function isForged({ label, url }: Link): boolean {
  const shown = label.replace(/[\u200B\u00AD]/g, "").toLowerCase();
  // No host is called mybank.com1 or mybank.com_x.
  if (!/mybank\.com(?![._]?[a-z\d])/.test(shown) || !/^https?:/i.test(url) || !URL.canParse(url)) return false;
  const { host } = new URL(url);
  return host !== "mybank.com" && !shown.includes(host);
}

function shownOn(platform: "slack" | "discord", block: FlatBlock): readonly string[] {
  if (platform === "discord") return discordPieces(block).map(({ markdown }) => markdown);
  return [...slackPieces(block)].flatMap(({ alternatives }) =>
    alternatives.flatMap(({ blocks }) => blocks.flatMap((one) => (one.type === "markdown" ? [one.text] : []))),
  );
}

function forgedIn(platform: "slack" | "discord", block: FlatBlock): readonly Link[] {
  return shownOn(platform, block)
    .flatMap((markdown) => [
      ...linksIn(markdown, platform === "slack"),
      ...(platform === "discord" ? discordLinksIn(markdown) : []),
    ])
    .filter(isForged);
}

const evil = "https://evil.example/";
const bypasses: Readonly<Record<string, string>> = {
  "two levels of parentheses": `[mybank.com](${evil}(a(b)c))`,
  "ten blanks before the address": `[mybank.com](${" ".repeat(10)}${evil})`,
  "an address over 4,000 characters": `[mybank.com](${evil}${"a".repeat(4_001)})`,
  "an address over 2,000 characters": `[mybank.com](<${evil}${"a".repeat(2_001)}>)`,
  "a title over 500 characters": `[mybank.com](${evil} "${"t".repeat(501)}")`,
  "an escaped bracket before the address": `[mybank.com\\]](${evil})`,
  "an escaped bracket and then another": `[mybank.com\\](${evil}](${evil})`,
  "a label over 1,000 characters": `[mybank.com ${"x".repeat(1_100)}](${evil}(a(b)c))`,
  "brackets in the label": `[[[mybank.com]]](${evil})`,
  "a label over two lines": `[mybank\n.com mybank.com](${evil}(a(b)c))`,
  "a backslash that is escaped itself": `\\\\[mybank.com](${evil}(a(b)c))`,
  "a backslash that is escaped itself, and a plain address": `\\\\[mybank.com](${evil})`,
  "backticks that are escaped": `\\\`[mybank.com](${evil})\``,
  "a backtick in a link to itself": `<https://x.example/\`> [mybank.com](${evil}) \``,
  "code that ended before": `\\\`\` x \` [mybank.com](${evil}) \``,
  "a stray backtick before a fence": `\` x\n\`\`\`\n\` [mybank.com](${evil})\n\`\`\`\n`,
  "a longer run of backticks": `\`\`a\` [mybank.com](${evil}) \``,
  "an image": `![mybank.com](${evil}(a(b)c))`,
  "a mark within the address": `[my**bank**.com](${evil}(a(b)c))`,
  "a mark within a plain address": `[my**bank**.com](${evil})`,
  "a backslash within the address": `[mybank\\.com](${evil})`,
  "an entity within the address": `[mybank&#46;com](${evil})`,
  "a picture in the label": `[![mybank.com](${evil})](${evil})`,
  "a table's cell": `| a |\n|---|\n| [mybank.com](${evil}(a(b)c)) |\n`,
  "a list item": `- [mybank.com](${evil}(a(b)c))`,
  "a quote": `> [mybank.com](${evil}(a(b)c))`,
  "the private mark of Parley's own": `[mybank.com]\uE000(${evil}(a(b)c))`,
  "a label that ends in a table's code": `[mybank.com](\n> ](<${evil}>)|\n|-|\n`,
  "a label that ends in a code block": `[mybank.com\n\`\`\`\n](${evil})\n\`\`\`\n`,
  "a label that ends in inline code": `[mybank.com \`](${evil})\``,
  "a label that ends in code, behind other brackets": `[mybank.com\n\`\`\`\n[ x[0] ](${evil})\n\`\`\`\n`,
  "a label that ends in code, with blanks before the address": `[mybank.com \`](${" ".repeat(1_001)}${evil})\``,
  "a true link whose label ends in code again": `[mybank.com](https://mybank.com/)\n\`\`\`\n](${evil})\n\`\`\`\n`,
  "a label that ends in the label of another link": `[mybank.com [a\\]b](${evil})`,
  "a label with brackets that ends in the label of another link": `[mybank.com [a \\[b\\] c](${evil})`,
  "a label of two paragraphs in code that is none": `\` x\n\`\`\`\n\` [mybank.com\n\nx](${evil})\n\`\`\`\n`,
  "a link that is the address of another": `[mybank.com]([mybank.com](${evil})>)`,
  "a link in the words of another": `[x [mybank.com](${evil}(a(b)c))](${evil})`,
};

const definitions: Readonly<Record<string, string>> = {
  "at the top": `[mybank.com]: ${evil}\n\nSee [mybank.com].`,
  "in a list item": `- [mybank.com]: ${evil}\n\nSee [mybank.com].`,
  "in a list in a list": `- 1. * [mybank.com]: ${evil}\n\nSee [mybank.com].`,
  "in a quote in a list": `- > [mybank.com]: ${evil}\n\nSee [mybank.com].`,
  "over two lines": `[mybank.com\nis here]: ${evil}\n\nSee [mybank.com\nis here].`,
  "over two lines in a list item": `- [mybank.com\n  is here]: ${evil}\n\nSee [mybank.com is here].`,
  "with its address on the next line": `[mybank.com]:\n${evil}\n\nSee [mybank.com].`,
  "with an escaped bracket": `[mybank.com\\]]: ${evil}\n\nSee [mybank.com\\]].`,
  "with a backtick": `[mybank.com \`]: ${evil}\n\nSee [mybank.com \`]. \``,
  "used with a name": `- [x]: ${evil}\n\nSee [mybank.com][x].`,
  "used for an image": `- [x]: ${evil}\n\nSee ![mybank.com][x].`,
};

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."[]()<>`\\!*_ \n\"'|:-#~1.>") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("mybank.com", "](", "](<", "[mybank.com](", evil, `${evil}(a(b)c))`, `(${evil})`, ">)"),
  },
  { weight: 1, arbitrary: fc.constantFrom("```", "\n\n", "\n- ", "\n> ", "]: ", "|\n|-|\n", "\uE000", "![", "x") },
);

const written = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
const block = fc.oneof(
  written.map((text): FlatBlock => ({ kind: "markdown", text })),
  written.map((text): FlatBlock => ({ kind: "text", text: [{ text }] })),
  written.map((text): FlatBlock => ({ kind: "text", text: [{ text, style: "code" }] })),
  written.map((text): FlatBlock => ({ kind: "code", text })),
  written.map((title): FlatBlock => ({ kind: "sources", sources: [{ number: 1, title, url: "https://x.example/" }] })),
  written.map((text): FlatBlock => ({ kind: "quiet", text: [{ text }] })),
);

describe.each(["slack", "discord"] as const)("on %s, no label shows another URL", (platform) => {
  it.each(Object.entries(bypasses))("by %s", (_how, markdown) => {
    expect(forgedIn(platform, { kind: "markdown", text: markdown })).toEqual([]);
  });

  it.each(Object.entries(definitions))("by a definition %s", (_where, markdown) => {
    expect(forgedIn(platform, { kind: "markdown", text: markdown })).toEqual([]);
  });

  it.each(Object.entries(bypasses))("in Parley's own words, where someone wrote %s", (_how, words) => {
    const text = [{ text: words }, { text: ` https://x${words}` }];
    expect(forgedIn(platform, { kind: "text", text })).toEqual([]);
    expect(forgedIn(platform, { kind: "sources", sources: [{ number: 1, title: words, url: evil }] })).toEqual([]);
    expect(forgedIn(platform, { kind: "list", items: [{ text }] })).toEqual([]);
  });

  it.each(["text", "sources"] as const)("with a label that an answer begins and its %s end", (kind) => {
    const words = `x](${evil})`;
    const end: FlatBlock =
      kind === "text" ? { kind, text: [{ text: words }] } : { kind, sources: [{ number: 1, title: words }] };
    const markdown = [{ kind: "markdown", text: "[mybank.com" } as const, end]
      .flatMap((block) => shownOn(platform, block))
      .join("\n");
    expect((platform === "discord" ? discordLinksIn : linksInAll)(markdown).filter(isForged)).toEqual([]);
  });

  it("whatever an agent puts together", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(forgedIn(platform, { kind: "markdown", text })).toEqual([]);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe("on discord, where an answer, its sources and what people wrote are one message", () => {
  it("shows no label as another URL, whatever they combine", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 2, maxLength: 4 }), (blocks) => {
        const message = blocks.flatMap((one) => shownOn("discord", one)).join("\n");
        expect(discordLinksIn(message).filter(isForged)).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe("what isn't a forgery", () => {
  it.each([
    ["slack", "[`useState`](https://react.dev/a) and `f[0](x)`", "[`useState`](https://react.dev/a) and `f[0](x)`"],
    ["discord", "[`useState`](https://react.dev/a)", "[\\`useState\\`](<https://react.dev/a>)"],
    ["discord", "`[text](url)` and `f[0](x)`", "`[text](url)` and `f[0](x)`"],
    ["discord", "```js\nhandlers[name](event)\n```", "```js\nhandlers[name](event)\n```"],
    ["discord", "[mybank.com](https://mybank.com/login)", "[mybank.com](<https://mybank.com/login>)"],
  ] as const)("stays as it is: %s, %s", (platform, markdown, shown) => {
    expect(shownOn(platform, { kind: "markdown", text: markdown }).join("")).toBe(shown);
  });
});
