import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/commands/contract.ts";
import type { Action } from "../../../src/core/document.ts";
import type { CommandInput } from "../../../src/core/ports/chat-platform.ts";
import { admin, alice, general, project, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let ran: CommandInput[];
let refused: Attempt[];

beforeEach(async () => {
  ran = [];
  refused = [];
  parley = await createHarness({
    commands: {
      run: async (input) => {
        ran.push(input);
        const name = input.kind === "structured" ? String(input.options["name"]) : "";
        await parley.bindings().setChannel(general, { project, agent: name });
        return { kind: "nothing" };
      },
      refused: async (attempt) => void refused.push(attempt),
    },
  });
  parley.agents.set({
    agents: [
      { name: "sales", knowledgeBases: ["pricing", "shop.orders"] },
      { name: "support", knowledgeBases: [`${project}.handbook`] },
      { name: "writer", knowledgeBases: [] },
    ],
  });
});

afterEach(() => parley.stop());

function buttons(): readonly Action[] {
  return parley.last()?.payload.actions ?? [];
}

describe("the choice between several agents", () => {
  it("says of each what it looks in, and offers a manager to set one for good", async () => {
    await parley.say("How many?", { actor: admin }).done;
    await parley.settle();

    expect(parley.texts()[0]).toContain("sales looks in pricing and shop.orders");
    expect(parley.texts()[0]).toContain("support looks in handbook");
    expect(buttons().map(({ id, label }) => [id, label])).toEqual([
      ["choose-agent", "sales"],
      ["always-agent", "Always this one"],
      ["choose-agent", "support"],
      ["always-agent", "Always this one"],
      ["choose-agent", "writer"],
      ["always-agent", "Always this one"],
    ]);
  });

  it("offers nobody else to set one", async () => {
    await parley.say("How many?").done;
    await parley.settle();

    expect(parley.texts()[0]).toContain("support looks in handbook");
    expect(parley.last()?.payload.actions.map(({ id }) => id)).toEqual([
      "choose-agent",
      "choose-agent",
      "choose-agent",
    ]);
  });

  it("sets the channel's agent with Always this one, and asks it the question", async () => {
    await parley.say("How many?", { actor: admin }).done;
    await parley.settle();
    const always = buttons().find(({ id, value }) => id === "always-agent" && value.endsWith(" support"));

    await parley.press("always-agent", always?.value ?? "", { actor: admin }).done;
    const run = await parley.agents.run(0);
    run.answer("42");
    await parley.settle();

    expect(ran).toEqual([{ kind: "structured", path: "agent use", options: { name: "support" } }]);
    expect(run.agent).toBe("support");
    expect(parley.texts(thread)).toHaveLength(1);
    expect(parley.texts(thread)[0]).toContain("42");
  });

  it("refuses Always this one to people who can't manage, and records it", async () => {
    await parley.say("How many?", { actor: admin }).done;
    await parley.settle();
    const value = buttons()[1]?.value ?? "";

    const press = parley.press("always-agent", value, { actor: alice });
    await press.done;
    await parley.settle();

    expect(press.sent.map(({ visibility }) => visibility)).toEqual(["private"]);
    expect(refused).toEqual([{ kind: "action", action: "always-agent", value }]);
    expect(ran).toEqual([]);
    expect(parley.agents.runs).toEqual([]);
  });
});
