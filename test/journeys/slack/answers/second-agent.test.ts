/** What follows an answer: a second agent's answer in the same thread, and the line that says it is ready. */
import { describe, expect, it } from "vitest";
import { until } from "../../../doubles/until.ts";
import { buttonsOf, openParley, textOf, wordsOf } from "../parley.ts";

const agentCalled = (name: string) => ({ name, project: "mindsdb", tables: [], knowledgeBases: [] });
const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };

describe("another agent", () => {
  it("answers the same question once in the thread, labelled, and leaves history and choice alone", async () => {
    const { slack, agents, alice, bob, bindings, shows, replies } = await openParley({
      service: { listAgents: async () => ["guide", "sales"].map(agentCalled) },
    });
    await bindings().setChannel(place, { project: "mindsdb", agent: "guide" });
    const asked = alice.mention("C0GENERAL", "how long do refunds take?");
    (await agents.run(0)).answer("Within 14 days.");
    const answer = await shows(asked.ts, "Within 14 days.");
    expect(buttonsOf(answer)).toEqual(["👍", "👎", "Try again", "Ask another agent"]);
    const note = () => [...slack.world.messages.values()].find(({ visibleTo }) => visibleTo === "U0BOB");

    await bob.click(answer.ts, "Ask another agent");
    await until("the choice", () => note() !== undefined);
    expect(buttonsOf(note() ?? answer)).toEqual(["sales", "Hide"]);
    await bob.click(note()?.ts ?? "", "sales");
    const run = await agents.run(1);
    run.answer("In two weeks.");
    const second = await shows(asked.ts, "In two weeks.");

    expect([run.agent, run.messages]).toMatchObject(["sales", [{ question: "how long do refunds take?", answer: "" }]]);
    expect(wordsOf(second)).toContain("sales answers too");
    expect(textOf(note()?.blocks)).toContain("Asked sales too.");
    expect(replies(asked.ts).length).toBe(2);
    alice.mention("C0GENERAL", "and for gift cards?", { thread: asked.ts });
    const followUp = await agents.run(2);
    expect(followUp.agent).toBe("guide");
    expect(followUp.messages.map((message) => message.answer)).toEqual(["Within 14 days.", ""]);
    followUp.answer("At once.");
    await shows(asked.ts, "At once.");
    expect(slack.violations).toEqual([]);
  });
});

describe("an answer that took long", () => {
  const askedFor = async (notifyAfterMs: number) => {
    const parley = await openParley({ settings: { notifyAfterMs } });
    parley.slack.world.mayBePinged.add("U0ALICE");
    const asked = parley.alice.mention("C0GENERAL", "backup?");
    const run = await parley.agents.run(0);
    await parley.shows(asked.ts, "looking it up");
    await new Promise((resolve) => setTimeout(resolve, 60));
    run.answer("At two.");
    await parley.shows(asked.ts, "At two.");
    return { ...parley, asked };
  };

  it("is followed by one line that mentions the asker", async () => {
    const { slack, asked, shows, idle, replies } = await askedFor(50);

    const ready = await shows(asked.ts, "your answer is ready.");
    await idle();

    expect(JSON.stringify(ready.blocks)).toContain("U0ALICE");
    expect(slack.world.pinged).toEqual(["U0ALICE"]);
    expect(replies(asked.ts).length).toBe(2);
    expect(slack.violations).toEqual([]);
  });

  it("is followed by nothing if that is switched off, or if it came in time", async () => {
    for (const notifyAfterMs of [0, 60_000]) {
      const { asked, idle, replies } = await askedFor(notifyAfterMs);
      await idle();
      expect(replies(asked.ts).length).toBe(1);
    }
  });
});
