/** The welcome card in Discord: how it looks, and what its buttons do in a channel, in a thread and in a direct message. */
import { describe, expect, it } from "vitest";
import { until } from "../../../doubles/until.ts";
import { botId, guildId, type Message } from "../../../fakes/discord/world.ts";
import { labelsOf, openParley, shown } from "../parley.ts";

const example = "What can you help me with?";
const types = ({ components }: Pick<Message, "components">) => components.map(({ type }) => type);

async function openWithCard() {
  const parley = await openParley();
  parley.alice.mention(parley.general, "help");
  const card = await parley.shows(parley.general.id, "I'm Parley.");
  return { ...parley, card };
}

describe("the welcome card in Discord", () => {
  it("is one frame, each example in a row of its own, the next steps below a line", async () => {
    const { discord, card } = await openWithCard();

    expect(types(card)).toEqual([17]);
    const [frame] = card.components;
    const inside = frame?.["components"] as Message["components"];
    expect(inside.map(({ type }) => type)).toEqual([10, 10, 1, 1, 1, 10, 14, 1, 10]);
    expect(labelsOf(card)).toEqual([
      example,
      "Which topics do you know about?",
      "Where do your answers come from?",
      "Choose an agent",
      "Add pages",
    ]);
    expect(discord.violations).toEqual([]);
  });

  it("answers an example in a thread below the question, and nothing stays thinking", async () => {
    const { discord, agents, bob, own, general, shows, card } = await openWithCard();

    const pressed = bob.press(card, example);
    const run = await agents.run(0);
    run.answer("With refunds.");
    await until("the question", () => shown(pressed.answer).includes(example));
    const asked = own(general.id).find((message) => shown(message).includes("Bob"));
    const answer = await shows(asked?.id ?? "", "With refunds.");

    expect(run.question).toBe(example);
    expect(discord.world.channels.get(asked?.id ?? "")).toMatchObject({ type: 11, name: example });
    expect(own(general.id)).toEqual([card, asked]);
    expect(own(asked?.id ?? "")).toEqual([answer]);
    expect(discord.violations).toEqual([]);
  });

  it("answers two people who press the same example in two conversations", async () => {
    const { agents, alice, bob, own, general, card } = await openWithCard();

    alice.press(card, example);
    bob.press(card, example);
    const [one, two] = [await agents.run(0), await agents.run(1)];
    one.answer("One.");
    two.answer("Two.");
    await until("both questions", () => own(general.id).length === 3);

    expect(one.messages).toHaveLength(1);
    expect(two.messages).toHaveLength(1);
  });

  it("answers an example in the thread of the card", async () => {
    const { discord, agents, alice, bob, general, own, shows } = await openParley();
    const starter = bob.say(general, "The backup failed.");
    const thread = discord.world.addChannel({ id: starter.id, type: 11, name: "backup", parentId: general.id });
    alice.mention(thread, "help");
    const card = await shows(thread.id, "I'm Parley.");

    alice.press(card, example);
    (await agents.run(0)).answer("With backups.");
    await shows(thread.id, "With backups.");

    expect(own(general.id)).toEqual([]);
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("answers an example in a direct message there", async () => {
    const { discord, agents, alice, directAlice, shows } = await openParley();
    alice.say(directAlice, "hi");
    const card = await shows(directAlice.id, "I'm Parley.");

    alice.press(card, example);
    (await agents.run(0)).answer("With refunds.");
    await shows(directAlice.id, "With refunds.");

    expect(discord.violations).toEqual([]);
  });

  it("tells a person without rights whom to ask, at each button that changes something", async () => {
    const { bob, card } = await openWithCard();

    const choosing = bob.press(card, "Choose an agent");
    await until("the refusal", () => shown(choosing.answer) !== "");

    expect(shown(choosing.answer)).toContain("Ask a workspace admin");
    expect(choosing.answer?.seenBy).toBe(bob.person.id);
  });

  it("doesn't come for a message that only names other people", async () => {
    const { agents, alice, bob, general, own, shows } = await openParley();

    alice.say(general, `<@${botId}> <@${bob.person.id}> @here`);
    alice.say(general, `<@${bob.person.id}>`);
    alice.mention(general, "");
    await shows(general.id, "I'm Parley.");

    expect(own(general.id)).toHaveLength(1);
    expect(agents.runs).toEqual([]);
  });

  it("comes for a message that was edited into a bare mention, once", async () => {
    const { alice, general, own, shows } = await openParley();
    const said = alice.say(general, "hm");

    alice.edit(said, `<@${botId}>`);
    await shows(general.id, "I'm Parley.");
    alice.edit(said, `<@${botId}> help`);
    alice.mention(general, "hello");
    await until("the next card", () => own(general.id).length > 1);

    expect(own(general.id)).toHaveLength(2);
  });

  it("says that the agent of the channel was deleted, and suggests nothing that would go unanswered", async () => {
    const { discord, agents, alice, bindings, general, shows } = await openParley();
    const place = { platform: "discord", workspace: guildId, channel: general.id };
    await bindings().setChannel(place, { agent: "sales" });
    agents.set({ agents: ["guide", "support"] });

    alice.mention(general, "help");
    const card = await shows(general.id, "was chosen here but no longer exists");

    expect(labelsOf(card)).toEqual(["Choose an agent", "Add pages"]);
    expect(discord.violations).toEqual([]);
  });
});
