/** What a release has in it, and when it is refused. */
import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { describe, expect, it } from "vitest";
import {
  notesOf,
  packageName,
  refusalOf,
  stagedManifest,
  withoutDevelopment,
  withVersion,
} from "../../release/contents.ts";
import { packageFolder } from "../../src/core/tools/package-folder.ts";

const read = (path: string) => readFileSync(join(packageFolder, path), "utf8");
const changes = "# Changes\n\n## 1.2.0 (2026-12-01)\n\n- New.\n\n## 1.1.0 (2026-11-01)\n\n- Old.\n";

describe("the npm package", () => {
  it("has its own name, and nothing that only a clone needs", () => {
    const manifest = stagedManifest(JSON.parse(read("package.json")));

    expect(manifest).toMatchObject({ name: packageName, bin: { parley: "dist/main.js" }, engines: { node: ">=24" } });
    for (const left of ["private", "scripts", "devDependencies"]) expect(manifest).not.toHaveProperty(left);
  });

  it("can't be published by accident from the project", () => {
    expect(JSON.parse(read("package.json"))).toMatchObject({ name: "parley", private: true });
  });

  it("has every file beside its documents that they link to", () => {
    const documents = readdirSync(join(packageFolder, "docs")).filter((name) => name.endsWith(".md"));
    const linked = documents.flatMap((name) =>
      [...read(`docs/${name}`).matchAll(/\]\(([\w.-]+)[#)]/g)].map(([, file = ""]) => `docs/${file}`),
    );
    const { files } = JSON.parse(read("package.json")) as { readonly files: readonly string[] };

    expect(linked).toContain("docs/prometheus-alerts.yaml");
    expect(linked.filter((path) => !files.some((pattern) => matchesGlob(path, pattern)))).toEqual([]);
  });

  it("pins the packages that it needs, and only those", () => {
    const lock = {
      name: "parley",
      packages: {
        "": { name: "parley", dependencies: { hono: "4.0.0" }, devDependencies: { vitest: "5.0.0" } },
        "node_modules/hono": { version: "4.0.0" },
        "node_modules/vitest": { version: "5.0.0", dev: true },
      },
    };

    expect(withoutDevelopment(lock)).toEqual({
      name: packageName,
      packages: {
        "": { name: packageName, dependencies: { hono: "4.0.0" } },
        "node_modules/hono": { version: "4.0.0" },
      },
    });
  });

  it.each(["README.md", "docs/deploy.md", "docs/releasing.md"])("has the same name everywhere: %s", (document) => {
    const names = read(document).match(/@[\w-]+\/parley\b/g) ?? [];

    expect(names.filter((name) => name !== packageName)).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  });
});

describe("a release", () => {
  const good = { version: "1.2.0", changes, tags: ["v1.2.0"], isClean: true, owner: "acme" };

  it("is published when its changes are dated and its commit is tagged", () => {
    expect(refusalOf(good)).toBeUndefined();
  });

  it.each([
    ["nobody is named who publishes it", { owner: "OWNER" }, "release/contents.ts has no owner yet"],
    ["its changes aren't written down", { version: "1.3.0" }, "CHANGELOG.md has no section for 1.3.0"],
    ["its changes have no date", { changes: "## 1.2.0 (not yet released)\n\n- New.\n" }, "no section for 1.2.0"],
    ["something isn't committed", { isClean: false }, "aren't committed"],
    ["its commit has another tag", { tags: ["v1.1.0"] }, "Run git tag v1.2.0"],
  ])("is refused when %s", (_, wrong, sentence) => {
    expect(refusalOf({ ...good, ...wrong })).toContain(sentence);
  });

  it("is described by its section alone", () => {
    expect(notesOf("1.2.0", changes)).toBe("- New.");
    expect(notesOf("1.1.0", changes)).toBe("- Old.");
    expect(notesOf("9.9.9", changes)).toBe("");
  });

  it("gets its version and date in every file that names them", () => {
    const files = {
      "CHANGELOG.md": "# Changes\n\n## Next (not yet released)\n\n- New.\n",
      "package.json": '{\n  "version": "0.1.0"\n}\n',
      "package-lock.json": '{\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "version": "0.1.0"\n',
      "deploy/chart/Chart.yaml": 'version: 0.1.0\nappVersion: "0.1.0"\n',
    };

    expect(withVersion("0.2.0", "2026-12-01", files)).toEqual({
      "CHANGELOG.md": "# Changes\n\n## 0.2.0 (2026-12-01)\n\n- New.\n",
      "package.json": '{\n  "version": "0.2.0"\n}\n',
      "package-lock.json": '{\n  "version": "0.2.0",\n  "packages": {\n    "": {\n      "version": "0.2.0"\n',
      "deploy/chart/Chart.yaml": 'version: 0.2.0\nappVersion: "0.2.0"\n',
    });
    expect(() => withVersion("0.2.0", "2026-12-01", { ...files, "CHANGELOG.md": changes })).toThrow("has no section");
  });

  it("has the version of package.json in the lock and in the chart", () => {
    const { version } = JSON.parse(read("package.json"));
    const lock = JSON.parse(read("package-lock.json"));

    expect([lock.version, lock.packages[""].version]).toEqual([version, version]);
    expect(read("deploy/chart/Chart.yaml")).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`);
  });
});
