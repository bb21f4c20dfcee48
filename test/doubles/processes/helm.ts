/**
 * Helm, as a library of Python with the schemas of Kubernetes (test/deploy/requirements.txt), in `.venv`. Without it the
 * tests of the chart are skipped, loudly; with REQUIRE_ALL=1 that is a failure.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";

const python = join(packageFolder, ".venv/bin/python");

/** For `describe.skipIf(!hasHelm())`. */
export function hasHelm(): boolean {
  if (existsSync(python)) return true;
  const missing = "there is no .venv (python3 -m venv .venv && .venv/bin/pip install -r test/deploy/requirements.txt)";
  if (process.env["REQUIRE_ALL"] === "1") throw new Error(`REQUIRE_ALL=1, and ${missing}`);
  process.stderr.write(`\n*** SKIPPED: tests of the chart, because ${missing} ***\n\n`);
  return false;
}

/** What a program of Python prints, as JSON. */
export function runPython(words: readonly string[]): unknown {
  return JSON.parse(execFileSync(python, words, { cwd: packageFolder, encoding: "utf8" }));
}
