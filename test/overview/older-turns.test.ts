/** Questions of an earlier version are read into the overview after the start, by one instance, and once. */
import { describe, expect, it } from "vitest";
import { createOlderTurns, type OlderTurnsProgress } from "../../src/overview/older-turns.ts";
import type { KeyValue } from "../../src/ports/state.ts";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

const tenDaysAgo = Date.now() - 10 * 86_400_000;
/** Real pauses, but short ones. */
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 1), signal),
};

async function openRoom(count: number) {
  const state = await openState({ dataDir: await temporaryFolder("older"), clock: systemClock, log });
  for (let at = 0; at < count; at += 1) {
    await state.turns.create(sampleTurn(`t${String(at).padStart(4, "0")}`, { createdAtMs: tenDaysAgo + at * 1_000 }));
  }
  const store = state.keyValue<OlderTurnsProgress>("older-turns");
  const derived: string[] = [];
  /** `diesAt`: the write of progress that no longer arrives. `failsAt`: the page that can't be derived, once. */
  function instance({ diesAt = Number.POSITIVE_INFINITY, failsAt = -1 } = {}) {
    let writes = 0;
    let pages = 0;
    const mortal: KeyValue<OlderTurnsProgress> = {
      ...store,
      set: async (key, value) => {
        writes += 1;
        if (writes >= diesAt) return new Promise(() => {});
        await store.set(key, value);
      },
    };
    return createOlderTurns({
      ...{ ...state, store: mortal, clock, log, perPage: 25 },
      derive: async (turns) => {
        pages += 1;
        if (pages === failsAt) throw new Error("The storage is away.");
        derived.push(...turns.map(({ id }) => id));
      },
      isBusy: () => pages % 2 === 0,
    });
  }
  const isOver = (older: ReturnType<typeof instance>) =>
    until("all are read", async () => (await older.left()) === undefined);
  return { state, store, derived, instance, isOver };
}

describe("questions of an earlier version", () => {
  it("are all read, newest first, and lists say since when they are complete", async () => {
    const { state, derived, instance, isOver } = await openRoom(260);
    const older = instance();
    expect((await older.left())?.share).toBe(0);
    expect(await older.progress()).toMatch(/^reads older questions: 0 % so far, back to \d{4}-\d\d-\d\d$/);
    older.start();
    await until("some are read", async () => derived.length > 25);
    const left = await older.left();
    if (left !== undefined) {
      expect(left.share).toBeGreaterThan(0);
      expect(left.sinceMs).toBeLessThanOrEqual(tenDaysAgo + 259_000);
    }
    await isOver(older);
    expect(await older.progress()).toBeUndefined();
    expect(derived).toEqual(Array.from({ length: 260 }, (_, at) => `t${String(259 - at).padStart(4, "0")}`));
    await older.drain();
    await state.close();
  });

  it("are read once, by one of two instances, and not again after the next start", async () => {
    const { state, derived, instance, isOver } = await openRoom(120);
    const both = [instance(), instance()];
    for (const one of both) one.start();
    for (const one of both) await isOver(one);
    const next = instance();
    next.start();
    await isOver(next);
    expect(derived).toHaveLength(120);
    for (const one of [...both, next]) await one.drain();
    await state.close();
  });

  it("are read on where a process ended, with at most one page twice", async () => {
    const { state, derived, instance, isOver, store } = await openRoom(120);
    const dying = instance({ diesAt: 3 });
    dying.start();
    await until("it is dead", async () => derived.length === 75);
    expect(await store.get("progress")).toMatchObject({ read: 50 });
    // Its lease is gone with it.
    const released = { lease: async () => ({ isCurrent: () => true, release: async () => {} }) };
    const next = createOlderTurns({
      ...{ turns: state.turns, store, clock, log, perPage: 25, isBusy: () => false },
      coordinator: released as never,
      derive: async (turns) => {
        derived.push(...turns.map(({ id }) => id));
      },
    });
    next.start();
    await isOver(next);
    expect(new Set(derived).size).toBe(120);
    expect(derived).toHaveLength(145);
    await next.drain();
    await state.close();
  });

  it("of the last two days are read again by a start within a day, for an instance of the version before may have ended them", async () => {
    const { state, derived, instance, isOver, store } = await openRoom(60);
    for (let at = 0; at < 40; at += 1) {
      await state.turns.create(
        sampleTurn(`u${String(at).padStart(4, "0")}`, { createdAtMs: Date.now() - 60_000 + at }),
      );
    }
    const first = instance();
    first.start();
    await isOver(first);
    expect(derived).toHaveLength(100);
    const next = instance();
    next.start();
    await until("the newest are read again", () => derived.length >= 140);
    expect(await next.left()).toBeUndefined();
    await next.drain();
    expect(derived.slice(100)).toEqual(derived.slice(0, 40));
    const progress = await store.get("progress");
    if (progress === undefined) throw new Error("no progress");
    await store.set("progress", { ...progress, beganAtMs: Date.now() - 2 * 86_400_000 });
    const later = instance();
    later.start();
    await isOver(later);
    await later.drain();
    expect(derived).toHaveLength(140);
    await first.drain();
    await state.close();
  });

  it("are tried again after a failure of the storage", async () => {
    const { state, derived, instance, isOver } = await openRoom(60);
    const older = instance({ failsAt: 2 });
    older.start();
    await isOver(older);
    expect(new Set(derived).size).toBe(60);
    await older.drain();
    await state.close();
  });

  it("are none in a new folder", async () => {
    const { state, instance } = await openRoom(0);
    const older = instance();
    expect(await older.left()).toBeUndefined();
    older.start();
    await older.drain();
    await state.close();
  });
});
