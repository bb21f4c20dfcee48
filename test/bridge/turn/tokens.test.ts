/** Tokens that a service tells: shown with the steps, counted for the agent, and refused beyond its limit. */
import { afterEach, describe, expect, it } from "vitest";
import type { AppSettings } from "../../../src/app.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { tokenDaysIn } from "../../../src/insight/counts/token-days.ts";
import { documentText } from "../../../src/presentation/markdown.ts";
import { admin } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
afterEach(async () => {
  await parley.stop();
});

const usage = (input: number, output: number): AgentEvent => ({ type: "usage", tokens: { input, output } });
const step: AgentEvent = { type: "step-started", tool: "kb_query_tool", input: "" };

async function open(settings: Partial<AppSettings> = {}): Promise<void> {
  parley = await createHarness({ settings });
  parley.agents.set({ agents: ["support", "sales"] });
}

async function ask(text: string, index: number, changes: Record<string, unknown> = {}) {
  await parley.say(text, changes).done;
  return parley.agents.run(index);
}

const turnId = () => parley.last()?.mark.replyId ?? "";

async function steps(): Promise<string> {
  const pressed = parley.press("steps", turnId());
  await pressed.done;
  return pressed.sent.map(({ document }) => documentText(document)).join("\n");
}

async function counted(): Promise<readonly (readonly [string, number, number])[]> {
  const all = [];
  for await (const { record } of tokenDaysIn(parley.state()).all({ order: "sinceMs" })) all.push(record);
  return all.map(({ agent, tokens }) => [agent.name, tokens.input, tokens.output]);
}

describe("tokens of an answer", () => {
  it("are the sum of all its calls in Show steps, with what they cost where a price is set", async () => {
    const prices = [
      { agent: "*", input: 1, output: 1 },
      { agent: "support", input: 10, output: 30 },
    ];
    await open({ agentTokenPrices: prices });
    const run = await ask("support: When?", 0);
    run.send(step, usage(1_000, 12), usage(204, 300));
    run.answer("At two.");
    await parley.settle();

    expect(await steps()).toContain("1,204 tokens in, 312 out · $0.02");
    expect(await counted()).toEqual([["support", 1_204, 312]]);
  });

  it("aren't mentioned where the service doesn't tell them", async () => {
    await open();
    const run = await ask("support: When?", 0);
    run.send(step);
    run.answer("At two.");
    await parley.settle();

    expect(await steps()).not.toContain("token");
    expect(await counted()).toEqual([]);
  });

  it("count for the agent too if it failed, was stopped, or was asked again", async () => {
    await open();
    const failed = await ask("support: When?", 0);
    failed.send(usage(10, 1));
    failed.fail(new ParleyError("stream_cut"));
    await parley.settle();
    parley.press("retry", turnId());
    const stopped = await parley.agents.run(1);
    stopped.send(usage(20, 2));
    await parley.settle();
    await parley.press("stop", turnId()).done;
    await parley.settle();

    expect(await counted()).toEqual([["support", 30, 3]]);
  });

  it("count for a proof or a check", async () => {
    await open();
    const asked = parley.runOnce({ project: "mindsdb", name: "support" }, "Holds?", new AbortController().signal);
    const run = await parley.agents.run(0);
    run.send(usage(5, 6));
    run.answer("Yes.");
    await asked;

    expect(await counted()).toEqual([["support", 5, 6]]);
  });
});

describe("AGENT_DAILY_TOKENS", () => {
  it("refuses the next question in one sentence, answers what runs, and ends with the day", async () => {
    await open({ agentDailyTokens: 100 });
    const first = await ask("support: One?", 0);
    first.send(usage(60, 60));
    first.answer("Answer one.");
    await parley.settle();
    await parley.say("support: Two?").done;
    await parley.settle();

    expect(parley.texts().at(-2)).toContain("Answer one.");
    expect(parley.texts().at(-1)).toContain("support has used its 100 tokens for today.");
    expect(parley.texts().at(-1)).not.toContain("AGENT_DAILY_TOKENS");
    expect(parley.agents.runs).toHaveLength(1);

    await parley.settle(24 * 3_600_000);
    const later = await ask("support: Three?", 1);
    later.answer("Answer three.");
    await parley.settle();
    expect(parley.texts().at(-1)).toContain("Answer three.");
  });

  it("leaves other agents, tells people who manage what to raise, and asks nothing for checks", async () => {
    await open({ agentDailyTokens: 100 });
    const first = await ask("support: One?", 0);
    first.send(usage(100, 0));
    first.answer("Answer one.");
    await parley.settle();
    const other = await ask("sales: One?", 1);
    other.answer("Answer of sales.");
    await parley.settle();
    await parley.say("support: Two?", { actor: admin }).done;
    await parley.settle();
    const check = await parley.runOnce({ project: "mindsdb", name: "support" }, "Holds?", new AbortController().signal);

    expect(parley.texts().at(-1)).toContain("AGENT_DAILY_TOKENS");
    expect(check.error?.code).toBe("tokens_used_up");
    expect(parley.agents.runs).toHaveLength(2);
  });

  it("counts what an earlier process counted", async () => {
    await open({ agentDailyTokens: 100 });
    const first = await ask("support: One?", 0);
    first.send(usage(100, 0));
    first.answer("Answer one.");
    await parley.settle();
    await parley.restart();
    await parley.say("support: Two?").done;
    await parley.settle();

    expect(parley.texts().at(-1)).toContain("has used its 100 tokens");
  });
});
