/**
 * Writes what is in the file of a backup into an empty store. The whole file is checked before anything is written. The
 * store then has a note of the file and of how much of it is there, so that a restore which stopped continues, and no
 * instance works with half of it.
 */
import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { State } from "../../core/ports/state.ts";
import type { StoredItem } from "../../core/ports/storage/contents.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { retry } from "../../core/tools/retry.ts";
import { inUse } from "./backup.ts";
import { finishFiles, writePiece } from "./files.ts";
import { type BackupEnd, type Counts, createTally, expiring, readBackup } from "./format.ts";

/** Written at once: what a slow Redis takes within the time limit of a call. */
const atOnce = { items: 50, bytes: 500_000 };
/** Writing is repeated for some seconds, since the storage may only be busy. */
const pauses = { firstPauseMs: 250, maxPauseMs: 2_000 };
const tries = 6;

/** `done`: how many of its records are written; -1: it isn't known yet whether the store was empty. */
const noteSchema = z.object({ sha256: z.string(), done: z.number().int() });

export type Restored = {
  readonly counts: Counts;
  /** Databases beside the state that were there already, and are as they were. */
  readonly stayed: readonly string[];
};

/** A file that was read to its end. */
export type BackupFile = BackupEnd & { readonly path: string };

/** Throws what is wrong with it. */
export async function checkBackup(path: string): Promise<BackupFile> {
  const lines = readBackup(path);
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return { ...value, path };
  }
}

/** Throws why the store can't have it. */
export async function restore(options: {
  readonly state: Pick<State, "contents">;
  readonly file: BackupFile;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Called first when the store begins to have some of it. */
  readonly onProgress?: (done: number, all: number) => void;
}): Promise<Restored> {
  const { state, file, dataDir, clock, onProgress } = options;
  const { contents } = state;
  const { counts, sha256, path } = file;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sizes = new Map<string, number>();
  const note = (done: number) => contents.setRestoring(JSON.stringify({ sha256, done }));
  const steadily = (write: () => Promise<void>) =>
    retry(write, {
      clock,
      ...pauses,
      pauseAfter: (thrown, ms, tried) => (isBusy(thrown) && tried < tries ? ms : undefined),
    });

  async function refuseUsed(): Promise<void> {
    if (await contents.isShared()) throw inUse("nothing was restored");
    for await (const item of contents.read()) {
      if (item.in === "fences") continue;
      throw new ParleyError("internal", {
        what: "There are records in this storage, and a restore needs an empty one, so nothing was restored.",
        hint: "Set DATA_DIR to an empty folder, or REDIS_URL to an empty Redis.",
      });
    }
  }

  async function begin(): Promise<number> {
    const before = noteSchema.safeParse(parseJson((await contents.restoring()) ?? "")).data;
    if (before !== undefined && before.sha256 !== sha256) {
      throw new ParleyError("internal", {
        what: "A restore of another file into this storage has begun and hasn't ended.",
        hint: "Restore that file to continue, or begin with an empty storage. Nothing was changed.",
      });
    }
    if (before !== undefined && before.done >= 0) {
      if (await contents.isShared()) throw inUse("nothing more was restored");
      return before.done;
    }
    if (before === undefined) await refuseUsed();
    await note(-1);
    try {
      // No instance can start from now on. One may have started just before.
      await refuseUsed();
    } catch (thrown) {
      await contents.setRestoring(undefined);
      throw thrown;
    }
    await note(0);
    return 0;
  }

  async function write(from: number): Promise<void> {
    let [place, bytes] = [0, 0];
    let batch: StoredItem[] = [];
    for await (const line of readBackup(path)) {
      place += 1;
      const { item } = line;
      if (item.in === "files") sizes.set(item.name, item.at + Buffer.byteLength(item.base64, "base64"));
      if (place <= from) continue;
      if (item.in === "files") await writePiece(dataDir, item);
      else batch.push(item);
      bytes += line.bytes;
      if (batch.length < atOnce.items && bytes < atOnce.bytes && place < all) continue;
      const written = batch;
      await steadily(() => contents.write(written));
      await steadily(() => note(place));
      onProgress?.(place, all);
      [batch, bytes] = [[], 0];
    }
  }

  const from = await begin();
  onProgress?.(from, all);
  await write(from);
  await compare(contents, counts);
  const stayed = await finishFiles(dataDir, sizes);
  await contents.setRestoring(undefined);
  return { counts, stayed };
}

const isBusy = (thrown: unknown) => thrown instanceof ParleyError && thrown.code === "state_unavailable";

/** Reads the store again: nothing is lost, and nothing is there twice. */
async function compare(contents: State["contents"], expected: Counts): Promise<void> {
  const tally = createTally();
  for await (const item of contents.read()) tally.add(item);
  const found = tally.counts();
  const kinds = new Set([...Object.keys(found), ...Object.keys(expected)]);
  kinds.delete("files");
  for (const kind of kinds) {
    const [has, should] = [found[kind] ?? 0, expected[kind] ?? 0];
    if (expiring.includes(kind) ? has <= should : has === should) continue;
    throw new ParleyError("internal", {
      what: `After the restore there are ${has} of ${should} records of the kind “${kind}”, so it hasn't ended.`,
      hint: "Begin again with an empty storage, and report this.",
    });
  }
}
