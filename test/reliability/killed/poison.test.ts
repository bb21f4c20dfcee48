/**
 * A question that ends the process whenever it is worked on: in every life, at the same step. It may end the process a
 * few times, but not for ever, and the people who ask something else in the meantime get their answers.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createMortalParley, type Death, type MortalParley } from "../towns/mortal-parley.ts";

async function* answering(text = "At two."): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  yield { type: "step-finished", observation: "docs", outcome: { kind: "text" }, sources: [] };
  yield { type: "answer", text };
  yield { type: "ended" };
}

async function* working(): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  await new Promise(() => {});
}

let parley: MortalParley;
afterEach(() => parley.close());

/** Starts process after process until one survives; returns how many died. */
async function liveUntilDone(death: Death): Promise<number> {
  for (let deaths = 0; deaths < 20; deaths += 1) {
    await parley.start(death);
    parley.ask("When?");
    await parley.settle(60_000);
    if (!parley.isDead()) return deaths;
  }
  throw new Error("It ends every process, for ever.");
}

describe("a question in which every process dies", () => {
  beforeEach(async () => {
    parley = await createMortalParley(() => answering());
  });

  it("is asked three times, then ends as failed and says why", async () => {
    await liveUntilDone({ on: "ask", side: "after" });

    expect(parley.asked()).toBe(3);
    expect(await parley.turn()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
    const [end, ...told] = parley.texts();
    expect(end).toContain("three times");
    // It took more than a minute.
    expect(told).toEqual([expect.stringContaining("your question couldn't be answered.")]);
  });

  it("is asked at most three times and bothers at most eight processes, whatever the step they die at", async () => {
    await parley.close();
    for (const on of ["ask", "post", "edit", "to running agent", "to running outcome", "set conversations"]) {
      for (const side of ["before", "after"] as const) {
        // A write that never takes effect leaves nothing to count by: its failure is the storage's.
        if (on.startsWith("to running") && side === "before") continue;
        parley = await createMortalParley(() => answering());
        const deaths = await liveUntilDone({ on, side });

        expect(deaths, `${side} ${on}`).toBeLessThanOrEqual(8);
        expect(parley.asked(), `${side} ${on}`).toBeLessThanOrEqual(3);
        // What took effect is found by the next process and not done again.
        const ends = on === "post" && side === "after" ? "answered" : "failed";
        expect((await parley.turn())?.state, `${side} ${on}`).toBe(ends);
        await parley.close();
      }
    }
    parley = await createMortalParley(() => answering());
  });

  it("keeps an existing answer: showing it is retried, the question never", async () => {
    for (let life = 0; life < 2; life += 1) {
      await parley.start({ on: "to running outcome", side: "after" });
      parley.ask("When?");
      await parley.settle();
      expect(parley.isDead()).toBe(true);
    }
    await parley.start();
    await parley.settle();

    expect(parley.asked()).toBe(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("is asked up to three more times when someone presses Try again", async () => {
    await liveUntilDone({ on: "ask", side: "after" });
    await parley.start({ on: "ask", side: "after" });
    await parley.press("retry");
    await parley.settle();
    await liveUntilDone({ on: "ask", side: "after" });

    expect(parley.asked()).toBe(6);
    expect(await parley.turn()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
  });
});

describe("what does not count", () => {
  it("is a process that dies while the question waits behind another one", async () => {
    let isPoisonOver = false;
    parley = await createMortalParley((_run, question) =>
      question === "When?" && !isPoisonOver ? working() : answering(`You asked: ${question}`),
    );
    for (let life = 0; life < 5; life += 1) {
      await parley.start();
      parley.ask("When?", "101");
      parley.ask("Where?", "102");
      await parley.settle(1_000);
    }
    isPoisonOver = true;
    await parley.start();
    await parley.settle();

    expect(await parley.turn("101")).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
    expect(await parley.turn("102")).toMatchObject({ state: "answered" });
  });

  it("is that it ran beside the question at fault: its last attempt is alone, and is answered", async () => {
    const besides = { platform: "memory", workspace: "T1", channel: "general", thread: "900" };
    async function* slowly(): AsyncGenerator<AgentEvent> {
      yield { type: "started" };
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      yield* answering("Over there.");
    }
    parley = await createMortalParley((_run, question) => (question === "Where?" ? slowly() : working()));
    let deaths = 0;
    for (let life = 0; life < 10; life += 1) {
      await parley.start({ on: "ask When?", side: "after" });
      parley.ask("Where?", "102", besides);
      parley.ask("When?", "101");
      await parley.settle(60_000);
      if (!parley.isDead()) break;
      deaths += 1;
    }

    expect(deaths).toBe(3);
    expect(await parley.turn("101")).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
    expect(await parley.turn("102")).toMatchObject({ state: "answered" });
  });

  it("is a process that was ended in order", async () => {
    parley = await createMortalParley((run) => (run <= 5 ? working() : answering()));
    for (let life = 0; life < 5; life += 1) {
      await parley.start();
      parley.ask("When?");
      await parley.settle(1_000);
      await parley.drain();
    }
    await parley.start();
    await parley.settle();

    expect(parley.asked()).toBe(6);
    expect(await parley.turn()).toMatchObject({ state: "answered" });
  });

  it("is an attempt before the question's words were changed", async () => {
    parley = await createMortalParley((run) => (run <= 4 ? working() : answering()));
    for (let life = 1; life <= 3; life += 1) {
      await parley.start();
      parley.ask("When?");
      await parley.settle(1_000);
      if (life === 2) parley.edit("When exactly?");
      await parley.settle(1_000);
    }
    await parley.start();
    await parley.settle();

    expect(await parley.turn()).toMatchObject({ state: "answered", question: "When exactly?" });
  });
});

it("two last attempts, of which one turns out to belong to the other's conversation, both end", async () => {
  parley = await createMortalParley((run) => (run === 1 ? working() : answering()));
  await parley.start();
  parley.ask("When?", "101");
  await parley.settle(1_000);
  const opened = { platform: "memory", workspace: "T1", channel: "general", thread: "900" };
  const lastTime = { state: "running", resumptions: 1, isUnderWay: true };
  await parley.change("101", { ...lastTime, reply: { place: { ...opened, thread: "100" }, parts: [] } });
  parley.ask("Where?", "102");
  await parley.settle(1_000);
  await parley.change("102", { ...lastTime, conversation: opened, reply: { place: opened, parts: [] } });
  // The thread had been opened, and the process died before that was stored.
  Object.assign(parley.platform, { replyPlaces: { prepare: async () => opened } });
  await parley.start();
  await parley.settle(60_000);

  expect(await parley.turn("101")).toMatchObject({ state: "answered" });
  expect(await parley.turn("102")).toMatchObject({ state: "answered" });
});
