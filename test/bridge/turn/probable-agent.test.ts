/** Who stands as author of the placeholder, which on some platforms no later edit can change. */
import { afterEach, describe, expect, it } from "vitest";
import { general } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;

afterEach(() => parley.stop());

/** The first text that people saw of the answer to a question that waits for another one. */
async function firstShown(options: Parameters<typeof createHarness>[0]): Promise<string> {
  parley = await createHarness(options);
  await parley.bindings().setChannel(general, { agent: "sales" });
  await parley.say("How many?").done;
  await parley.agents.run(0);
  await parley.settle();
  await parley.say("And Tuesday?").done;
  await parley.settle();
  return parley.texts().at(-1) ?? "";
}

describe("the first message of an answer", () => {
  it("names the agent that will probably answer, where that becomes its author", async () => {
    expect(await firstShown({ platform: { namesAuthors: () => true } })).toContain("sales");
  });

  it.each([{}, { namesAuthors: () => false }])("names nobody elsewhere", async (platform) => {
    expect(await firstShown({ platform })).not.toContain("sales");
  });
});
