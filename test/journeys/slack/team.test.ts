/**
 * What a team does with Parley in Slack, through everything that is real but the agents.
 */
import { describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { buttonsOf, openParley, textOf, wordsOf } from "./parley.ts";

const searching: AgentEvent = {
  type: "step-started",
  tool: "kb_query_tool",
  input: "SELECT * FROM docs WHERE content = 'backup'",
};

describe("a mention", () => {
  it("shows progress before the agent's first event, then each step, then the answer", async () => {
    const { slack, agents, alice, replies, shows } = await openParley();

    const asked = alice.mention("C0GENERAL", "when does the backup run?");
    await asked.delivered;
    const run = await agents.run(0);
    await shows(asked.ts, "guide is looking it up");
    run.send(searching);
    await shows(asked.ts, "Searching docs");
    run.answer("At **two**.");
    const answer = await shows(asked.ts, "At **two**.");

    expect(run.question).toBe("when does the backup run?");
    expect(replies(asked.ts)).toEqual([answer]);
    expect(buttonsOf(answer)).toEqual(["👍", "👎", "Try again"]);
    expect(slack.callsTo("chat.postMessage").length).toBe(1);
    expect(slack.violations).toEqual([]);
    expect(slack.deliveries.problems).toEqual([]);
  });

  it("is followed up in the thread without a mention, and the agent knows what was said", async () => {
    const { agents, alice, replies, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "when does the backup run?");
    (await agents.run(0)).answer("At two.");
    await shows(asked.ts, "At two.");

    alice.say("C0GENERAL", "and the restore?", { thread: asked.ts });
    const second = await agents.run(1);
    second.answer("At three.");
    await shows(asked.ts, "At three.");

    expect(second.messages).toMatchObject([
      { question: "when does the backup run?", answer: "At two." },
      { question: "and the restore?" },
    ]);
    expect(replies(asked.ts).length).toBe(2);
  });

  it("to someone else in the thread is ignored", async () => {
    const { agents, alice, bob, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "one?");
    (await agents.run(0)).answer("One.");
    await shows(asked.ts, "One.");

    await alice.say("C0GENERAL", "<@U0BOB> what do you think?", { thread: asked.ts }).delivered;
    await bob.say("C0GENERAL", "two?", { thread: asked.ts }).delivered;
    (await agents.run(1)).answer("Two.");
    await shows(asked.ts, "Two.");

    expect(agents.runs.map(({ question }) => question.split("\n").at(-1))).toEqual(["one?", "two?"]);
  });

  it("with an answer of many pages loses none of it, in the same thread", async () => {
    const { slack, agents, alice, replies } = await openParley();
    const lines = Array.from({ length: 1_200 }, (_, line) => `Line ${line} of the answer, which is long.`);
    const asked = alice.mention("C0GENERAL", "tell me everything");
    (await agents.run(0)).answer(lines.join("\n\n"));
    await until("the end of the answer", () =>
      replies(asked.ts).some((message) => wordsOf(message).includes("Line 1199 ")),
    );

    const all = replies(asked.ts).map(wordsOf).join("\n");
    expect(lines.filter((line) => !all.includes(line))).toEqual([]);
    expect(replies(asked.ts).length).toBeGreaterThan(3);
    expect(slack.violations).toEqual([]);
  });
});

describe("Stop and Try again", () => {
  it("end a run at once, and ask it again in the same message", async () => {
    const { agents, alice, replies, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "long?");
    const first = await agents.run(0);
    const placeholder = await shows(asked.ts, "is looking it up");
    first.send(searching);
    await shows(asked.ts, "Searching docs");

    await alice.click(placeholder.ts, "Stop");
    await shows(asked.ts, "Stopped");
    await until("the end of the run", () => first.isOver());
    await alice.click(placeholder.ts, "Try again");
    (await agents.run(1)).answer("Here it is.");
    await shows(asked.ts, "Here it is.");

    expect(only(replies(asked.ts)).ts).toBe(placeholder.ts);
  });

  it("is offered after a failure, with what happened and what to do", async () => {
    const { agents, alice, replies, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "works?");
    (await agents.run(0)).fail(new ParleyError("service_unreachable"));
    const failed = await shows(asked.ts, "The agent service can't be reached.");
    expect(wordsOf(failed)).toContain("Try again in a minute");
    expect(buttonsOf(failed)).toEqual(["Try again"]);

    await alice.click(failed.ts, "Try again");
    (await agents.run(1)).answer("It works.");
    await shows(asked.ts, "It works.");

    expect(replies(asked.ts).length).toBe(1);
  });

  it("comes from Slack's own Stop as well", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "long?");
    await agents.run(0);
    await until("the agent session", () => slack.world.sessions.get(`C0GENERAL/${asked.ts}`) === "processing");

    await alice.stopAgent("C0GENERAL", asked.ts);
    await shows(asked.ts, "Stopped");

    await until("the agent session", () => slack.world.sessions.get(`C0GENERAL/${asked.ts}`) === "active");
  });
});

describe("the agent view, where people write directly", () => {
  it("shows that an answer is coming, and its Stop ends it", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.say("D0ALICE", "long?");
    const run = await agents.run(0);
    const session = () => slack.world.sessions.get(`D0ALICE/${asked.ts}`);
    await until("the agent session", () => session() === "processing");

    await alice.stopAgent("D0ALICE", asked.ts);

    const stopped = await shows(asked.ts, "Stopped", "D0ALICE");
    await until("the end of the run and an active session", () => run.isOver() && session() === "active");
    expect(buttonsOf(stopped)).toContain("Try again");
  });

  it("isn't needed for Parley's own Stop, which works where Slack has none", async () => {
    const { slack, agents, alice, shows } = await openParley();
    slack.fail("agents.sessions.setStatus", "unknown_method", { times: 100 });
    const asked = alice.say("D0ALICE", "long?");
    const run = await agents.run(0);
    const placeholder = await shows(asked.ts, "is looking it up", "D0ALICE");

    await alice.click(placeholder.ts, "Stop");

    await shows(asked.ts, "Stopped", "D0ALICE");
    await until("the end of the run", () => run.isOver());
  });
});

describe("what else people do with a question", () => {
  it("shows the steps to one person, with the query behind Raw in a modal, and hides them again", async () => {
    const { slack, agents, alice, bob, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "backup?");
    const run = await agents.run(0);
    run.send(searching);
    run.answer("At two.");
    const answer = await shows(asked.ts, "At two.");

    await bob.click(answer.ts, "Show steps");
    const note = () => [...slack.world.messages.values()].find(({ visibleTo }) => visibleTo === "U0BOB");
    await until("the steps", () => note() !== undefined);
    expect(textOf(note()?.blocks)).toContain("Searched docs");
    expect(textOf(note()?.blocks)).not.toContain("SELECT * FROM docs");
    await bob.click(note()?.ts ?? "", "Raw");
    await until("a modal", () => bob.view() !== undefined);
    expect(textOf(bob.view()?.blocks)).toContain("SELECT * FROM docs");
    expect(alice.view()).toBeUndefined();

    await bob.click(note()?.ts ?? "", "Hide");
    await until("the steps are hidden", () => note() === undefined);
    expect(slack.violations).toEqual([]);
  });

  it("hides the steps in a direct message too, and leaves the answer", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.say("D0ALICE", "backup?");
    const run = await agents.run(0);
    run.send(searching);
    run.answer("At two.");
    const answer = await shows(asked.ts, "At two.", "D0ALICE");

    await alice.click(answer.ts, "Show steps");
    const note = () => [...slack.world.messages.values()].find(({ blocks }) => textOf(blocks).includes("Hide"));
    await until("the steps", () => note() !== undefined);
    await alice.click(note()?.ts ?? "", "Hide");
    await until("the steps are hidden", () => note() === undefined);

    expect(textOf((await shows(asked.ts, "At two.", "D0ALICE")).blocks)).toContain("At two.");
    expect(slack.violations).toEqual([]);
  });

  it("asks again in the same message when the question is edited", async () => {
    const { agents, alice, replies, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "when does the bakcup run?");
    (await agents.run(0)).answer("Which backup?");
    await shows(asked.ts, "Which backup?");

    await alice.edit(asked.ts, "<@U0BOT> when does the backup run?");
    const second = await agents.run(1);
    second.answer("At two.");
    await shows(asked.ts, "At two.");

    expect(second.messages).toMatchObject([{ question: "when does the backup run?" }]);
    expect(replies(asked.ts).length).toBe(1);
  });

  it("stops the run when the question is deleted", async () => {
    const { agents, alice, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "what was it again");
    const run = await agents.run(0);
    await shows(asked.ts, "is looking it up");

    await alice.delete(asked.ts);

    await until("the end of the run", () => run.isOver());
  });
});

describe("a direct message", () => {
  it("continues the one before it, and so does its thread", async () => {
    const { agents, alice, shows } = await openParley();
    const first = alice.say("D0ALICE", "one?");
    (await agents.run(0)).answer("One.");
    await shows(first.ts, "One.", "D0ALICE");
    const second = alice.say("D0ALICE", "two?");
    (await agents.run(1)).answer("Two.");
    await shows(second.ts, "Two.", "D0ALICE");

    alice.say("D0ALICE", "and then?", { thread: first.ts });
    const third = await agents.run(2);
    third.answer("Three.");
    await shows(first.ts, "Three.", "D0ALICE");

    expect(agents.runs[1]?.messages.map(({ question }) => question)).toEqual(["one?", "two?"]);
    expect(third.messages.map(({ question }) => question)).toEqual(["one?", "two?", "and then?"]);
  });
});
