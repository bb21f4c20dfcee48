/**
 * Creates, checks and locks DATA_DIR for one process. Two processes with memory coordinators must never work on the same
 * records. The lock is a file lock of the operating system (taken by SQLite), so it is released automatically when its
 * holder is killed.
 */
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { makeFolder } from "../core/tools/make-folder.ts";
import { stateError } from "./state-error.ts";

const lockName = "parley.lock";
const retryEveryMs = 250;

/** SQLITE_BUSY (https://www.sqlite.org/rescode.html): another process holds the lock. */
const busyCode = 5;

/** SQLite's primary error code (the first byte of extended codes); undefined for other errors. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown) || typeof thrown.errcode !== "number") return undefined;
  return thrown.errcode & 0xff;
}

/** Creates the folder if needed. Throws state_unavailable if it, or one of the files in it, isn't writable. */
export async function prepareDataDir(dataDir: string, files: readonly string[]): Promise<void> {
  try {
    // It holds people's messages, so it is closed to other users of the machine.
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const file of files) {
      const path = join(dataDir, file);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined) await access(path, constants.R_OK | constants.W_OK);
    }
  } catch (thrown) {
    throw stateError(thrown, { what: `DATA_DIR isn't writable: ${dataDir}.`, hint: await remedyFor(thrown, dataDir) });
  }
}

/** A volume often belongs to root, or is mounted read-only. */
async function remedyFor(thrown: unknown, dataDir: string): Promise<string> {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "EROFS") return "It is mounted read-only: mount it writable, or set DATA_DIR to another folder.";
  const owner = await stat(dataDir).catch(() => undefined);
  const own = process.geteuid?.();
  if (code !== "EACCES" || owner === undefined || own === undefined || owner.uid === own)
    return "Give Parley's user write permission there, or set DATA_DIR to another folder.";
  return `It belongs to user ${owner.uid}, and Parley runs as user ${own}: chown -R ${own} it, or set DATA_DIR to another folder.`;
}

function tryLock(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (thrown) {
    lock.close();
    if (sqliteCode(thrown) === busyCode) return undefined;
    throw thrown;
  }
}

/** Locks the folder; waits while another process has it. Returns the unlock. Rejects with the signal's reason. */
export async function lockDataDir(options: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal?: AbortSignal;
}): Promise<() => void> {
  const { dataDir, clock, log, signal } = options;
  const path = join(dataDir, lockName);
  // The Clock's timers don't keep a process alive, and nothing else may do so yet.
  let keepAlive: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const lock = tryLock(path);
      if (lock !== undefined) return () => lock.close();
      if (keepAlive === undefined) {
        keepAlive = setInterval(() => {}, 60_000);
        log.warn({ dataDir }, "Another Parley is using DATA_DIR; waiting for it to end");
      }
      await clock.sleep(retryEveryMs, signal);
    }
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    throw stateError(thrown, { what: `DATA_DIR can't be locked: ${path}.` });
  } finally {
    clearInterval(keepAlive);
  }
}
