import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Conversation } from "../../../src/core/conversations.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { conversationKey, type Place } from "../../../src/core/model/place.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { project } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { filled, general, providerKey as key, olderProfile, openRoom, type Room } from "../room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.client.createKnowledgeBase(project, { name: "docs" });
});

afterEach(async () => {
  await room.close();
});

describe("changing an agent", () => {
  beforeEach(async () => {
    await room.submit("agent create", filled);
  });

  const asShown = (form: ReturnType<Room["formOf"]>) =>
    Object.fromEntries(
      form.fields.map((field) => [field.name, field.initial ?? (field.type === "multiselect" ? [] : "")]),
    );

  it("opens with the agent's settings, without its key", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();
    const form = room.formOf("/agent edit sales");

    expect(asShown(form)).toEqual({ ...filled, key: "" });
    expect(form.submitLabel).toBe("Save");
    expect(form.context.length).toBeLessThanOrEqual(2_000);
  });

  it("shows few choices at once, and offers the providers that agents use", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();
    const field = (command: string, name: string) => room.formOf(command).fields.find((one) => one.name === name);

    expect(field("/agent edit sales", "provider")).toMatchObject({
      ...{ type: "select", showsAll: true, allowsFree: true, initial: "openai" },
      choices: [{ value: "default" }, { value: "openai" }],
    });
    expect(field("/agent create", "provider")).toMatchObject({ initial: "default" });
    expect(field("/agent create", "knowledgeBases")).toMatchObject({ type: "multiselect", showsAll: true });
    for (let count = 0; count < 12; count += 1) {
      await room.client.createKnowledgeBase(project, { name: `base_${count}` });
    }
    await room.names.refresh();
    expect(field("/agent create", "knowledgeBases")?.showsAll).toBeUndefined();
  });

  it("takes the service's own provider back, and another that is typed", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();
    const { context } = room.formOf("/agent edit sales");
    const provider = async () => (await room.client.getAgent(project, "sales"))?.model?.provider;

    await room.submit("agent edit", { ...asShown(room.formOf("/agent edit sales")), provider: "mistral" }, context);
    expect(await provider()).toBe("mistral");
    const again = room.formOf("/agent edit sales");
    await room.submit("agent edit", { ...asShown(again), provider: "default" }, again.context);
    expect(await provider()).toBeUndefined();
  });

  it("changes nothing when nothing was changed", async () => {
    const form = room.formOf("/agent edit sales");

    const { text } = await room.submit("agent edit", asShown(form), form.context);

    expect(text).toContain("sales is unchanged.");
    expect(room.calls).not.toContain("updateAgent");
  });

  it("doesn't overwrite what someone else changed in between", async () => {
    const form = room.formOf("/agent edit sales");
    await room.client.updateAgent(project, "sales", { promptTemplate: "Newer words." });

    await room.submit("agent edit", { ...asShown(form), model: "gpt-5" }, form.context);

    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      model: { provider: "openai", name: "gpt-5", hasKey: true },
      promptTemplate: "Newer words.",
    });
  });

  it("does not undo a knowledge base that it was let look in meanwhile, and says so", async () => {
    room.faults.profile = async () => olderProfile;
    for (const name of ["handbook", "prices"]) await room.client.createKnowledgeBase(project, { name });
    await room.names.refresh();
    const form = room.formOf("/agent edit sales");
    await room.press("connect-base", "handbook sales");

    const entered = { ...asShown(form), knowledgeBases: ["docs", "prices"], instructions: "Be brief." };
    const { text, document } = await room.submit("agent edit", entered, form.context);
    const again = await room.opened("open-form", document.actions[0]?.value ?? "");

    expect(text).toContain("Someone else changed sales while your form was open (Knowledge bases).");
    expect(text).toContain("Knowledge bases now: docs, handbook");
    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      knowledgeBases: ["mindsdb.docs", "mindsdb.handbook"],
      promptTemplate: "Answer from the docs.",
    });
    expect(await room.audit("agent edit")).toMatchObject([{ outcome: "failed", code: "changed_meanwhile" }]);
    expect(document.actions[0]?.value.length).toBeLessThanOrEqual(60);
    expect(asShown(again)).toMatchObject({ knowledgeBases: ["docs", "prices"], instructions: "Be brief." });

    const saved = await room.submit(
      "agent edit",
      { ...asShown(again), knowledgeBases: ["docs", "handbook", "prices"] },
      again.context,
    );
    expect(saved.text).toContain("Updated sales.");
    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      knowledgeBases: ["mindsdb.docs", "mindsdb.handbook", "mindsdb.prices"],
      promptTemplate: "Be brief.",
    });
  });

  it("waits for a press on Let … look in … at the same moment, so that neither undoes the other", async () => {
    await room.client.createKnowledgeBase(project, { name: "handbook" });
    await room.names.refresh();
    const form = room.formOf("/agent edit sales");

    await Promise.all([
      room.press("connect-base", "handbook sales"),
      room.submit("agent edit", { ...asShown(form), tables: ["files.prices"], name: "sales" }, form.context),
    ]);

    const { knowledgeBases } = await room.client.getAgent(project, "sales");
    expect(knowledgeBases).toEqual(["mindsdb.docs", "mindsdb.handbook"]);
  });

  it("saves what someone else entered too", async () => {
    const form = room.formOf("/agent edit sales");
    await room.client.updateAgent(project, "sales", { promptTemplate: "Be brief." });

    const entered = { ...asShown(form), instructions: "Be brief.", model: "gpt-5" };
    const { text } = await room.submit("agent edit", entered, form.context);

    expect(text).not.toContain("Someone else");
    expect(await room.client.getAgent(project, "sales")).toMatchObject({ model: { name: "gpt-5" } });
  });

  it("opens with what the agent has now, even if the list in memory is older", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();
    await room.client.updateAgent(project, "sales", { promptTemplate: "Newer words." });

    expect(asShown(await room.opened("open-form", "agent edit sales"))).toMatchObject({ instructions: "Newer words." });
  });

  it("leaves alone what a platform did not hand back", async () => {
    const form = room.formOf("/agent edit sales");
    const { instructions: _instructions, ...rest } = asShown(form);

    await room.submit("agent edit", { ...rest, knowledgeBases: [] }, form.context);

    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      knowledgeBases: [],
      promptTemplate: "Answer from the docs.",
    });
  });

  it("moves the bindings of channels and workspace to a new name", async () => {
    await room.say("/agent use sales");
    await room.say("/agent use sales workspace");
    const form = room.formOf("/agent edit sales");

    const { text } = await room.submit("agent edit", { ...asShown(form), name: "shop" }, form.context);
    const which = await room.say("/agent which", { place: { ...general, channel: "C9" } });

    expect(text).toContain("Renamed sales to shop.");
    expect(await room.bindings.own(general)).toMatchObject({ agent: "shop" });
    expect(which.text).toContain("shop answers here.");
    expect(room.names.agent("sales")).toBeUndefined();
  });

  it("includes other workspaces, and threads in which it was named, once nothing is being answered there", async () => {
    const elsewhere = { platform: "discord", workspace: "G1", channel: "9" };
    const conversation = { ...general, thread: "1" };
    const other = { ...general, thread: "2" };
    await room.bindings.setChannel(elsewhere, { agent: "sales" });
    const named = (name: string) => (before: Conversation) => ({ ...before, agent: { project, name } });
    await room.conversations.update(conversation, named("sales"));
    await room.conversations.update(other, named("guide"));
    const lane = await room.state.coordinator.lanes.acquire(conversationKey(conversation), "turn", "1");
    const agentOf = async (place: Place) => (await room.conversations.get(place)).agent?.name;

    const form = room.formOf("/agent edit sales");
    await room.submit("agent edit", { ...asShown(form), name: "shop" }, form.context);
    expect((await room.bindings.own(elsewhere))?.agent).toBe("shop");
    expect(await agentOf(conversation)).toBe("sales");
    await lane.release();
    await untilAdvanced(room.clock, "the new name", async () => (await agentOf(conversation)) !== "sales");

    expect(await agentOf(conversation)).toBe("shop");

    expect(await agentOf(other)).toBe("guide");
  });

  it("refuses the name of another agent while the form is open", async () => {
    await room.submit("agent create", { name: "other" });
    const form = room.formOf("/agent edit sales");

    expect(await room.check("agent edit", { ...asShown(form), name: "other" }, form.context)).toEqual({
      name: expect.stringContaining("other_2"),
    });
  });

  it("says so when the service lost the key", async () => {
    room.faults.updateAgent = async (...given) => {
      const agent = await room.client.updateAgent(...given);
      return { ...agent, model: { ...agent.model, hasKey: false } };
    };
    const form = room.formOf("/agent edit sales");

    const { text } = await room.submit("agent edit", { ...asShown(form), model: "gpt-5" }, form.context);

    expect(text).toContain("didn't save the API key");
  });

  it("writes down which fields were changed, and never their values", async () => {
    const form = room.formOf("/agent edit sales");

    await room.submit("agent edit", { ...asShown(form), key: `${key}-new`, model: "gpt-5" }, form.context);

    expect(await room.audit("agent edit")).toMatchObject([{ about: { agent: "sales", changed: "model, key" } }]);
  });

  it("offers a button where the agent is not in memory or a form cannot be opened", async () => {
    const fresh = await openRoomBeside(room);

    expect(fresh.commands.plan({ kind: "typed", text: "/agent edit sales" })).toMatchObject({
      acknowledgement: { kind: "defer-private" },
      role: "manage",
    });
    expect((await fresh.say("/agent edit sales")).text).toContain("[Edit sales: open-form agent edit sales]");
    expect(fresh.commands.planAction("open-form", "agent edit sales").acknowledgement.kind).toBe("form");
    await fresh.close();
  });
});

/** Another instance that has read nothing yet, on a service that has the agent. */
async function openRoomBeside(other: Room): Promise<Room> {
  const fresh = await openRoom();
  fresh.faults.getAgent = other.client.getAgent;
  return fresh;
}

describe("deleting an agent", () => {
  beforeEach(async () => {
    await room.submit("agent create", { name: "sales" });
  });

  it("asks first and names the channels that would miss it", async () => {
    await room.say("/agent use sales");

    const { text, document } = await room.say("/agent delete sales");

    expect(text).toContain("Delete sales?");
    expect(text).toContain("It answers in C1.");
    expect(text).toContain("[Delete: confirm agent-delete sales]");
    expect(document.actions.map(({ label }) => label)).toEqual(["Delete", "Cancel"]);
    expect(await room.client.getAgent(project, "sales")).toBeDefined();
  });

  it("says how many places of other workspaces would miss it", async () => {
    await room.say("/agent use sales", { place: { ...general, workspace: "T2" } });

    const { text } = await room.say("/agent delete sales");

    expect(text).toContain("No channel in this workspace uses it.");
    expect(text).toContain("1 place in other workspaces will then use another default.");
  });

  it("deletes it, takes it out of completion and away from its channels and threads", async () => {
    await room.say("/agent use sales");
    const thread = { ...general, thread: "1" };
    await room.conversations.update(thread, (before) => ({ ...before, agent: { project, name: "sales" } }));

    const { text } = await room.press("confirm", "agent-delete sales");
    await untilAdvanced(
      room.clock,
      "a conversation without an agent",
      async () => (await room.conversations.get(thread)).agent === undefined,
    );

    expect(text).toContain("Deleted sales.");
    await expect(room.client.getAgent(project, "sales")).rejects.toMatchObject({ code: "agent_not_found" });
    expect(room.names.agent("sales")).toBeUndefined();
    expect((await room.bindings.own(general))?.agent).toBeUndefined();
    expect(await room.audit("agent delete")).toMatchObject([{ actor: { id: "U1" }, place: general, outcome: "done" }]);
  });

  it("leaves it when Cancel is pressed", async () => {
    expect((await room.press("dismiss", "agent-delete")).text).toBe("No changes made.");
    expect(await room.client.getAgent(project, "sales")).toBeDefined();
  });

  it("is for managers, also when someone else presses the button", () => {
    expect(room.commands.planAction("confirm", "agent-delete sales").role).toBe("manage");
  });

  it("finds an agent again whose name has no room in a button", async () => {
    const name = `a${"b".repeat(62)}`;
    await room.submit("agent create", { name });

    const asked = await room.say(`/agent delete ${name}`);
    const value = asked.document.actions[0]?.value ?? "";
    await room.press("confirm", value);

    expect(value.length).toBeLessThanOrEqual(60);
    await expect(room.client.getAgent(project, name)).rejects.toMatchObject({ code: "agent_not_found" });
  });

  it("records a refusal and shows it", async () => {
    const refuse: AgentService["deleteAgent"] = async () => {
      throw new ParleyError("service_failed");
    };
    room.faults.deleteAgent = refuse;

    await expect(room.press("confirm", "agent-delete sales")).rejects.toMatchObject({ code: "service_failed" });
    expect(await room.audit("agent delete")).toMatchObject([{ outcome: "failed", code: "service_failed" }]);
  });
});
