/** A workspace loses its project while its questions are being answered. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "../../../bridge/harness.ts";

let project: string;
let parley: Harness;
beforeEach(async () => {
  project = "mindsdb";
  parley = await createHarness({ settings: { workspaceProjects: [], projectOf: () => project } });
});
afterEach(() => parley.stop());

it.for(["", "globex"])("shows no answer of the project that the workspace had before: now %j", async (now) => {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  project = now;
  run.answer("At two.");
  await parley.settle();

  expect(parley.texts().join()).toContain("You can no longer ask “guide” here");
  expect(parley.texts().join()).not.toContain("At two.");
});

it("asks no agent for a question that waited, and says so", async () => {
  await parley.say("When?").done;
  await parley.agents.run(0);
  await parley.say("And where?").done;
  project = "";
  (await parley.agents.run(0)).answer("At two.");
  await parley.settle();

  expect(parley.agents.runs).toHaveLength(1);
  expect(parley.texts().join()).not.toContain("At two.");
});
