/** What people said, and who else on the machine could read it. */
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../src/operations/make-folder.ts";
import { createParleyProcess } from "../doubles/parley-process.ts";

const isForOthers = async (path: string) => ((await stat(path)).mode & 0o077) !== 0;

it("is nobody, in a folder that Parley makes", async () => {
  const root = await mkdtemp(join(tmpdir(), "parley-private-"));
  await makeFolder(join(root, "a", "b"));

  expect(await isForOthers(join(root, "a"))).toBe(false);
  expect(await isForOthers(join(root, "a", "b"))).toBe(false);
  await rm(root, { recursive: true });
});

it("is nobody either in one that was open to everybody before", async () => {
  const parley = await createParleyProcess();
  await chmod(parley.dataDir, 0o755);
  await parley.start();

  const files = await readdir(parley.dataDir);
  const open = (await Promise.all(files.map((name) => isForOthers(join(parley.dataDir, name))))).filter(Boolean);
  await parley.close();

  expect(files.length).toBeGreaterThan(1);
  expect(open).toEqual([]);
});
