import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { bob, thread } from "../../doubles/people.ts";
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

  it.each([
    ["is back before the end is recorded", 20_000],
    ["stays away for minutes", 150_000],
  ])("posts what it found unasked, and asks once, when the storage %s", async (_how, awayMs) => {
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { transition, get } = turns;
    await parley.say("How late can a guest check in?", { place: thread }).done;
    (await parley.agents.run(0)).answer("Until 23:00.");
    await parley.settle();
    await parley.say("is it open on Tuesday?", { place: thread, mentionsParley: false, actor: bob }).done;
    const asked = await parley.agents.run(1);
    const backAtMs = parley.clock.now() + awayMs;
    const away = () => {
      if (parley.clock.now() < backAtMs) throw new ParleyError("state_unavailable");
    };
    turns.transition = async (...given) => {
      away();
      return transition(...given);
    };
    turns.get = async (id) => {
      away();
      return get(id);
    };
    asked.send({ type: "answer", text: "Yes, open until 22:00.", sources: [{ title: "Hours" }] });
    asked.answer("Yes, open until 22:00.");
    for (let passedMs = 0; passedMs < 60_000; passedMs += 5_000) await parley.settle(5_000);

    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts().join()).toContain("Yes, open until 22:00.");
  });
});
