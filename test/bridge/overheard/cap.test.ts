/** How often Parley speaks unasked, counted over all instances. */
import { expect, it, onTestFinished } from "vitest";
import { createUnasked } from "../../../src/bridge/overheard/unasked.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { general, thread } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

async function instances(count: number) {
  const state = await openState({ dataDir: await temporaryFolder("cap"), clock: systemClock, log: silentLog });
  onTestFinished(state.close);
  return Array.from({ length: count }, () => createUnasked(appOf({ ...state, clock: systemClock })));
}

it.each([
  [20, "a channel", (at: number) => ({ ...general, thread: `${at}` })],
  [5, "a thread", () => thread],
])("posts at most %i unasked answers an hour in %s, on two instances at the same moment", async (most, _, placeOf) => {
  const both = await instances(2);
  const asked = Array.from({ length: most - 1 }, (_unused, at) => ({ id: `t${at}`, conversation: placeOf(at) }));
  for (const turn of asked) expect(await both[0]?.mayPost(turn)).toBe(true);

  const last = [1, 2, 3, 4].map((at) => ({ id: `late${at}`, conversation: placeOf(100 + at) }));
  const allowed = await Promise.all(last.map((turn, at) => both[at % 2]?.mayPost(turn)));

  expect(allowed.filter((one) => one === true).length).toBeLessThanOrEqual(1);
  // What was posted may be posted again after a crash.
  expect(await both[1]?.mayPost(asked[0] ?? { id: "", conversation: thread })).toBe(true);
});
