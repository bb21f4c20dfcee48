/** Examines durable state for `npm run doctor`: whether it is writable, and what is damaged. */
import { join } from "node:path";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Damage } from "../core/ports/state.ts";
import { createDamagedRecords } from "./damaged-records.ts";
import { openState } from "./open-state.ts";
import { databaseName } from "./sqlite/database.ts";
import { readAllOfSqlite } from "./sqlite/examination.ts";
import type { StateSettings } from "./state.ts";

/** Long enough for a remote Redis, short enough for a person who waits. */
const limitMs = 5000;

export type StateExamination = {
  /** "in use": another process holds DATA_DIR. */
  readonly access: "writable" | "in use";
  readonly damage: Damage;
  /** The problem and its remedy if Redis may evict what Parley stores. */
  readonly eviction?: string | undefined;
};

/** Throws what `openState` throws. */
export async function examineState(
  settings: StateSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<StateExamination> {
  const tooLong = new AbortController();
  const inUse = new Error("Another process has the folder.");
  const cancel = clock.after(limitMs, () => tooLong.abort(inUse));
  try {
    const state = await openState({ ...settings, clock, log, signal: tooLong.signal });
    try {
      await state.ping();
      await state.readAll();
      return { access: "writable", damage: state.damage(), eviction: state.eviction() };
    } finally {
      await state.close();
    }
  } catch (thrown) {
    if (thrown !== inUse || settings.redisUrl !== undefined) throw thrown;
    const damaged = createDamagedRecords(log);
    readAllOfSqlite(join(settings.dataDir, databaseName), damaged);
    return { access: "in use", damage: damaged.seen() };
  } finally {
    cancel();
  }
}
