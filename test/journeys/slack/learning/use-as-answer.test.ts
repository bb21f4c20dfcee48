/** A person's message as the answer in Slack: by the shortcut, by 💡, and offered to the person who wrote it. */
import { describe, expect, it } from "vitest";
import { takesAnswers, untilGap } from "../../../doubles/service/answer-service.ts";
import { until } from "../../../doubles/until.ts";
import type { View } from "../../../fakes/slack/world.ts";
import { openParley, textOf } from "../parley.ts";

const question = "Can a guest move a non-refundable booking?";
const reply = "Yes, once, up to 48 hours before check-in.";
const rowOf = (said: string) => `${question}\\n\\n${said}`;

async function open() {
  const { service, rows } = takesAnswers();
  const parley = await openParley({ service });
  const { slack, agents, alice, bob, shows, idle, collection } = parley;
  const asked = alice.mention("C0GENERAL", question);
  (await agents.run(0)).answer("I found nothing about it.");
  await shows(asked.ts, "I found nothing about it.");
  await idle();
  await untilGap(collection);
  const seenByBob = async (words: string) => {
    const found = () =>
      [...slack.world.messages.values()].find((one) => one.visibleTo === "U0BOB" && textOf(one.blocks).includes(words));
    await until(`“${words}” for Bob alone`, () => found() !== undefined);
    return found()?.ts ?? "";
  };
  const opened = async (): Promise<View> => {
    await until("a modal", () => bob.view() !== undefined);
    return bob.view() as View;
  };
  const send = async (view: View) =>
    bob.submit(view, {
      ...{ question: { value: question }, answer: { value: reply }, urls: { value: null } },
      base: { selected_option: { value: "handbook" } },
    });
  return { ...parley, rows, asked, seenByBob, opened, send };
}

describe("Use as answer in Slack", () => {
  it("is offered once to the person who replies below a bad answer, and to nobody else", async () => {
    const { slack, asked, alice, bob, seenByBob, seenOnlyBy, opened, send, rows, replies, agents } = await open();
    const before = replies(asked.ts).length;

    await bob.say("C0GENERAL", reply, { thread: asked.ts }).delivered;
    const offer = await seenByBob("Use it as the answer from now on?");
    await bob.say("C0GENERAL", "And the price stays the same for them.", { thread: asked.ts }).delivered;
    expect(agents.runs).toHaveLength(1);
    const offers = () => seenOnlyBy("U0BOB").filter((text) => text.includes("from now on?"));
    expect(offers()).toHaveLength(1);
    await bob.click(offer, "Use as answer");
    const view = await opened();
    expect(JSON.stringify(view.blocks)).toContain(question);
    expect(JSON.stringify(view.blocks)).toContain(reply);
    await send(view);
    await seenByBob("Your answer is in");

    expect(rows()).toContain(rowOf(reply));
    // What came of it stands in its place.
    expect(offers()).toEqual([]);
    expect(seenOnlyBy(alice.id)).toEqual([]);
    expect(replies(asked.ts).filter(({ visibleTo }) => visibleTo === undefined)).toHaveLength(before);
    expect(slack.violations).toEqual([]);
  });

  it("opens the form from a message's menu, prefilled with the question above it", async () => {
    const { asked, alice, bob, opened, send, seenByBob, rows } = await open();
    const said = alice.say("C0GENERAL", reply, { thread: asked.ts });
    await said.delivered;

    await bob.shortcut("use_as_answer", said.ts);
    const view = await opened();
    expect(textOf(view["title"])).toBe("Add the answer");
    await send(view);
    // Alice wrote it, and Bob added it.
    await seenByBob("alice 's answer is in");

    expect(rows()).toContain(rowOf(reply));
  });

  it("shows below 💡 what will be added, and adds it with one press", async () => {
    const { asked, bob, alice, seenByBob, rows } = await open();
    const said = alice.say("C0GENERAL", reply, { thread: asked.ts });
    await said.delivered;

    await bob.react(said.ts, "bulb");
    const shown = await seenByBob("This will be added to");
    expect(rows()).toBe("[]");
    await bob.click(shown, "Add and test");
    await seenByBob("alice 's answer is in");

    expect(rows()).toContain(rowOf(reply));
  });

  it("hears nothing in a 💡 on a message that answers nothing", async () => {
    const { bob, alice, asked, idle, seenOnlyBy } = await open();
    const said = alice.say("C0GENERAL", "What a day!");
    await said.delivered;

    await bob.react(said.ts, "bulb");
    await bob.react(asked.ts, "bulb");
    await idle();

    expect(seenOnlyBy("U0BOB")).toEqual([]);
  });
});
