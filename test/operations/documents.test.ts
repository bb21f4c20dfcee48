/** The documents of the project: what they name exists, and the first pages stay short. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { badges, badgesText } from "../../docs/generators/badges.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the documents", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];

  it.each(documents)("name only files and headings that exist: %s", (document) => {
    const named = [...read(document).matchAll(/`((?:src|adapters|test|bench|manifest|docs)\/[\w./-]+)`/g)].map(
      ([, path = ""]) => path,
    );
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const linked = links.map(([, path = ""]) => (path === "" ? document : join(dirname(document), path)));

    const paths = [...named, ...linked].filter((path) => !path.includes("NAME"));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const missing = links.filter(([, , anchor], at) => {
      const page = linked[at] ?? "";
      return anchor !== undefined && page.endsWith(".md") && !anchorsOf(read(page)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it.each(["README.md", "docs/map.md"])("have at most 150 lines: %s", (document) => {
    expect(read(document).trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });
});

describe("README.md", () => {
  it("has badges that say what package.json says (npm run badges)", () => {
    expect(read("docs/badges.svg")).toBe(badges());
    expect(read("README.md")).toContain(`![${badgesText()}](docs/badges.svg)`);
  });
});

describe("docs/map.md", () => {
  const map = read("docs/map.md");

  it("has a line for each room", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(folders.map(({ name }) => `src/${name}`).filter((room) => !map.includes(`| \`${room}\` |`))).toEqual([]);
  });
});

describe("the way of a question in docs/map.md", () => {
  const way = /^## The way of a question\n(.*?)^## /ms.exec(read("docs/map.md"))?.[1] ?? "";
  const steps = [...way.matchAll(/^\d+\. .+$/gm)].map(([step]) => step);
  /** Each step's files, without those of types. A name without a folder is of the folder that the step has named. */
  const files = steps.flatMap((step) => {
    let folder = "";
    return [...step.matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, name = ""]) => {
      if (name.startsWith("src/core/")) return [];
      if (!/^(?:src|adapters)\//.test(name)) {
        return (
          [folder, dirname(folder)].map((at) => join(at, name)).find((path) => existsSync(join(root, path))) ?? name
        );
      }
      folder = dirname(name);
      return [name];
    });
  });

  it("has at most 16 files, each of which is there, and none twice", () => {
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(files.filter((path, at) => files.indexOf(path) < at)).toEqual([]);
    expect(files.length).toBeGreaterThan(12);
    expect(files.length).toBeLessThanOrEqual(16);
  });

  it("is the same in Discord: what it names of Slack's adapter has its like there", () => {
    const ofSlack = files.filter((path) => path.startsWith("adapters/slack/") && !path.includes("/connection/"));
    const ofDiscord = ofSlack.map((path) => path.replace("adapters/slack/", "adapters/discord/"));

    expect(ofDiscord.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(ofDiscord.length).toBeGreaterThan(1);
  });
});

/** As GitHub makes them. */
function anchorsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}
