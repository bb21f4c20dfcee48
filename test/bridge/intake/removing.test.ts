/** ❌ below an answer removes it: for its asker and for managers, once, and after a crash. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { alice, bob, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let reacted = 0;

beforeEach(async () => {
  parley = await createHarness();
  await parley.state().works.start();
  await parley.say("Is it safe?", { actor: alice }).done;
  (await parley.agents.run(0)).answer("No.");
  await parley.settle();
});
afterEach(() => parley.stop());

const shown = () => parley.texts().filter((text) => text.includes("No."));
const newest = async () => (await parley.state().turns.recent(1))[0];

async function react(actor: object, changes: Record<string, unknown> = {}): Promise<void> {
  reacted += 1;
  const messageId = parley.last()?.messageId;
  const event = { kind: "reaction", eventKey: `memory/T1/reaction/${reacted}`, order: "1", emoji: "❌", added: true };
  await parley.send({ ...event, messageId, actor, place: thread, ...changes }).done;
}

it("goes when its asker reacts, which the record and the audit log say", async () => {
  expect(shown()).toHaveLength(1);

  await react(alice);
  await react(alice);
  await parley.settle(1_000);

  expect(shown()).toEqual([]);
  expect((await newest())?.notAnswered).toBe("removed");
  expect(parley.audited).toEqual([
    expect.objectContaining({ action: "remove answer", outcome: "done", by: alice.name }),
  ]);
  await parley.say("And now?", { actor: alice, place: thread }).done;
  expect((await parley.agents.run(1)).messages).toHaveLength(1);
});

it("stays when another member reacts, or the asker takes the reaction back or uses another one", async () => {
  await react(bob);
  await react(alice, { added: false });
  await react(alice, { emoji: "👍" });
  await parley.settle(1_000);

  expect(shown()).toHaveLength(1);
  expect(parley.audited).toEqual([]);
});

it("goes when a manager reacts", async () => {
  await react({ ...bob, isAdmin: true });
  await parley.settle(1_000);

  expect(shown()).toEqual([]);
});

it("goes when it ends while its asker reacts", async () => {
  const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
  const stored = turns.ofConversation.bind(turns);
  // Read just before the end was stored.
  turns.ofConversation = async function* (place) {
    for await (const turn of stored(place)) yield { ...turn, state: "running" };
  };

  await react(alice);
  await parley.settle(1_000);

  expect(shown()).toEqual([]);
  expect(parley.audited).toHaveLength(1);
});

it("goes after a crash that came before it was removed", async () => {
  await react(alice);
  expect(shown()).toHaveLength(1);
  await parley.restart(60_000);
  await parley.state().works.start();
  await parley.settle(60_000);

  expect(shown()).toEqual([]);
  expect((await newest())?.notAnswered).toBe("removed");
});
