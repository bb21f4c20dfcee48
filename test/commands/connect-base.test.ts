import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Document } from "../../src/core/document.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { alice, project } from "../doubles/people.ts";
import { general, openRoom, type Room } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(async () => {
  await room.close();
});

async function makeAgent(name: string, knowledgeBases: readonly string[] = []) {
  room.names.keepAgent(await room.client.createAgent(project, { name, knowledgeBases }));
}

async function makeBase(name: string) {
  room.names.keepKnowledgeBase(await room.client.createKnowledgeBase(project, { name }));
}

const basesOf = async (agent: string) => (await room.client.getAgent(project, agent)).knowledgeBases;

describe("after a knowledge base was created", () => {
  it("the only agent is offered to look in it, and does after one press", async () => {
    await makeAgent("guide");

    const created = await room.submit("kb create", { name: "handbook" });
    const action = created.document.actions.find(({ id }) => id === "connect-base");
    const connected = await room.press("connect-base", action?.value ?? "");

    expect(created.text).toContain("No agent uses handbook yet.");
    expect(action).toMatchObject({ label: "Connect handbook to guide", style: "primary", value: "handbook guide" });
    expect(connected.text).toBe("guide now uses handbook.");
    expect(await basesOf("guide")).toEqual(["mindsdb.handbook"]);
    expect((await room.audit("agent connect-base")).map(({ about, outcome }) => [about, outcome])).toEqual([
      [{ agent: "guide", knowledgeBase: "mindsdb.handbook" }, "done"],
    ]);
  });

  it("pressing one of both buttons leaves the other decision open", async () => {
    await makeBase("prices");
    await makeAgent("guide", ["prices"]);
    const labels = (answer: { readonly document: Document }) => answer.document.actions.map(({ label }) => label);

    const created = await room.submit("kb create", { name: "handbook" });
    expect(labels(created)).toEqual(["Connect handbook to guide", "Use it here"]);
    const connected = await room.press("connect-base", "handbook guide");
    expect(connected.text).toContain("guide now uses handbook.\nSave this channel's 📌 and files to handbook?");
    expect(labels(connected)).toEqual(["Use it here"]);
    const used = await room.press("confirm", "kb-use handbook");
    expect(used.text).toBe("From now on, this channel adds to handbook.");
    expect(labels(used)).toEqual([]);

    await room.submit("kb create", { name: "rules" });
    const first = await room.press("confirm", "kb-use rules");
    expect(first.text).toContain("No agent uses rules yet.");
    expect(labels(first)).toEqual(["Connect rules to guide"]);
    expect((await room.press("connect-base", "rules guide")).text).toBe("guide now uses rules.");
  });

  it("the channel's agent is offered among several", async () => {
    await makeAgent("guide");
    await makeAgent("sales");
    await room.say("/agent use sales");

    const { document } = await room.submit("kb create", { name: "handbook" });

    expect(document.actions.map(({ label }) => label)).toContain("Connect handbook to sales");
  });

  it("one is chosen among several where none is set", async () => {
    await makeAgent("guide");
    await makeAgent("sales");

    const { document } = await room.submit("kb create", { name: "handbook" });
    const action = document.actions.find(({ id }) => id === "connect-base");
    const choice = await room.press("connect-base", action?.value ?? "");

    expect(action?.label).toBe("Connect handbook to an agent");
    expect(choice.text).toContain("Which agent should use handbook?");
    expect(choice.text).toContain("handbook guide");
    expect(choice.text).toContain("handbook sales");
  });

  it("nothing is offered if an agent looks in its whole project", async () => {
    await makeAgent("guide", [`${project}.*`]);

    const { document, text } = await room.submit("kb create", { name: "handbook" });

    expect(document.actions.map(({ id }) => id)).toEqual(["confirm"]);
    expect(text).not.toContain("No agent");
  });

  it("a new agent is offered where there is none", async () => {
    const { document, text } = await room.submit("kb create", { name: "handbook" });

    expect(text).toContain("There is no agent yet that could use handbook.");
    expect(document.actions[0]).toMatchObject({ id: "open-form", value: "agent create" });
  });
});

describe("letting an agent look", () => {
  beforeEach(async () => {
    await makeAgent("guide", ["docs"]);
    await makeBase("handbook");
    await makeBase("prices");
  });

  it("keeps both knowledge bases of two presses at once", async () => {
    await Promise.all([room.press("connect-base", "handbook guide"), room.press("connect-base", "prices guide")]);

    expect([...(await basesOf("guide"))].sort()).toEqual(["mindsdb.docs", "mindsdb.handbook", "mindsdb.prices"]);
  });

  it("leaves it its tables at a service that replaces all data of an agent", async () => {
    await room.client.updateAgent(project, "guide", { tables: ["files.prices"], knowledgeBases: ["docs"] });

    await room.press("connect-base", "handbook guide");

    expect(await room.client.getAgent(project, "guide")).toMatchObject({
      tables: ["files.prices"],
      knowledgeBases: ["mindsdb.docs", "mindsdb.handbook"],
    });
  });

  it("changes and announces nothing the second time", async () => {
    await room.press("connect-base", "handbook guide");
    const again = await room.press("connect-base", "handbook guide");

    expect(again.text).toBe("guide already uses handbook.");
    expect(await room.audit("agent connect-base")).toHaveLength(1);
    expect(room.notices.map(({ place, document }) => [place, document.summary])).toEqual([
      [general, "Alice connected handbook to guide."],
    ]);
  });

  it("is announced in the channel, not in the thread where it was pressed, and not in direct messages", async () => {
    await room.press("connect-base", "handbook guide", { place: { ...general, thread: "7" } });
    await room.press("connect-base", "prices guide", { place: { ...general, channel: "D1" } });

    expect(room.notices.map(({ place }) => place)).toEqual([general]);
  });

  it("does not add a knowledge base that was deleted meanwhile", async () => {
    await room.client.deleteKnowledgeBase(project, "handbook");

    const { text } = await room.press("connect-base", "handbook guide");

    expect(text).toContain("There is no knowledge base");
    expect(await basesOf("guide")).toEqual(["mindsdb.docs"]);
    expect((await room.audit("agent connect-base")).map(({ outcome }) => outcome)).toEqual(["failed"]);
  });

  it("says that it failed, and is done if only the response was lost", async () => {
    room.faults.updateAgent = async () => {
      throw new ParleyError("service_unreachable");
    };
    expect((await room.press("connect-base", "handbook guide")).text).toContain("Couldn't connect handbook to guide.");

    room.faults.updateAgent = async (...args) => {
      await room.client.updateAgent(...args);
      throw new ParleyError("service_unreachable");
    };
    expect((await room.press("connect-base", "handbook guide")).text).toMatch(/^guide now uses handbook\./);
  });

  it("finds names that are too long for a button", async () => {
    const long = `handbook_${"of_everything_".repeat(2)}x`;
    await makeAgent(`agent_${"with_a_long_name_".repeat(2)}x`);
    await room.say(`/agent use agent_${"with_a_long_name_".repeat(2)}x`);
    const { document } = await room.submit("kb create", { name: long });
    const action = document.actions.find(({ id }) => id === "connect-base");

    const { text } = await room.press("connect-base", action?.value ?? "");

    expect(action?.value.length).toBeLessThanOrEqual(60);
    expect(action?.label.length).toBeLessThanOrEqual(75);
    expect(text).toContain("now uses handbook_of");
  });
});

describe("the list of knowledge bases", () => {
  it("says which agents read each, as far as the person can ask them", async () => {
    await makeAgent("guide", ["docs"]);
    await makeAgent("sales", ["docs", "prices"]);
    await makeBase("docs");
    await makeBase("prices");
    await makeBase("unread");
    await room.say("/agent use sales", { place: { ...general, channel: "C2" } });

    const forManagers = await room.say("/kb list");
    const forMembers = await room.say("/kb list", { actor: alice });

    expect(forManagers.text).toContain("docs · read by guide, sales");
    expect(forManagers.text).toContain("prices · read by sales");
    expect(forManagers.text).toContain("unread · no agent reads it");
    expect(forManagers.document.isForEveryone).toBeUndefined();
    expect(forMembers.text).toContain("docs · read by guide");
    expect(forMembers.text).not.toContain("sales");
  });

  it("is shown without them while the agents can't be listed", async () => {
    await makeBase("docs");
    await room.clock.advance(61_000);
    room.faults.listAgents = async () => {
      throw new ParleyError("service_unreachable");
    };

    expect((await room.say("/kb list")).text).toContain("docs");
  });
});
