/** Folders that a test file needs for a while: removed when all its tests are over. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const created: string[] = [];

export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `parley-${purpose}-`));
  created.push(folder);
  return folder;
}

/** For test/setup.ts. */
export async function removeTemporaryFolders(): Promise<void> {
  for (const folder of created.splice(0)) await rm(folder, { recursive: true, force: true });
}
