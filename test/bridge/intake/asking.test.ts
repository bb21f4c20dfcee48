import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Visibility } from "../../../src/core/model/place.ts";
import { alice, general, thread } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const search = {
  type: "step-started",
  tool: "kb_query_tool",
  input: "SELECT * FROM docs WHERE content = 'x'",
} as const;

describe("a question", () => {
  it("gets one message at once, which becomes the answer", async () => {
    const event = parley.say("When does the backup run?");
    await event.done;
    expect(event.acks).toEqual([{ kind: "none" }]);
    const run = await parley.agents.run(0);
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("guide is looking it up");

    run.send({ type: "started" }, search);
    await parley.settle();
    expect(parley.texts()[0]).toContain("Searching docs");

    run.answer("At two o'clock.");
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two o'clock.");
    expect(parley.last()?.payload.actions.map((action) => action.label)).toContain("👍");
  });

  it("is journaled before it is acknowledged", async () => {
    let journaledAtAck = false;
    const event = parley.say("When?", {
      ack: async () => {
        journaledAtAck = (await parley.state().turns.getByEventKey("memory/T1/general/101")) !== undefined;
      },
    });
    await event.done;

    expect(journaledAtAck).toBe(true);
  });

  it("is left unacknowledged when it cannot be journaled, so that the platform sends it again", async () => {
    await parley.state().close();
    const event = parley.say("When?");
    await event.done;

    expect(event.acks).toEqual([]);
    expect(event.sent).toEqual([]);
  });

  it("is asked once, however often it is delivered", async () => {
    const [first, again] = [parley.say("When?"), parley.say("When?", { eventKey: "memory/T1/general/101" })];
    await Promise.all([first.done, again.done]);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(again.acks).toEqual([{ kind: "none" }]);
    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toHaveLength(1);
  });

  it("isn't asked when it is empty: the person gets the welcome card", async () => {
    const event = parley.say("   ");
    await event.done;

    expect(event.sent).toEqual([]);
    expect(parley.notices()).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(0);
  });

  it("is sent whole when it is 100 kB long", async () => {
    await parley.say("why ".repeat(25_000)).done;

    expect((await parley.agents.run(0)).question).toHaveLength(99_999);
  });

  it("is refused with a sentence beyond 120,000 characters", async () => {
    const event = parley.say("x".repeat(120_001));
    await event.done;

    expect(event.sent[0]?.document.summary).toContain("120,000");
  });

  it("of a person who can't ask is refused privately", async () => {
    const event = parley.say("When?", { actor: { ...alice, isExternal: true } });
    await event.done;

    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(event.sent[0]?.document.summary).toContain("people from other organisations can't");
    expect(parley.agents.runs).toHaveLength(0);
  });

  it("of someone who can't ask is ignored silently when it wasn't addressed to Parley", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    const event = parley.say("And then?", {
      actor: { ...alice, isExternal: true },
      mentionsParley: false,
      place: thread,
    });
    await event.done;

    expect(event.sent).toEqual([]);
  });
});

describe("a bad end", () => {
  it("without an answer is a failure with Try again", async () => {
    parley.agents.set({ profile: { plainWorks: false } });
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" });
    run.end();
    await parley.settle();

    expect(parley.last()?.payload).toMatchObject({ tone: "failed" });
    expect(parley.last()?.payload.actions[0]?.label).toBe("Try again");
    expect(parley.texts()[0]).toContain("finished without an answer");
  });

  it("that lost the answer after steps is asked once more at the plain endpoint", async () => {
    parley.agents.set({ plain: "At two." });
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search);
    run.end();
    await parley.settle();

    expect(parley.texts()[0]).toContain("At two.");
  });

  it("that the service reported is shown, and Try again asks in the same message", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "failed", error: new ParleyError("model_unavailable") });
    run.end();
    await parley.settle();
    const retry = parley.last()?.payload.actions[0];
    expect(retry?.id).toBe("retry");

    await parley.press("retry", retry?.value ?? "").done;
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("asks again once when Try again is pressed twice", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).fail(new ParleyError("service_unreachable"));
    await parley.settle();
    const { value } = parley.last()?.payload.actions[0] ?? { value: "" };

    await Promise.all([parley.press("retry", value).done, parley.press("retry", value).done]);
    await parley.agents.run(1);
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
  });
});

describe("a place that cannot be created", () => {
  it("ends the question once, instead of retrying forever", async () => {
    let tried = 0;
    Object.assign(parley.platform, {
      replyPlaces: {
        prepare: async () => {
          tried += 1;
          throw new ParleyError("not_permitted");
        },
      },
    });
    await parley.restart();
    await parley.say("When?").done;
    await parley.settle();
    await parley.bridge().recover();
    await parley.settle();

    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    expect(turn).toMatchObject({ state: "failed", outcome: { error: { code: "not_permitted" } } });
    expect(tried).toBe(1);
  });
});

describe("Try again", () => {
  it("pressed in the very moment the end is shown is not lost", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).fail(new ParleyError("service_unreachable"));
    let pressed: Promise<void> | undefined;
    while (pressed === undefined) {
      const retry = parley.last()?.payload.actions.find((action) => action.id === "retry");
      if (retry !== undefined) pressed = parley.press("retry", retry.value).done;
      else await Promise.resolve();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await parley.settle(1_000);
    await pressed;
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();

    expect(parley.texts()[0]).toContain("At two.");
  });
});

describe("Stop", () => {
  async function running() {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search);
    await parley.settle();
    return run;
  }
  const stopButton = () => parley.last()?.payload.actions.find((action) => action.id === "stop")?.value ?? "";

  it("ends the answer at once, closes the stream and says Stopped", async () => {
    const run = await running();

    await parley.press("stop", stopButton()).done;
    await parley.settle();

    expect(run.isAborted()).toBe(true);
    expect(parley.texts()[0]).toContain("Stopped");
    expect(parley.texts()[0]).toContain("stopped by Alice");
    expect(parley.last()?.payload.actions.map((action) => action.id)).not.toContain("stop");
  });

  it("keeps the run's place at the service for ten seconds", async () => {
    parley.agents.set({ profile: { maxRuns: 1 } });
    await running();
    await parley.press("stop", stopButton()).done;
    await parley.settle();

    await parley.say("Another?", { conversation: { ...thread, thread: "200" } }).done;
    await parley.settle(9_000);
    expect(parley.agents.runs).toHaveLength(1);
    await parley.settle(1_500);
    expect(parley.agents.runs).toHaveLength(2);
  });

  it("reads the stream on in the background where closing does not stop a run, and keeps its place", async () => {
    parley.agents.set({ profile: { maxRuns: 1, closeStopsRun: false } });
    const run = await running();
    await parley.press("stop", stopButton()).done;
    await parley.settle(60_000);
    expect(run.isAborted()).toBe(false);
    expect(parley.texts()[0]).toContain("Stopped");

    await parley.say("Another?", { conversation: { ...thread, thread: "200" } }).done;
    await parley.settle(1_000);
    expect(parley.agents.runs).toHaveLength(1);
    run.answer("late");
    await parley.settle();
    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts()[0]).toContain("Stopped");
  });

  it("removes a waiting question from the line", async () => {
    await running();
    await parley.say("Second?").done;
    await parley.settle();
    expect(parley.texts()[1]).toContain("ahead of yours");

    await parley.press("stop", stopButton()).done;
    await parley.settle();

    expect(parley.texts()[1]).toContain("Stopped");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("can be followed by Try again", async () => {
    await running();
    await parley.press("stop", stopButton()).done;
    await parley.settle();
    const retry = parley.last()?.payload.actions.find((action) => action.id === "retry");
    await parley.press("retry", retry?.value ?? "").done;
    await parley.settle(11_000);
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();

    expect(parley.texts()[0]).toContain("At two.");
  });

  it("in one workspace doesn't affect a question in another", async () => {
    const run = await running();
    const other = { ...general, workspace: "T2" };
    const event = parley.press("stop", stopButton(), { place: other });
    await event.done;
    await parley.settle();

    expect(run.isAborted()).toBe(false);
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
  });
});

describe("a Conversation", () => {
  it("answers one question at a time, in the platform's order, and sends the history along", async () => {
    const second = parley.say("Second?", { order: "0000000900", messageId: "900" });
    await second.done;
    await parley.agents.run(0);
    const fourth = parley.say("Fourth?", { order: "0000000950" });
    const third = parley.say("Third?", { order: "0000000920" });
    await Promise.all([fourth.done, third.done]);
    await parley.settle();

    (await parley.agents.run(0)).answer("2");
    (await parley.agents.run(1)).answer("3");
    await parley.settle();
    const last = await parley.agents.run(2);

    expect(parley.agents.most()).toBe(1);
    expect(last.messages).toMatchObject([
      { question: "Second?", answer: "2" },
      { question: "Third?", answer: "3" },
      { question: "Fourth?", answer: "" },
    ]);
  });

  it("answers a follow-up without a mention, but not one that addresses a person", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    const followUp = { mentionsParley: false, place: thread };

    await parley.say("@bob what do you think?", { ...followUp, addressesOthers: true }).done;
    await parley.say("And on Sundays?", followUp).done;

    expect((await parley.agents.run(1)).question).toBe("And on Sundays?");
    expect(parley.agents.runs).toHaveLength(2);
  });

  it("that is joined in the middle has been read, and ends with the question's own words", async () => {
    const message = { messageId: "1", isBot: false, isOwn: false, attachments: [], atMs: 0 };
    parley.platform.say(thread, {
      ...message,
      order: "0000000050",
      authorName: "Bob",
      text: "The backup failed again.",
    });
    parley.platform.say(thread, { ...message, order: "0000000051", authorName: "Carol", text: "At two?" });
    await parley.say("Why is that?", { place: thread }).done;
    const run = await parley.agents.run(0);

    expect(run.question).toContain("Bob: The backup failed again.\nCarol: At two?");
    expect(run.question.endsWith("Why is that?")).toBe(true);
  });

  it("folds in only what was said since the last question", async () => {
    const message = { messageId: "1", isBot: false, isOwn: false, attachments: [], atMs: 0 };
    parley.platform.say(thread, { ...message, order: "0000000050", authorName: "Bob", text: "old words" });
    await parley.say("Why?", { place: thread }).done;
    (await parley.agents.run(0)).answer("Because.");
    await parley.settle();
    parley.platform.say(thread, { ...message, order: "00000001015", authorName: "Bob", text: "new words" });
    await parley.say("Sure?", { place: thread }).done;
    const run = await parley.agents.run(1);

    expect(run.question).toContain("new words");
    expect(run.question).not.toContain("old words");
  });

  it("doesn't let two bots talk forever", async () => {
    await parley.stop();
    parley = await createHarness({
      settings: { answerBots: [{ platform: "memory", id: "B1" }], maxBotTurnsInARow: 2 },
    });
    const bot = { ...alice, id: "B1", isBot: true };
    for (const [index, text] of ["one?", "two?", "three?"].entries()) {
      await parley.say(text, { actor: bot }).done;
      await parley.settle();
      parley.agents.runs[index]?.answer("yes");
      await parley.settle();
    }

    expect(parley.agents.runs).toHaveLength(2);
  });

  it("ignores bots that are not listed", async () => {
    const event = parley.say("hello?", { actor: { ...alice, id: "B1", isBot: true } });
    await event.done;

    expect(parley.agents.runs).toHaveLength(0);
    expect(event.acks).toEqual([{ kind: "none" }]);
  });
});

describe("a question's words", () => {
  const edit = (text: string, changes: Record<string, unknown> = {}) =>
    parley.send({
      kind: "message-edited",
      eventKey: `memory/T1/edit/${text}`,
      questionKey: "memory/T1/general/101",
      order: "0000000999",
      messageId: "101",
      text,
      attachments: [],
      mentionsParley: true,
      addressesOthers: false,
      isDirect: false,
      ...changes,
    });

  it("when edited while running are asked again in the same message", async () => {
    await parley.say("Whne?").done;
    const first = await parley.agents.run(0);
    await edit("When?").done;
    await parley.settle();
    const second = await parley.agents.run(1);
    second.answer("At two.");
    await parley.settle();

    expect(first.isAborted()).toBe(true);
    expect(second.question).toBe("When?");
    expect(parley.texts()).toHaveLength(1);
  });

  it("when edited after the answer are asked again, and the history holds the new ones only", async () => {
    await parley.say("Whne?").done;
    (await parley.agents.run(0)).answer("What?");
    await parley.settle();
    await edit("When?").done;
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();
    await parley.say("Sure?").done;

    expect((await parley.agents.run(2)).messages.slice(0, -1)).toMatchObject([
      { question: "When?", answer: "At two." },
    ]);
    expect(parley.texts()).toHaveLength(2);
  });

  it("when edited go to the agent that they name then, without its name", async () => {
    parley.agents.set({ agents: ["sales", "support"] });
    await parley.say("sales: Whne?").done;
    (await parley.agents.run(0)).answer("What?");
    await parley.settle();
    await edit("sales: When?").done;
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();
    await edit("support: When?").done;
    await parley.agents.run(2);

    expect(parley.agents.runs.map(({ agent, question }) => `${agent}: ${question}`)).toEqual([
      "sales: Whne?",
      "sales: When?",
      "support: When?",
    ]);
  });

  it("when edited after a later question change nothing", async () => {
    await parley.say("First?").done;
    (await parley.agents.run(0)).answer("1");
    await parley.settle();
    await parley.say("Second?").done;
    (await parley.agents.run(1)).answer("2");
    await parley.settle();
    await edit("First, changed?").done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
  });

  it("when deleted stop the run, and leave nothing", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    await parley.send({
      kind: "message-deleted",
      eventKey: "memory/T1/deleted/101",
      questionKey: "memory/T1/general/101",
      order: "0000000999",
      messageId: "101",
    }).done;
    await parley.settle();

    expect(run.isAborted()).toBe(true);
    expect(parley.texts()).toEqual([]);
    expect(await parley.state().turns.getByEventKey("memory/T1/general/101")).toMatchObject({ state: "stopped" });
  });
});

describe("the agent", () => {
  it("is chosen by a button when there are several and none is bound", async () => {
    parley.agents.set({ agents: ["sales", "support"] });
    await parley.say("How many?").done;
    await parley.settle();
    const choices = parley.last()?.payload.actions ?? [];
    expect(choices.map((action) => action.label)).toEqual(["sales", "support"]);

    await parley.press("choose-agent", choices[1]?.value ?? "").done;
    const run = await parley.agents.run(0);
    run.answer("42");
    await parley.settle();

    expect(run.agent).toBe("support");
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("42");
  });

  it("is the one the question begins with, and stays for the thread", async () => {
    parley.agents.set({ agents: ["sales", "support"] });
    await parley.say("sales: how many?").done;
    const first = await parley.agents.run(0);
    first.answer("42");
    await parley.settle();
    await parley.say("and last year?", { place: thread }).done;
    const second = await parley.agents.run(1);

    expect([first.agent, first.question]).toEqual(["sales", "how many?"]);
    expect(second.agent).toBe("sales");
  });

  it("is the one that the question of an ask command begins with", async () => {
    const harness = await createHarness({
      commands: {
        plan: () => ({
          acknowledgement: { kind: "defer" },
          role: "ask",
          question: { text: "sales: how many?" },
        }),
      },
    });
    onTestFinished(harness.stop);
    harness.agents.set({ agents: ["sales", "support"] });
    await harness.send({
      ...{ kind: "command", eventKey: "memory/T1/command/1", order: "1", attachments: [], conversation: thread },
      input: { kind: "typed", text: "/ask sales: how many?" },
    }).done;
    const run = await harness.agents.run(0);

    expect([run.agent, run.question]).toEqual(["sales", "how many?"]);
  });

  it("is missing: the reply says how to create one", async () => {
    parley.agents.set({ agents: [] });
    await parley.say("How many?").done;
    await parley.settle();

    expect(parley.texts()[0]).toContain("/agent create");
  });
});

describe("who could read a question when it was asked", () => {
  const storedOf = async (visibility: () => Promise<Visibility | undefined>) => {
    const harness = await createHarness({ platform: { visibility } });
    onTestFinished(harness.stop);
    const event = harness.say("When?");
    await untilAdvanced(harness.clock, "the question to run", () => harness.agents.runs.length > 0, 50);
    await event.done;
    return (await harness.state().turns.getByEventKey("memory/T1/general/101"))?.visibility;
  };

  it("is stored with it", async () => {
    expect(await storedOf(async () => "private")).toBe("private");
  });

  it("is unknown if the platform doesn't know, and the question doesn't wait for one that doesn't answer", async () => {
    expect(await storedOf(async () => undefined)).toBeUndefined();
    expect(await storedOf(() => new Promise(() => {}))).toBeUndefined();
    expect(await storedOf(() => Promise.reject(new Error("no answer")))).toBeUndefined();
  });
});
