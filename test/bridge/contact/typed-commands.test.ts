import { afterEach, describe, expect, it } from "vitest";
import type { Commands } from "../../../src/commands/contract.ts";
import type { Role } from "../../../src/core/model/place.ts";
import { infoDocument } from "../../../src/presentation/drawing.ts";
import { admin, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let open: Harness | undefined;
afterEach(() => open?.stop());

/** "kb list" may everyone run, "agent use …" only managers, "parley forget" everyone after asking. */
async function room() {
  const ran: string[] = [];
  const refused: string[] = [];
  const roleOf = (text: string): Role => (text.startsWith("/agent use") ? "manage" : "ask");
  const commands: Partial<Commands> = {
    spoken: (text) => {
      const isKnown = /^(kb list|agent use \w+|parley forget)$/.test(text);
      const input = { kind: "typed", text: `/${text}` } as const;
      return isKnown ? { input, isChange: text !== "kb list" } : undefined;
    },
    plan: (input) => ({
      acknowledgement: { kind: "defer-private" },
      role: input.kind === "typed" ? roleOf(input.text) : "ask",
    }),
    run: async (input, { actor }) => {
      ran.push(`${actor.name} ${input.kind === "typed" ? input.text : input.path}`);
      return { kind: "document", document: infoDocument("Done.") };
    },
    refused: async (attempt) => {
      refused.push(attempt.kind === "command" && attempt.input.kind === "typed" ? attempt.input.text : attempt.kind);
    },
  };
  const harness = await createHarness({ commands });
  open = harness;
  return { ...harness, ran, refused };
}

type Event = ReturnType<Harness["say"]>;
const saidTo = (event: Event) => event.sent.map(({ document }) => document.summary);
const idOf = (event: Event) => event.sent[0]?.document.actions[0]?.value ?? "";

describe("a command typed without a slash", () => {
  it("runs at once when it changes nothing, and asks no agent", async () => {
    const { say, ran, agents } = await room();

    const event = say("kb list");
    await event.done;

    expect(ran).toEqual(["Alice /kb list"]);
    expect(saidTo(event)).toEqual(["Done."]);
    expect(agents.runs).toEqual([]);
  });

  it("is ordinary talk where Parley isn't addressed", async () => {
    const { say, ran } = await room();

    const event = say("kb list", { mentionsParley: false });
    await event.done;

    expect(ran).toEqual([]);
    expect(event.sent).toEqual([]);
  });

  it("asks first with one button when it changes something, and runs once", async () => {
    const { say, press, ran } = await room();

    const event = say("agent use sales", { actor: admin });
    await event.done;
    expect(saidTo(event)).toEqual(["Run /agent use sales here?"]);
    expect(event.sent[0]?.document.actions.map(({ id, label }) => [id, label])).toEqual([["run-typed", "Run it"]]);
    expect(ran).toEqual([]);

    const pressed = press("run-typed", idOf(event), { actor: admin });
    await pressed.done;
    expect(ran).toEqual(["Alice /agent use sales"]);
    expect(saidTo(pressed)).toEqual(["Done."]);

    const twice = press("run-typed", idOf(event), { actor: admin });
    await twice.done;
    expect(saidTo(twice)).toEqual(["This command has run already. Type it again to run it again."]);
    expect(ran).toHaveLength(1);
  });

  it("is refused, with whom to ask, when the person may not run it", async () => {
    const { say, ran, refused } = await room();

    const event = say("agent use sales");
    await event.done;

    expect(event.sent[0]?.document.summary).toContain("You can't manage agents and settings here");
    expect(refused).toEqual(["/agent use sales"]);
    expect(ran).toEqual([]);
  });

  it("runs for nobody else, and not for a person who lost the role", async () => {
    const { say, press, ran, refused } = await room();
    const event = say("agent use sales", { actor: admin });
    await event.done;

    const other = press("run-typed", idOf(event), { actor: { ...bob, isAdmin: true } });
    await other.done;
    const demoted = press("run-typed", idOf(event));
    await demoted.done;

    expect(saidTo(other)).toEqual(["Only the person who typed this command can run it."]);
    expect(saidTo(demoted)[0]).toContain("You can't manage agents and settings here");
    expect(refused).toEqual(["/agent use sales", "/agent use sales"]);
    expect(ran).toEqual([]);
  });

  it("expires after an hour, and survives a restart until then", async () => {
    const { say, press, ran, restart, clock } = await room();
    const event = say("parley forget");
    await event.done;

    await restart();
    await press("run-typed", idOf(event)).done;
    expect(ran).toEqual(["Alice /parley forget"]);

    await clock.advance(3_600_001);
    const late = press("run-typed", idOf(event));
    await late.done;
    expect(saidTo(late)).toEqual(["This command was typed too long ago."]);
    expect(ran).toHaveLength(1);
  });
});

describe("stop as a whole message", () => {
  async function running() {
    const harness = await room();
    await harness.say("How many orders?").done;
    await harness.agents.run(0);
    return harness;
  }
  const inThread = { place: thread, conversation: thread };

  it("stops one's own running question, in its thread and at the top of its channel", async () => {
    for (const where of [inThread, { place: general, conversation: { ...general, thread: "200" } }]) {
      const { say, agents, settle, last } = await running();

      const event = say("Stop!", where);
      await event.done;
      await settle();

      expect(agents.runs[0]?.isAborted()).toBe(true);
      expect(agents.runs).toHaveLength(1);
      expect(last()?.payload.text).toContain("Stopped");
      expect(event.sent).toEqual([]);
      await open?.stop();
    }
  });

  it("doesn't stop the question of another person, except for people who manage", async () => {
    const { say, agents, settle } = await running();

    const refused = say("stop", { ...inThread, actor: bob });
    await refused.done;
    await settle();
    expect(saidTo(refused)).toEqual(["Only the person who asked, or a Parley manager, can stop that."]);
    expect(agents.runs[0]?.isAborted()).toBe(false);

    await say("stop", { ...inThread, actor: { ...bob, isAdmin: true } }).done;
    await settle();
    expect(agents.runs[0]?.isAborted()).toBe(true);
  });

  it("says so when nothing is running", async () => {
    const { say, agents } = await room();

    const event = say("stop", inThread);
    await event.done;

    expect(saidTo(event)).toEqual(["Nothing is running here."]);
    expect(agents.runs).toEqual([]);
  });
});
