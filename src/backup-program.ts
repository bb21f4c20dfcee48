/**
 * `parley backup FILE` and `parley restore FILE`: writes everything that Parley stores into one file, and puts it
 * into an empty store, of the same kind or of the other one. Exits with 2 and one line if it can't.
 */
import { resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { databaseName as serviceDatabase } from "./agent-service/built-in/storage/database.ts";
import { type Config, ConfigError, loadConfig } from "./config/config.ts";
import { ParleyError, toParleyError } from "./core/errors.ts";
import type { State } from "./core/ports/state.ts";
import { systemClock as clock } from "./core/tools/system-clock.ts";
import { collections } from "./kept-collections.ts";
import { createLog } from "./operations/operations.ts";
import { platformModules } from "./platforms.ts";
import { cleanText } from "./presentation/drawing.ts";
import { countText, errorText, numberText } from "./presentation/sentences.ts";
import { backUp } from "./state/backup/backup.ts";
import type { Counts } from "./state/backup/format.ts";
import { checkBackup, restore } from "./state/backup/restore.ts";
import { hasState, openState } from "./state/open-state.ts";
import { sqliteReason } from "./state/state-error.ts";

/** A Parley that is shutting down may have the folder for a moment. */
const lockPatienceMs = 2_000;
const saysEvery = 20_000;

const log = createLog({ level: "silent" });

const lineOf = (counts: Counts): string => {
  const all = Object.entries(counts).filter(([kind]) => kind !== "fences" && kind !== "files");
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const { turns = 0, jobs = 0 } = counts;
  return `${countText(sum, "record")} (${countText(turns, "question")}, ${countText(jobs, "job")})`;
};

async function open({ dataDir, redisUrl }: Config, isForRestore: boolean): Promise<State> {
  const inUse = new AbortController();
  const busy = new ParleyError("state_unavailable", {
    what: `A Parley is using DATA_DIR (${dataDir}), so nothing was done.`,
    hint: "Stop it first.",
  });
  const cancel = clock.after(lockPatienceMs, () => inUse.abort(busy));
  const state = await openState({ dataDir, redisUrl, clock, log, isForRestore, signal: inUse.signal }).finally(cancel);
  for (const [name, definition] of Object.entries(collections)) state.collection(name, definition);
  return state;
}

async function runBackup(config: Config, path: string): Promise<void> {
  if (!hasState(config)) {
    const what = `There is no data of Parley in DATA_DIR (${config.dataDir}), so nothing was backed up.`;
    const hint = "Set DATA_DIR, or REDIS_URL, as the running Parley has it.";
    throw new ParleyError("state_unavailable", { what, hint });
  }
  const state = await open(config, false);
  try {
    await state.ping();
    const { dataDir } = config;
    const about = { path, files: [serviceDatabase], dataDir, version: packageJson.version, clock };
    const { counts, bytes } = await backUp({ state, ...about });
    say(`Backed up ${lineOf(counts)} of ${state.kind}: ${path}, ${numberText(Math.ceil(bytes / 1024))} KB.`);
    const { count, keys } = state.damage();
    if (count > 0) say(`Left out: ${countText(count, "damaged record")} that Parley can't read (${keys.join(", ")}).`);
  } finally {
    await state.close();
  }
}

async function runRestore(config: Config, path: string): Promise<void> {
  // All of it is read before anything is created.
  const file = await checkBackup(path);
  const state = await open(config, true);
  let saidAt = 0;
  const onProgress = (done: number, all: number) => {
    isHalf = true;
    if (done - saidAt < saysEvery) return;
    saidAt = done;
    process.stderr.write(`${numberText(done)} of ${numberText(all)}\n`);
  };
  try {
    await state.ping();
    const { counts, stayed } = await restore({ state, file, dataDir: config.dataDir, clock, onProgress });
    isHalf = false;
    say(`Restored ${lineOf(counts)} into ${state.kind}.`);
    for (const name of stayed) say(`${name} is in DATA_DIR already, and stayed as it is.`);
  } finally {
    await state.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${cleanText(line)}\n`);
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}

/** The storage has some of the records, which the reason why it stopped must say. */
let isHalf = false;
const halfText = " The restore isn't complete: run it again to continue.";

/** What the system says of a file, in words. */
function fileText(thrown: unknown, path: string): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  switch (thrown.code) {
    case "ENOENT":
    case "ENOTDIR":
      return `There is no file or folder at ${path}.`;
    case "EISDIR":
      return `${path} is a folder. Name a file.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Parley isn't allowed to use ${path}. Give it the right, or name another file.`;
    case "EFBIG":
    case "ENOSPC":
    case "EDQUOT":
      return `There is no room on the disk for ${path}. Make room, and try again.`;
    default:
      return undefined;
  }
}

process.umask(0o077);
const [action, file = "", ...more] = process.argv.slice(2);
if ((action !== "backup" && action !== "restore") || file === "" || file.startsWith("-") || more.length > 0) {
  refuse(`Name one file, for example: parley ${action ?? "backup"} parley-backup.gz`);
} else {
  const path = resolve(file);
  // The clock's timers keep no process alive: it would end while it waits for Redis.
  const alive = setInterval(() => undefined, 60_000);
  try {
    const config = loadConfig(platformModules);
    await (action === "backup" ? runBackup : runRestore)(config, path);
  } catch (thrown) {
    const sqlite = sqliteReason(thrown);
    const { what, hint } =
      thrown instanceof ConfigError ? { what: thrown.message, hint: "" } : errorText(toParleyError(thrown));
    const why = sqlite === undefined ? "" : ` SQLite says: ${sqlite}.`;
    refuse(`${fileText(thrown, path) ?? `${what} ${hint}${why}`.trim()}${isHalf ? halfText : ""}`);
  } finally {
    clearInterval(alive);
  }
}
