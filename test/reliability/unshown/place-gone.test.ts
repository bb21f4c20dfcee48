import { afterEach, beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { general, thread } from "../../doubles/people.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

it("notifies the asker outside the thread when the thread is locked or deleted", async () => {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  await parley.settle();
  const inThread = (write: { readonly place: { readonly thread?: string } }) => write.place.thread !== undefined;
  for (const on of ["post", "edit"] as const)
    parley.platform.fail({ on, error: "place_gone", times: 100, when: inThread });

  run.answer("At two.");
  await parley.settle(60_000);

  expect(parley.texts(general)).toHaveLength(1);
  expect(parley.texts(general)[0]).toContain("gone, archived or locked");
  expect(parley.texts(thread)[0]).not.toContain("At two.");
  expect(await parley.state().turns.getByEventKey("memory/T1/general/101")).toMatchObject({ state: "answered" });
});
