/** Questions that a caller waits for are derived many quarters of an hour at a time, so that they share commits and round trips. */
import { describe, expect, it } from "vitest";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createTurnWork, quarterMs, type TurnProjection } from "../../src/insight/derived/turn-work.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { appOf } from "../doubles/app.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

async function openRoom(projection: TurnProjection) {
  const state = await openState({ dataDir: await temporaryFolder("turn-work"), clock, log });
  const asked = Array.from({ length: 80 }, (_, at) =>
    sampleTurn(`t${at}`, {
      state: "answered",
      createdAtMs: (at % 40) * quarterMs,
    }),
  );
  await Promise.all(asked.map((turn) => state.turns.create(turn)));
  const work = createTurnWork(appOf({ ...state, clock, log }), {
    votes: async () => ({ up: 0, down: 0 }),
    projections: [projection],
  });
  return { state, asked, work };
}

describe("questions that nobody noted", () => {
  it("are derived many quarters at a time, each question once", async () => {
    let [together, most] = [0, 0];
    const derived: string[] = [];
    const { state, asked, work } = await openRoom({
      derive: async (quarter, turns) => {
        together += 1;
        most = Math.max(most, together);
        await state.keyValue("derived").set(String(quarter), turns.length);
        derived.push(...turns.map(({ turn }) => turn.id));
        together -= 1;
      },
    });
    await work.derive(asked);
    expect(derived.toSorted()).toEqual(asked.map(({ id }) => id).toSorted());
    expect(most).toBeGreaterThan(8);
    await state.close();
  });

  it("are no longer worked on once it is known that one failed", async () => {
    let together = 0;
    const { state, asked, work } = await openRoom({
      derive: async (quarter) => {
        together += 1;
        await state.keyValue("derived").set(String(quarter), 1);
        together -= 1;
        if (quarter === 3) throw new Error("The storage is away.");
      },
    });
    await expect(work.derive(asked)).rejects.toThrow("away");
    expect(together).toBe(0);
    await state.close();
  });
});
