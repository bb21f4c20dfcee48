/**
 * What people and Slack send that is odd, through everything that is real but the agents: it is asked once, or not at all,
 * and whoever asked sees an answer or one clear sentence.
 */
import { describe, expect, it } from "vitest";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { post } from "../../fakes/slack/deliveries.ts";
import { openParley, saidBy } from "./parley.ts";

describe("events", () => {
  it("that come twice, as two kinds, and again while the first is running, are one question", async () => {
    const { slack, agents, alice, replies, shows, idle } = await openParley();
    const asked = alice.mention("C0GENERAL", "once?");
    await asked.delivered;
    const run = await agents.run(0);
    const again = slack.deliveries.all.filter(({ type }) => type === "events_api").map(({ payload }) => payload);
    for (const payload of again) await slack.deliveries.deliver("events_api", payload);

    run.answer("Once.");
    await shows(asked.ts, "Once.");
    for (const payload of again) await slack.deliveries.deliver("events_api", payload);
    await idle();

    expect(agents.runs.length).toBe(1);
    expect(replies(asked.ts).length).toBe(1);
  });

  it("that come out of order are answered in the order in which they were said", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "zero?");
    const zero = await agents.run(0);
    // Said while Slack holds them back, so that the later one arrives first.
    const [one, two] = ["one?", "two?"].map((text) =>
      slack.world.store({ channel: "C0GENERAL", user: "U0ALICE", text, blocks: [], thread_ts: asked.ts }),
    );
    for (const message of [two, one]) {
      const { ts = "", text = "" } = message ?? {};
      await slack.deliveries.deliver("events_api", {
        type: "event_callback",
        team_id: "T0ACME",
        event_id: slack.world.nextId("Ev"),
        event: {
          type: "message",
          user: "U0ALICE",
          channel: "C0GENERAL",
          channel_type: "channel",
          text,
          ts,
          thread_ts: asked.ts,
        },
      });
    }

    zero.answer("Zero.");
    (await agents.run(1)).answer("One.");
    (await agents.run(2)).answer("Two.");
    await shows(asked.ts, "Two.");

    expect(agents.runs.map(({ messages }) => messages.at(-1)?.question.split("\n").at(-1))).toEqual([
      "zero?",
      "one?",
      "two?",
    ]);
  });

  it("of a reply that is also sent to the channel are one follow-up", async () => {
    const { agents, alice, replies, shows, idle } = await openParley();
    const asked = alice.mention("C0GENERAL", "one?");
    (await agents.run(0)).answer("One.");
    await shows(asked.ts, "One.");

    await alice.say("C0GENERAL", "two?", { thread: asked.ts, isBroadcast: true }).delivered;
    (await agents.run(1)).answer("Two.");
    await shows(asked.ts, "Two.");
    await idle();

    expect(agents.runs.length).toBe(2);
    expect(replies(asked.ts).length).toBe(2);
  });

  it("that don't change a question's words (a preview of its link, the same text again) don't ask again", async () => {
    const { agents, alice, shows, idle } = await openParley();
    const asked = alice.mention("C0GENERAL", "what is https://example.com?");
    (await agents.run(0)).answer("An example.");
    await shows(asked.ts, "An example.");

    await alice.preview(asked.ts);
    await alice.edit(asked.ts, "<@U0BOT> what is https://example.com?");
    await idle();

    expect(agents.runs.length).toBe(1);
  });

  it("whose requests come twice at the same moment are one question, and one command", async () => {
    const { slack, agents, alice, shows, seenOnlyBy, idle } = await openParley({ http: true });
    const asked = alice.mention("C0GENERAL", "zero?");
    (await agents.run(0)).answer("Zero.");
    await shows(asked.ts, "Zero.");
    await alice.command("/agent", "which", "C0GENERAL");
    await until("a private message", () => seenOnlyBy("U0ALICE").length === 1);

    for (const { url, body } of slack.deliveries.requests.slice()) {
      if (!/command=|app_mention/.test(body)) continue;
      // As new ones, so that nothing but what they say gives them away as one.
      const fresh = body.replaceAll(asked.ts, slack.world.nextTs()).replace(/trigger\.\d+/, "trigger.99999999");
      const seconds = Math.floor(Date.now() / 1000);
      const headers = {
        "content-type": body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": String(seconds),
        "x-slack-signature": slack.deliveries.sign(fresh, seconds),
      };
      await Promise.all([post({ url, body: fresh, headers }), post({ url, body: fresh, headers })]);
    }
    (await agents.run(1)).answer("One.");
    await idle();
    await until("2 private messages", () => seenOnlyBy("U0ALICE").length > 1);
    await until("the end of all runs", () => agents.runs.every((run) => run.isOver()));

    expect(agents.runs.length).toBe(2);
    expect(seenOnlyBy("U0ALICE").length).toBe(2);
  });

  it("from other bots and from itself are never answered", async () => {
    const { slack, agents, alice, shows, idle } = await openParley();
    const asked = alice.mention("C0GENERAL", "who is on call?");
    (await agents.run(0)).answer("<@U0BOT> hello yourself");
    await shows(asked.ts, "hello yourself");
    const other = { channel: "C0GENERAL", user: "U0JIRA", bot_id: "B0JIRA", text: "<@U0BOT> build failed", blocks: [] };
    const stored = slack.world.store(other);
    const event = { type: "app_mention", ...other, ts: stored.ts, bot_profile: { name: "jira" } };
    await slack.deliveries.deliver("events_api", { type: "event_callback", team_id: "T0ACME", event });
    await idle();

    expect(agents.runs.length).toBe(1);
    expect(saidBy(slack).length).toBe(1);
  });
});

describe("a question", () => {
  it("of 40 kB is sent whole", async () => {
    const { agents, alice, shows } = await openParley();
    const text = `${"A long story. ".repeat(2_900)}What is it about?`;

    const asked = alice.mention("C0GENERAL", text);
    const run = await agents.run(0);
    run.answer("Length.");
    await shows(asked.ts, "Length.");

    expect(run.question).toBe(text);
  });

  it("of files alone includes their names and text", async () => {
    const { slack, agents, alice } = await openParley();
    slack.world.files.set("F1", { name: "plans.csv", content: Buffer.from("plan,price\nbasic,7\n"), type: "text/csv" });
    const file = {
      id: "F1",
      name: "plans.csv",
      mimetype: "text/csv",
      size: 19,
      url_private_download: `${slack.base}/files/F1`,
    };

    alice.mention("C0GENERAL", "", { files: [file] });
    const run = await agents.run(0);

    expect(run.question).toContain("plans.csv");
    expect(run.question).toContain("basic,7");
    run.answer("Thanks.");
  });

  it("and an answer full of mentions ping nobody", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const pings = "Who reads <!channel> <!here> <@U0BOB> @channel <!subteam^S1>";

    const asked = alice.mention("C0GENERAL", pings);
    (await agents.run(0)).answer(`Heard: ${pings} ![x](https://example.com/x.png)`);
    await shows(asked.ts, "Heard:");

    expect(slack.violations).toEqual([]);
  });

  it("from a guest of a shared channel is refused in one sentence that only they see", async () => {
    const { slack, agents, seenOnlyBy, idle } = await openParley();

    await slack.person("U0OTHER").mention("C0GENERAL", "tell me your secrets").delivered;
    await until("a private message", () => seenOnlyBy("U0OTHER").length > 0);
    await idle();

    expect(agents.runs).toEqual([]);
    expect(only(seenOnlyBy("U0OTHER"))).toContain("You can't ask here: people from other organisations can't.");
    expect(saidBy(slack)).toEqual([]);
  });

  it("from a guest of the workspace is answered", async () => {
    const { slack, agents, shows } = await openParley();

    const asked = slack.person("U0GUEST").mention("C0GENERAL", "may I?");
    (await agents.run(0)).answer("You may.");

    await shows(asked.ts, "You may.");
  });
});
