/** Bundles a small project as `npm start` bundles Parley, which every test with a real Parley process runs from. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parseAst } from "rolldown/parseAst";
import { beforeEach, describe, expect, it } from "vitest";
import { bundled } from "../../src/bundle/bundle.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const run = promisify(execFile);
const prepare = fileURLToPath(new URL("../../src/bundle/bundle.ts", import.meta.url));

describe("the bundle of a project", () => {
  let project: string;
  const bundles = () => join(project, "node_modules/.cache/parley/bundles");
  const write = (path: string, content: string) => writeFile(join(project, path), content);
  const says = async (program: string | undefined) =>
    (await run(process.execPath, [fileURLToPath(program ?? "")])).stdout;

  beforeEach(async () => {
    project = await temporaryFolder("bundle");
    for (const folder of ["src/deep", "adapters"]) await mkdir(join(project, folder), { recursive: true });
    await write("package.json", `{ "version": "1.2.3" }`);
    await write("package-lock.json", "{}");
    await write("src/deep/beside.txt", "read beside its source");
    await write(
      "src/deep/reader.ts",
      `import { readFileSync } from "node:fs";
       export const text: string = readFileSync(new URL("./beside.txt", import.meta.url), "utf8");`,
    );
    await write("src/later.ts", `export const later = "loaded later";`);
    await write(
      "src/program.ts",
      `import json from "../package.json" with { type: "json" };
       import { text } from "./deep/reader.ts";
       const { later } = await import("./later.ts");
       console.log(json.version, text, later);`,
    );
  });

  it("runs as the sources do, and finds the files beside them", async () => {
    const { program, problem } = bundled(project);

    expect(problem).toBeUndefined();
    expect(await says(program)).toBe("1.2.3 read beside its source loaded later\n");
  });

  it("has no character that takes two bytes, and says what the sources say", async () => {
    const program = [
      'const größe = "\\u2026";',
      'console.log("… \\\\… \\… 😀 ä", `„“ \\\\…`, { größe });',
      'console.log(/[😀-😂]/u.test("😁"), /^\\…\\\\…$/.test("…\\\\…"));',
    ].join("\n");
    await write("src/program.ts", program);

    const bundle = bundled(project).program ?? "";

    expect(await readFile(fileURLToPath(bundle), "latin1")).not.toMatch(/[^\0-\x7f]/);
    expect(await says(bundle)).toBe(await says(pathToFileURL(join(project, "src/program.ts")).href));
  });

  it("is used again, and made again when a source or a package has changed", async () => {
    const first = bundled(project);
    const again = bundled(project);
    await write("src/later.ts", `export const later = "written anew";`);
    const changed = bundled(project);
    await write("package-lock.json", `{ "lockfileVersion": 3 }`);
    const updated = bundled(project);

    expect(again).toEqual(first);
    expect(new Set([first.program, changed.program, updated.program]).size).toBe(3);
    expect(await says(changed.program)).toContain("written anew");
  });

  it("stays while a process may load more of it, and goes when it is the fourth newest", async () => {
    const made: (string | undefined)[] = [];
    for (const word of ["one", "two", "three", "four"]) {
      await write("src/later.ts", `export const later = "${word}";`);
      const { program } = bundled(project);
      made.push(program);
      // By its age: these four are made within the same second.
      const age = new Date(Date.now() - 60_000 * (4 - made.length));
      await utimes(join(fileURLToPath(program ?? ""), ".."), age, age);
    }

    expect(made.map((program) => existsSync(fileURLToPath(program ?? "")))).toEqual([false, true, true, true]);
  });

  it("stays where the clock was wrong when older ones were made", async () => {
    const later = new Date(Date.now() + 3_600_000);
    for (const name of ["one", "two", "three"]) {
      await mkdir(join(bundles(), name), { recursive: true });
      await utimes(join(bundles(), name), later, later);
    }

    expect(await says(bundled(project).program)).toContain("loaded later");
    expect(await readdir(bundles())).toHaveLength(3);
  });

  it("is there though another process removes an older one at the same time", async () => {
    await mkdir(bundles(), { recursive: true });
    await symlink("removed", join(bundles(), "removed"));

    expect(bundled(project).problem).toBeUndefined();
  });

  it("removes what a killed process left unfinished an hour ago, and nothing that is being made", async () => {
    for (const [name, ageMs] of [
      ["killed.1", 3_700_000],
      ["working.2", 0],
    ] as const) {
      await mkdir(join(bundles(), name), { recursive: true });
      const time = new Date(Date.now() - ageMs);
      await utimes(join(bundles(), name), time, time);
    }
    bundled(project);

    expect((await readdir(bundles())).filter((name) => name.includes("."))).toEqual(["working.2"]);
  });

  it("is one, whole, when several processes make it at once", async () => {
    const start = `import { bundled } from ${JSON.stringify(prepare)}; console.log(bundled(${JSON.stringify(project)}).program);`;
    const programs = await Promise.all(
      [1, 2, 3].map(async () => (await run(process.execPath, ["--input-type=module", "-e", start])).stdout.trim()),
    );

    expect(new Set(programs).size).toBe(1);
    expect(await readdir(bundles())).toHaveLength(1);
    expect(await says(programs[0])).toContain("loaded later");
  });

  it("is missing, with the reason, where the sources are wrong", async () => {
    await write("src/later.ts", "export const = ;");
    const wrong = bundled(project);

    expect(wrong.program).toBeUndefined();
    expect(wrong.problem).toContain("bundling them ended with 1: Build failed with 1 error:");
    expect(wrong.problem).toContain("later.ts");
    // Terminals' colours.
    expect(wrong.problem).not.toContain("\u001b");
    expect(await readdir(bundles())).toEqual([]);
  });

  it("is missing, with the reason, where a file that it depends on is missing", async () => {
    await rm(join(project, "package-lock.json"));

    const { program, problem } = bundled(project);

    expect(program).toBeUndefined();
    expect(problem).toContain("package-lock.json");
  });

  it("is missing, with the reason, where the packages are elsewhere: it would look for the sources' files there", async () => {
    await mkdir(join(project, "elsewhere/node_modules"), { recursive: true });
    await symlink("elsewhere/node_modules", join(project, "node_modules"));

    const { program, problem } = bundled(project);

    expect(program).toBeUndefined();
    expect(problem).toMatch(/node_modules.* is a link/);
  });

  it("is missing, with the reason, where an unfinished one has its name", async () => {
    const { program = "" } = bundled(project);
    await rm(fileURLToPath(program));

    expect(bundled(project).problem).toContain("ENOTEMPTY");
  });

  it("is missing, with the reason, where its folder can't be made", async () => {
    await write("node_modules", "a file, not a folder");

    const { program, problem } = bundled(project);

    expect(program).toBeUndefined();
    expect(problem).toMatch(/ENOTDIR|EEXIST/);
    expect(await readFile(join(project, "node_modules"), "utf8")).toBe("a file, not a folder");
  });
});

describe("the bundle of Parley", () => {
  it("changes no raw text of a tagged template when it escapes characters", async () => {
    const folder = dirname(fileURLToPath(bundled().program ?? ""));
    const files = (await readdir(folder)).filter((name) => name.endsWith(".mjs"));
    const raw: string[] = [];
    for (const file of files) collectRaw(parseAst(await readFile(join(folder, file), "utf8")), raw);

    expect(raw.length).toBeGreaterThan(0);
    expect(raw.filter((text) => /\\u[0-9a-f]{4}/.test(text))).toEqual([]);
  });
});

type Tagged = { readonly quasi: { readonly quasis: readonly { readonly value: { readonly raw: string } }[] } };

/** Adds the raw text of each tagged template in a syntax tree. */
function collectRaw(node: unknown, raw: string[]): void {
  if (node === null || typeof node !== "object") return;
  if ("type" in node && node.type === "TaggedTemplateExpression") {
    raw.push(...(node as unknown as Tagged).quasi.quasis.map(({ value }) => value.raw));
  }
  for (const child of Object.values(node)) collectRaw(child, raw);
}
