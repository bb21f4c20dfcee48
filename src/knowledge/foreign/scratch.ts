/**
 * Temporary files for content in progress. Fetched content waits here until it is parsed, and parsed content until it
 * is inserted, so that memory use stays constant. All files share one limit. A killed process leaves its folder behind,
 * and the next start removes it.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../core/ports/log.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { maxScratchBytes } from "./content-limits.ts";

export type DiskClaim = {
  /** Call before writing this many more bytes. Throws ReadFailure when there's no room. */
  readonly reserve: (bytes: number) => void;
  /** The actual size, once it is known. */
  readonly settle: (bytes: number) => void;
  /** Idempotent; afterwards nothing is counted for it. */
  readonly release: () => void;
};

export type Scratch = {
  /** Created with the first file. */
  readonly folder: string;
  /** A new path, with this much room reserved. Throws ReadFailure when there's none. */
  readonly file: (bytes?: number) => Promise<ScratchFile>;
  /** Room for content stored elsewhere on the disk. */
  readonly claim: () => DiskClaim;
  readonly close: () => Promise<void>;
};

export type ScratchFile = {
  readonly path: string;
  /** Call before writing this many more bytes to it. Throws ReadFailure when there's no room. */
  readonly reserve: (bytes: number) => void;
  /** From now on it counts with its actual size. Never rejects. */
  readonly settle: () => Promise<void>;
  /** Idempotent; never rejects. */
  readonly remove: () => Promise<void>;
};

/** Includes the host name, because containers that share a folder can't see each other's processes. */
const prefix = `parley-reading-${hostname()}-`;
/** Attachments must not be readable by other users of the machine. */
const mode = 0o700;
/** This process's folders. A folder with its process id that isn't listed here was left by an earlier process. */
const ownFolders = new Set<string>();

export function createScratch(options: {
  readonly log: Log;
  readonly parent?: string;
  /** For all files together. */
  readonly maxBytes?: number;
}): Scratch {
  const { log, parent = tmpdir(), maxBytes = maxScratchBytes } = options;
  const name = `${prefix}${process.pid}-${randomUUID()}`;
  const folder = join(parent, name);
  let files = 0;
  /** Bytes of all claims. */
  let taken = 0;
  ownFolders.add(name);
  const swept = sweep();

  async function sweep(): Promise<void> {
    for (const found of await readdir(parent).catch(() => [])) {
      const path = join(parent, found);
      if (!isAbandoned(found) || !(await isOwnFolder(path))) continue;
      await rm(path, { recursive: true, force: true }).catch((err: unknown) =>
        log.debug({ err, path }, "A folder that a killed process left cannot be removed"),
      );
    }
  }

  function claimRoom(): DiskClaim {
    let own = 0;
    let isReleased = false;
    const set = (bytes: number) => {
      if (isReleased) return;
      taken += bytes - own;
      own = bytes;
    };
    return {
      reserve: (bytes) => {
        if (taken + bytes > maxBytes) throw new ReadFailure("unreadable", "Parley's disk is full. Try again later");
        set(own + bytes);
      },
      settle: set,
      release: () => {
        set(0);
        isReleased = true;
      },
    };
  }

  return {
    folder,
    file: async (bytes = 0) => {
      const claim = claimRoom();
      claim.reserve(bytes);
      await swept;
      // Every time, because a cleaner of temporary folders may have deleted it.
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
    claim: claimRoom,
    close: async () => {
      await rm(folder, { recursive: true, force: true });
      ownFolders.delete(name);
    },
  };
}

/**
 * The owner of a folder could get anything else deleted through it, by replacing a folder inside with a link at the
 * right moment.
 */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

function isAbandoned(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  const pid = /^(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.exec(name.slice(prefix.length))?.[1];
  if (pid === undefined || ownFolders.has(name)) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it is alive, and belongs to another user.
    return !(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH");
  }
}
