import { expect, it, onTestFinished } from "vitest";
import { createBindings } from "../../src/access/bindings.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { withLane } from "../../src/core/tools/with-lane.ts";
import { openState } from "../../src/state/open-state.ts";
import { general } from "../doubles/people.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

it("two settings of a channel that two instances change at the same moment both stay", async () => {
  const state = await openState({ dataDir: await temporaryFolder("bindings"), clock, log });
  onTestFinished(() => state.close());
  const { keyValue, coordinator } = state;
  const [one, other] = [0, 1].map(() =>
    createBindings({
      ...{ store: keyValue("bindings"), stamps: keyValue<string>("binding-stamps"), clock },
      inTurn: (key, work) => withLane(key, { coordinator, clock }, work),
      ...{ service: { listAgents: async () => [] }, settings: { project: "mindsdb" } },
    }),
  ) as [ReturnType<typeof createBindings>, ReturnType<typeof createBindings>];

  await Promise.all([
    one.setChannel(general, { mode: "every" }),
    other.setChannel(general, { knowledgeBase: "handbook" }),
    one.setChannel(general, { agent: "sales" }),
  ]);

  expect(await one.own(general)).toMatchObject({ mode: "every", knowledgeBase: "handbook", agent: "sales" });
});
