import { afterEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { alice } from "../../doubles/people.ts";

let parley: Harness;
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const at = (thread: string) => ({ platform: "memory", workspace: "T1", channel: "general", thread });
const limits = (questionsPerPersonPerMinute: number, questionsPerChannelPerMinute: number) =>
  createHarness({ settings: { questionLimits: { questionsPerPersonPerMinute, questionsPerChannelPerMinute } } });

async function askAll(questions: readonly string[], who: (index: number) => string): Promise<void> {
  for (const [index, question] of questions.entries()) {
    await parley.say(question, { conversation: at(question), actor: { ...alice, id: who(index) } }).done;
  }
  await parley.settle();
}

describe("more questions than a minute has", () => {
  it("of one person wait, say so, and start automatically in order", async () => {
    parley = await limits(2, 100);
    await askAll(["A", "B", "C", "D"], () => "U1");

    expect(parley.agents.runs.map((run) => run.question)).toEqual(["A", "B"]);
    expect(parley.texts(at("C"))[0]).toContain("You've reached the per-minute limit");
    expect(parley.texts(at("C"))[0]).toContain("Your question is next");
    expect(parley.texts(at("D"))[0]).toContain("1 question ahead of yours");
    await parley.settle(30_000);
    expect(parley.agents.runs.map((run) => run.question)).toEqual(["A", "B", "C"]);
    await parley.settle(30_000);
    expect(parley.agents.runs.map((run) => run.question)).toEqual(["A", "B", "C", "D"]);
  });

  it("of one person don't affect anyone else", async () => {
    parley = await limits(1, 100);
    await askAll(["A", "B", "C"], (index) => (index < 2 ? "U1" : "U2"));

    expect(parley.agents.runs.map((run) => run.question)).toEqual(["A", "C"]);
  });

  it("in one channel wait, also from different people", async () => {
    parley = await limits(100, 2);
    await askAll(["A", "B", "C"], (index) => `U${index}`);

    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts(at("C"))[0]).toContain("This channel has reached its per-minute limit");
    await parley.settle(30_000);
    expect(parley.agents.runs).toHaveLength(3);
  });

  it("can be stopped while they wait", async () => {
    parley = await limits(1, 100);
    await askAll(["A", "B", "C"], () => "U1");
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/102");

    await parley.press("stop", turn?.id ?? "").done;
    await parley.settle();

    expect(parley.texts(at("B"))[0]).toContain("Stopped");
    await parley.settle(60_000);
    expect(parley.agents.runs.map((run) => run.question)).toEqual(["A", "C"]);
  });
});

describe("more questions than the service allows", () => {
  it("wait, show their place, and the workspaces take turns", async () => {
    parley = await createHarness();
    parley.agents.set({ profile: { maxRuns: 1 } });
    const of = (workspace: string, thread: string) => ({ ...at(thread), workspace });
    for (const [workspace, question] of [
      ["T1", "A1"],
      ["T1", "A2"],
      ["T1", "A3"],
      ["T2", "B1"],
    ] as const) {
      const place = { platform: "memory", workspace, channel: "general" };
      await parley.say(question, { place, conversation: of(workspace, question) }).done;
      await parley.settle();
    }

    expect(parley.texts(of("T1", "A3"))[0]).toMatch(/\d questions? ahead of yours|Yours is next/);
    for (const index of [0, 1, 2, 3]) {
      (await parley.agents.run(index)).answer("yes");
      await parley.settle();
    }
    const order = parley.agents.runs.map((run) => run.question);

    expect(parley.agents.most()).toBe(1);
    expect(order.indexOf("B1")).toBeLessThan(order.indexOf("A3"));
  });
});
