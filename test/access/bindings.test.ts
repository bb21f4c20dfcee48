import { expect, it, onTestFinished } from "vitest";
import { createBindings } from "../../src/access/bindings.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { general } from "../doubles/people.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

it("two settings of a channel that two instances change at the same moment both stay", async () => {
  const state = await openState({ dataDir: await temporaryFolder("bindings"), clock, log });
  onTestFinished(() => state.close());
  const [one, other] = [0, 1].map(() =>
    createBindings(appOf({ ...state, clock, service: { listAgents: async () => [] } })),
  ) as [ReturnType<typeof createBindings>, ReturnType<typeof createBindings>];

  await Promise.all([
    one.setChannel(general, { mode: "every" }),
    other.setChannel(general, { knowledgeBase: "handbook" }),
    one.setChannel(general, { agent: "sales" }),
  ]);

  expect(await one.own(general)).toMatchObject({ mode: "every", knowledgeBase: "handbook", agent: "sales" });
});
