import { afterEach, describe, expect, it } from "vitest";
import type { Action, Document } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { inlineText } from "../../../src/presentation/drawing.ts";
import { admin, alice, general, project } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let open: Harness | undefined;

async function room(options: Parameters<typeof createHarness>[0] = {}): Promise<Harness> {
  open = await createHarness(options);
  return open;
}

afterEach(() => open?.stop());

const textOf = (document: Document | undefined) =>
  (document?.blocks ?? []).flatMap((block) =>
    "text" in block && typeof block.text !== "string" ? [inlineText(block.text)] : [],
  );
const buttonsOf = (document: Document | undefined): readonly Action[] =>
  (document?.blocks ?? []).flatMap((block) => (block.kind === "actions" ? block.actions : []));
const labelsOf = (document: Document | undefined) => buttonsOf(document).map(({ label }) => label);

const handbook = [{ name: "guide", knowledgeBases: ["handbook", "pricing"] }] as const;
const titles: AgentService["listDocuments"] = async (_project, base) =>
  base === "handbook" ? [{ id: "1", title: "Refund policy" }] : [{ id: "2", title: "Which plan includes SSO?" }];

describe("the welcome card", () => {
  it("answers a bare mention and a greeting, asks no agent, and goes to the conversation", async () => {
    const { say, agents, notices } = await room({ service: { listDocuments: titles } });
    agents.set({ agents: handbook });

    const bare = say("");
    await bare.done;
    await say("help").done;

    expect(bare.acks).toEqual([{ kind: "none" }]);
    expect(bare.sent).toEqual([]);
    expect(agents.runs).toEqual([]);
    expect(notices()).toHaveLength(2);
    const card = notices()[0]?.document;
    expect(textOf(card)[0]).toBe(
      "👋 Hi, I'm Parley. Here, guide answers from handbook and pricing, and shows its sources.",
    );
    expect(labelsOf(card)).toEqual([
      "Tell me about refund policy",
      "Which plan includes SSO?",
      "Choose an agent",
      "Add pages",
    ]);
  });

  it("suggests no question about Parley's own manual, except on its own page", async () => {
    const settings = { ownDocsBase: "handbook" };
    const { say, agents, notices } = await room({ service: { listDocuments: titles }, settings });
    agents.set({ agents: handbook });

    await say("").done;

    expect(labelsOf(notices()[0]?.document)).toEqual(["Which plan includes SSO?", "Choose an agent", "Add pages"]);
  });

  it("stays away when a question follows the greeting, or the message is for nobody", async () => {
    const { say, agents, notices } = await room();

    await say("hello in private").done;
    await say("help", { mentionsParley: false }).done;

    expect(notices()).toEqual([]);
    expect((await agents.run(0)).question).toBe("hello in private");
  });

  it("is what help means even with an agent of that name, which is asked when a question follows", async () => {
    const commands = {
      addressee: (text: string) => {
        const [, rest] = /^help: (.*)$/.exec(text) ?? [];
        return rest === undefined ? undefined : { agent: "help", text: rest };
      },
    };
    const { say, agents, notices } = await room({ commands });
    agents.set({ agents: ["help", "sales"] });

    await say("help").done;
    expect(notices()).toHaveLength(1);
    expect(agents.runs).toEqual([]);

    await say("help: how do I get a refund?").done;
    expect(await agents.run(0)).toMatchObject({ agent: "help", question: "how do I get a refund?" });
    expect(notices()).toHaveLength(1);
  });

  it("shows questions that fit any agent when the titles are late by two seconds", async () => {
    let clock: Harness["clock"] | undefined;
    const slow: AgentService["listDocuments"] = async () => {
      await clock?.sleep(2_000);
      return [{ id: "1", title: "Refund policy" }];
    };
    const harness = await room({ service: { listDocuments: slow } });
    clock = harness.clock;
    harness.agents.set({ agents: handbook });

    const asked = harness.say("hi");
    await harness.clock.advance(499);
    expect(harness.notices()).toEqual([]);
    await harness.clock.advance(1);
    await asked.done;

    expect(labelsOf(harness.notices()[0]?.document)[0]).toBe("What can you help me with?");
  });

  it("says who answers as far as it is known: a deleted agent, several, none, or a service that is down", async () => {
    const { say, agents, notices, bindings } = await room();
    const first = async (text: string) => {
      await say(text).done;
      return textOf(notices().at(-1)?.document)[0];
    };

    agents.set({ agents: ["sales", "support"] });
    expect(await first("hi")).toContain("I'll ask which one should.");
    agents.set({ agents: [] });
    expect(await first("hi")).toContain("There are no agents yet");
    expect(labelsOf(notices().at(-1)?.document)).toEqual(["Choose an agent", "Add pages"]);
    await bindings().setChannel(general, { project, agent: "sales" });
    expect(await first("hi")).toContain("sales was chosen here but no longer exists.");
  });

  it("names the chosen agent, without its knowledge, while the service is down", async () => {
    const down = () => Promise.reject(new ParleyError("service_unreachable"));
    const { say, notices, bindings } = await room({ service: { listAgents: down } });
    await bindings().setChannel(general, { project, agent: "sales" });

    await say("hi").done;

    expect(textOf(notices()[0]?.document)[0]).toContain("Here, sales answers your questions.");
  });

  it("isn't shown to a person who can't ask, and not to a bot", async () => {
    const { say, notices } = await room();

    const stranger = say("hi", { actor: { ...bot, isBot: false, isExternal: true } });
    await stranger.done;
    await say("hi", { actor: bot }).done;

    expect(notices()).toEqual([]);
    expect(stranger.sent[0]?.document.tone).toBe("failed");
  });

  it("counts as a command of the person who asks for it", async () => {
    const { say, notices } = await room({ settings: { commandsPerPersonPerMinute: 2 } });

    await say("hi").done;
    await say("hi").done;
    const third = say("hi");
    await third.done;

    expect(notices()).toHaveLength(2);
    expect(third.sent[0]?.document.summary).toContain("more than 30 commands");
  });

  it("is refused once a minute, however often a person asks for it", async () => {
    const { say, notices, clock } = await room({ settings: { commandsPerPersonPerMinute: 2 } });
    const often = async () => {
      const asked = Array.from({ length: 50 }, () => say("help"));
      for (const { done } of asked) await done;
      return asked.flatMap(({ sent }) => sent).length;
    };

    expect(await often()).toBe(1);
    expect(notices()).toHaveLength(2);
    await clock.advance(60_000);
    expect(await often()).toBe(1);
    expect(notices()).toHaveLength(4);
  });

  it("counts once when the platform tells of one message twice, and is shown once", async () => {
    const { say, notices } = await room({ settings: { commandsPerPersonPerMinute: 2 } });
    const twice = async (key: string) => {
      const events = [say("help", { eventKey: key }), say("help", { eventKey: key })];
      for (const { done } of events) await done;
      return events;
    };

    const first = await twice("memory/T1/general/1");
    const second = await twice("memory/T1/general/2");

    expect([...first, ...second].flatMap(({ acks }) => acks)).toEqual(Array(4).fill({ kind: "none" }));
    expect([...first, ...second].flatMap(({ sent }) => sent)).toEqual([]);
    expect(notices().map(({ key }) => key)).toEqual(["card/memory/T1/general/1", "card/memory/T1/general/2"]);
  });

  it("isn't refused when the platform sends the message again, however many commands there were", async () => {
    const { say, notices } = await room({ settings: { commandsPerPersonPerMinute: 1 } });
    const eventKey = "memory/T1/general/1";
    await say("help", { eventKey }).done;

    const again = say("help", { eventKey, isRepeated: true });
    await again.done;

    expect(again.sent).toEqual([]);
    expect(again.acks).toEqual([{ kind: "none" }]);
    expect(notices()).toHaveLength(1);
  });
});

const bot = {
  ...{ id: "B1", workspace: "T1", name: "Bot", isAdmin: false, isGuest: false, isExternal: false, isBot: true },
  roles: [],
};

describe("being added to a channel", () => {
  const joined = (key: string, changes: Record<string, unknown> = {}) => ({
    kind: "joined",
    eventKey: `memory/T1/joined/${key}`,
    order: "1",
    ...changes,
  });

  it("is welcomed once per event, once more when added again, and never a third time", async () => {
    const { send, notices } = await room();

    const first = send(joined("1"));
    await first.done;
    await send(joined("1")).done;
    expect(first.acks).toEqual([{ kind: "none" }]);
    expect(notices().map(({ key }) => key)).toEqual(["welcome/memory/T1/joined/1"]);

    await send(joined("2")).done;
    await send(joined("1")).done;
    await send(joined("3")).done;
    expect(notices()).toHaveLength(2);
    expect(notices()[0]?.place).toEqual(general);
  });

  it("is welcomed after the start when the process died between the card and its record", async () => {
    const harness = await room();
    await harness.send(joined("1")).done;
    await harness.state().keyValue("welcomes").delete("memory/T1/general");

    await harness.send(joined("1")).done;

    expect(harness.notices()).toHaveLength(1);
  });

  it("isn't answered in a workspace that isn't served", async () => {
    const { send, notices } = await room({ settings: { serves: ({ workspace }) => workspace !== "T1" } });

    const event = send(joined("1"));
    await event.done;

    expect(notices()).toEqual([]);
    expect(event.sent).toEqual([]);
  });
});

describe("an example", () => {
  it("is asked like any question, in the place that the press names", async () => {
    const { press, agents, settle } = await room();
    const conversation = { ...general, thread: "900" };

    const event = press("ask-example", "Tell me about refund policy", { conversation });
    await event.done;
    await settle();

    expect(event.acks).toEqual([{ kind: "defer" }]);
    expect((await agents.run(0)).question).toBe("Tell me about refund policy");
  });

  it("is refused to people who can't ask", async () => {
    const { press, agents } = await room();

    const event = press("ask-example", "Who?", { actor: { ...bot, isBot: false, isExternal: true } });
    await event.done;

    expect(event.sent[0]?.document.summary).toContain("You can't ask here");
    expect(agents.runs).toEqual([]);
  });
});

describe("the first view of an empty conversation", () => {
  const view = (harness: Harness, actor = admin) => harness.bridge().firstView(actor, general);

  it("says who answers there and suggests what to ask, without a greeting", async () => {
    const harness = await room({ service: { listDocuments: titles } });
    harness.agents.set({ agents: handbook });

    const shown = await view(harness);

    expect(textOf(shown)).toEqual([
      "What would you like to know?",
      "Here, guide answers from handbook and pricing, and shows its sources.",
    ]);
    expect(labelsOf(shown)).toEqual([
      "Tell me about refund policy",
      "Which plan includes SSO?",
      "Choose an agent",
      "Add pages",
    ]);
  });

  it("suggests nothing where nobody would answer", async () => {
    const harness = await room();
    harness.agents.set({ agents: [] });

    expect(labelsOf(await view(harness))).toEqual(["Choose an agent", "Add pages"]);
  });

  it("offers each person the steps that they may take", async () => {
    const harness = await room();
    harness.agents.set({ agents: [] });

    expect(labelsOf(await view(harness, alice))).toEqual(["Add pages"]);
    expect(labelsOf(await view(harness, { ...alice, isGuest: true }))).toEqual([]);
  });
});
