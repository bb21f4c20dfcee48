/** Builds dist/ before tests that start it, unless it is newer than everything it is built of. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../src/core/tools/package-folder.ts";
import { main } from "./doubles/processes/built.ts";

export function setup(): void {
  const sources = ["src", "adapters"].flatMap((name) =>
    readdirSync(join(packageFolder, name), { recursive: true, encoding: "utf8" }).map((path) => join(name, path)),
  );
  const changedAtMs = ["package-lock.json", "tsdown.config.ts", ...sources].map(
    (path) => statSync(join(packageFolder, path)).mtimeMs,
  );
  if (existsSync(main) && statSync(main).mtimeMs > Math.max(...changedAtMs)) return;
  const { status } = spawnSync("npx", ["tsdown", "--logLevel", "warn"], { cwd: packageFolder, stdio: "inherit" });
  if (status !== 0) throw new Error("Parley can't be built");
}
