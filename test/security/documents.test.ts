/** What docs/security.md and docs/dependencies.md claim, against what is there. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

describe.each(["## Threats and the tests that cover them", "## What reviews found, and what protects against it"])(
  "each row of docs/security.md below %s",
  (title) => {
    const [, table = ""] = read("docs/security.md").split(title);
    const rows = (table.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\| (?!threat|finding|---)/.test(line));

    it("has a row", () => {
      expect(rows.length).toBeGreaterThan(20);
    });

    it.for(rows.map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""))))(
      "is covered by a test of that name: %s",
      (cells) => {
        const tests = cells.at(-1) ?? "";
        const named = [...tests.matchAll(/`(test\/[^`]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)];

        expect(named.length).toBeGreaterThan(0);
        expect(named.length).toBe([...tests.matchAll(/\.test\.ts`/g)].length);
        for (const [, path = "", names = ""] of named) {
          const code = read(path);
          for (const [, name = ""] of names.matchAll(/"([^"]+)"/g)) expect(code).toContain(`"${name}"`);
        }
      },
    );
  },
);

type Locked = {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

describe("what is installed in production", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { readonly packages: Readonly<Record<string, Locked>> };
  const { dependencies: direct } = JSON.parse(read("package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const document = read("docs/dependencies.md");
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);

  /** Where Node finds it from there: beside it, or further out. */
  function placeOf(from: string, name: string): string | undefined {
    const inside = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
    if (packages[inside] !== undefined) return inside;
    return from === "" ? undefined : placeOf(from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name);
  }

  function reached(names: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    const waiting = names.map((name) => placeOf("", name));
    for (let path = waiting.pop(); path !== undefined || waiting.length > 0; path = waiting.pop()) {
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
        waiting.push(placeOf(path, name));
      }
    }
    return found;
  }

  it("has a row with its reason for each package, and no row more", () => {
    const rows = [...document.matchAll(/^\| (`.*?) \| \S/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );

    expect(rows.sort()).toEqual(Object.keys(direct).sort());
  });

  it("is as many packages as the document says", () => {
    const names = Object.keys(direct);
    const withoutSlack = reached(names.filter((name) => !name.startsWith("@slack/"))).size;
    const count = `${names.length} packages directly and ${installed.length} in total; `;

    expect(reached(names).size).toBe(installed.length);
    expect(document).toContain(`${count}${installed.length - withoutSlack} of them only for Slack's library`);
  });

  it("are pinned, have checksums, and run nothing when they are installed", () => {
    expect(Object.values(direct).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(installed.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true)).toEqual([]);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  });

  it("has one undici, which Discord's library uses too", () => {
    expect(installed.map(([path]) => path).filter((path) => path.endsWith("/undici"))).toEqual(["node_modules/undici"]);
  });

  it("is under licences that ask for no more than to be named", () => {
    const asks = ({ license = "" }: Locked) =>
      !/^(?:MIT|MIT-0|MIT AND Zlib|MIT AND BSD-3-Clause|MIT OR GPL-3\.0-or-later|ISC|0BSD|BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|(?:.* OR )?Apache-2\.0)$/.test(
        license.replace(/[()]/g, ""),
      );

    expect(installed.filter(([, one]) => asks(one)).map(([path, { license }]) => [path, license])).toEqual([
      // Both ask no more of a copy that is passed on unchanged; docs/dependencies.md says so.
      ["node_modules/@resvg/resvg-wasm", "MPL-2.0"],
      ["node_modules/inter-ui", "OFL-1.1"],
    ]);
    for (const name of ["`@resvg/resvg-wasm` (MPL 2.0)", "`inter-ui` (OFL 1.1)"]) expect(document).toContain(name);
  });

  it("keeps the package that only development runs at installation out", () => {
    expect(packages["node_modules/node"]?.dev).toBe(true);
  });
});
