/** docs/map.md against the files it lists, and the paths in all documents against the files that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { firstSentence, mappedFiles, renderMap } from "../../docs/generators/map.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const maxWords = 25;
const maxFilesPerFolder = 16;

describe("docs/map.md", () => {
  it("is current (npm run map writes it)", () => {
    expect(read("docs/map.md")).toBe(renderMap());
  });

  it("finds a head in every file, whose first sentence is short", () => {
    const heads = mappedFiles().map((path) => ({ path, sentence: firstSentence(read(path)) ?? "" }));

    expect(heads.filter(({ sentence }) => sentence === "").map(({ path }) => path)).toEqual([]);
    expect(heads.filter(({ sentence }) => sentence.split(" ").length > maxWords)).toEqual([]);
  });

  it.each([
    ["/**\n * Reads README.md, e.g. once. Then stops.\n */", "Reads README.md, e.g. once."],
    ["/**\n * Draws over\n * two lines.\n *\n * - a list\n */", "Draws over two lines."],
    ["/** Says: `npm start`. src/program.ts does the rest. */", "Says: `npm start`."],
    ["/* A style sheet */\nbody {}", "A style sheet"],
    ["<!doctype html>\n<!-- A page. -->\n<html>", "A page."],
    ["import x;\n/** Too late. */", undefined],
  ])("reads the first sentence of %j", (source, sentence) => {
    expect(firstSentence(source)).toBe(sentence);
  });
});

describe("the folders of code, benches and tests", () => {
  const isRecorded = (path: string) => path.startsWith("test/fixtures/");
  const files = ["src", "adapters", "manifest", "docs/generators", "bench", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );

  it("hold at most 16 files each, but for recordings", () => {
    const counts = new Map<string, number>();
    for (const path of files.filter((path) => !isRecorded(path))) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }

    expect(counts.size).toBeGreaterThan(0);
    expect([...counts].filter(([, count]) => count > maxFilesPerFolder)).toEqual([]);
  });
});

describe("the documents", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];

  it.each(documents)("name only files that exist: %s", (document) => {
    const named = [...read(document).matchAll(/`((?:src|adapters|test|bench|manifest|docs)\/[\w./-]+\.\w+)/g)];
    const linked = [...read(document).matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, path = ""]) =>
      join(dirname(document), path),
    );

    const paths = [...named.map(([, path = ""]) => path), ...linked];
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("the path of one question in docs/architecture.md", () => {
  const maxFiles = 20;
  const [, section = ""] = /\n## The path of one question\n(.*?)\n## /s.exec(read("docs/architecture.md")) ?? [];
  const steps = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);

  it("passes at most 20 files, none twice", () => {
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.length).toBeLessThanOrEqual(maxFiles);
    expect(new Set(steps).size).toBe(steps.length);
    expect(steps).toHaveLength([...section.matchAll(/^\d+\. /gm)].length);
  });

  it("names only files that exist", () => {
    expect(steps.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
