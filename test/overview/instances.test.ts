import { expect, it } from "vitest";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { noInstallation } from "../../src/overview/overview.ts";
import { composeParley } from "../../src/parley.ts";
import { openState } from "../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../doubles/composition.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { createAgents } from "../doubles/service/agents.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

it("an instance is listed while it runs, and no longer once it has shut down", async () => {
  const state = await openState({ dataDir: await temporaryFolder("instances"), clock, log });
  const listed = async () => (await Array.fromAsync(state.keyValue("instances").entries(""))).length;
  const parley = await composeParley({
    ...{ settings: settingsWith(), state, service: createAgents(), platforms: [], reading: readingFor(clock) },
    ...{ installation: { ...noInstallation, isShared: true, host: "parley-1" }, metrics: noMetrics, clock, log },
  });

  await parley.start();
  await until("it is listed", async () => (await listed()) === 1);
  await parley.drain(0);

  expect(await listed()).toBe(0);
  await parley.close();
  await state.close();
});
