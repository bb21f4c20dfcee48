/**
 * What goes wrong in a workspace, through everything that is real but the agents: whoever asked sees an answer or one
 * clear sentence, exactly once.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { fastClock, openParley, saidBy, wordsOf } from "./parley.ts";

const searching: AgentEvent = {
  type: "step-started",
  tool: "kb_query_tool",
  input: "SELECT * FROM docs WHERE content = 'backup'",
};
describe("while an answer is running", () => {
  async function begun(options: Parameters<typeof openParley>[0] = {}) {
    const parley = await openParley(options);
    const asked = parley.alice.mention("C0GENERAL", "how?");
    const run = await parley.agents.run(0);
    const placeholder = await parley.shows(asked.ts, "is looking it up");
    run.send(searching);
    await parley.shows(asked.ts, "Searching docs");
    return { ...parley, asked, run, placeholder };
  }

  it("its message is deleted: the answer is posted again, once", async () => {
    const { slack, run, asked, placeholder, replies, shows, idle } = await begun();

    slack.world.messages.delete(placeholder.ts);
    run.answer("Like this.");
    await shows(asked.ts, "Like this.");
    await idle();

    expect(replies(asked.ts).length).toBe(1);
  });

  it("Slack asks to slow down: the next step is said in the status line, which the end clears", async () => {
    const { slack, run, asked, shows, idle } = await begun();
    const statusLine = () => slack.world.statusLine.textOf("C0GENERAL", asked.ts);

    slack.fail("chat.update", "ratelimited", { retryAfterS: 2 });
    run.send({ ...searching, input: "SELECT * FROM docs WHERE content = 'restore'" });
    await until("the step", () => statusLine() === "is working: Searching docs for “restore”");
    run.answer("Like this.");
    await shows(asked.ts, "Like this.");
    await idle();
    await until("an empty line", () => statusLine() === undefined);

    expect(slack.violations).toEqual([]);
  });

  it.each(["edit_window_closed", "cant_update_message", "block_mismatch"])(
    "Slack answers %s: the answer is posted again, and the old message is deleted",
    async (code) => {
      const { slack, run, asked, replies, shows } = await begun();

      slack.fail("chat.update", code, { times: 100 });
      run.answer("Like this.");
      await shows(asked.ts, "Like this.");
      await until("a message from Parley", () => replies(asked.ts).length === 1);

      expect(wordsOf(only(replies(asked.ts)))).toContain("Like this.");
    },
  );

  it.each(["msg_too_long", "msg_blocks_too_long", "invalid_arguments"])(
    "Slack answers %s: the answer comes unformatted",
    async (code) => {
      const { slack, run, asked, replies, shows } = await begun();

      slack.fail("chat.update", code);
      run.answer("Like **this**.");
      await shows(asked.ts, "Like");
      await until("the message from Parley", () => wordsOf(only(replies(asked.ts))).includes("this"));

      expect(replies(asked.ts).length).toBe(1);
    },
  );

  it("Slack accepts no more steps (block_mismatch): the answer is posted again, and the old message is deleted", async () => {
    const { slack, run, asked, placeholder, replies, shows } = await begun();

    slack.fail("chat.update", "block_mismatch");
    run.send({ ...searching, input: "SELECT * FROM docs WHERE content = 'restore'" });
    await until("block_mismatch from chat.update", () =>
      slack.callsTo("chat.update").some(({ error }) => error === "block_mismatch"),
    );
    run.answer("Like this.");
    await shows(asked.ts, "Like this.");
    await until("a message from Parley", () => replies(asked.ts).length === 1);

    expect(only(replies(asked.ts)).ts).not.toBe(placeholder.ts);
  });

  it("Slack answers msg_too_long to a long answer: the same message gets all of it, unformatted", async () => {
    const { slack, run, asked, placeholder, replies } = await begun();
    const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`);

    slack.fail("chat.update", "msg_too_long");
    run.answer(words.join(" "));
    await until("the end of the answer", () => replies(asked.ts).map(wordsOf).join(" ").includes("word1999"));

    expect(replies(asked.ts)[0]?.ts).toBe(placeholder.ts);
    expect(
      replies(asked.ts)
        .map(wordsOf)
        .join(" ")
        .match(/word\d+/g),
    ).toEqual(words);
    expect(slack.callsTo("chat.update").map(({ error }) => error)).not.toContain("block_mismatch");
  });

  it.each([
    ["a heading", "# Refunds"],
    ["a table", "| plan | price |\n|---|---|\n| Team | 12 |"],
  ])(
    "the answer is %s alone: it replaces the message's content, and an edited question replaces it",
    async (_, answer) => {
      const { slack, agents, alice, run, asked, placeholder, replies, shows } = await begun();

      run.answer(answer);
      await until("the message from Parley", () => wordsOf(only(replies(asked.ts))).includes(answer.slice(2, 6)));
      await alice.edit(asked.ts, "<@U0BOT> how else?");
      const second = await agents.run(1);
      second.send(searching);
      await shows(asked.ts, "Searching docs");
      second.answer("# Otherwise");
      await shows(asked.ts, "Otherwise");

      expect(only(replies(asked.ts)).ts).toBe(placeholder.ts);
      expect(slack.callsTo("chat.update").map(({ error }) => error)).not.toContain("block_mismatch");
    },
  );

  it.each(["archived", "removed"])(
    "the channel is %s to Parley: the asker gets the answer directly, once, and everything else continues",
    async (change) => {
      const { slack, agents, alice, run, idle } = await begun();
      const channel = slack.world.channels.get("C0GENERAL");
      if (channel === undefined) throw new Error("no channel");
      if (change === "archived") channel.isArchived = true;
      else channel.members.delete("U0BOT");

      run.answer("Too late.");
      await idle();
      const told = saidBy(slack).filter((one) => one.channel === "D0ALICE");
      const direct = alice.say("D0ALICE", "and here?");
      (await agents.run(1)).answer("Here it works.");
      await until("a direct message", () =>
        slack.world.thread("D0ALICE", direct.ts).some((one) => wordsOf(one).includes("Here it works.")),
      );

      expect(wordsOf(only(told))).toContain("asked: how?");
      expect(wordsOf(only(told))).toMatch(/archived|isn't allowed to post/);
      expect(only(saidBy(slack).filter((one) => wordsOf(one).includes("Too late.")))).toBe(only(told));
    },
  );

  it("its thread is deleted: the asker gets the answer directly, and the channel a note, once each", async () => {
    const { slack, run, asked, bridge, idle } = await begun();

    for (const message of slack.world.thread("C0GENERAL", asked.ts)) slack.world.messages.delete(message.ts);
    run.answer("Too late.");
    await until("the end of all questions", () => bridge().counts().running === 0);
    await idle();

    const told = only(saidBy(slack).filter(({ channel }) => channel === "C0GENERAL"));
    const direct = only(saidBy(slack).filter(({ channel }) => channel === "D0ALICE"));
    expect(told.thread_ts).toBeUndefined();
    expect(wordsOf(told)).not.toContain("Too late.");
    expect(wordsOf(direct)).toContain("Too late.");
  });

  it("Slack takes no edits for a minute: the answer is a new message at once, and its progress is removed", async () => {
    const { slack, run, asked, replies, shows } = await begun({ slack: { rates: false } });

    slack.fail("chat.update", "ratelimited", { retryAfterS: 60 });
    run.answer("At once.");
    await shows(asked.ts, "At once.");
    await until("its progress to be gone", () => replies(asked.ts).length === 1);

    expect(wordsOf(only(replies(asked.ts)))).toContain("At once.");
    expect(slack.callsTo("chat.delete")).toHaveLength(1);
  });

  it("Slack is too busy for a minute: the answer appears once, when that is over", async () => {
    // A minute in 3 s.
    const { slack, run, asked, replies, shows } = await begun({ clock: fastClock(20), slack: { rates: false } });

    for (const method of ["chat.update", "chat.postMessage"]) {
      slack.fail(method, "ratelimited", { times: 3, retryAfterS: 10 });
    }
    run.answer("At last.");
    await shows(asked.ts, "At last.");
    await until("its progress to be gone", () => replies(asked.ts).length === 1);

    expect(wordsOf(only(replies(asked.ts)))).toContain("At last.");
  });

  it.each(["cut", "disconnected"])(
    "the socket is %s and another one opens: the answer appears once, and the next question is answered",
    async (how) => {
      const { slack, agents, alice, run, asked, shows } = await begun();

      for (const socket of slack.deliveries.sockets) {
        if (how === "cut") socket.kill();
        else socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
      }
      run.answer("Like this.");
      await shows(asked.ts, "Like this.");
      await until("a socket", () => slack.deliveries.sockets.size === 1);
      alice.say("C0GENERAL", "and now?", { thread: asked.ts });
      (await agents.run(1)).answer("Still here.");
      await shows(asked.ts, "Still here.");

      expect(saidBy(slack).length).toBe(2);
    },
  );
});

describe("a minute in which Slack accepts nothing", () => {
  it("loses no answer: it appears afterwards, once", async () => {
    // A minute in 3 s.
    const { slack, agents, alice, replies, shows } = await openParley({
      clock: fastClock(20),
      slack: { rates: false },
    });
    for (const method of ["chat.postMessage", "chat.update", "conversations.replies", "agents.sessions.setStatus"])
      slack.fail(method, "ratelimited", { times: 6, retryAfterS: 10 });

    const asked = alice.mention("C0GENERAL", "how?");
    const run = await agents.run(0);
    run.send(searching);
    run.answer("At last.");
    await shows(asked.ts, "At last.");

    expect(replies(asked.ts).length).toBe(1);
    const posts = slack.callsTo("chat.postMessage");
    expect(posts.filter(({ error }) => error === undefined).length).toBe(1);
    expect(posts.length).toBeLessThanOrEqual(7);
  });
});

describe("posts", () => {
  it("whose response was lost appear once", async () => {
    const { slack, agents, alice, replies, shows } = await openParley();
    slack.fail("chat.postMessage", "lost");

    const asked = alice.mention("C0GENERAL", "there?");
    (await agents.run(0)).answer("Here.");
    await shows(asked.ts, "Here.");

    expect(replies(asked.ts).length).toBe(1);
  });

  it("in a workspace that knows no new blocks are plain ones, and say the same", async () => {
    const { slack, agents, alice, replies, shows } = await openParley({ slack: { profile: "classic" } });

    const asked = alice.mention("C0GENERAL", "old?");
    const run = await agents.run(0);
    run.send(searching);
    run.answer("| a | b |\n|---|---|\n| 1 | 2 |\n\n**Done**");
    await shows(asked.ts, "Done");
    // Only the first one had begun with what cannot be replaced by plain blocks.
    await until("a message from Parley", () => replies(asked.ts).length === 1);
    const next = alice.mention("C0GENERAL", "still old?");
    const nextRun = await agents.run(1);
    const placeholder = await shows(next.ts, "is looking it up");
    nextRun.send(searching);
    await shows(next.ts, "Searching *docs*");
    nextRun.answer("Yes.");
    await shows(next.ts, "Yes.");

    expect(only(replies(asked.ts)).blocks.map(({ type }) => type)).not.toContain("markdown");
    expect(only(replies(next.ts)).ts).toBe(placeholder.ts);
    expect(slack.violations).toEqual([]);
  });
});

describe("two sockets", () => {
  it("of two instances share the events, and no question is answered twice", async () => {
    const { slack, agents, alice, replies, shows, another, idle } = await openParley();
    await another();
    expect(slack.deliveries.sockets.size).toBe(2);

    // The two events of a mention go to different sockets.
    const asked = alice.mention("C0GENERAL", "who?");
    (await agents.run(0)).answer("One of us.");
    await shows(asked.ts, "One of us.");
    await idle();

    expect(agents.runs.length).toBe(1);
    expect(replies(asked.ts).length).toBe(1);
  });

  it("of two instances: Slack's own Stop ends the answer, whichever of them receives it", async () => {
    const { slack, agents, alice, shows, another, bridge } = await openParley();
    await another();
    const asked = alice.mention("C0GENERAL", "long?");
    await asked.delivered;
    const run = await agents.run(0);
    await shows(asked.ts, "is looking it up");
    const [first, second] = slack.deliveries.sockets;
    const busy = bridge().counts().running === 1 ? first : second;
    if (busy !== undefined) slack.deliveries.removeSocket(busy);

    await alice.stopAgent("C0GENERAL", asked.ts);

    await shows(asked.ts, "Stopped");
    await until("the end of the run", () => run.isOver());
  });
});
