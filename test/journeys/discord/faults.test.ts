/**
 * What goes wrong in a community, through everything that is real but the agents: whoever asked sees an answer or one
 * clear sentence, exactly once.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { token } from "../../fakes/discord/index.ts";
import { permissions } from "../../fakes/discord/world.ts";
import { openParley, type ParleyOptions, shown } from "./parley.ts";

const searching: AgentEvent = {
  type: "step-started",
  tool: "sql",
  input: "SELECT * FROM pricing WHERE content = 'SSO'",
};

/** A question in #general whose first step is shown in its thread. */
async function begun(options: ParleyOptions = {}) {
  const parley = await openParley(options);
  const asked = parley.alice.mention(parley.general, "how?");
  const run = await parley.agents.run(0);
  run.send(searching);
  const placeholder = await parley.shows(asked.id, "Searching **pricing**");
  return { ...parley, asked, run, placeholder, thread: parley.threadOf(asked) };
}

describe("while an answer is running", () => {
  it("its message is deleted: the answer is posted again, once", async () => {
    const { run, asked, placeholder, own, shows, idle } = await begun();

    placeholder.isDeleted = true;
    run.answer("Like this.");
    await shows(asked.id, "Like this.");
    await idle();

    expect(own(asked.id).length).toBe(1);
  });

  it("its thread is archived: it opens again, and the answer replaces the message there", async () => {
    const { run, asked, placeholder, thread, own, shows } = await begun();

    thread.isArchived = true;
    run.answer("Like this.");
    await shows(asked.id, "Like this.");

    expect(own(asked.id)).toEqual([placeholder]);
    expect(thread.isArchived).toBe(false);
  });

  it("its thread is locked: the asker is notified in the channel, once", async () => {
    const { run, thread, general, own, shows, idle } = await begun();

    Object.assign(thread, { isArchived: true, isLocked: true });
    run.answer("Like this.");
    await shows(general.id, "gone, archived or locked");
    await idle();

    expect(own(general.id).length).toBe(1);
  });

  it("the whole channel is deleted: the asker is notified directly, once", async () => {
    const { discord, run, general, thread, directAlice, own, shows, idle } = await begun();

    for (const { id } of [thread, general]) discord.world.channels.delete(id);
    run.answer("Nobody will read this.");
    await shows(directAlice.id, "gone, archived or locked");
    await idle();

    expect(shown(only(own(directAlice.id)))).toContain("**Alice** asked: how?");
  });

  it("the socket is cut: the answer is posted once, and the next question is answered", async () => {
    const { discord, agents, alice, run, asked, thread, own, shows } = await begun();

    discord.gateway.kill();
    run.answer("Like this.");
    await shows(asked.id, "Like this.");
    alice.say(thread, "and then?");
    (await agents.run(1)).answer("Like that.");
    await shows(asked.id, "Like that.");

    expect(own(asked.id).map((message) => shown(message).split("\n")[0])).toEqual(["Like this.", "Like that."]);
  });

  it("its token dies where no thread can be: Parley's own right to write lasts", async () => {
    const { discord, agents, alice, own, shows } = await openParley();
    const voice = discord.world.channel("voice");
    const result = alice.command(voice, "ask", { question: "Slow?" });
    const run = await agents.run(0);
    await shows(voice.id, "is looking it up");

    discord.advance(16 * 60_000);
    run.answer("Sixteen minutes.");
    await shows(voice.id, "Sixteen minutes.");

    expect(only(own(voice.id)).id).toBe(result.answer?.id);
  });

  it("its token expires where Parley has no access: the asker gets the reason and the answer directly, once each", async () => {
    const { discord, agents, alice, directAlice, own, shows, idle } = await openParley({
      before: ({ world }) => {
        world.channel("random").denied = permissions.viewChannel;
      },
    });
    const random = discord.world.channel("random");
    alice.command(random, "ask", { question: "Slow?" });
    const run = await agents.run(0);
    run.send(searching);
    await shows(random.id, "Searching **pricing**");

    discord.advance(16 * 60_000);
    run.answer("Too late.");
    await shows(directAlice.id, "I don't have permission to post in the channel");
    await idle();

    expect(own(directAlice.id).filter((one) => shown(one).includes("I don't have permission to post")).length).toBe(1);
    expect(own(directAlice.id).filter((one) => shown(one).includes("Too late.")).length).toBe(1);
    expect(own(directAlice.id).length).toBe(2);
  });
});

describe("Discord is busy or away", () => {
  it("one channel gets many 429s: its answer comes when they are over, and the others don't wait", async () => {
    const { discord, agents, alice, run, asked, general, own, shows } = await begun();

    discord.fault(`/channels/${asked.id}/messages`, "429", 4, 0.5);
    run.answer("After the storm.");
    const other = alice.mention(general, "and you?");
    (await agents.run(1)).answer("Dry here.");
    await shows(other.id, "Dry here.");

    expect(shown(own(asked.id)[0])).not.toContain("After the storm.");
    await shows(asked.id, "After the storm.");
    expect(own(asked.id).length).toBe(1);
  });

  it("a request hangs until Parley's timeout: the others continue, and its answer still arrives", {
    timeout: 60_000,
  }, async () => {
    const { discord, agents, alice, run, asked, general, own, shows } = await begun();

    discord.fault(`PATCH /channels/${asked.id}/messages`, "hang", 2);
    run.answer("At last.");
    await until("the write of the answer", () =>
      discord.calls.some(({ body }) => JSON.stringify(body).includes("At last.")),
    );
    const other = alice.mention(general, "and you?");
    (await agents.run(1)).answer("Nothing hangs here.");
    await shows(other.id, "Nothing hangs here.");

    expect(shown(own(asked.id)[0])).not.toContain("At last.");
    await shows(asked.id, "At last.");
    expect(own(asked.id).length).toBe(1);
  });

  it("everything answers 503 for a while: questions asked meanwhile are answered afterwards, once", async () => {
    const { discord, agents, alice, bob, run, asked, general, own, shows, threadOf } = await begun();

    discord.fault("/", "503", 12);
    run.answer("Answered meanwhile.");
    const other = bob.mention(general, "is anybody there?");
    await shows(asked.id, "Answered meanwhile.");
    (await agents.run(1)).answer("Yes.");
    await shows(other.id, "Yes.");
    alice.say(threadOf(asked), "and now?");
    (await agents.run(2)).answer("Now too.");
    await shows(asked.id, "Now too.");

    expect(own(asked.id).map((message) => shown(message).split("\n")[0])).toEqual(["Answered meanwhile.", "Now too."]);
    expect(own(other.id).length).toBe(1);
  });

  it("refuses the token for a while (401): questions are answered afterwards, once", async () => {
    const { discord, platform, run, asked, own, shows } = await begun();

    discord.acceptToken("another");
    run.answer("Never mind the token.");
    await until("the loss of the connection", () => !platform().health().isConnected);
    discord.acceptToken(token);
    await shows(asked.id, "Never mind the token.");

    await until("the connection", () => platform().health().isConnected);
    expect(own(asked.id).length).toBe(1);
  });

  it("loses its responses: nothing is posted twice", async () => {
    const { discord, agents, alice, general, own, shows, idle } = await openParley();

    discord.fault("POST /channels/:c/messages/:m/threads", "lost");
    discord.fault("POST /channels/:c/messages", "lost", 2);
    const asked = alice.mention(general, "heard?");
    (await agents.run(0)).answer("Heard.");
    await shows(asked.id, "Heard.");
    await idle();

    expect(own(asked.id).length).toBe(1);
    expect(own(general.id)).toEqual([]);
  });
});

describe("Discord repeats itself", () => {
  it("no message that was deleted: an answer that was long, then short, then long again is all there", async () => {
    const { agents, alice, general, own, shows } = await openParley();
    const words = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
    const asked = alice.mention(general, "all?");
    (await agents.run(0)).answer(words.join(" "));
    await shows(asked.id, "w999");

    alice.edit(asked, `${asked.content} In short.`);
    (await agents.run(1)).answer("Short.");
    await shows(asked.id, "Short.");
    await until("a message from Parley", () => own(asked.id).length === 1);
    alice.edit(asked, `${asked.content} No: all.`);
    (await agents.run(2)).answer(words.join(" "));
    await shows(asked.id, "w999");

    expect(
      own(asked.id)
        .map(shown)
        .join(" ")
        .match(/\bw\d+\b/g),
    ).toEqual(words);
  });

  it("a message and an edit are handled once", async () => {
    const { discord, agents, alice, general, own, shows, idle } = await openParley();

    const asked = alice.mention(general, "once?");
    discord.gateway.repeatLast("MESSAGE_CREATE");
    (await agents.run(0)).answer("Once.");
    await shows(asked.id, "Once.");
    alice.edit(asked, `${asked.content} Really?`);
    discord.gateway.repeatLast("MESSAGE_UPDATE", (d) => d["id"] === asked.id);
    (await agents.run(1)).answer("Really.");
    await shows(asked.id, "Really.");
    await idle();

    expect(agents.runs.length).toBe(2);
    expect(own(asked.id).length).toBe(1);
  });

  it("a press is handled once", async () => {
    const { discord, agents, bob, run, asked, shows, idle } = await begun();
    run.answer("| a |\n|---|\n| 1 |");
    const answer = await shows(asked.id, "1");
    await until("a message from Parley", () => discord.world.inChannel(asked.id).length === 1);

    const steps = bob.press(answer, "Show steps");
    discord.gateway.repeatLast("INTERACTION_CREATE");
    await until("the reply to the steps command", () => shown(steps.answer).includes("'s steps"));
    await idle();

    expect(steps.followUps).toEqual([]);
    expect(agents.runs.length).toBe(1);
    expect(discord.calls.filter(({ route, status }) => route.includes("callback") && status >= 400)).toEqual([]);
  });
});

describe("a person who cannot be answered where they asked", () => {
  it("is told so directly, once per channel, and gets each answer there", async () => {
    const { discord, agents, bob, directBob, own, shows, idle } = await openParley({
      before: ({ world }) => {
        world.channel("random").denied =
          permissions.sendMessages | permissions.createThreads | permissions.sendInThreads;
      },
    });

    for (const index of [0, 1]) {
      bob.mention(discord.world.channel("random"), `question ${index}`);
      (await agents.run(index)).answer("unseen");
    }
    await shows(directBob.id, "I don't have permission to post in the channel");
    await idle();

    const said = own(directBob.id).map(shown);
    expect(said.filter((words) => words.includes("I don't have permission to post in the channel")).length).toBe(1);
    expect(said.filter((words) => words.includes("unseen")).length).toBe(2);
    expect(said.length).toBe(3);
    expect(own(discord.world.channel("random").id)).toEqual([]);
  });

  it("nor directly (50007): does no harm, and the next one is answered", async () => {
    const { agents, alice, bob, general, directBob, own, shows, idle } = await openParley();
    bob.person.takesDirectMessages = false;

    bob.say(directBob, "who is on call?");
    (await agents.run(0)).answer("unseen");
    await idle();
    const asked = alice.mention(general, "and me?");
    (await agents.run(1)).answer("Of course.");
    await shows(asked.id, "Of course.");

    expect(own(directBob.id)).toEqual([]);
  });
});
