/** The question log in SQLite goes straight to what a filter leaves, instead of walking over all questions. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { QuestionEntry, QuestionFilter } from "../../src/core/overview/question-log.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const place = { platform: "slack", workspace: "T1", channel: "C1" };

function entryAt(at: number, more: Partial<QuestionEntry> = {}): QuestionEntry {
  const votes = { hasSource: true, up: 0, down: 0 };
  return {
    ...{ id: `t${at}`, ref: `r${at}`, askedAtMs: at, place, asker: "slack/T1/U1" },
    outcome: "answered",
    ...votes,
    ...more,
  };
}

/** What `ask` answers before the event loop turns: a walk turns it after each step. */
async function withoutLoopTurn<T>(ask: () => Promise<T>): Promise<T> {
  let isLoopTurned = false;
  const turning = nextLoopTurn().then(() => {
    isLoopTurned = true;
  });
  const answer = await ask();
  expect(isLoopTurned).toBe(false);
  await turning;
  return answer;
}

it("finds a channel's newest failure without walking over its answers", async () => {
  const state = await openState({ dataDir: await temporaryFolder("log-walk"), clock, log });
  const { questionLog } = state;
  // Two steps of a walk.
  await questionLog.put(Array.from({ length: 4_500 }, (_, at) => entryAt(at + 1)));
  await questionLog.put([entryAt(0, { outcome: "failed", code: "stream_cut", down: 1 })]);

  const { entries } = await withoutLoopTurn(() => questionLog.page({ ...place, outcome: "failed" }, 1));

  expect(entries.map(({ id }) => id)).toEqual(["t0"]);
  await state.close();
});

it("walks over nothing for filters that no question matches together, and counts each kind without a walk", async () => {
  const state = await openState({ dataDir: await temporaryFolder("log-walk"), clock, log });
  const { questionLog } = state;
  const elsewhere = { platform: "discord", workspace: "G1", channel: "7" };
  await questionLog.put(Array.from({ length: 4_500 }, (_, at) => entryAt(at, { agent: "mindsdb.support" })));
  await questionLog.put(Array.from({ length: 4_500 }, (_, at) => entryAt(9_000 + at, { place: elsewhere })));
  await questionLog.put([entryAt(20_000, { outcome: "failed", agent: "mindsdb.sales" })]);
  await questionLog.put([entryAt(20_000, { outcome: "not-shown", why: "nothing", agent: "mindsdb.sales" })]);

  for (const filter of [
    { platform: "discord", agent: "mindsdb.support" },
    { workspace: "T2" },
    { agent: "mindsdb.sales", outcome: "answered" },
    { outcome: "not-shown", why: "failed", fromMs: 5 },
  ] as const) {
    expect(await withoutLoopTurn(() => questionLog.page(filter, 50))).toEqual({ entries: [] });
    expect(await withoutLoopTurn(() => questionLog.count(filter, 50))).toEqual({ count: 0, isMore: false });
  }
  const counted = (filter: QuestionFilter) => withoutLoopTurn(() => questionLog.count(filter, 5_000));
  expect(await counted({ platform: "discord" })).toEqual({ count: 4_500, isMore: false });
  expect(await counted({ outcome: "not-shown", why: "nothing" })).toEqual({ count: 1, isMore: false });
  expect(await counted({})).toEqual({ count: 5_000, isMore: true });
  await state.close();
});

it("finds a channel's failures together with every other part of a filter", async () => {
  const state = await openState({ dataDir: await temporaryFolder("log-walk"), clock, log });
  const { questionLog } = state;
  await questionLog.put([entryAt(0, { outcome: "failed", down: 1, up: 1 }), entryAt(1, { down: 1, up: 1 })]);
  const failed = { ...place, outcome: "failed" } as const;
  for (const more of [{ feedback: "down" }, { feedback: "up" }, { ref: "r0" }, { asker: "slack/T1/U1" }] as const) {
    const { entries } = await questionLog.page({ ...failed, ...more }, 5);
    expect(entries.map(({ id }) => id)).toEqual(["t0"]);
  }
  expect((await questionLog.page({ ...failed, channel: "C2", feedback: "down" }, 5)).entries).toEqual([]);
  await state.close();
});
