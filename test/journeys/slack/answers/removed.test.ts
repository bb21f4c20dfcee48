/** ❌ on an answer in Slack: who removes it, and in which places. */
import { describe, expect, it } from "vitest";
import { until } from "../../../doubles/until.ts";
import { openParley, saidBy, wordsOf } from "../parley.ts";

async function open() {
  const parley = await openParley();
  const { slack, agents, bob, shows, idle } = parley;
  return {
    ...parley,
    guest: slack.person("U0GUEST"),
    /** Bob's question in the channel, and the message of its answer. */
    answered: async () => {
      const asked = bob.mention("C0GENERAL", "Is the lamp lit?");
      (await agents.run(0)).answer("It is lit at dusk.");
      const answer = await shows(asked.ts, "It is lit at dusk.");
      await idle();
      return { asked, answer };
    },
    isShown: () => saidBy(slack).some((message) => wordsOf(message).includes("It is lit at dusk.")),
  };
}

describe("❌ on an answer in a channel of Slack", () => {
  it("removes it for the person who asked, and nothing else is said", async () => {
    const { slack, bob, answered, isShown, seenOnlyBy, idle } = await open();
    const { answer } = await answered();

    await bob.react(answer.ts, "x");
    await until("the answer is gone", () => !isShown());
    await idle();

    expect(saidBy(slack)).toEqual([]);
    expect(seenOnlyBy("U0BOB")).toEqual([]);
    expect(slack.violations).toEqual([]);
  });

  it("removes it for a manager, and is talk from anyone else or on any other message", async () => {
    const { alice, bob, guest, slack, answered, isShown } = await open();
    const { asked, answer } = await answered();

    await guest.react(answer.ts, "x");
    await slack.person("U0OTHER").react(answer.ts, "x");
    await bob.react(asked.ts, "x");
    await bob.react(answer.ts, "thumbsdown");
    // What they did would be done before this.
    const second = bob.mention("C0GENERAL", "And the stove?");
    await until("the next question", () => slack.world.thread("C0GENERAL", second.ts).length > 1);
    expect(isShown()).toBe(true);

    await alice.react(answer.ts, "x");
    await until("the answer is gone", () => !isShown());
    expect(slack.violations).toEqual([]);
  });
});

describe("❌ on an answer in a direct message of Slack", () => {
  it("removes it", async () => {
    const { alice, agents, shows, isShown, idle } = await open();
    const asked = alice.say("D0ALICE", "Is the lamp lit?");
    (await agents.run(0)).answer("It is lit at dusk.");
    const answer = await shows(asked.ts, "It is lit at dusk.", "D0ALICE");
    await idle();

    await alice.react(answer.ts, "x");
    await until("the answer is gone", () => !isShown());
  });

  it("removes a private answer to a question that was asked in a channel", async () => {
    const { slack, alice, agents, bindings, isShown, idle } = await open();
    agents.set({ agents: ["sales", "support"] });
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0OTHER" };
    await bindings().setChannel(place, { project: "mindsdb", agent: "sales" });
    await alice.command("/ask", "is the lamp lit? agent:sales", "C0GENERAL");
    (await agents.run(0)).answer("It is lit at dusk.");
    await until("the answer", isShown);
    await idle();
    const answer = saidBy(slack).find(({ channel }) => channel === "D0ALICE");

    await alice.react(answer?.ts ?? "", "x");
    await until("the answer is gone", () => !isShown());
    expect(saidBy(slack)).toEqual([]);
  });
});
