/** What is stored of a Turn that waits and works: after a death it says whether the Turn can have caused it. */
import { expect, it } from "vitest";
import type { App } from "../../../src/app.ts";
import { createRecord } from "../../../src/bridge/turn/record.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { storedTurn } from "../../doubles/stored-turn.ts";

const turn = storedTurn({ state: "running", isUnderWay: true });

it("is under way again, though it continues before it is stored that it waits", async () => {
  let stored = turn;
  const turns = {
    get: async () => stored,
    transition: async (_id, _from, state, patch) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      stored = { ...stored, ...patch, state } as Turn;
      return stored;
    },
  } as Partial<TurnStore> as TurnStore;
  const app = { state: { turns }, clock: createFakeClock(), log: silentLog } as unknown as App;
  const record = createRecord(turn, { interrupt: () => {} }, app);

  const waiting = record.mark(false);
  await record.mark(true);
  await waiting;

  expect(stored.isUnderWay).toBe(true);
});
