/** The engine of containers on this machine: Docker, or else Podman. What is set for it in its own files counts. */
import { execFile, spawnSync } from "node:child_process";

const engines = ["docker", "podman"] as const;

/** Undefined: none of them works here. */
export const engine = engines.find((program) => spawnSync(program, ["version"], { stdio: "ignore" }).status === 0);

/** Podman's own warnings would be among what the container writes. */
const quiet = engine === "podman" ? ["--log-level", "fatal"] : [];

/** `code`: undefined if a signal ended it. */
export type Ended = { readonly code: number | undefined; readonly output: string };

/** Resolves when it has ended, whatever its exit code. */
export function runEngine(...words: readonly string[]): Promise<Ended> {
  if (engine === undefined) throw new Error("This needs Docker or Podman, and neither works here.");
  return new Promise((resolve) => {
    const child = execFile(engine, [...quiet, ...words], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? undefined, output: stdout + stderr });
    });
  });
}
