import { expect, it } from "vitest";
import { systemClock } from "../../../src/ports/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeGaps } from "../../contracts/storage/insight/gaps.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { createGapRoom } from "./gap-room.ts";

async function open() {
  const state = await openState({ dataDir: await temporaryFolder("gaps"), clock: systemClock, log: silentLog });
  return { ...state, coordinators: [state.coordinator, state.coordinator] as const };
}

describeGaps("SQLite", open);

it("is no gap if an agent has every knowledge base of a project, and there is none", async () => {
  const stores = await open();
  const room = createGapRoom(stores);
  const question = "How do I reset the wifi password?";
  await room.ask(room.instance(0, undefined, ["mindsdb.*"]), { question });
  expect(await room.gaps()).toEqual([]);
  await room.ask(room.instance(0, undefined, ["shop.*"]), { question });
  expect(await room.gaps()).toHaveLength(1);
  await stores.close();
});
