/** The Home tab and the welcome card of a whole Parley in Slack, for people with and without rights. */
import { describe, expect, it } from "vitest";
import { ParleyError } from "../../../../src/core/errors.ts";
import { until } from "../../../doubles/until.ts";
import { buttonsOf, fastClock, openParley, textOf, wordsOf } from "../parley.ts";

const shown = (view: object | undefined) => JSON.stringify(view ?? {});

describe("Slack's Home tab", () => {
  it("shows people who manage what failed but not the question, and its reference behind Show", async () => {
    const { slack, agents, alice, bob, shows } = await openParley();
    const asked = bob.mention("C0GENERAL", "a secret question");
    (await agents.run(0)).fail(new ParleyError("run_failed"));
    await shows(asked.ts, "failed");

    await alice.openHome();
    await until("the problem", () => shown(alice.home()).includes("Problems in the last day"));
    await bob.openHome();
    await until("the tab of another person", () => bob.home() !== undefined);
    await alice.clickHome("Show");
    await until("what failed", () => shown(alice.view()).includes("reference"));

    expect(shown(alice.home())).not.toContain("secret");
    expect(shown(bob.home())).not.toContain("Problems");
    expect(shown(alice.view())).toContain("C0GENERAL");
    expect(shown(alice.view())).not.toContain("secret");
    expect(slack.violations).toEqual([]);
  });
});

describe("the welcome card in Slack", () => {
  it("names a listed manager whom this process hasn't seen, to a person who can't choose the agent", async () => {
    const managers = [{ platform: "slack", kind: "user", id: "U0ALICE" }] as const;
    const {
      alice: _,
      slack,
      bob,
      shows,
      seenOnlyBy,
    } = await openParley({
      settings: { roles: { managers } },
    });
    const asked = bob.mention("C0GENERAL", "help");
    const card = await shows(asked.ts, "I'm Parley.");

    await bob.click(card.ts, "Choose an agent");
    await until("the refusal", () => seenOnlyBy("U0BOB").length > 0);

    expect(seenOnlyBy("U0BOB").join("\n")).toMatch(/Ask Alice\b/i);
    expect(slack.violations).toEqual([]);
  });

  it("comes once to each of fifty channels that Parley is added to at once, and Slack refuses no post", async () => {
    const { slack, alice } = await openParley({ clock: fastClock(25) });
    const channels = Array.from({ length: 50 }, (_none, index) => `C1JOINED${index}`);
    for (const id of channels) slack.world.addChannel(id, ["U0ALICE"]);

    await Promise.all(channels.map((id) => alice.invite(id)));
    const cardsIn = (id: string) =>
      [...slack.world.messages.values()].filter((one) => one.channel === id && wordsOf(one).includes("I'm Parley."));
    await until("every card", () => channels.every((id) => cardsIn(id).length > 0));

    expect(channels.filter((id) => cardsIn(id).length !== 1)).toEqual([]);
    expect(slack.callsTo("chat.postMessage")).toHaveLength(50);
    expect(slack.violations).toEqual([]);
  });

  it("says that the agent of the channel was deleted, and suggests nothing that would go unanswered", async () => {
    const { slack, agents, alice, bindings, shows } = await openParley();
    await bindings().setChannel({ platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" }, { agent: "sales" });
    agents.set({ agents: ["guide", "support"] });

    const asked = alice.mention("C0GENERAL", "help");
    const card = await shows(asked.ts, "sales was chosen here but no longer exists");
    await alice.openHome();
    await until("the tab", () => shown(alice.home()).includes("Your channels"));

    expect(buttonsOf(card)).toEqual(["Choose an agent", "Add pages"]);
    const tab = textOf(alice.home());
    expect(shown(alice.home())).toContain('{"type":"channel","channel_id":"C0GENERAL"}');
    expect(tab).toContain(": sales was chosen here but no longer exists.");
    expect(slack.violations).toEqual([]);
  });
});
