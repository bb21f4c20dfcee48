/**
 * The bundle of src/program.ts: one file, and some that are loaded when they are needed, instead of 1,500 modules. It
 * starts in half of the processor time and takes 20 to 30 MB less memory. `npm ci` makes it; a start makes it again when
 * a source, a package or a setting of it has changed. Packages are as package-lock.json names them.
 */
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

/** `program` is the URL of the bundle's first file; without it, `problem` says in words why there is none. */
export type Bundle = { readonly program?: string; readonly problem?: string };

const ownProject = resolve(import.meta.dirname, "../..");
const place = "node_modules/.cache/parley/bundles";
/** A Parley that still runs may load more of an older one. */
const keptCount = 3;
const abandonedAfterMs = 3_600_000;

/** `project` holds src/program.ts, package.json and package-lock.json. */
export function bundled(project = ownProject): Bundle {
  try {
    const folder = folderOf(project);
    const bundle = join(folder, fingerprint(project));
    const program = join(bundle, "program.mjs");
    if (!existsSync(program)) {
      makeIn(bundle, project);
      removeOlder(folder, bundle);
    }
    return { program: pathToFileURL(program).href };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A bundle finds the sources' files from where it really lies. */
function folderOf(project: string): string {
  const folder = join(project, place);
  mkdirSync(folder, { recursive: true });
  if (realpathSync(folder) !== join(realpathSync(project), place)) throw new Error(`${folder} is a link`);
  return folder;
}

function makeIn(bundle: string, project: string): void {
  const unfinished = `${bundle}.${randomUUID()}`;
  try {
    mkdirSync(unfinished);
    make(project, unfinished);
    renameSync(unfinished, bundle);
  } catch (error) {
    // Another process may have made the same one meanwhile.
    if (!existsSync(join(bundle, "program.mjs"))) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Changes with everything that a bundle is made of. */
function fingerprint(project: string): string {
  const hash = createHash("sha256");
  const sources = ["src", "adapters"].flatMap((name) =>
    readdirSync(join(project, name), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(name, path)),
  );
  for (const path of ["package.json", "package-lock.json", ...sources.toSorted()]) {
    const content = readFileSync(join(project, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 32);
}

/** In a process of its own, so that Parley's has no memory of it. */
function make(project: string, target: string): void {
  const program = join(import.meta.dirname, "make.ts");
  const { error, status, stderr } = spawnSync(process.execPath, [program, project, target], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status === 0) return;
  throw new Error(`bundling them ended with ${status}: ${stripVTControlCharacters(stderr).trim().slice(0, 1_000)}`);
}

/** Removes old bundles, and unfinished ones that a killed process left. */
function removeOlder(folder: string, newest: string): void {
  try {
    const all = readdirSync(folder)
      .map((name) => ({ path: join(folder, name), name, madeAtMs: statSync(join(folder, name)).mtimeMs }))
      .toSorted((one, other) => other.madeAtMs - one.madeAtMs);
    // Not by its age: a clock may have been wrong.
    const older = all.filter(({ name, path }) => !name.includes(".") && path !== newest).slice(keptCount - 1);
    const abandoned = all.filter(
      ({ name, madeAtMs }) => name.includes(".") && Date.now() - madeAtMs > abandonedAfterMs,
    );
    for (const { path } of [...older, ...abandoned]) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another process removes them as well, or they are another user's.
  }
}
