/**
 * Files that live for one task: what was fetched waits here until it is parsed, and what was parsed until it is inserted,
 * so that memory does not grow with what is under way. All of them together have a limit. A process that was killed leaves
 * its folder behind: the next one removes it when it starts.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../ports/log.ts";
import { maxScratchBytes } from "./content-limits.ts";
import { createDiskRoom, type DiskClaim } from "./disk-room.ts";

export type Scratch = {
  /** It exists once the first file was asked for. */
  readonly folder: string;
  /** A path that nothing uses yet, with room for so many bytes. Throws ReadFailure where there is none. */
  readonly file: (bytes?: number) => Promise<ScratchFile>;
  /** Room for what lies elsewhere on the disk. */
  readonly claim: () => DiskClaim;
  readonly close: () => Promise<void>;
};

export type ScratchFile = {
  readonly path: string;
  /** Before so many more bytes are written into it. Throws ReadFailure where they have no room. */
  readonly reserve: (bytes: number) => void;
  /** From then on it is counted as what it is. Never rejects. */
  readonly settle: () => Promise<void>;
  /** Idempotent; never rejects. */
  readonly remove: () => Promise<void>;
};

/** With the machine's name, because containers that share a folder know nothing of each other's processes. */
const prefix = `parley-reading-${hostname()}-`;
/** What people attach is nobody else's business on a shared machine. */
const mode = 0o700;
/** Of this process: a folder with its process id that is not among them was left by an earlier process with that id. */
const own = new Set<string>();

export function createScratch(options: {
  readonly log: Log;
  readonly parent?: string;
  /** Of all files together. */
  readonly maxBytes?: number;
}): Scratch {
  const { log, parent = tmpdir() } = options;
  const room = createDiskRoom(options.maxBytes ?? maxScratchBytes);
  const name = `${prefix}${process.pid}-${randomUUID()}`;
  const folder = join(parent, name);
  let files = 0;
  own.add(name);
  const swept = sweep();

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
    file: async (bytes = 0) => {
      const claim = room.claim();
      claim.reserve(bytes);
      await swept;
      // Each time: whatever cleans up temporary folders may have taken it away.
      await mkdir(folder, { recursive: true, mode }).catch((thrown: unknown) => {
        claim.release();
        throw thrown;
      });
      files += 1;
      const path = join(folder, String(files));
      return {
        path,
        reserve: claim.reserve,
        settle: () =>
          stat(path).then(
            ({ size }) => claim.settle(size),
            () => undefined,
          ),
        remove: async () => {
          await rm(path, { force: true }).catch(() => undefined);
          claim.release();
        },
      };
    },
    claim: room.claim,
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
