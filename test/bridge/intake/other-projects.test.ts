import { afterEach, describe, expect, it } from "vitest";
import type { AppSettings } from "../../../src/app.ts";
import { admin, alice, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;

async function open(settings: Partial<AppSettings> = {}): Promise<void> {
  parley = await createHarness({
    settings,
    platform: { directPlace: async (actor) => ({ ...general, channel: `D-${actor.id}` }) },
  });
}

afterEach(() => parley.stop());

const bind = () => parley.bindings().setChannel(general, { project: "shop", agent: "guide" });
const elsewhere = { ...general, channel: "random" };

describe("an agent of another project", () => {
  it("answers where it is bound, its follow-ups too, and after a restart", async () => {
    await open();
    await bind();
    await parley.say("How many?").done;
    const first = await parley.agents.run(0);
    first.answer("42");
    await parley.settle();
    await parley.restart();
    await parley.say("And Tuesday?", { place: thread }).done;
    const second = await parley.agents.run(1);

    expect([first, second].map((run) => [run.project, run.agent])).toEqual([
      ["shop", "guide"],
      ["shop", "guide"],
    ]);
  });

  it("can be named there by everyone, and its steps are shown", async () => {
    await open();
    await bind();
    await parley.say("shop.guide: how many?").done;
    const run = await parley.agents.run(0);
    run.answer("42");
    await parley.settle();
    const [turn] = await Array.fromAsync(parley.state().turns.ofConversation(thread));

    expect([run.project, run.agent, run.question]).toEqual(["shop", "guide", "how many?"]);
    const press = parley.press("steps", turn?.id ?? "");
    await press.done;
    expect(press.sent).toHaveLength(1);
    expect(press.sent[0]?.document.tone).not.toBe("failed");
  });

  it.each(["bound", "open"] as const)("is only text for others elsewhere, with AGENT_SCOPE %s", async (agentScope) => {
    await open({ agentScope });
    await bind();
    const conversation = { ...elsewhere, thread: "7" };
    await parley.say("shop.guide: how many?", { place: elsewhere, conversation, actor: alice }).done;
    const run = await parley.agents.run(0);

    expect([run.project, run.question]).toEqual(["mindsdb", "shop.guide: how many?"]);
  });

  it.each(["bound", "open"] as const)(
    "answers managers elsewhere privately, with AGENT_SCOPE %s",
    async (agentScope) => {
      await open({ agentScope });
      const conversation = { ...elsewhere, thread: "7" };
      await parley.say("shop.guide: how many?", { place: elsewhere, conversation, actor: admin }).done;
      const run = await parley.agents.run(0);
      run.answer("42");
      await parley.settle();

      expect(run.project).toBe("shop");
      expect(parley.texts(conversation).join()).not.toContain("42");
    },
  );

  it("is not asked for what only looks like its name", async () => {
    await open();
    for (const [index, text] of ["e.g.: how many?", "https://shop.guide: what?", "shop.nobody: how many?"].entries()) {
      await parley.say(text, { actor: admin }).done;
      const run = await parley.agents.run(index);
      run.answer("42");
      await parley.settle();
      expect([run.project, run.question]).toEqual(["mindsdb", text]);
    }
  });
});
