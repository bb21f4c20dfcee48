/**
 * Files that live for one task: what was fetched waits here until it is parsed, and what was parsed until it is inserted,
 * so that memory does not grow with what is under way. A process that was killed leaves its folder behind: the next one
 * removes it.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../operations/log.ts";

export type Scratch = {
  /** It exists once the first file was asked for. */
  readonly folder: string;
  /** A path that nothing uses yet. */
  readonly file: () => Promise<ScratchFile>;
  readonly close: () => Promise<void>;
};

export type ScratchFile = {
  readonly path: string;
  /** Idempotent; never rejects. */
  readonly remove: () => Promise<void>;
};

/** With the machine's name, because containers that share a folder know nothing of each other's processes. */
const prefix = `parley-reading-${hostname()}-`;
/** What people attach is nobody else's business on a shared machine. */
const mode = 0o700;
/** Of this process: a folder with its process id that is not among them was left by an earlier process with that id. */
const own = new Set<string>();

export function createScratch(options: { readonly log: Log; readonly parent?: string }): Scratch {
  const { log, parent = tmpdir() } = options;
  const name = `${prefix}${process.pid}-${randomUUID()}`;
  const folder = join(parent, name);
  let swept: Promise<void> | undefined;
  let files = 0;
  own.add(name);

  async function sweep(): Promise<void> {
    for (const found of await readdir(parent).catch(() => [])) {
      const path = join(parent, found);
      if (!isLeft(found) || !(await isOwnFolder(path))) continue;
      await rm(path, { recursive: true, force: true }).catch((err: unknown) =>
        log.debug({ err, path }, "A folder that a killed process left cannot be removed"),
      );
    }
  }

  return {
    folder,
    file: async () => {
      swept ??= sweep();
      await swept;
      // Each time: whatever cleans up temporary folders may have taken it away.
      await mkdir(folder, { recursive: true, mode });
      files += 1;
      const path = join(folder, String(files));
      return { path, remove: () => rm(path, { force: true }).catch(() => undefined) };
    },
    close: async () => {
      await rm(folder, { recursive: true, force: true });
      own.delete(name);
    },
  };
}

/** Whoever owns a folder can have anything else removed with it: a folder in it becomes a link at the right moment. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

function isLeft(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  const pid = /^(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.exec(name.slice(prefix.length))?.[1];
  if (pid === undefined || own.has(name)) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it lives, and belongs to another user.
    return !(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH");
  }
}
