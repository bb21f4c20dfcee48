/** What people said and what was fed, and who else on the same machine could read it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../../src/core/tools/make-folder.ts";
import { createParleyProcess } from "../../doubles/processes/parley-process.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

/** Of a process on Linux: its sockets that listen, as the system lists them. */
function listeningPorts(pid: number): readonly number[] {
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === "0A" && open.includes(`socket:[${inode}]`))
    .map(([, address = ""]) => Number.parseInt(address.split(":")[1] ?? "", 16));
}

const isForOthers = async (path: string) => ((await stat(path)).mode & 0o077) !== 0;

it("another user of the machine can't read a folder that Parley creates", async () => {
  const root = await temporaryFolder("private");
  await makeFolder(join(root, "a", "b"));

  expect(await isForOthers(join(root, "a"))).toBe(false);
  expect(await isForOthers(join(root, "a", "b"))).toBe(false);
});

it("another user of the machine finds no port but that of programs of the same user, which refuses", async () => {
  const parley = await createParleyProcess();
  await parley.start();
  const ports = listeningPorts(parley.pid() ?? 0).filter((port) => !parley.url.endsWith(`:${port}`));

  const answers = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/`)).status));
  await parley.close();

  expect(answers).toEqual([403]);
});

it("another user of the machine can't read a folder that was open to everyone before", async () => {
  const parley = await createParleyProcess();
  await chmod(parley.dataDir, 0o755);
  await parley.start();

  const files = await readdir(parley.dataDir);
  const open = (await Promise.all(files.map((name) => isForOthers(join(parley.dataDir, name))))).filter(Boolean);
  await parley.close();

  expect(files.length).toBeGreaterThan(1);
  expect(open).toEqual([]);
});
