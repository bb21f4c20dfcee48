/**
 * `npm run release -- ACTION`: docs/releasing.md has the steps.
 *
 * - `version X.Y.Z`: gives what is next in CHANGELOG.md that version and today's date, and package.json the version.
 * - `store`: keeps a store that this version made.
 * - `pack FOLDER`: writes the npm package as a tarball into the folder.
 * - `notes`: prints what CHANGELOG.md says about the version of package.json.
 * - `publish`: publishes the npm package with its provenance, if everything fits together.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { notesOf, owner, refusalOf, stagedManifest, withoutDevelopment, withVersion } from "./contents.ts";
import { keepStore } from "./keep-store.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const version = () => (JSON.parse(read("package.json")) as { readonly version: string }).version;

/** npm without the scripts of the project: what is built is there already. Returns what it prints. */
function npm(words: readonly string[], cwd: string): string {
  return execFileSync("npm", [...words, "--ignore-scripts"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The folder of the package: what npm packs of the project, with its own package.json and the exact packages it needs. */
function stage(folder: string): string {
  npm(["pack", "--silent", "--pack-destination", folder], root);
  execFileSync("tar", ["xzf", join(folder, `parley-${version()}.tgz`), "-C", folder]);
  const staged = join(folder, "package");
  writeFileSync(join(staged, "package.json"), json(stagedManifest(JSON.parse(read("package.json")))));
  writeFileSync(join(staged, "npm-shrinkwrap.json"), json(withoutDevelopment(JSON.parse(read("package-lock.json")))));
  return staged;
}

function inStage(use: (staged: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "parley-release-"));
  try {
    use(stage(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function publish(): void {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  const refusal = refusalOf({
    version: version(),
    changes: read("CHANGELOG.md"),
    tags: git("tag", "--points-at", "HEAD").split("\n"),
    isClean: git("status", "--porcelain") === "",
  });
  if (refusal !== undefined) throw new Error(refusal);
  inStage((staged) => process.stdout.write(npm(["publish", "--provenance", "--access", "public"], staged)));
}

const today = () => new Date().toISOString().slice(0, 10);

async function act([action, word = ""]: readonly string[]): Promise<void> {
  if (action === "version" && /^\d+\.\d+\.\d+$/.test(word)) {
    const changed = withVersion(word, today(), {
      "package.json": read("package.json"),
      "package-lock.json": read("package-lock.json"),
      "CHANGELOG.md": read("CHANGELOG.md"),
      "deploy/chart/Chart.yaml": read("deploy/chart/Chart.yaml"),
    });
    for (const [path, text] of Object.entries(changed)) write(path, text);
  } else if (action === "store") process.stdout.write(`${await keepStore(version(), today())}\n`);
  else if (action === "pack" && word !== "") {
    inStage((staged) => npm(["pack", "--silent", "--pack-destination", resolve(word)], staged));
    process.stdout.write(`${join(resolve(word), `${owner}-parley-${version()}.tgz`)}\n`);
  } else if (action === "notes") process.stdout.write(`${notesOf(version(), read("CHANGELOG.md"))}\n`);
  else if (action === "publish") publish();
  else throw new Error("npm run release -- version X.Y.Z | store | pack FOLDER | notes | publish");
}

try {
  await act(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`);
  process.exitCode = 1;
}
