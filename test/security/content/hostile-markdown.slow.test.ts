/**
 * What an agent may be made to say, a megabyte of it, drawn for every platform. Not by the clock: the work is counted.
 * No more than about one message is drawn in one go; what is cut is measured a bounded number of times; and every regular
 * expression that meets the text on the way gives up no later than a linear one would.
 */
import { describe, expect, it } from "vitest";
import { render as renderConsole } from "../../../adapters/console/drawing/render.ts";
import { platformLimits as consoleLimits } from "../../../adapters/console/limits.ts";
import { render as renderDiscord } from "../../../adapters/discord/drawing/render.ts";
import { platformLimits as discordLimits } from "../../../adapters/discord/limits.ts";
import { render as renderSlack } from "../../../adapters/slack/drawing/render.ts";
import { platformLimits as slackLimits } from "../../../adapters/slack/limits.ts";
import type { Block, Document } from "../../../src/core/document.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { createDrawing } from "../../../src/delivery/drawing.ts";
import { turnDocument } from "../../../src/presentation/drawing/turn/turn-document.ts";
import { splitMarkdown } from "../../../src/presentation/markdown/split-markdown.ts";
import { nowMs, view } from "../../presentation/views.ts";
import { isBounded } from "./counted-steps.ts";

const repeated = (part: string) => (chars: number) => part.repeat(Math.ceil(chars / part.length));
const growing = (part: (at: number) => string) => (chars: number) => {
  const parts: string[] = [];
  for (let at = 1, length = 0; length < chars; at += 1) {
    const next = part(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join("");
};
const wideRow = (cell: string, columns: number) => `${`|${cell}`.repeat(columns)}|\n`;

const generators: Readonly<Record<string, (chars: number) => string>> = {
  "a fence behind 480 quote marks": (chars) => `${">".repeat(480)}\`\`\`\n${"\n".repeat(chars)}`,
  "a fence behind 480 quote marks, with lines": (chars) => `${">".repeat(480)}\`\`\`\n${repeated("ab cd\n")(chars)}`,
  "a fence behind 8 quote marks": (chars) => `${">".repeat(8)}\`\`\`\n${"\n".repeat(chars)}`,
  "a fence with a long name": (chars) => `\`\`\`${"x".repeat(490)}\n${repeated("a\n")(chars)}`,
  "an empty fence": (chars) => `\`\`\`\n${"\n".repeat(chars)}`,
  "many empty fences": repeated("```\n```\n"),
  "quoted fences": repeated(`${">".repeat(100)}\`\`\`\n`),
  "many small tables": repeated("|a|b|\n|-|-|\n|1|2|\n\n"),
  "many small tables without blank lines": repeated("|a|\n|-|\nx\n"),
  "many Unicode tables": repeated("|ä|日|\n|-|-|\n|日|é|\n\n"),
  "one long Unicode table": (chars) => `|ä|ö|\n|-|-|\n${repeated("|üü|日本|\n")(chars)}`,
  "a table of 10,000 columns": (chars) => repeated(wideRow("a", 10_000) + wideRow("-", 10_000))(chars),
  "a table of 200 columns": (chars) => wideRow("a", 200) + wideRow("-", 200) + repeated(wideRow("b", 200))(chars),
  "a wide header over empty rows": (chars) => wideRow("a", 240) + wideRow("-", 240) + repeated("|\n")(chars),
  "a table with one long cell": (chars) => `|a|b|\n|-|-|\n|${"x".repeat(chars)}|y|\n`,
  "rows of dashes": repeated("|-|-|\n"),
  "backticks of growing length": growing((at) => `${"`".repeat(at)}a`),
  "backticks that pair badly": repeated("``a`"),
  "escaped brackets": repeated("\\["),
  "opening brackets": repeated("["),
  "links that never close": repeated("[a]("),
  "nested brackets": repeated("[[a]"),
  "links by reference": repeated("[a][b]"),
  definitions: growing((at) => `[a${at}]: http://e.x/${at}\n[a${at}]\n`),
  links: repeated("[a](http://b.c) "),
  "links with a title": repeated('[a](b "'),
  "labels of dots": repeated(`[${"a.".repeat(490)}](http://d.ef)\n`),
  emphasis: repeated("*a"),
  "strong emphasis": repeated("**a*"),
  underscores: repeated("__a "),
  "struck words": repeated("~~a"),
  stars: repeated("*"),
  "nested lists": growing((at) => `${" ".repeat((at % 100) * 2)}- x\n`),
  "ever deeper lists": growing((at) => `${" ".repeat(at)}- x\n`),
  "a list in one line": repeated("- "),
  "HTML tags": repeated("<b><i>"),
  "less-than signs": repeated("<"),
  "links to themselves": repeated("<http://a.b>"),
  "bare addresses": repeated("http://a"),
  ampersands: repeated("&"),
  "deep quotes": repeated(`${">".repeat(500)}a\n`),
  "quotes in one line": repeated(">"),
  "combining characters": (chars) => `a${"\u0301".repeat(chars)}`,
  "families of emoji": repeated("👩\u200D"),
  "hidden characters": repeated("a\u202E\u200B"),
  "a line without spaces": repeated("a"),
  "Chinese without spaces": repeated("日"),
  "empty lines": repeated("\n"),
  "lines of a space": repeated(" \n"),
  headings: repeated("# a\n"),
  "a heading without end": (chars) => `# ${"#".repeat(chars)}`,
  rules: repeated("---\n"),
  spoilers: repeated("||a"),
  backslashes: repeated("\\"),
  "question marks": repeated("? "),
};

const megabyte = 1_000_000;

const platforms = {
  slack: { limits: slackLimits, render: renderSlack },
  discord: { limits: discordLimits, render: renderDiscord },
  console: { limits: consoleLimits, render: renderConsole },
} as unknown as Record<string, Pick<ChatPlatform, "limits" | "render">>;

const clock = { now: () => 0, loopTurn: async () => undefined };

function answer(text: string): Document {
  return turnDocument(view({ state: "answered", answer: text, endedAtMs: nowMs }), nowMs);
}

const charsOf = (blocks: readonly Block[]) =>
  blocks.reduce((sum, block) => sum + (block.kind === "markdown" ? block.text.length : 0), 0);

describe.each(Object.keys(platforms))("a megabyte on %s", (name) => {
  const platform = platforms[name] as Pick<ChatPlatform, "limits" | "render">;
  const room = platform.limits.answers ?? { maxMessages: 0, charsPerMessage: 0 };

  it.each(Object.keys(generators))("of %s is drawn one message at a time, and in ten messages", async (hostile) => {
    const draws: number[] = [];
    const render: ChatPlatform["render"] = (document, atMost) => {
      draws.push(charsOf(document.blocks));
      return platform.render(document, atMost);
    };
    const text = generators[hostile]?.(megabyte) ?? "";
    const { rendered } = await createDrawing({ limits: platform.limits, render }, clock).draw(answer(text));

    expect(rendered.payloads.length).toBeLessThanOrEqual(10);
    const words = text.replace(/\s/g, "").length;
    if (words > megabyte / 3) expect(rendered.file).toBeDefined();
    expect(Math.max(...draws)).toBeLessThanOrEqual(room.charsPerMessage * 1.5);
    expect(draws.length).toBeLessThanOrEqual(15 * room.maxMessages);
  });
});

describe("cutting into messages", () => {
  it.each(Object.keys(generators))("measures %s a bounded number of times", (hostile) => {
    const text = generators[hostile]?.(20_000) ?? "";
    let measured = 0;
    splitMarkdown(text, {
      max: 2_600,
      measure: (piece) => {
        measured += piece.length + 1;
        return piece.length;
      },
    });

    expect(measured).toBeLessThanOrEqual(24 * text.length);
  });
});

describe("regular expressions that meet it", () => {
  it.each(["slack", "discord"])("on %s give up as early as linear ones do", (name) => {
    const platform = platforms[name] as Pick<ChatPlatform, "limits" | "render">;
    const met = new Map<string, { readonly expression: RegExp; readonly texts: string[] }>();
    const chars = Math.min(4_000, platform.limits.answers?.charsPerMessage ?? 0);
    for (const generate of Object.values(generators)) {
      const heard = listenToExpressions(() => platform.render(answer(generate(chars)), 10));
      for (const [expression, text] of heard) {
        const known = met.get(String(expression)) ?? { expression, texts: [] };
        if (text.length > 500) known.texts.push(text);
        met.set(String(expression), known);
      }
    }

    expect(met.size).toBeGreaterThan(30);
    for (const { expression, texts } of met.values()) {
      for (const text of new Set(texts)) {
        expect(isBounded(expression, text), `${String(expression)} on ${text.slice(0, 20)}…`).toBe(true);
      }
    }
  });
});

/** Each expression that runs meanwhile, with the longest text that it meets. */
function listenToExpressions(work: () => unknown): ReadonlyMap<RegExp, string> {
  const heard = new Map<RegExp, string>();
  const prototype = RegExp.prototype;
  const exec = prototype.exec;
  // Every method of strings and expressions ends here, once it is not the built-in one any more.
  prototype.exec = function (text) {
    if (text.length > (heard.get(this)?.length ?? -1)) heard.set(this, text);
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    prototype.exec = exec;
  }
  return heard;
}
