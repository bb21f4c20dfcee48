/**
 * Refuses phrases that read as translated, with a plainer one for each. CONTRIBUTING.md has the style. Comments are
 * searched for the worst ones only: in an exact sentence about code, some of the others are right.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

type Refused = readonly [pattern: RegExp, write: string];

const root = resolve(import.meta.dirname, "../..");

const refusedEverywhere: readonly Refused[] = [
  [/\bany ?more\b(?! than)/i, "no longer, or nothing"],
  [/\bwho(?:m)?ever\b/i, "the caller, anyone who, your Parley admin"],
  [/\bby (?:itself|themselves)\b/i, "automatically, alone"],
  [/\b(?:go|goes|went|gone|going) on\b/i, "continue, resume"],
  [/\bfor ever\b/i, "forever"],
  [/\b(?:some|any|every)body\b/i, "someone, anyone, everyone"],
  [/\ball the same\b/i, "anyway"],
  [/\bstands? (?:in|on|under|beside|below|above|there|here|at)\b/i, "is in, is shown under"],
  [/\bwithout a word\b/i, "silently"],
  [/\bjust now\b/i, "right now, a moment ago"],
  [/\bin vain\b/i, "without success"],
];

const refusedForPeople: readonly Refused[] = [
  [/(?<!there )\b(?:is|are|was|were) no (?!longer|more|such|fewer|less)/i, "isn't a"],
  [/\bmay not\b/i, "can't, don't have permission to"],
  [/\byou may\b/i, "you can"],
  [/\bshall\b/i, "should, do you want to"],
  [/\b(?:is|are|was|were|be|been|being) made\b/i, "created, sent, built"],
  [/\b(?:is|are|was|were|be) told\b/i, "is notified, is sent, gets"],
  [/\b(?:is|are|was|were) kept\b/i, "is stored, is saved, stays"],
  [/\b(?:is|are|was|were) away\b/i, "is down, is unavailable"],
  [/\b(?:is|are|was|were) let\b/i, "can, is allowed to"],
  [/\bbecame of\b/i, "the result, how it ended"],
  [/\banew\b/i, "again"],
  [/\bblanks\b|\bwith (?:a )?blank\b/i, "spaces"],
  [/\bcarries\b/i, "includes, contains"],
  [/\bthat are more than\b/i, "that's more than"],
  [/\bwherever\b/i, "everywhere that"],
  [/\bthere already\b/i, "already exists"],
  [/\bon the way to\b/i, "being added to"],
  [/\ball of it\b/i, "more, everything"],
  [/\bas (?:it|they) stands?\b/i, "as is"],
  [/\bin the place of\b/i, "instead of"],
  [/\bone's own\b/i, "your own"],
  [/(?:^|[.;:] |["`|] ?)Of (?:a|an|the|what|whom|its|each|one|all) /m, "the subject first"],
];

/** Lists of words in people's questions. */
const exempt = "src/core/languages/";

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js|css|html|json|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** Without the titles of tests, which two of the documents quote. */
const withoutTestTitles = (text: string) => text.replace(/`test\/[^`\n]+\.test\.ts`: [^|\n]*/g, "");

/** On one line per paragraph, because a comment's sentences run over line ends. */
const joined = (text: string) =>
  text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, (gap) => (/\n.*\n/.test(gap) ? "\n" : " "));

/** What people can read of a file: all of a document, and the string literals of code that have more than one word. */
function forPeople(path: string, text: string): string {
  if (!/\.(?:ts|js)$/.test(path)) return joined(text);
  const tokens = text.match(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g) ?? [];
  return tokens.filter((token) => /^["`].* /.test(token)).join("\n");
}

const files = ["README.md", "CHANGELOG.md", ...["docs", "manifest", "src", "adapters"].flatMap(filesBelow)]
  .filter((path) => !path.startsWith(exempt))
  .map((path) => ({ path, text: withoutTestTitles(readFileSync(join(root, path), "utf8")) }));
const everything = files.map(({ path, text }) => ({ path, text: joined(text) }));
const tests = filesBelow("test")
  .filter((path) => path.endsWith(".ts") && !path.startsWith("test/fixtures/"))
  .map((path) => ({ path, text: titles(readFileSync(join(root, path), "utf8")) }));
const visible = files.map(({ path, text }) => ({ path, text: forPeople(path, text) }));

/** What a test, or a group of tests, is called. */
function titles(text: string): string {
  const calls = text.matchAll(
    /(?:\b(?:describe|it)(?:\.\w+)*|\)|\bconst\))\(\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`),/g,
  );
  return Array.from(calls, ([, title]) => title).join("\n");
}

function found(pattern: RegExp, texts: typeof files): readonly string[] {
  return texts.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map(
      ({ index }) => `${path}: ${text.slice(Math.max(0, index - 40), index + 60).replace(/\s+/g, " ")}`,
    ),
  );
}

describe("the words of src, adapters, manifest, docs and README", () => {
  it.each(refusedEverywhere)("are never %s, but: %s", (pattern) => {
    expect(found(pattern, everything)).toEqual([]);
  });

  it.each(refusedForPeople)("where people read them are never %s, but: %s", (pattern) => {
    expect(found(pattern, visible)).toEqual([]);
  });

  it.each(refusedEverywhere)("are never %s in the titles of tests, but: %s", (pattern) => {
    expect(found(pattern, tests)).toEqual([]);
  });

  it("are searched in comments and in strings", () => {
    const code = '/** Kept for ever. */\nconst text = "goes on";\nconst other = `it is told`;\nconst key = "anew";';

    expect(forPeople("src/a.ts", code)).toBe('"goes on"\n`it is told`');
    expect(titles('it.each([1])("reads %s", () => {});')).toBe('"reads %s"');
    expect(joined("/**\n * Stays for\n * ever.\n */")).toContain("for ever");
  });
});
