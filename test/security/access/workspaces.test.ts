/**
 * Two workspaces whose channels, threads and people bear the same ids: nothing of one is seen in the other.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBindings } from "../../../src/access/bindings.ts";
import { createConversations } from "../../../src/bridge/conversation/conversations.ts";
import type { Feedback } from "../../../src/core/model/insight.ts";
import { channelKey, conversationKey, type Place, workspaceKey } from "../../../src/core/model/place.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { appOf } from "../../doubles/app.ts";
import { alice } from "../../doubles/people.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

const placeIn = (workspace: string, thread?: string): Place => ({
  platform: "memory",
  workspace,
  channel: "general",
  ...(thread === undefined ? {} : { thread }),
});
const ask = (workspace: string, text: string) =>
  parley.say(text, {
    place: placeIn(workspace),
    conversation: placeIn(workspace, "100"),
    actor: { ...alice, workspace },
  });

describe("from another workspace", () => {
  it("no question and no answer reaches the agent", async () => {
    await ask("T1", "Our secret plan?").done;
    (await parley.agents.run(0)).answer("The plan is to win.");
    await parley.settle();
    await ask("T2", "What is the plan?").done;
    const run = await parley.agents.run(1);

    expect(run.messages).toEqual([{ question: "What is the plan?", answer: "", turnId: expect.any(String) }]);
    run.answer("Which plan?");
    await parley.settle();
    expect(parley.texts(placeIn("T2", "100")).join()).not.toContain("win");
  });

  it("no plain message in a thread of the same id is taken for a follow-up", async () => {
    await ask("T1", "When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    await parley.say("Thanks", {
      ...{ mentionsParley: false, place: placeIn("T2", "100"), conversation: placeIn("T2", "100") },
      actor: { ...alice, workspace: "T2" },
    }).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
  });

  it.for(["steps", "csv", "retry", "stop", "thumb-up", "choose-agent"])("no button works: %s", async (action) => {
    await ask("T1", "When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");

    const press = parley.press(action, `${turn?.id} guide`, {
      place: placeIn("T2"),
      actor: { ...alice, workspace: "T2" },
    });
    await press.done;
    await parley.settle();

    expect(JSON.stringify(press.sent)).not.toContain("At two.");
    expect(press.sent[0]?.document.tone).toBe("failed");
    expect(parley.agents.runs).toHaveLength(1);
    expect(await parley.state().turns.get(turn?.id ?? "")).toEqual(turn);
    expect(parley.platform.files).toEqual([]);
  });

  it("no binding, mode or knowledge base holds", async () => {
    const bindings = createBindings(appOf({ ...parley.state(), ...around(), settings: { defaultAgent: "guide" } }));
    await bindings.setChannel(placeIn("T1"), { agent: "secret", knowledgeBase: "plans", mode: "channel" });
    await bindings.setWorkspace(placeIn("T1"), { agent: "other", knowledgeBase: "more" });

    expect(await bindings.own(placeIn("T2"))).toBeUndefined();
    expect(await bindings.modeOf(placeIn("T2"))).toBe("thread");
    expect(await bindings.resolve(placeIn("T2"))).toMatchObject({ binding: { agent: "guide" }, from: "settings" });
    expect(JSON.stringify(await bindings.resolve(placeIn("T2")))).not.toContain("knowledgeBase");
    expect(await bindings.channelsOf("mindsdb", "secret", { platform: "memory", workspace: "T2" })).toEqual([]);
  });

  it("whose id only starts like this one's is not listed either", async () => {
    const bindings = createBindings(appOf({ ...parley.state(), ...around() }));
    await bindings.setChannel(placeIn("T10"), { agent: "secret" });

    expect(await bindings.channelsOf("mindsdb", "secret", { platform: "memory", workspace: "T1" })).toEqual([]);
  });
});

const around = () => ({ service: parley.agents, clock: parley.clock });

describe("keys of places", () => {
  const text = fc.string({ unit: fc.constantFrom("/", "%", "a", "T", "1", "2", "F", "é", " "), maxLength: 6 });
  const place = fc.record({ platform: text, workspace: text, channel: text, thread: text });

  it("are the same for the same place only, whatever its ids hold", () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(conversationKey(one) === conversationKey(other)).toBe(isSame);
      }),
    );
  });

  it("begin with their workspace's and with no other's", () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(channelKey(one).startsWith(`${workspaceKey(one)}/`)).toBe(true);
        const isOwn = one.platform === other.platform && one.workspace === other.workspace;
        if (!isOwn) expect(channelKey(one).startsWith(`${workspaceKey(other)}/`)).toBe(false);
      }),
    );
  });
});

describe("names that objects are born with", () => {
  it.for(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "are names like others: %s",
    async (name) => {
      const { keyValue, turns } = parley.state();
      const app = appOf({ ...parley.state(), ...around(), settings: { defaultAgent: "guide" } });
      const bindings = createBindings(app);
      const place = { platform: name, workspace: name, channel: name, thread: name };
      const conversations = createConversations(app);
      expect(await bindings.own(place)).toBeUndefined();
      expect(await conversations.isKnown(place)).toBe(false);
      await bindings.setChannel(place, { agent: name, knowledgeBase: name });
      await ask("T1", "When?").done;
      (await parley.agents.run(0)).answer("At two.");
      await parley.settle();
      const turn = await turns.getByEventKey("memory/T1/general/101");

      await parley.press("thumb-up", turn?.id ?? "", { actor: { ...alice, id: name } }).done;

      expect(await bindings.resolve(place)).toMatchObject({ binding: { agent: name, knowledgeBase: name } });
      const votes = await Array.fromAsync(keyValue<Feedback>("feedback").entries("memory/T1/"));
      expect(votes.map(([, { voter, thumb }]) => [voter, thumb])).toEqual([[name, "up"]]);
      expect(({} as Record<string, unknown>)["agent"]).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );
});
