import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

describe("what couldn't be stored while the storage was down", () => {
  it("is stored with what is stored next: the messages of an answer are known at its end", async () => {
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { transition } = turns;
    turns.transition = async (...given) => {
      const [, , to, patch] = given;
      // Away for whatever is posted, and back at the end.
      if (patch?.reply !== undefined && to !== "answered") throw new ParleyError("state_unavailable");
      return transition(...given);
    };
    const event = { eventKey: "memory/T1/general/7", messageId: "7" };

    await parley.say("When?", event).done;
    await parley.settle(5_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(20_000);

    expect(await turns.getByEventKey(event.eventKey)).toMatchObject({
      state: "answered",
      reply: { parts: [{ index: 0, messageId: parley.last()?.messageId }] },
    });
  });
});
