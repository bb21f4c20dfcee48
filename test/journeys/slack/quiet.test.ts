/** What people say to each other in Slack costs Parley no call, to the agents or to Slack. */
import { expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { openParley, type Parley, saidBy } from "./parley.ts";

const channel = "C0GENERAL";

async function answered({ agents, alice, shows }: Parley) {
  const asked = alice.mention(channel, "How late can a guest check in?");
  (await agents.run(0)).answer("Until 23:00.");
  await shows(asked.ts, "Until 23:00.");
  return asked.ts;
}

/** What Slack was asked for while that went on. */
async function callsOf(parley: Parley, happens: () => Promise<void>): Promise<readonly string[]> {
  await parley.idle();
  const before = parley.slack.calls.length;
  await happens();
  await parley.idle();
  return parley.slack.calls.slice(before).map(({ method }) => method);
}

it("twenty messages around an answer cost no call, thanks costs one reaction, and “thanks, but how?” is asked", async () => {
  const parley = await openParley();
  const { slack, agents, alice, bob, shows } = parley;
  const thread = await answered(parley);
  // Whoever writes for the first time may be looked up.
  await bob.say(channel, "Good to know.", { thread }).delivered;

  const calls = await callsOf(parley, async () => {
    for (let index = 0; index < 20; index += 1)
      await bob.say(channel, `Message ${index} to all of you`, { thread }).delivered;
    await alice.say(channel, "ok cool", { thread }).delivered;
    await bob.say(channel, "👍", { thread }).delivered;
  });
  expect(calls).toEqual([]);
  expect(agents.runs).toHaveLength(1);

  const thanked = await callsOf(parley, async () => {
    await alice.say(channel, "thanks, that helped!", { thread }).delivered;
    await until("the reaction", () => slack.callsTo("reactions.add").length > 0);
  });
  expect(thanked).toEqual(["reactions.add"]);

  alice.say(channel, "thanks, but how?", { thread });
  (await agents.run(1)).answer("With the door code.");
  await shows(thread, "With the door code.");
  expect(slack.violations).toEqual([]);
});

it("a thread of 300 messages in which Parley was asked once stays with the people, but for a question that it can answer", async () => {
  const parley = await openParley();
  const { agents, alice, bob, replies, shows } = parley;
  const thread = await answered(parley);
  await bob.say(channel, "Good to know.", { thread }).delivered;

  const calls = await callsOf(parley, async () => {
    for (let index = 0; index < 300; index += 1) await bob.say(channel, `Message ${index}`, { thread }).delivered;
  });
  expect(calls).toEqual([]);
  expect(replies(thread)).toHaveLength(1);

  alice.say(channel, "and on Sundays?", { thread });
  (await agents.run(1)).answer("Until 22:00.");
  await shows(thread, "Until 22:00.");
  expect(agents.runs).toHaveLength(2);
});

it("in mode channel, what asks nothing costs no call, and an answer without a source writes nothing", async () => {
  const parley = await openParley();
  const { slack, agents, bob, bindings } = parley;
  await bindings().setChannel({ platform: "slack", workspace: "T0ACME", channel }, { mode: "channel" });
  await bob.say(channel, "Good morning.").delivered;

  const calls = await callsOf(parley, async () => {
    for (let index = 0; index < 20; index += 1) await bob.say(channel, `Deploy ${index} is done`).delivered;
  });
  expect(calls).toEqual([]);
  expect(agents.runs).toEqual([]);

  const written = await callsOf(parley, async () => {
    await bob.say(channel, "How late can a guest check in?").delivered;
    (await agents.run(0)).answer("I found nothing.");
    await parley.idle();
  });
  expect(written.filter((method) => !/^(users|conversations)\./.test(method))).toEqual([]);
  expect(saidBy(slack)).toEqual([]);
});
