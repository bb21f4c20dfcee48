/**
 * Makes a folder and its parents. Not with mkdir's own `recursive`: below /proc that one never comes back (Node 24),
 * and a mistyped DATA_DIR must end in a sentence.
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** What people said is in there: nobody else on the machine may look. */
const mode = 0o700;

/** Rejects with the system's error when it cannot be made. What is made anew, parents included, is for this user alone. */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path);
  try {
    await mkdir(whole, { mode });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "EEXIST" && (await stat(whole)).isDirectory()) return;
    const parent = dirname(whole);
    // A parent that is there and still has no place for it (as in /proc) is the end of the way.
    const isParentMissing =
      code === "ENOENT" && parent !== whole && (await stat(parent).catch(() => undefined)) === undefined;
    if (!isParentMissing) throw thrown;
    await makeFolder(parent);
    await mkdir(whole, { mode });
  }
}
