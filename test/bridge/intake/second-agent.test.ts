import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Turn } from "../../../src/core/model/turn.ts";
import { admin, alice, bob, general, project, thread } from "../../doubles/people.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
  parley.agents.set({ agents: ["guide", "sales", "writer"] });
  await parley.bindings().setChannel(general, { project, agent: "guide" });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const turns = (): Promise<Turn[]> => Array.fromAsync(parley.state().turns.ofConversation(thread));

/** The Turn that the channel's agent answered. */
async function answered(changes: Record<string, unknown> = {}): Promise<string> {
  const { length } = parley.agents.runs;
  await parley.say("How long do refunds take?", changes).done;
  (await parley.agents.run(length)).answer("Within 14 days.");
  await parley.settle();
  return (await turns())[0]?.id ?? "";
}

/** A run that has begun, where everyone reaches every agent. */
async function begunWhereAllAgentsAreOpen() {
  await parley.stop();
  parley = await createHarness({ settings: { agentScope: "open" } });
  parley.agents.set({ agents: ["guide", "sales"] });
  await parley.bindings().setChannel(general, { project, agent: "guide" });
  parley.say("How long do refunds take?");
  const run = await parley.agents.run(0);
  run.send({ type: "started" });
  await parley.settle();
  return run;
}

function summaries({ sent }: Event): readonly string[] {
  return sent.map(({ document, visibility }) => `${visibility}: ${document.summary}`);
}

const ids = (event: Event) => event.sent[0]?.document.actions.map(({ id, label }) => `${id} ${label}`);

describe("Ask another agent", () => {
  it("offers privately the agents that the person reaches there, but the one that answered", async () => {
    const id = await answered();
    expect(parley.last()?.payload.actions.map(({ id: action }) => action)).toEqual([
      "thumb-up",
      "thumb-down",
      "retry",
      "another-agent",
    ]);

    const press = parley.press("another-agent", id, { actor: bob });
    await press.done;

    expect(summaries(press)).toEqual(["private: Ask another agent"]);
    expect(ids(press)).toEqual(["ask-another sales", "ask-another writer", "hide Hide"]);
  });

  it("is offered without a look-up at the end: the other agents were read while that one worked", async () => {
    const run = await begunWhereAllAgentsAreOpen();
    vi.spyOn(parley.agents, "listAgents").mockReturnValue(new Promise(() => undefined));

    run.answer("Within 14 days.");
    await parley.settle();

    expect(parley.last()?.payload.actions.map(({ id }) => id)).toContain("another-agent");
  });

  it("is not offered below a refusal to a person who lost access to all agents while one worked", async () => {
    const run = await begunWhereAllAgentsAreOpen();
    const external = { ...alice, isExternal: true };
    await parley.press("hide", "nothing", { actor: external }).done;

    run.answer("Within 14 days.");
    await parley.settle();

    expect(parley.texts().join("\n")).not.toContain("Within 14 days.");
    expect(parley.last()?.payload.actions.map(({ id }) => id)).toEqual(["retry"]);
  });

  it("asks once, however often and by however many people it is pressed, on any instance", async () => {
    const id = await answered();

    const presses = [
      parley.press("ask-another", `${id} sales`, { actor: alice }),
      parley.press("ask-another", `${id} sales`, { actor: alice }),
      parley.press("ask-another", `${id} sales`, { actor: bob }),
    ];
    await Promise.all(presses.map(({ done }) => done));
    const inbound = { kind: "action", action: "ask-another", value: `${id} sales`, eventKey: "again", order: "900" };
    const elsewhere = parley.send({ ...inbound, actor: bob }, parley.neighbour());
    await elsewhere.done;
    (await parley.agents.run(1)).answer("In two weeks.");
    await parley.settle();

    expect(parley.agents.runs.map(({ agent }) => agent)).toEqual(["guide", "sales"]);
    expect(parley.texts()).toHaveLength(2);
    expect(parley.texts()[1]).toContain("sales answers too");
    expect([...presses, elsewhere].flatMap(summaries).sort()).toEqual([
      "private: Asked sales too.",
      ...Array.from({ length: 3 }, () => "private: sales was already asked. Its answer is in this thread."),
    ]);
  });

  it("changes neither the channel's agent, nor the thread's, nor its history", async () => {
    const id = await answered();
    await parley.press("ask-another", `${id} sales`).done;
    const second = await parley.agents.run(1);
    second.answer("In two weeks.");
    await parley.settle();
    expect(second.messages.map(({ question, answer }) => [question, answer])).toEqual([
      ["How long do refunds take?", ""],
    ]);

    await parley.say("And for gift cards?").done;
    const followUp = await parley.agents.run(2);

    expect(followUp.agent).toBe("guide");
    expect(followUp.messages.map(({ answer }) => answer)).toEqual(["Within 14 days.", ""]);
    expect((await parley.bindings().own(general))?.agent).toBe("guide");
  });

  it("asks as the first agent was asked, even from the second answer, which offers the rest", async () => {
    await answered();
    const id = (await turns())[0]?.id ?? "";
    await parley.press("ask-another", `${id} sales`).done;
    (await parley.agents.run(1)).answer("In two weeks.");
    await parley.settle();
    const second = (await turns()).find(({ repeats }) => repeats === id)?.id ?? "";

    const offer = parley.press("another-agent", second);
    await offer.done;
    expect(ids(offer)).toEqual(["ask-another writer", "hide Hide"]);
    await parley.press("ask-another", `${second} writer`).done;
    const third = await parley.agents.run(2);

    expect(third.agent).toBe("writer");
    expect(third.messages.map(({ answer }) => answer)).toEqual([""]);
  });

  it("can be pressed again after Try again", async () => {
    const id = await answered();
    for (const run of [1, 3]) {
      await parley.press("ask-another", `${id} sales`).done;
      (await parley.agents.run(run)).answer("In two weeks.");
      await parley.settle();
      if (run === 3) break;
      await parley.press("retry", id).done;
      (await parley.agents.run(2)).answer("Within 15 days.");
      await parley.settle();
    }

    expect(parley.agents.runs.map(({ agent }) => agent)).toEqual(["guide", "sales", "guide", "sales"]);
  });

  it("offers the channel's own agent of another project to a thread that another one answered", async () => {
    await parley.bindings().setChannel(general, { project: "shop", agent: "helper" });
    const id = await answered({ text: "sales: How long do refunds take?", actor: admin });

    const offer = parley.press("another-agent", id, { actor: admin });
    await offer.done;
    expect(ids(offer)).toContain("ask-another shop.helper");
    await parley.press("ask-another", `${id} shop.helper`, { actor: admin }).done;
    const run = await parley.agents.run(1);

    expect([run.project, run.agent]).toEqual(["shop", "helper"]);
  });

  it("says that an agent can't answer here if it is gone, or out of that person's reach, and asks nobody", async () => {
    const id = await answered();
    parley.agents.set({ agents: ["guide", "writer"] });
    const gone = parley.press("ask-another", `${id} sales`);
    await gone.done;
    await parley.bindings().setChannel({ ...general, channel: "private" }, { project, agent: "writer" });
    const bound = parley.press("ask-another", `${id} writer`, { actor: bob });
    await bound.done;
    const offer = parley.press("another-agent", id, { actor: bob });
    await offer.done;

    expect(summaries(gone)[0]).toContain("sales");
    expect(summaries(bound)[0]).toContain("writer");
    expect([gone, bound, offer].map(({ sent }) => sent[0]?.document.tone)).toEqual(["failed", "failed", "failed"]);
    expect(await turns()).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("offers a few of two hundred agents, says how to ask the rest, and shows their names as they are", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `a${index}`);
    parley.agents.set({ agents: ["guide", "*b* <@U1> & [x](y)", "n".repeat(63), ...many] });
    const id = await answered();

    const press = parley.press("another-agent", id, { actor: bob });
    await press.done;

    expect(ids(press)).toEqual(
      ["*b* <@U1> & [x](y)", "a0", "a1", "a2"].map((name) => `ask-another ${name}`).concat("hide Hide"),
    );
    expect(JSON.stringify(press.sent[0]?.document.blocks)).toContain("198 more agents: see /agent list");
  });

  it("isn't offered where no other agent can answer", async () => {
    parley.agents.set({ agents: ["guide"] });
    await answered();

    expect(parley.last()?.payload.actions.map(({ id }) => id)).toEqual(["thumb-up", "thumb-down", "retry"]);
  });

  it("is asked once if the process dies as soon as it is stored", async () => {
    const id = await answered();
    await parley.press("ask-another", `${id} sales`).done;
    await parley.agents.run(1);
    await parley.restart();
    (await parley.agents.run(2)).answer("In two weeks.");
    await parley.settle();
    const late = parley.press("ask-another", `${id} sales`);
    await late.done;

    expect(parley.texts()).toHaveLength(2);
    expect(parley.texts()[1]).toContain("In two weeks.");
    expect(parley.texts()[1]).toContain("sales answers too");
    expect(summaries(late)).toEqual(["private: sales was already asked. Its answer is in this thread."]);
  });
});
