/** Writes everything that is stored into one file. */
import { rename, rm, stat } from "node:fs/promises";
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { State } from "../../core/ports/state.ts";
import { readFiles } from "./files.ts";
import { type BackupItem, type Counts, writeBackup } from "./format.ts";

/** Records between two looks for an instance that has started. */
const looksEvery = 5_000;

export const inUse = (done: string) =>
  new ParleyError("state_unavailable", {
    what: `A Parley uses this storage, so ${done}.`,
    hint: "Stop every instance and every other command first.",
  });

export type Backup = {
  readonly counts: Counts;
  readonly bytes: number;
};

/**
 * The file appears when it is complete, and only its owner can read it. Throws if there is one already, while an instance
 * runs or when one starts meanwhile, and what `state` throws; then there is no file.
 */
export async function backUp(options: {
  readonly state: Pick<State, "kind" | "contents">;
  readonly path: string;
  /** Databases beside the state, which belong to it. */
  readonly files: readonly string[];
  readonly dataDir: string;
  /** Parley's. */
  readonly version: string;
  readonly clock: Clock;
}): Promise<Backup> {
  const { state, path, files, dataDir, version, clock } = options;
  const { contents } = state;
  const unfinished = `${path}.unfinished`;

  async function refuseShared(): Promise<void> {
    if (await contents.isShared()) throw inUse("nothing was backed up");
  }

  async function* items(): AsyncGenerator<BackupItem> {
    let count = 0;
    for await (const item of contents.read()) {
      yield item;
      count += 1;
      if (count % looksEvery === 0) await refuseShared();
    }
    yield* readFiles(dataDir, files);
    await refuseShared();
  }

  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) {
    throw new ParleyError("internal", { what: `${path} exists.`, hint: "Name another file. Nothing was changed." });
  }
  await refuseShared();
  try {
    const header = { writtenBy: version, from: state.kind, createdAtMs: clock.now() };
    const counts = await writeBackup(unfinished, header, items());
    if (isEmpty(counts)) {
      throw new ParleyError("internal", { what: "There is nothing to back up.", hint: "No file was written." });
    }
    const { size: bytes } = await stat(unfinished);
    await rename(unfinished, path);
    return { counts, bytes };
  } catch (thrown) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw thrown;
  }
}

/** Every store has had fences. */
const isEmpty = (counts: Counts) => Object.keys(counts).every((kind) => kind === "fences");
