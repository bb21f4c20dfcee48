/**
 * A folder of this machine as a source, below one that SYNC_FOLDERS names. Anyone who writes into it must not get another
 * file of this machine read, so a link is only followed to a file within that folder, and of every opened file the
 * place is checked once more: a link can be put in between.
 */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, opendir, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, sep } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import { rowSentences, syncSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import {
  isLeftFolder,
  isSyncedName,
  type ListSource,
  maxSourceDepth,
  maxSourceEntries,
  maxSourceFiles,
  type SourceFile,
  type SourceFiles,
} from "./source.ts";

const pieceBytes = 256 * 1024;
const maxReads = 3;
const pauseMs = 200;

/** The folder that a person names, as it is stored. Undefined if it isn't within one of `folders`; nothing is opened. */
export function folderWithin(given: string, folders: readonly string[]): string | undefined {
  if (!isAbsolute(given) || given.includes("\0")) return undefined;
  const path = withoutEnd(normalize(given));
  return folders.some((folder) => isWithin(path, withoutEnd(normalize(folder)))) ? path : undefined;
}

export function createFolderSource({
  folders,
  clock,
}: {
  readonly folders: readonly string[];
  readonly clock: Clock;
}): ListSource {
  /** The folder, and the one of SYNC_FOLDERS that it is in, where their links lead. */
  async function find(source: string): Promise<{ readonly root: string; readonly allowed: string }> {
    // The setting may have changed since it was first read.
    if (folderWithin(source, folders) === undefined) throw new ReadFailure("refused", syncSentences.notAllowed);
    const root = await realpath(source).catch(notOpened);
    for (const folder of folders) {
      const allowed = await realpath(folder).catch(() => undefined);
      if (allowed !== undefined && isWithin(root, allowed)) return { root, allowed };
    }
    throw new ReadFailure("refused", syncSentences.notAllowed);
  }

  /** Copies a file and hashes it; again if it was written meanwhile. */
  async function save(
    path: string,
    allowed: string,
    into: Parameters<SourceFile["save"]>[0],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<string> {
    for (let reads = 1; ; reads += 1) {
      const hash = await copy(path, allowed, into, maxBytes, signal);
      if (hash !== undefined) return hash;
      if (reads === maxReads) throw new ReadFailure("unreadable", syncSentences.changing);
      await clock.sleep(pauseMs, signal);
    }
  }

  return async (source, { signal }) => {
    const { root, allowed } = await find(source);
    const files: SourceFile[] = [];
    const unread: { path: string; reason: string }[] = [];
    let leftOut = 0;
    let entries = 0;

    async function walk(folder: string, prefix: string, depth: number): Promise<void> {
      if (depth > maxSourceDepth) throw new ReadFailure("unreadable", syncSentences.tooDeep(maxSourceDepth));
      for await (const entry of await opendir(folder)) {
        signal.throwIfAborted();
        entries += 1;
        if (entries > maxSourceEntries)
          throw new ReadFailure("unreadable", syncSentences.tooManyEntries(maxSourceEntries));
        const { name } = entry;
        const path = `${prefix}${name}`;
        const isFolder = entry.isDirectory();
        if (isFolder ? isLeftFolder(name) : name.startsWith(".")) continue;
        if (isFolder) {
          await walk(join(folder, name), `${path}/`, depth + 1).catch((thrown: unknown) => {
            if (thrown instanceof ReadFailure || signal.aborted) throw thrown;
            unread.push({ path: `${path}/`, reason: syncSentences.folderUnread });
          });
          continue;
        }
        if (!isSyncedName(name)) {
          leftOut += 1;
          continue;
        }
        if (files.length >= maxSourceFiles)
          throw new ReadFailure("unreadable", syncSentences.tooManyFiles(maxSourceFiles));
        const saveFile: SourceFile["save"] = (into, maxBytes) =>
          save(join(folder, name), allowed, into, maxBytes, signal);
        files.push({ path, save: saveFile });
      }
    }

    await walk(root, "", 0).catch((thrown: unknown) => {
      if (thrown instanceof ReadFailure || signal.aborted) throw thrown;
      return notOpened(thrown);
    });
    return { name: basename(source), files, leftOut, unread } satisfies SourceFiles;
  };
}

/** Undefined if the file changed meanwhile. */
async function copy(
  path: string,
  allowed: string,
  into: Parameters<SourceFile["save"]>[0],
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await realpath(path).catch(unreadable);
  if (!isWithin(found, allowed)) throw new ReadFailure("refused", syncSentences.linkOut);
  // A pipe would otherwise wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(found, flags).catch(unreadable);
  try {
    const before = await file.stat();
    if (!before.isFile()) throw new ReadFailure("unreadable", syncSentences.notFile);
    if (!(await isStillWithin(file, found, allowed))) throw new ReadFailure("refused", syncSentences.linkOut);
    if (before.size > maxBytes) throw new ReadFailure("unreadable", syncSentences.tooLarge(maxBytes / 1024 ** 2));
    if (before.size === 0) throw new ReadFailure("unreadable", rowSentences.emptyFile);
    const hash = createHash("sha256");
    const copied = await open(into.path, "w");
    try {
      const buffer = Buffer.alloc(Math.min(pieceBytes, before.size));
      let size = 0;
      for (;;) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(buffer, 0, buffer.length, size).catch(unreadable);
        if (bytesRead === 0) break;
        size += bytesRead;
        // It grows: what was stated isn't true any longer.
        if (size > before.size) return undefined;
        const part = buffer.subarray(0, bytesRead);
        hash.update(part);
        into.reserve(part.length);
        await copied.appendFile(part);
      }
      const after = await file.stat();
      const isSame = size === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs;
      return isSame ? hash.digest("hex") : undefined;
    } finally {
      await copied.close();
    }
  } finally {
    await file.close();
  }
}

/** Of the file that was opened: a folder on the way to it may have been replaced by a link. */
async function isStillWithin(file: FileHandle, path: string, allowed: string): Promise<boolean> {
  const opened = await realpath(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return isWithin(opened, allowed);
  // Only Linux tells where an open file is.
  const [there, { ino, dev }] = await Promise.all([realpath(path).catch(() => ""), file.stat()]);
  const now = await lstat(there).catch(() => undefined);
  return isWithin(there, allowed) && now?.ino === ino && now.dev === dev;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}

function notOpened(thrown: unknown): never {
  throw new ReadFailure("unreachable", syncSentences.folderAway, thrown);
}

function unreadable(thrown: unknown): never {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  const reason = code === "EACCES" || code === "EPERM" ? syncSentences.noRight : syncSentences.fileAway;
  throw new ReadFailure("unreadable", reason, thrown);
}
