/** Creates a folder and its parents. mkdir's own `recursive` never returns below /proc (Node 24). */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The folder holds what people said, so nobody else on the machine can look. */
const mode = 0o700;

/**
 * Rejects with the system's error on failure. Every folder it creates, parents included, is readable by this user only.
 */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path);
  try {
    await mkdir(whole, { mode });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "EEXIST" && (await stat(whole)).isDirectory()) return;
    const parent = dirname(whole);
    // If the parent exists and mkdir still fails (as in /proc), give up.
    const isParentMissing =
      code === "ENOENT" && parent !== whole && (await stat(parent).catch(() => undefined)) === undefined;
    if (!isParentMissing) throw thrown;
    await makeFolder(parent);
    await mkdir(whole, { mode });
  }
}
