/** An agent that is bound to channels answers only in those, whichever way somebody tries, and whenever that changes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppSettings } from "../../../src/app.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { CommandInput } from "../../../src/core/ports/chat-platform.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { createHarness, type Event, type Harness } from "../../bridge/harness.ts";
import { alice, general, thread } from "../../doubles/people.ts";

const salesRoom: Place = { ...general, channel: "sales-room" };
const direct: Place = { ...general, channel: "direct-U1" };
const guest: Actor = { ...alice, id: "U2", name: "Gus", isGuest: true };
const boss: Actor = { ...alice, id: "U3", name: "Boss", isAdmin: true };

let parley: Harness;
let takesDirect = true;

async function open(settings: Partial<AppSettings> = {}): Promise<void> {
  parley = await createHarness({
    settings,
    platform: {
      isDirect: ({ channel }) => channel.startsWith("direct-"),
      directPlace: ({ id }) => (takesDirect ? { ...general, channel: `direct-${id}` } : undefined),
    },
    commands: { plan: (input) => ({ acknowledgement: { kind: "defer" }, role: "ask", question: questionOf(input) }) },
  });
  parley.agents.set({ agents: ["sales", "support", "guide"] });
  await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "sales" });
  await parley.bindings().setChannel(general, { project: "mindsdb", agent: "support" });
}

/** "/ask … agent:x", as the real commands plan it. */
function questionOf(input: CommandInput) {
  const [, text = "", agent] = /^(.*?)(?: agent:(.*))?$/.exec(input.kind === "typed" ? input.text : "") ?? [];
  return agent === undefined ? { text } : { text, agent };
}

beforeEach(() => {
  takesDirect = true;
  return open();
});
afterEach(() => parley.stop());

const command = (text: string, changes: Record<string, unknown> = {}) =>
  parley.send({
    ...{ kind: "command", input: { kind: "typed", text }, eventKey: `memory/T1/command/${text}`, order: "1" },
    ...{ attachments: [], conversation: thread },
    ...changes,
  });

const told = (event: Event) => event.sent.map(({ document }) => documentText(document)).join("\n");
const asked = () => parley.agents.runs.map(({ agent, question }) => [agent, question]);

describe("a name before a question", () => {
  it.for([
    ["sales", "of a member, in another channel", alice],
    ["sales", "of a guest", guest],
    ["guide", "that is bound nowhere, of a guest", guest],
  ] as const)("is words like others when it is out of reach: %s %s", async ([name, , actor]) => {
    await parley.say(`${name}: who earns most?`, { actor }).done;
    await parley.agents.run(0);

    expect(asked()).toEqual([["support", `${name}: who earns most?`]]);
  });

  it("is asked in its own channel, and where it is bound nowhere", async () => {
    await parley.say("sales: how many?", { place: salesRoom, conversation: { ...salesRoom, thread: "1" } }).done;
    await parley.agents.run(0);
    await parley.say("guide: how?").done;
    await parley.agents.run(1);

    expect(asked()).toEqual([
      ["sales", "how many?"],
      ["guide", "how?"],
    ]);
  });
});

describe("/ask with an agent", () => {
  it.for([
    ["sales", alice],
    ["SALES", alice],
    [" sales ", alice],
    ["guide", guest],
    ["sales", guest],
  ] as const)("that is out of reach is refused privately: %j", async ([agent, actor]) => {
    const event = command(`who earns most? agent:${agent}`, { actor });
    await event.done;
    await parley.settle();

    expect(event.acks).toEqual([{ kind: "defer-private" }]);
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(told(event)).toContain(`You can't ask “${agent.trim()}” here.`);
    expect(parley.agents.runs).toEqual([]);
    expect(parley.texts()).toEqual([]);
  });

  it("says the same of an agent that is out of reach and of one that there is not", async () => {
    const events = [command("who? agent:sales"), command("who? agent:salse"), command("who? agent:`sales`")];
    await Promise.all(events.map(({ done }) => done));

    const [there, ...others] = events.map((event) => told(event).replace(/“.*?”/, "X"));
    expect(others).toEqual([there, there]);
    expect(there).toContain("Agents assigned to channels answer only there.");
  });

  it("repeats an unreachable name as it was typed, because the service's spelling would reveal that it exists", async () => {
    const [there, none] = [command("who? agent:SALES"), command("who? agent:SALSE")];
    await Promise.all([there.done, none.done]);

    expect(told(there).replace("SALES", "SALSE")).toBe(told(none));
  });

  it("finds it whatever the case", async () => {
    await command("how? agent:Guide").done;
    await parley.agents.run(0);

    expect(asked()).toEqual([["guide", "how?"]]);
  });

  it("is open to everyone who can ask with AGENT_SCOPE=open", async () => {
    await parley.stop();
    await open({ agentScope: "open" });
    await command("who? agent:sales", { actor: guest }).done;
    await parley.agents.run(0);

    expect(asked()).toEqual([["sales", "who?"]]);
  });
});

describe("what confines an agent", () => {
  it("isn't changed by a binding in a direct message", async () => {
    await parley.bindings().setChannel(direct, { project: "mindsdb", agent: "guide" });
    await command("how? agent:guide").done;
    await parley.agents.run(0);

    expect(asked()).toEqual([["guide", "how?"]]);
  });

  it("is a binding in another workspace, and on another platform", async () => {
    await parley.bindings().setChannel({ platform: "elsewhere", workspace: "T9", channel: "c" }, { agent: "guide" });
    const event = command("how? agent:guide");
    await event.done;

    expect(told(event)).toContain("You can't ask “guide” here.");
  });

  it("is not in the way where the agent is the workspace's default", async () => {
    await parley.bindings().setWorkspace(general, { project: "mindsdb", agent: "sales" });
    await command("how? agent:sales").done;
    await parley.agents.run(0);

    expect(asked()).toEqual([["sales", "how?"]]);
  });

  it("follows the agent to another name, and ends when the agent is deleted", async () => {
    await parley.bindings().replaceAgent("mindsdb", "sales", "guide");
    const event = command("how? agent:guide");
    await event.done;
    expect(told(event)).toContain("You can't ask “guide” here.");

    await parley.bindings().replaceAgent("mindsdb", "guide", undefined);
    await command("how? agent:guide", { eventKey: "memory/T1/command/again" }).done;
    await parley.agents.run(0);
    expect(asked()).toEqual([["guide", "how?"]]);
  });

  it("reaches another instance immediately", async () => {
    const neighbour = parley.neighbour();
    await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "guide" });
    const sent: string[] = [];
    const reply = {
      send: async (document: Parameters<typeof documentText>[0]) => void sent.push(documentText(document)),
    };
    await neighbour.handle({
      ...{ kind: "command", input: { kind: "typed", text: "how? agent:guide" }, eventKey: "memory/T1/x", order: "1" },
      ...{ attachments: [], conversation: thread, place: general, actor: alice, ack: async () => undefined, reply },
    } as unknown as Parameters<typeof neighbour.handle>[0]);

    expect(sent.join()).toContain("You can't ask “guide” here.");
  });
});

describe("a direct message", () => {
  it("gives managers a choice of their own, and nothing to someone who no longer manages", async () => {
    await parley.bindings().setWorkspace(general, { project: "mindsdb", agent: "guide" });
    await parley.bindings().setChannel(direct, { project: "mindsdb", agent: "sales" });
    const say = (changes: object) =>
      parley.say("who?", { place: direct, conversation: direct, isDirect: true, ...changes }).done;

    await say({ actor: { ...alice, isAdmin: true } });
    (await parley.agents.run(0)).answer("Bob.");
    await parley.settle();
    await say({ actor: alice });
    await parley.agents.run(1);

    expect(asked().map(([agent]) => agent)).toEqual(["sales", "guide"]);
  });

  it("that belongs to no workspace uses the default of the only served one that the person is in", async () => {
    await parley.bindings().setWorkspace({ ...general, workspace: "S1" }, { project: "mindsdb", agent: "guide" });
    await parley.bindings().setWorkspace({ ...general, workspace: "S2" }, { project: "mindsdb", agent: "sales" });
    const place = { ...direct, workspace: "dm" };
    const say = (memberOf: readonly string[]) =>
      parley.say("who?", {
        place,
        conversation: place,
        isDirect: true,
        actor: { ...alice, workspace: "dm", memberOf },
      });

    await say(["S2"]).done;
    (await parley.agents.run(0)).answer("Bob.");
    await parley.settle();
    await say(["S1", "S2"]).done;
    await parley.settle();

    expect(asked().map(([agent]) => agent)).toEqual(["sales"]);
    expect(parley.texts(place).at(-1)).not.toContain("guide is looking it up");
  });
});

describe("a manager", () => {
  it("can name any agent, and privately reads the answer of one that others there can't reach", async () => {
    const event = parley.say("sales: who earns most?", { actor: boss });
    await event.done;
    (await parley.agents.run(0)).answer("Bob earns most.");
    await parley.settle();

    const own = { ...general, channel: "direct-U3" };
    expect(asked()).toEqual([["sales", "who earns most?"]]);
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(told(event)).toContain("only you get its answer, in a direct message");
    expect(parley.texts(own).join()).toContain("Bob earns most.");
    expect(parley.texts(own).join()).toContain("who earns most?");
    expect(parley.texts()).toEqual([]);
  });

  it("doesn't change the thread's own agent and history", async () => {
    await parley.say("sales: who earns most?", { actor: boss }).done;
    (await parley.agents.run(0)).answer("Bob earns most.");
    await parley.settle();
    await parley.say("And when?", { actor: alice }).done;
    const run = await parley.agents.run(1);

    expect(run.agent).toBe("support");
    expect(JSON.stringify(run.messages)).not.toContain("Bob");
  });

  it("can use the buttons of such an answer, also where the direct message gives fewer rights; nobody else can", async () => {
    await parley.say("sales: who earns most?", { actor: boss }).done;
    const run = await parley.agents.run(0);
    run.send({ type: "step-started", tool: "sql_db_query", input: "SELECT * FROM shop.pay" });
    run.send({
      ...{ type: "step-finished", tool: "sql_db_query", observation: "Bob: 200k" },
      ...{ outcome: { kind: "rows", count: 1 }, sources: [] },
    });
    run.answer("Bob earns most.");
    await parley.settle();
    const [turn] = await parley.state().turns.recent(1);
    const there = { place: { ...general, channel: "direct-U3" } };
    const own = parley.press("raw-steps", turn?.id ?? "", { ...there, actor: { ...boss, isAdmin: false } });
    const others = parley.press("raw-steps", turn?.id ?? "", { ...there, actor: alice });
    const again = parley.press("retry", turn?.id ?? "", { ...there, actor: boss });
    await Promise.all([own.done, others.done, again.done]);

    expect(told(others)).toContain("no longer available");
    expect(await parley.agents.run(1)).toMatchObject({ agent: "sales", question: "who earns most?" });
    expect(told(own)).toContain("Bob: 200k");
  });

  it("continues privately after a restart in the middle", async () => {
    await parley.say("sales: who earns most?", { actor: boss }).done;
    await parley.agents.run(0);
    await parley.restart();
    (await parley.agents.run(1)).answer("Bob earns most.");
    await parley.settle();

    expect(parley.texts({ ...general, channel: "direct-U3" }).join()).toContain("Bob earns most.");
    expect(parley.texts()).toEqual([]);
  });

  it("says what to do where direct messages are impossible", async () => {
    takesDirect = false;
    const event = command("who? agent:sales", { actor: boss });
    await event.done;

    expect(told(event)).toContain("Allow direct messages from Parley");
    expect(parley.agents.runs).toEqual([]);
  });
});

describe("Stop of the platform itself", () => {
  it("is for those who may ask", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    const stop = (actor: Actor, key: string) =>
      parley.send({ kind: "stop-conversation", eventKey: key, order: "1", conversation: thread, actor });
    await stop({ ...alice, id: "U8", isExternal: true }, "memory/T1/stop/1").done;
    await parley.settle();
    expect(run.isAborted()).toBe(false);
    await stop(alice, "memory/T1/stop/2").done;
    await parley.settle();

    expect(parley.texts().join()).toContain("topped");
  });
});

describe("while a question waits or is answered", () => {
  it("an agent that is bound elsewhere meanwhile has its answer withheld, and it says why", async () => {
    await parley.say("guide: who earns most?").done;
    const run = await parley.agents.run(0);
    await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "guide" });
    run.answer("Bob earns most.");
    await parley.settle();

    expect(parley.texts().join()).not.toContain("Bob");
    expect(parley.texts().join()).toContain("You can no longer ask “guide” here, so its answer isn't shown.");
    expect(parley.last()?.payload.tone).toBe("failed");
    const [turn] = await parley.state().turns.recent(1);
    expect(turn).toMatchObject({ state: "failed", outcome: { error: { code: "agent_not_here" } } });
    expect(JSON.stringify(turn)).not.toContain("Bob");
  });

  it("the same holds for an answer that a process stored and did not show", async () => {
    await parley.say("guide: who earns most?").done;
    const run = await parley.agents.run(0);
    parley.platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000 });
    run.answer("Bob earns most.");
    await parley.settle(500);
    await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "guide" });
    await parley.restart();
    await parley.settle(120_000);

    expect(parley.texts().join()).not.toContain("Bob");
  });

  it("someone who became a guest gets no answer from an agent that they could name before", async () => {
    await parley.say("guide: who earns most?").done;
    const run = await parley.agents.run(0);
    await parley.say("Hello all", { actor: { ...alice, isGuest: true }, mentionsParley: false }).done;
    run.answer("Bob earns most.");
    await parley.settle();

    expect(parley.texts().join()).not.toContain("Bob");
    expect(parley.texts().join()).toContain("ask without naming another");
  });

  it("someone who turned out to be from another organisation gets none at all", async () => {
    await parley.say("who earns most?").done;
    const run = await parley.agents.run(0);
    await parley.say("Hello all", { actor: { ...alice, isExternal: true }, mentionsParley: false }).done;
    run.answer("Bob earns most.");
    await parley.settle();

    expect(parley.texts().join()).not.toContain("Bob");
    expect(parley.texts().join()).toContain("people from other organisations can't");
  });

  it.for([
    ["a member", alice],
    ["a manager", boss],
  ] as const)(
    "storage that is down when the answer comes withholds it from nobody: the decision from the start of the run holds, for %s",
    async ([, actor]) => {
      await parley.say("who earns most?", { actor }).done;
      const run = await parley.agents.run(0);
      const places = () => Promise.reject(new Error("The storage is away"));
      Object.assign(parley.bindings(), { places });
      run.answer("Bob earns most.");
      await parley.settle();

      expect(parley.texts().join()).toContain("Bob earns most.");
    },
  );

  it("a question that waited in line is no longer asked", async () => {
    parley.agents.set({ profile: { maxRuns: 1 } });
    await parley.say("when?", { conversation: { ...general, thread: "1" } }).done;
    const first = await parley.agents.run(0);
    await parley.say("guide: who earns most?").done;
    await parley.settle(5_000);
    await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "guide" });
    first.answer("At two.");
    await parley.settle();

    expect(asked()).toEqual([["support", "when?"]]);
    expect(parley.texts().join()).toContain("no longer");
  });

  it("a follow-up in a thread that named it is not asked either, and a guest's goes to the channel's agent", async () => {
    await parley.say("guide: how?").done;
    (await parley.agents.run(0)).answer("So.");
    await parley.settle();
    await parley.say("And then?", { actor: guest }).done;
    (await parley.agents.run(1)).answer("Thus.");
    await parley.settle();
    await parley.bindings().setChannel(salesRoom, { project: "mindsdb", agent: "guide" });
    await parley.say("And now?").done;
    await parley.settle();

    expect(asked().map(([agent]) => agent)).toEqual(["guide", "support"]);
    expect(parley.texts().at(-1)).toContain("You can't ask “guide” here.");
  });
});

describe("a button", () => {
  async function answeredByGuide(): Promise<string> {
    await parley.say("guide: how?").done;
    const run = await parley.agents.run(0);
    const input = "SELECT * FROM mindsdb.plans WHERE content = 'x'";
    run.send({ type: "step-started", tool: "sql_db_query", input });
    run.send({
      ...{ type: "step-finished", tool: "sql_db_query", input, observation: "We buy Initech" },
      ...{ outcome: { kind: "passages", count: 1 }, sources: [], table: { columns: ["plan"], rows: [["Initech"]] } },
    });
    run.answer("So.");
    await parley.settle();
    const [turn] = await parley.state().turns.recent(1);
    return turn?.id ?? "";
  }

  beforeEach(() => {
    parley.agents.set({
      agents: ["sales", "support", { name: "guide", knowledgeBases: ["mindsdb.plans"] }],
      knowledgeBases: ["plans", "docs"],
    });
  });

  it.for(["steps", "csv", "retry", "stop", "thumb-up", "choose-agent"])(
    "does nothing where its answer isn't: %s",
    async (action) => {
      const id = await answeredByGuide();
      const before = await parley.state().turns.get(id);
      const press = parley.press(action, `${id} guide`, { place: salesRoom });
      await press.done;
      await parley.settle();

      expect(told(press)).toContain("That answer is no longer available.");
      expect(await parley.state().turns.get(id)).toEqual(before);
      expect(parley.platform.files).toEqual([]);
    },
  );

  it("doesn't ask an agent again that the presser can't reach", async () => {
    const id = await answeredByGuide();
    const press = parley.press("retry", id, { actor: guest });
    await press.done;
    await parley.settle();

    expect(told(press)).toContain("You can't ask “guide” here.");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("with a name in it asks only an agent within reach", async () => {
    const id = await answeredByGuide();
    const press = parley.press("choose-agent", `${id} sales`);
    await press.done;
    await parley.settle();

    expect(told(press)).toContain("You can't ask “sales” here.");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("shows steps to people who can reach what they found, and hides the finds from others", async () => {
    const id = await answeredByGuide();
    const [own, others] = [parley.press("steps", id), parley.press("steps", id, { actor: guest })];
    const [ownRaw, othersRaw] = [parley.press("raw-steps", id), parley.press("raw-steps", id, { actor: guest })];
    await Promise.all([own.done, others.done, ownRaw.done, othersRaw.done]);

    expect(told(own)).toContain("Initech");
    expect(told(others)).not.toContain("Initech");
    expect(told(others)).toContain("The results of this step are hidden");
    expect(told(ownRaw)).toContain("We buy Initech");
    expect(told(othersRaw)).not.toContain("Initech");
  });

  it("shows no find of a query that was too long to be stored whole, because the rest may name anything", async () => {
    await parley.say("guide: how?").done;
    const run = await parley.agents.run(0);
    const input = "SELECT 1";
    run.send({ type: "step-started", tool: "sql_db_query", input, inputOmittedChars: 10_000 });
    run.send({
      ...{ type: "step-finished", tool: "sql_db_query", input, observation: "We buy Initech" },
      ...{ outcome: { kind: "text" }, sources: [] },
    });
    run.answer("So.");
    await parley.settle();
    const [turn] = await parley.state().turns.recent(1);
    const press = parley.press("steps", turn?.id ?? "");
    await press.done;

    expect(told(press)).not.toContain("Initech");
  });

  it("shows no find of a base that the agent has lost since", async () => {
    const id = await answeredByGuide();
    parley.agents.set({ agents: ["sales", "support", "guide"] });
    const press = parley.press("steps", id);
    await press.done;

    expect(told(press)).not.toContain("Initech");
  });

  it("doesn't send the rows as CSV to anyone who can't reach the agent", async () => {
    const id = await answeredByGuide();
    await parley.press("csv", id, { actor: guest }).done;
    expect(parley.platform.files).toEqual([]);

    await parley.press("csv", id).done;
    expect(parley.platform.files).toHaveLength(1);
  });

  it("to choose an agent offers those within everyone's reach, and asks the only one immediately", async () => {
    const elsewhere = { ...general, channel: "nothing-bound" };
    parley.agents.set({ agents: ["sales", "guide", "handbook"] });
    await parley.say("how?", { place: elsewhere, conversation: { ...elsewhere, thread: "1" }, actor: boss }).done;
    await parley.settle();
    const offered = parley.last({ ...elsewhere, thread: "1" })?.payload.actions.map(({ label }) => label);
    expect(offered?.filter((label) => label !== "Always this one")).toEqual(["guide", "handbook"]);

    parley.agents.set({ agents: ["sales", "guide"] });
    await parley.say("how?", { place: elsewhere, conversation: { ...elsewhere, thread: "2" } }).done;
    await parley.agents.run(0);
    expect(asked()).toEqual([["guide", "how?"]]);
  });

  it("to choose an agent is offered to no guest", async () => {
    const place = { ...general, channel: "nothing-bound" };
    await parley.say("how?", { place, conversation: place, actor: guest }).done;
    await parley.settle();

    expect(parley.texts(place).join()).toContain("No agent is set for this channel.");
    expect(parley.last(place)?.payload.actions.map(({ id }) => id)).not.toContain("choose-agent");
  });
});

describe("an edit", () => {
  const edit = (changes: Record<string, unknown>) =>
    parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit/1", order: "2", questionKey: "memory/T1/general/101" },
      ...{ messageId: "101", attachments: [], mentionsParley: true, addressesOthers: false, isDirect: false },
      ...changes,
    });

  it("by someone else changes nothing", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    await edit({ text: "Delete all?", actor: { ...alice, id: "U9" } }).done;
    await parley.settle();
    expect(asked()).toHaveLength(1);

    await edit({ text: "When exactly?", eventKey: "memory/T1/edit/2" }).done;
    expect((await parley.agents.run(1)).question).toBe("When exactly?");
  });

  it("names no agent out of reach", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    await edit({ text: "sales: when?" }).done;

    expect(await parley.agents.run(1)).toMatchObject({ agent: "support", question: "sales: when?" });
  });
});
