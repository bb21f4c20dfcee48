/**
 * An outage as people see it: with the real bridge, every question is answered once, in order, and nobody else's talk is.
 */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { openParley } from "./parley.ts";

describe("after an outage", () => {
  it("each question that was asked meanwhile has one answer where it was asked", async () => {
    const { slack, agents, alice, bob, shows, replies, idle } = await openParley();
    await alice.say("C0GENERAL", "hello").delivered;

    const back = slack.outage();
    const asked = alice.mention("C0GENERAL", "first question");
    bob.say("C0GENERAL", "talk among people");
    const direct = alice.say("D0ALICE", "second question");
    back();
    for (const index of [0, 1]) (await agents.run(index)).answer("It is 42.");
    await shows(asked.ts, "It is 42.");
    await shows(direct.ts, "It is 42.", "D0ALICE");
    await idle();

    expect(agents.runs.length).toBe(2);
    expect(replies(asked.ts).length).toBe(1);
  });

  it("a question that Slack sends again after all is not asked twice", async () => {
    const { slack, agents, alice, shows, idle } = await openParley();
    await alice.say("C0GENERAL", "hello").delivered;

    const back = slack.outage();
    const asked = alice.mention("C0GENERAL", "once?");
    back();
    (await agents.run(0)).answer("Once.");
    await shows(asked.ts, "Once.");
    for (const { payload } of [...slack.deliveries.lost]) await slack.deliveries.deliver("events_api", payload);
    await idle();

    expect(slack.deliveries.lost.length).toBe(2);
    expect(agents.runs.length).toBe(1);
  });

  it("a follow-up in the thread comes after its question, also before that has an answer", async () => {
    const { slack, agents, alice, bob, shows, idle } = await openParley();
    await alice.say("C0GENERAL", "hello").delivered;

    const back = slack.outage();
    const asked = alice.mention("C0GENERAL", "first");
    bob.say("C0GENERAL", "and then?", { thread: asked.ts });
    back();
    (await agents.run(0)).answer("One.");
    (await agents.run(1)).answer("Two.");
    await shows(asked.ts, "Two.");
    await idle();

    expect(agents.runs.map(({ messages }) => messages.at(-1)?.question)).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("and then?"),
    ]);
  });

  it("conversation in a thread from before Parley's first mention isn't a question", async () => {
    const { slack, agents, alice, bob, shows, idle } = await openParley();
    await alice.say("C0GENERAL", "hello").delivered;

    const back = slack.outage();
    const root = bob.say("C0GENERAL", "a problem among people");
    bob.say("C0GENERAL", "what a mess", { thread: root.ts });
    alice.mention("C0GENERAL", "what is known of it?", { thread: root.ts });
    back();
    (await agents.run(0)).answer("Nothing.");
    await shows(root.ts, "Nothing.");
    await idle();

    expect(agents.runs.length).toBe(1);
  });

  it("a group direct message is a channel: only a mention counts, and then its thread", async () => {
    const { slack, agents, alice, bob, shows, idle } = await openParley();

    await bob.say("C0TRIO", "talk among people").delivered;
    const asked = alice.mention("C0TRIO", "what is it?");
    await asked.delivered;
    (await agents.run(0)).answer("It is 42.");
    await shows(asked.ts, "It is 42.", "C0TRIO");
    await alice.say("C0TRIO", "and with tax?", { thread: asked.ts }).delivered;
    (await agents.run(1)).answer("Really.");
    await shows(asked.ts, "Really.", "C0TRIO");
    await idle();

    expect(agents.runs.length).toBe(2);
    expect(slack.deliveries.all.some(({ payload }) => JSON.stringify(payload).includes('"channel_type":"mpim"'))).toBe(
      true,
    );
  });

  it("someone from another organisation isn't answered either", async () => {
    const { slack, agents, alice, shows, seenOnlyBy, idle } = await openParley();
    await alice.say("C0GENERAL", "hello").delivered;
    slack.fail("users.info", "internal_error", { times: 50 });

    const back = slack.outage();
    slack.person("U0OTHER").mention("C0GENERAL", "what do they earn?");
    const asked = alice.mention("C0GENERAL", "what do we earn?");
    back();
    (await agents.run(0)).answer("Enough.");
    await shows(asked.ts, "Enough.");
    await until("a private message", () => seenOnlyBy("U0OTHER").length > 0);
    await idle();

    expect(agents.runs.length).toBe(1);
  });
});
