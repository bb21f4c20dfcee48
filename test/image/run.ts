/**
 * `npm run image` builds the container image; words after `--` go to the engine's build, as `--build-arg BASE=…`.
 * `npm run image -- test [IMAGE]` tries it, or another one. Docker or Podman does both.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { engine } from "./engine.ts";

function run(program: string, words: readonly string[], settings: Readonly<Record<string, string>> = {}): number {
  const env = { ...process.env, ...settings };
  return spawnSync(program, words, { cwd: packageFolder, env, stdio: "inherit" }).status ?? 1;
}

function begin(program: NonNullable<typeof engine>, [word, ...more]: readonly string[]): number {
  if (word === "test") {
    const [image = "parley"] = more;
    return run("vitest", ["run", "--config", join(import.meta.dirname, "vitest.config.ts")], { IMAGE: image });
  }
  // Podman's own format has no health check.
  const format = program === "podman" ? ["--format", "docker"] : [];
  const given = word === undefined ? [] : [word, ...more];
  return run(program, ["build", ...format, "--file", "Containerfile", "--tag", "parley", ...given, "."]);
}

if (engine === undefined) {
  process.stderr.write(
    "This needs Docker or Podman, and neither works here. Install one, or start Docker's service.\n",
  );
  process.exitCode = 2;
} else process.exitCode = begin(engine, process.argv.slice(2));
