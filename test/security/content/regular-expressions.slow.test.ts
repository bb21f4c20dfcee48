/**
 * Every regular expression of the project, pumped with hostile text. Not by the clock: V8 counts the steps back that a
 * match takes, and gives up at a limit, so that an expression which blows up is found on any machine.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../properties.ts";
import { counted, isBounded } from "./counted-steps.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const pumps = 4_000;

/** What is squared, but only ever meets short text that no stranger chooses: settings, file names, codes, numbers, headings. */
const onShortText: readonly string[] = [
  "config/formats.ts",
  "knowledge/addresses/address-policy.ts",
  "agent-service/built-in/answering/answer.ts",
  "presentation/sentences/quantities.ts",
  "console/drawing/assets.ts",
  "slack/writing/responder.ts",
];

/** Texts on which an expression of the project once took quadratic time. */
const onceSquared: readonly (readonly [what: string, text: string])[] = [
  ["escaped quotes that never close, in a query", "\\'".repeat(pumps / 2)],
  ["parentheses that only open, in a title", " (".repeat(pumps / 2)],
  ["spaces after a list mark, before a line break", `+${" ".repeat(pumps)}\n`],
  ["spaces inside a heading", `# a${" ".repeat(pumps)}b`],
  ["marks inside a heading", `# a${"#".repeat(pumps)}b`],
  ["bold that opens again and again, and never closes", "__(\t".repeat(pumps / 4)],
];

type Found = { readonly where: string; readonly source: string; readonly flags: string };

/** Literals as they stand in the code; what merely looks like one does no harm here. */
function expressionsIn(folder: string): readonly Found[] {
  const literal =
    /(?<=[=(,:[!&|?{;>]\s*|return\s)\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[jt]s$/.test(name))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(literal)].flatMap(([, source = "", flags = ""]) => {
        try {
          new RegExp(source, flags);
          return [{ where: `${name}: /${source}/${flags}`, source, flags }];
        } catch {
          return [];
        }
      }),
    );
}

const found = ["src", "adapters"].flatMap((folder) => expressionsIn(join(root, folder)));

/**
 * Expressions that modules build while they load: no literal shows them. Those are the readers of words, and what they
 * import; amounts of money are read in cells of up to 40 characters.
 */
async function builtWhileLoading(): Promise<readonly Found[]> {
  const plain = globalThis.RegExp;
  const built = new Map<string, Found>();
  globalThis.RegExp = new Proxy(plain, {
    construct: (target, [source, flags = ""]: [string, string?]) => {
      if (!source.includes("\\p{Sc}")) built.set(source, { where: `built: /${source.slice(0, 60)}`, source, flags });
      return new target(source, flags);
    },
  });
  try {
    const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((name) => name.endsWith(".ts"))) {
      const isReader = readFileSync(join(root, "src", name), "utf8").includes("/languages/languages.ts");
      if (isReader) await import(join(root, "src", name));
    }
  } finally {
    globalThis.RegExp = plain;
  }
  return [...built.values()];
}

const built = await builtWhileLoading();

const onAnyText = [...found, ...built].filter(({ where }) => !onShortText.includes(where.split(":")[0] ?? ""));

/** Characters that the expression itself speaks of, and some that break it off. */
function alphabetOf(source: string): readonly string[] {
  const spoken = [...source.replaceAll(/\\[ux]\{?[0-9a-fA-F]+\}?|\\p\{[^}]*\}|\(\?<?[=!:]|\\[bB]/g, "")];
  return [...new Set([...spoken, "a", "A", "1", " ", "\t", "\n", '"', "'", ".", "/", ":", "-", "_", "é", "!"])];
}

/** Words that the expression spells out: `select.*from` is squared only by many of the first. */
function wordsOf(source: string): readonly string[] {
  const spelt = source.replaceAll(/\\.|\(\?<?[=!:]|\(\?<[^>]*>|\[(?:[^\]\\]|\\.)*\]|\{[\d,]*\}/g, "\0");
  return [...new Set(spelt.match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
}

describe("what is counted", () => {
  it("matches what the expression itself matches", () => {
    const some = fc.string({ unit: fc.constantFrom(..."ab[]()*/`<> \n:-1.\\"), maxLength: 30 });
    for (const { source, flags } of found) {
      fc.assert(
        fc.property(some, (text) => {
          const kept = flags.replaceAll(/[gy]/g, "");
          expect(new RegExp(counted(source), kept).exec(text)?.[0]).toBe(new RegExp(source, kept).exec(text)?.[0]);
        }),
        { numRuns: runs(20) },
      );
    }
  });
});

describe("regular expressions", () => {
  it("are all found", () => {
    expect(found.length).toBeGreaterThan(80);
    expect(built.length).toBeGreaterThan(60);
  });

  it("that blow up would be seen", () => {
    expect(isBounded({ source: "^(a+)+$", flags: "" }, `${"a".repeat(pumps)}!`)).toBe(false);
    expect(isBounded({ source: "^a*a*a*[bc]$", flags: "" }, `${"a".repeat(pumps)}!`)).toBe(false);
    expect(isBounded({ source: "\\[[^\\]]*\\]", flags: "g" }, "[".repeat(pumps))).toBe(false);
    expect(isBounded({ source: "(?:ab)+$", flags: "" }, `${"ab".repeat(pumps / 2)}!`)).toBe(false);
    expect(isBounded({ source: "\\s+$", flags: "g" }, `${"\n".repeat(pumps)}!`)).toBe(false);
    expect(isBounded({ source: "a[^]*b|a", flags: "g" }, "a".repeat(pumps))).toBe(false);
    for (const squared of ["\\bselect\\b.*\\bfrom|action:", "kb.*list|list.*(kb|knowledge)"]) {
      const pumped = wordsOf(squared).map((word) =>
        isBounded({ source: squared, flags: "i" }, `${word} `.repeat(pumps)),
      );
      expect(pumped).toContain(false);
    }
    expect(isBounded({ source: "^a+$", flags: "" }, `${"a".repeat(pumps)}!`)).toBe(true);
    expect(isBounded({ source: "\\[[^\\][]*\\]", flags: "g" }, "[".repeat(pumps))).toBe(true);
  });

  it("that are only for short text exist", () => {
    for (const file of onShortText) expect(found.map(({ where }) => where.split(":")[0])).toContain(file);
  });

  it.each(onceSquared)("are linear on %s", (_what, text) => {
    expect(onAnyText.filter((expression) => !isBounded(expression, text)).map(({ where }) => where)).toEqual([]);
  });

  it.for(onAnyText.map((one) => [one.where, one] as const))("%s", ([, expression]) => {
    const alphabet = alphabetOf(expression.source);
    const some = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 4 });
    fc.assert(
      fc.property(
        some,
        some.filter((pump) => pump !== ""),
        some,
        (before, pump, after) => {
          expect(isBounded(expression, before + pump.repeat(pumps / pump.length) + after)).toBe(true);
        },
      ),
      // The same texts every time: what is found here must be found again on another machine.
      { numRuns: runs(60) },
    );
    // Each of its words alone, and with a space behind it. A long word is pumped as often as a short one: what matters is
    // how often a match is tried.
    for (const word of wordsOf(expression.source)) {
      for (const pump of [word, `${word} `]) expect(isBounded(expression, pump.repeat(pumps))).toBe(true);
    }
    // Each character alone, many times over: chance would miss some of them.
    for (const character of alphabet) {
      expect(isBounded(expression, `${character.repeat(pumps)}\u0000`)).toBe(true);
      expect(isBounded(expression, `${alphabet[0]}${character.repeat(pumps)}`)).toBe(true);
    }
  });
});
