/** What follows an answer in Discord: its steps, a second agent's answer in the same thread, and the line when it is ready. */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../../src/core/model/agent-event.ts";
import { until } from "../../../doubles/until.ts";
import { labelsOf, openParley, shown } from "../parley.ts";

const agentCalled = (name: string) => ({ name, project: "mindsdb", tables: [], knowledgeBases: [] });
const searching: AgentEvent = {
  type: "step-started",
  tool: "sql",
  input: "SELECT * FROM docs WHERE content = 'backup'",
};

describe("another agent", () => {
  it("answers the same question once in the thread, labelled, and leaves history and choice alone", async () => {
    const { discord, agents, alice, bob, bindings, general, own, shows, threadOf, idle } = await openParley({
      service: { listAgents: async () => ["guide", "sales"].map(agentCalled) },
    });
    const place = { platform: "discord", workspace: general.serverId ?? "", channel: general.id };
    await bindings().setChannel(place, { project: "mindsdb", agent: "guide" });
    const asked = alice.mention(general, "how long do refunds take?");
    (await agents.run(0)).answer("Within 14 days.");
    const answer = await shows(asked.id, "Within 14 days.");
    expect(labelsOf(answer)).toEqual(["👍", "👎", "Try again", "Ask another agent"]);

    const offer = bob.press(answer, "Ask another agent");
    await until("the choice", () => shown(offer.answer).includes("Ask another agent"));
    const choice = offer.answer ?? answer;
    expect([choice.seenBy, labelsOf(choice)]).toEqual([bob.person.id, ["sales", "Hide"]]);
    bob.press(choice, "sales");
    const run = await agents.run(1);
    run.answer("In two weeks.");
    const second = await shows(asked.id, "In two weeks.");

    expect([run.agent, run.messages]).toMatchObject(["sales", [{ question: "how long do refunds take?", answer: "" }]]);
    expect(shown(second)).toContain("**sales** answers too");
    await until("the choice is replaced", () => shown(choice).includes("Asked **sales** too."));
    alice.say(threadOf(asked), "and for gift cards?");
    const followUp = await agents.run(2);
    expect(followUp.agent).toBe("guide");
    expect(followUp.messages.map((message) => message.answer)).toEqual(["Within 14 days.", ""]);
    followUp.answer("At once.");
    await shows(asked.id, "At once.");
    await idle();
    expect(own(asked.id).length).toBe(3);
    expect(discord.violations).toEqual([]);
  });
});

describe("the steps", () => {
  it.each(["a channel", "a direct message"])(
    "are shown in %s to one person, with Raw in their place, and Hide removes them",
    async (where) => {
      const { discord, agents, alice, directAlice, general, own, shows } = await openParley();
      const isDirect = where === "a direct message";
      const asked = isDirect ? alice.say(directAlice, "backup?") : alice.mention(general, "backup?");
      const there = isDirect ? directAlice.id : asked.id;
      const run = await agents.run(0);
      run.send(searching);
      run.answer("At two.");
      const answer = await shows(there, "At two.");

      const press = alice.press(answer, "Show steps");
      await until("the steps", () => shown(press.answer).includes("Searched **docs**"));
      const note = press.answer ?? answer;
      expect(labelsOf(note)).toEqual(["Raw", "Hide"]);
      expect(shown(note)).not.toContain("SELECT");
      alice.press(note, "Raw");
      await until("the query", () => shown(note).includes("SELECT * FROM docs"));
      alice.press(note, "Hide");
      await until("the steps are hidden", () => note.isDeleted);

      expect(own(there)).toEqual([answer]);
      expect(discord.violations).toEqual([]);
    },
  );
});

describe("an answer that took long", () => {
  it("is followed by one line that mentions the asker alone", async () => {
    const { discord, agents, alice, general, own, shows, idle } = await openParley({ settings: { notifyAfterMs: 50 } });
    discord.world.mayBePinged.add(alice.person.id);
    const asked = alice.mention(general, "backup?");
    const run = await agents.run(0);
    await shows(asked.id, "is looking it up");
    await new Promise((resolve) => setTimeout(resolve, 60));
    run.answer("At two.");

    await shows(asked.id, "your answer is ready.");
    await idle();

    expect(own(asked.id).length).toBe(2);
    expect(discord.world.pinged).toEqual([alice.person.id]);
    expect(discord.violations).toEqual([]);
  });
});
