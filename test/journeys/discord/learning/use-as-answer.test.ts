/** A person's message as the answer in Discord: from its menu, by 💡, and asked first in a private channel. */
import { describe, expect, it } from "vitest";
import { takesAnswers, untilGap } from "../../../doubles/service/answer-service.ts";
import { until } from "../../../doubles/until.ts";
import { listOf } from "../../../fakes/discord/checks.ts";
import { botId, type Message, textOf } from "../../../fakes/discord/world.ts";
import { labelsOf, openParley } from "../parley.ts";

const question = "Can a guest move a non-refundable booking?";
const reply = "Yes, once, up to 48 hours before check-in.";

async function open() {
  const { service, rows } = takesAnswers();
  const parley = await openParley({ service });
  const { discord, agents, alice, general, threadOf, shows, idle, collection } = parley;
  const asked = alice.mention(general, question);
  (await agents.run(0)).answer("I found nothing about it.");
  await shows(asked.id, "I found nothing about it.");
  await idle();
  await untilGap(collection);
  const thread = threadOf(asked);
  /** The newest message that only Bob sees, or anyone if it covers a private one. */
  const seenByBob = async (words: string): Promise<Message> => {
    const { id } = discord.human("Bob").person;
    const find = () =>
      [...discord.world.messages.values()].findLast(
        (one) => one.authorId === botId && one.seenBy === id && textOf(one).includes(words),
      );
    await until(`“${words}” for Bob alone`, () => find() !== undefined);
    return find() as Message;
  };
  return { ...parley, rows, thread, seenByBob };
}

describe("Use as answer in Discord", () => {
  it("opens the form from a message's menu, prefilled, and adds the message from who wrote it", async () => {
    const { alice, bob, thread, seenByBob, rows } = await open();
    const said = alice.say(thread, reply);

    const menu = bob.menu(thread, "Use as answer", said);
    await until("a modal", () => menu.modal !== undefined);
    const shown = JSON.stringify(menu.modal);
    expect(shown).toContain(question);
    expect(shown).toContain(reply);
    expect(listOf(menu.modal?.["components"]).length).toBeLessThanOrEqual(5);
    bob.submit(menu, { base: ["handbook"] });
    await seenByBob("answer is in");

    expect(rows()).toContain(`${question}\\n\\n${reply}`);
  });

  it("shows below 💡 what will be added, behind a button for the person who reacted, and adds it with one press", async () => {
    const { own, alice, bob, thread, seenByBob, rows } = await open();
    const said = alice.say(thread, reply);

    bob.react(said, "💡");
    const note = () => own(thread.id).find((one) => labelsOf(one).includes("Open"));
    await until("a note for Bob", () => note() !== undefined);
    bob.press(note() as Message, "Open");
    const shown = await seenByBob("This will be added to");
    expect(textOf(shown)).toContain(reply);
    expect(rows()).toBe("[]");
    bob.press(shown, "Add and test");
    await seenByBob("answer is in");

    expect(rows()).toContain(`${question}\\n\\n${reply}`);
  });

  it("offers nothing to who replies, because everyone there would see the offer", async () => {
    const { own, bob, thread, idle } = await open();
    const before = own(thread.id).length;
    bob.say(thread, reply);
    bob.say(thread, "And the price stays the same for them.");
    await idle();

    expect(own(thread.id)).toHaveLength(before);
  });
});
