import { afterEach, beforeEach, expect, it } from "vitest";
import { general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

/** Of every question: the same thread. */
const opened = { ...general, thread: "900" };

/** How long it takes to open the thread, by question. */
let openMs: number[];
let parley: Harness;
beforeEach(async () => {
  openMs = [];
  parley = await createHarness();
  Object.assign(parley.platform, {
    replyPlaces: {
      prepare: async () => {
        await parley.clock.sleep(openMs.shift() ?? 0);
        return opened;
      },
    },
  });
  await parley.restart();
});
afterEach(async () => {
  await parley.stop();
});

it("a question whose thread is opened only after a crash, and is busy, shows that it waits in line there", async () => {
  openMs = [0, 60_000];
  await parley.say("When?").done;
  await parley.settle(1_000);
  (await parley.agents.run(0)).send({ type: "started" });
  await parley.say("And where?", { conversation: { ...thread, thread: "901" } }).done;
  await parley.settle(1_000);

  await parley.restart();
  await parley.settle(5_000);
  const waiting = parley.texts(opened).at(-1);
  (await parley.agents.run(1)).answer("At two.");
  await parley.settle(5_000);
  (await parley.agents.run(2)).answer("Here.");
  await parley.settle(5_000);

  expect(waiting).toContain("1 question ahead of yours.");
  expect(parley.texts(opened)).toEqual([expect.stringContaining("At two."), expect.stringContaining("Here.")]);
});
