import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Agent } from "../../../src/core/ports/agent-service.ts";
import { admin, alice, project } from "../../doubles/people.ts";
import { general, openRoom, type Room } from "../room.ts";

let room: Room;
let listed: string[];
const helper: Agent = { name: "helper", project: "shop", tables: [], knowledgeBases: ["shop.prices"] };

beforeEach(async () => {
  room = await openRoom();
  listed = [];
  await room.client.createAgent(project, { name: "sales" });
  room.faults.listProjects = async () => [project, "shop"];
  room.faults.listAgents = async (of) => {
    listed.push(of);
    return of === "shop" ? [helper, { ...helper, name: "stock" }] : room.client.listAgents(of);
  };
  room.faults.getAgent = async (of, name) => {
    if (of !== "shop") return room.client.getAgent(of, name);
    if (name !== "helper") throw new ParleyError("agent_not_found");
    return helper;
  };
  await room.names.refresh();
});

afterEach(() => room.close());

const elsewhere = { ...general, channel: "C2" };

describe("an agent of another project", () => {
  it("can answer in a channel", async () => {
    const { text } = await room.say("/agent use shop.helper");

    expect(text).toContain("shop.helper now answers in this channel.");
    expect(await room.bindings.own(general)).toMatchObject({ project: "shop", agent: "helper" });
    expect((await room.say("/agent which")).text).toContain("shop.helper answers here.");
    expect((await room.say("/agent show")).text).toContain("shop.prices");
    expect(await room.audit("agent use")).toMatchObject([{ about: { agent: "shop.helper" } }]);
  });

  it("is announced once when it begins to answer, and when it no longer does", async () => {
    await room.say("/agent use shop.helper");
    await room.say("/agent use shop.helper");
    await room.say("/agent use shop.helper scope workspace");
    await room.say("/agent use shop.helper scope workspace");
    await room.say("/agent clear");
    await room.say("/agent clear");

    expect(room.notices.map(({ place, document }) => [place, document.summary])).toEqual([
      [general, "Alice set shop.helper to answer here."],
      [general, "Alice set shop.helper to answer in channels without their own agent."],
      [general, "Alice removed this channel's own agent."],
    ]);
  });

  it("is suggested when its name is misspelt, and its project when that is", async () => {
    await expect(room.say("/agent use shop.helpr")).rejects.toMatchObject({
      code: "agent_not_found",
      hint: "Did you mean shop.helper?",
    });
    await expect(room.say("/agent list project:shpo")).rejects.toMatchObject({ hint: "Did you mean shop?" });
  });

  it("is listed and completed for managers, and only when its project is named", async () => {
    const complete = (typed: string) =>
      room.commands.complete({ completes: "agent", typed, place: general, actor: admin });
    listed.length = 0;
    expect((await complete("sa")).map(({ value }) => value)).toEqual(["sales"]);
    expect(listed).not.toContain("shop");

    expect((await complete("shop.")).map(({ value }) => value)).toEqual(["shop.helper", "shop.stock"]);
    await complete("shop.h");

    expect((await room.say("/agent list project:shop")).text).toContain("shop.helper");
    expect(listed.filter((of) => of === "shop")).toHaveLength(1);
  });

  it("is listed again after a minute, and after a failure", async () => {
    const list = () => room.names.elsewhere.agentsOf("shop");
    await list();
    await room.clock.advance(60_000);
    room.faults.listAgents = async () => Promise.reject(new ParleyError("service_unreachable"));
    await expect(list()).rejects.toMatchObject({ code: "service_unreachable" });
    room.faults.listAgents = async () => [helper];

    expect(await list()).toEqual([helper]);
  });

  it("reads like one that doesn't exist to everyone else, except where it answers", async () => {
    await room.say("/agent use shop.helper");
    const show = (name: string, place = elsewhere) => room.say(`/agent show ${name}`, { actor: alice, place });
    const unknown = await show("shop.nobody").catch((failure: ParleyError) => failure);
    const hidden = await show("shop.helper").catch((failure: ParleyError) => failure);

    expect(unknown).toMatchObject({ code: "agent_not_here" });
    expect(hidden).toMatchObject({ code: "agent_not_here", hint: (unknown as ParleyError).hint });
    expect((await room.say("/agent list project:shop", { actor: alice, place: elsewhere })).text).not.toContain(
      "helper",
    );
    expect((await show("shop.helper", general)).text).toContain("helper");
    expect((await room.say("/agent list project:shop", { actor: alice })).text).toContain("shop.helper");
    expect((await room.say("/agent list project:shop", { actor: alice })).text).not.toContain("shop.stock");
  });

  it("has a dot in its own name only where no project begins it", async () => {
    room.faults.listAgents = async () => [{ ...helper, name: "shop.helper", project }];
    await room.names.refresh();
    room.faults.getAgent = async (of, name) => ({ ...helper, name, project: of });

    await room.say("/agent use shop.helper");

    expect(await room.bindings.own(general)).toMatchObject({ project, agent: "shop.helper" });
  });
});

describe("managing agents of another project", () => {
  type Draft = Parameters<Room["service"]["createAgent"]>[1];
  let shop: Map<string, Agent>;

  /** As the service stores it: names of knowledge bases are complete. */
  function stored(draft: Draft, before: Partial<Agent> = {}): Agent {
    const { name, promptTemplate, knowledgeBases } = draft;
    return {
      ...{ tables: [], knowledgeBases: [], ...before, project: "shop", name },
      ...(promptTemplate === undefined ? {} : { promptTemplate }),
      ...(knowledgeBases === undefined ? {} : { knowledgeBases }),
    };
  }

  beforeEach(async () => {
    shop = new Map([["helper", helper]]);
    const { client, faults } = room;
    faults.listAgents = async (of) => (of === "shop" ? [...shop.values()] : client.listAgents(of));
    faults.getAgent = async (of, name) => {
      if (of !== "shop") return client.getAgent(of, name);
      const agent = shop.get(name);
      if (agent === undefined) throw new ParleyError("agent_not_found");
      return agent;
    };
    faults.createAgent = async (of, draft) => {
      if (of !== "shop") return client.createAgent(of, draft);
      if (shop.has(draft.name)) throw new ParleyError("name_taken");
      const agent = stored(draft);
      shop.set(draft.name, agent);
      return agent;
    };
    faults.updateAgent = async (of, name, changes) => {
      if (of !== "shop") return client.updateAgent(of, name, changes);
      const agent = stored({ ...changes, name: changes.name ?? name }, shop.get(name));
      shop.delete(name);
      shop.set(agent.name, agent);
      return agent;
    };
    faults.deleteAgent = async (of, name) => {
      if (of !== "shop") return client.deleteAgent(of, name);
      shop.delete(name);
    };
    faults.getKnowledgeBase = async (of, name) => ({ project: of, name });
    await client.createKnowledgeBase(project, { name: "docs" });
    await room.names.refresh();
  });

  const entered = (form: ReturnType<Room["formOf"]>) =>
    Object.fromEntries(
      form.fields.map((field) => [field.name, field.initial ?? (field.type === "multiselect" ? [] : "")]),
    );

  it("creates one where its name or a field of the form says", async () => {
    const form = room.formOf("/agent create shop.Stock Bot");
    expect(entered(form)).toMatchObject({ name: "stock_bot", project: "shop" });

    const { text } = await room.submit("agent create", { ...entered(form), knowledgeBases: ["docs"] });
    await room.submit("agent create", { name: "shop.second", knowledgeBases: [] });

    expect(text).toContain("Created shop.stock_bot.");
    expect(text).toContain("[Use it here: use-agent shop.stock_bot]");
    expect(shop.get("stock_bot")?.knowledgeBases).toEqual(["mindsdb.docs"]);
    expect(shop.has("second")).toBe(true);
    expect((await room.client.listAgents(project)).map(({ name }) => name)).toEqual(["sales"]);
    expect((await room.audit("agent create")).map(({ about }) => about["agent"])).toContain("shop.stock_bot");
    const complete = await room.commands.complete({ completes: "agent", typed: "sh", place: general, actor: admin });
    expect(complete.map(({ value }) => value)).toContain("shop.stock_bot");

    await room.press("use-agent", "shop.stock_bot");
    expect(await room.bindings.own(general)).toMatchObject({ project: "shop", agent: "stock_bot" });
  });

  it("asks for the project only where there are several, and refuses one that doesn't exist", async () => {
    expect(await room.check("agent create", { name: "bot", project: "shpo" })).toMatchObject({
      project: expect.stringContaining("Did you mean shop?"),
    });
    expect(room.formOf("/agent create").fields.map(({ name }) => name)).toContain("project");

    room.faults.listProjects = async () => [project];
    await room.names.refresh();
    expect(room.formOf("/agent create").fields.map(({ name }) => name)).not.toContain("project");
  });

  it("offers a free name of that project when the name is taken there", async () => {
    const { text } = await room.submit("agent create", { name: "helper", project: "shop", instructions: "Other." });

    expect(text).toContain("There is already an agent called shop.helper.");
    expect(text).toContain("Try shop.helper_2 instead.");
  });

  it("edits one, with its name from a command or a button, and moves its channels to a new name", async () => {
    await room.say("/agent use shop.helper");
    const form = await room.opened("open-form", "agent edit shop.helper");
    expect(entered(form)).toMatchObject({ name: "helper", knowledgeBases: ["shop.prices"] });
    expect((await room.say("/agent edit shop.helper")).text).toContain("open-form agent edit shop.helper");

    const changed = { ...entered(form), name: "guide", knowledgeBases: ["shop.prices", "docs"] };
    const { text } = await room.submit("agent edit", changed, form.context);

    expect(text).toContain("Renamed shop.helper to shop.guide.");
    expect([...shop.keys()]).toEqual(["guide"]);
    expect(shop.get("guide")?.knowledgeBases).toEqual(["shop.prices", "mindsdb.docs"]);
    expect(await room.bindings.own(general)).toMatchObject({ project: "shop", agent: "guide" });
    expect(await room.audit("agent edit")).toMatchObject([{ about: { agent: "shop.helper", newName: "guide" } }]);
  });

  it("never takes an agent of the same name in its own project for it", async () => {
    await room.client.createAgent(project, { name: "helper", promptTemplate: "Own." });
    await room.names.refresh();
    const form = await room.opened("open-form", "agent edit shop.helper");
    await room.submit("agent edit", { ...entered(form), instructions: "Shop." }, form.context);
    await room.bindings.setChannel(elsewhere, { project, agent: "helper" });

    await room.press("confirm", "agent-delete shop.helper");

    expect(shop.size).toBe(0);
    expect(await room.client.getAgent(project, "helper")).toMatchObject({ promptTemplate: "Own." });
    expect(await room.bindings.own(elsewhere)).toMatchObject({ agent: "helper" });
  });

  it("deletes one after a question that names its channels, and takes it away from them", async () => {
    await room.say("/agent use shop.helper");
    const { text } = await room.say("/agent delete shop.helper");
    expect(text).toContain("Delete shop.helper?");
    expect(text).toContain("It answers in C1.");
    expect(text).toContain("[Delete: confirm agent-delete shop.helper]");

    expect((await room.press("confirm", "agent-delete shop.helper")).text).toContain("Deleted shop.helper.");

    expect(shop.size).toBe(0);
    expect((await room.bindings.own(general))?.agent).toBeUndefined();
    expect((await room.audit("agent delete")).map(({ about }) => about)).toEqual([{ agent: "shop.helper" }]);
  });

  it("finds one whose name is too long for a button, also after a restart", async () => {
    const long = `helper_${"with_a_long_name_".repeat(3)}x`;
    shop.set(long, { ...helper, name: long });
    const { document } = await room.say(`/agent delete shop.${long}`);
    const value = document.actions.find(({ id }) => id === "confirm")?.value ?? "";
    expect(value.length).toBeLessThanOrEqual(60);
    room.names.elsewhere.forget("shop");

    await room.press("confirm", value);

    expect([...shop.keys()]).toEqual(["helper"]);
  });

  it("completes projects for managers only", async () => {
    const complete = async (actor: typeof admin) =>
      (await room.commands.complete({ completes: "project", typed: "sh", place: general, actor })).map(
        ({ value }) => value,
      );

    expect(await complete(admin)).toEqual(["shop"]);
    expect(await complete(alice)).toEqual([]);
  });
});
