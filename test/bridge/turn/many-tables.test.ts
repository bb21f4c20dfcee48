import { afterEach, beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

async function answeredWith(tables: number) {
  await parley.say("Which plans?").done;
  (await parley.agents.run(0)).answer("| a | b |\n|---|---|\n| 1 | 2 |\n\n".repeat(tables));
  await parley.settle(60_000);
  const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
  const pressed = parley.press("csv", turn?.id ?? "");
  await parley.settle(1_000);
  await pressed.done;
  return pressed.sent.map(({ document, visibility }) => ({ text: JSON.stringify(document.blocks), visibility }));
}

it("gives each table of an answer as a file", async () => {
  expect(await answeredWith(3)).toEqual([]);
  expect(parley.platform.files.map(({ name }) => name)).toHaveLength(3);
});

it("gives the first ten tables of an answer that has hundreds, and says so", async () => {
  expect(await answeredWith(300)).toEqual([
    { text: expect.stringContaining("The answer has 300 tables. The first 10 are attached."), visibility: "private" },
  ]);
  expect(parley.platform.files.filter(({ name }) => name.endsWith(".csv"))).toHaveLength(10);
});
