/** The question log in SQLite goes straight to what a filter leaves, instead of walking over a channel's answers. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { QuestionEntry } from "../../src/ports/overview/question-log.ts";
import { systemClock as clock } from "../../src/ports/tools/system-clock.ts";
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

it("finds a channel's newest failure without walking over its answers", async () => {
  const state = await openState({ dataDir: await temporaryFolder("log-walk"), clock, log });
  const { questionLog } = state;
  // Two steps of a walk.
  await questionLog.put(Array.from({ length: 4_500 }, (_, at) => entryAt(at + 1)));
  await questionLog.put([entryAt(0, { outcome: "failed", code: "stream_cut", down: 1 })]);
  let isLoopTurned = false;
  const turning = nextLoopTurn().then(() => {
    isLoopTurned = true;
  });

  const { entries } = await questionLog.page({ ...place, outcome: "failed" }, 1);

  expect(isLoopTurned).toBe(false);
  expect(entries.map(({ id }) => id)).toEqual(["t0"]);
  await turning;
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
