/**
 * Plants what the linter must refuse in a copy of the folders, and runs it as people and `npm run check` do: a rule
 * that only runs when it is asked for by name would refuse nothing.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");

const planted = {
  "src/bridge/one.ts": 'import type { Two } from "../commands/two.ts";\nexport type One = Two;\n',
  "src/commands/two.ts": 'import type { Three } from "./three.ts";\nexport type Two = Three;\n',
  "src/commands/three.ts": 'import type { One } from "../bridge/one.ts";\nexport type Three = One;\n',
  "src/bridge/four.ts": 'import type { Five } from "./five.ts";\nexport type Four = Five;\n',
  "src/bridge/five.ts": "export type Five = 5;\n",
  "src/bridge/turn/disk.ts": 'import "node:fs";\n',
  "src/bridge/turn/slack.ts": 'import "@slack/bolt";\n',
  "src/presentation/network.ts": 'import "undici";\n',
  "src/insight/server.ts": 'import "hono/cookie";\n',
  "src/state/disk.ts": 'import "node:fs";\n',
  "src/bridge/turn/hash.ts": 'import "node:crypto";\n',
  "adapters/slack/environment.ts": "export const token = process.env;\n",
};

const circles = "lint/suspicious/noImportCycles";
const packages = "lint/style/noRestrictedImports";
const environment = "lint/style/noProcessEnv";

const expected = [
  ["src/bridge/one.ts", circles],
  ["src/commands/two.ts", circles],
  ["src/commands/three.ts", circles],
  ["src/bridge/turn/disk.ts", packages],
  ["src/bridge/turn/slack.ts", packages],
  ["src/presentation/network.ts", packages],
  ["src/insight/server.ts", packages],
  ["adapters/slack/environment.ts", environment],
];

type Report = { readonly diagnostics: readonly { readonly category: string; readonly location: { path: string } }[] };

describe.each(["npx biome lint .", "npm run check"])("%s", (command) => {
  let found: string[][] = [];
  let exitCode: unknown;

  beforeAll(async () => {
    const copy = await temporaryFolder("linter");
    for (const name of ["biome.json", ".gitignore"]) await copyFile(join(root, name), join(copy, name));
    for (const [path, text] of Object.entries(planted)) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), text);
    }
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const ran = command === "npm run check" ? String(scripts.check).split(" && ")[0] : command.replace("npx ", "");
    const [program = "", ...args] = ran?.split(" ") ?? [];
    const asJson = ["--max-diagnostics=none", "--reporter=json"];
    const report = await new Promise<Report>((done) => {
      execFile(join(root, "node_modules/.bin", program), [...args, ...asJson], { cwd: copy }, (failure, stdout) => {
        exitCode = failure?.code;
        done(JSON.parse(stdout));
      });
    });
    found = report.diagnostics.map(({ category, location }) => [location.path, category]);
  });

  it("fails", () => {
    expect(exitCode).toBe(1);
  });

  it("refuses circles, also of types alone and across rooms, packages out of place and the environment", () => {
    const rules = [circles, packages, environment];
    const refused = found.filter(([, category = ""]) => rules.includes(category));

    expect(refused.toSorted()).toEqual(expected.toSorted());
  });
});
