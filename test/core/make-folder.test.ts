import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeFolder } from "../../src/core/tools/make-folder.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

let root: string;
beforeAll(async () => {
  root = await temporaryFolder("folder");
});

it("creates a folder and its parents, and accepts existing ones", async () => {
  const path = join(root, "a", "b", "c");
  await makeFolder(path);
  await makeFolder(path);

  expect((await stat(path)).isDirectory()).toBe(true);
});

it("refuses where a file stands", async () => {
  const path = join(root, "file");
  await writeFile(path, "");

  await expect(makeFolder(path)).rejects.toThrow("EEXIST");
  await expect(makeFolder(join(path, "below"))).rejects.toThrow();
});

it("recovers where no folder can be created", async () => {
  await expect(makeFolder("/proc/parley/data")).rejects.toThrow();
});
