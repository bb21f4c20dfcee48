import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../src/bridge/errors.ts";
import type { AgentEvent, AgentService } from "../../src/bridge/ports/agent-service.ts";
import { general, olderProfile, openRoom, project, type Room, type Shown } from "./room.ts";

const key = "sk-verysecret-0123456789abcdef";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.client.createKnowledgeBase(project, { name: "docs" });
});

afterEach(async () => {
  await room.close();
});

const filled = {
  name: "sales",
  provider: "openai",
  model: "gpt-4o",
  key,
  knowledgeBases: ["docs"],
  tables: [],
  instructions: "Answer from the docs.",
};

/** Everything that was shown, logged or written down. */
async function everythingSaid(shown: readonly Shown[]): Promise<string> {
  return [JSON.stringify(shown), room.logged.join("\n"), JSON.stringify(await room.audit())].join("\n");
}

async function* events(...list: AgentEvent[]): AsyncGenerator<AgentEvent, void, undefined> {
  yield* list;
}

describe("the form of a new agent", () => {
  it("opens without waiting and needs nothing but a name", () => {
    const form = room.formOf("/agent create");

    expect(form.fields.map(({ label }) => label)).toEqual([
      "Name",
      "Provider",
      "Model",
      "Key",
      "Knowledge bases",
      "Tables",
      "Instructions",
    ]);
    expect(form.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(["name"]);
    expect(form.submitLabel).toBe("Create");
  });

  it("offers the nearest name that is allowed", () => {
    expect(room.formOf("/agent create Süd Verkauf").fields[0]).toMatchObject({ initial: "sud_verkauf" });
    expect(room.formOf("/agent create 2nd").fields[0]).toMatchObject({ initial: "agent_2nd" });
  });

  it("offers the knowledge bases there are, and all of them at once", async () => {
    await room.names.refresh();

    const field = room.formOf("/agent create").fields.find(({ name }) => name === "knowledgeBases");

    expect(field).toMatchObject({
      choices: [
        { value: "mindsdb.*", label: "all of mindsdb" },
        { value: "docs", label: "docs" },
      ],
      allowsFree: true,
    });
  });

  it.each([
    ["Sales Team", "sales_team"],
    ['a"b', "a_b"],
    ["SALES", "sales"],
    ["7", "agent_7"],
  ])("says of the name %s which one is allowed", async (name, nearest) => {
    expect((await room.check("agent create", { name }))?.["name"]).toContain(nearest);
  });

  it("names what does not exist, and the nearest that does", async () => {
    const errors = await room.check("agent create", {
      name: "sales",
      knowledgeBases: ["dosc"],
      tables: ["nosuch.orders"],
    });

    expect(errors).toEqual({
      knowledgeBases: "There is no knowledge base called “dosc”. Did you mean docs?",
      tables: expect.stringContaining("There is no data source called “nosuch”."),
    });
  });

  it("takes the wildcard of the project and entries with its name", async () => {
    const knowledgeBases = ["mindsdb.*", "mindsdb.docs"];

    expect(await room.check("agent create", { name: "sales", knowledgeBases, tables: [] })).toBeUndefined();
    expect(await room.check("agent create", { name: "sales", knowledgeBases: ["nope.*"] })).toMatchObject({
      knowledgeBases: expect.stringContaining("no project called “nope”"),
    });
  });

  it("does not wait for a service that does not answer", async () => {
    await room.names.refresh();
    room.faults.listKnowledgeBases = () => new Promise(() => undefined);

    const checked = room.check("agent create", { name: "sales", knowledgeBases: ["later"] });
    await room.clock.advance(1_500);

    expect(await checked).toBeUndefined();
  });
});

describe("making an agent", () => {
  it("shows that it works, makes it, tries it, and offers to use it", async () => {
    const shown: Shown[] = [];

    await room.submit("agent create", filled, "", shown);

    expect(shown[0]?.text).toContain("Making sales …");
    expect(shown.at(-1)?.text).toContain("sales is made.");
    expect(shown.at(-1)?.text).toContain("It answered a test question.");
    expect(shown.at(-1)?.text).toContain("[Use it here: use-agent sales]");
    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      model: { provider: "openai", name: "gpt-4o", hasKey: true },
      knowledgeBases: ["mindsdb.docs"],
      promptTemplate: "Answer from the docs.",
    });
  });

  it("completes its name at once, and binds it with the button", async () => {
    await room.submit("agent create", { name: "sales" });

    const choices = await room.commands.complete({
      completes: "agent",
      typed: "sa",
      place: general,
      actor: room.context().actor,
    });
    const bound = await room.press("use-agent", "sales");

    expect(choices).toEqual([{ value: "sales", label: "sales" }]);
    expect(bound.text).toContain("sales answers in this channel from now on.");
    expect(await room.bindings.own(general)).toMatchObject({ project, agent: "sales" });
  });

  it("asks no test question where the service has tried the model itself", async () => {
    room.faults.profile = async () => ({ ...olderProfile, generation: "26.x" });

    await room.submit("agent create", { name: "sales" });

    expect(room.calls).not.toContain("ask");
  });

  it("says plainly when the new agent does not answer", async () => {
    room.faults.profile = async () => olderProfile;
    room.faults.ask = () => events({ type: "started" }, { type: "ended" });
    room.faults.askPlain = async () => {
      throw new ParleyError("model_unavailable");
    };

    const { text } = await room.submit("agent create", filled);

    expect(text).toContain("But it did not answer a test question.");
    expect(text).toContain("The model behind the agent did not answer.");
    expect(text).toContain("[Change sales: open-form agent edit sales]");
  });

  it("believes the plain endpoint when the stream lost the answer", async () => {
    room.faults.profile = async () => olderProfile;
    room.faults.ask = () => events({ type: "started" }, { type: "ended" });
    room.faults.askPlain = async () => "Yes";

    expect((await room.submit("agent create", { name: "sales" })).text).toContain("It answered a test question.");
  });

  it("gives up a test question that is never answered", async () => {
    room.faults.profile = async () => olderProfile;
    room.faults.ask = async function* (_project, _agent, _messages, options) {
      await new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      });
      yield { type: "ended" };
    };

    const submitted = room.submit("agent create", { name: "sales" });
    while (!room.calls.includes("ask")) await new Promise((resolve) => setImmediate(resolve));
    await room.clock.advance(90_000);

    expect((await submitted).text).toContain("The agent worked longer than it may.");
  });

  it("is not a failure when only the service's answer was lost", async () => {
    room.faults.createAgent = async (...given) => {
      await room.client.createAgent(...given);
      throw new ParleyError("service_unreachable");
    };

    expect((await room.submit("agent create", filled)).text).toContain("sales is there already, just as you asked");
    expect(await room.audit()).toMatchObject([{ action: "agent create", outcome: "done", about: { agent: "sales" } }]);
  });

  it("compares a name that is taken with what was asked for", async () => {
    await room.submit("agent create", filled);

    const same = await room.submit("agent create", filled);
    const other = await room.submit("agent create", { ...filled, instructions: "Something else." });

    expect(same.text).toContain("sales is there already");
    expect(other.text).toContain("There is another agent called sales already.");
    expect(other.text).toContain("sales_2");
  });

  it("makes one agent of two presses", async () => {
    const [first, second] = await Promise.all([
      room.submit("agent create", filled),
      room.submit("agent create", filled),
    ]);

    expect(second?.text).toBe(first?.text);
    expect(room.calls.filter((call) => call === "createAgent")).toHaveLength(1);
  });

  it("shows the service's reason without any key", async () => {
    const said = `HTTP 500 ModelHTTPError: Incorrect API key provided: ${key.slice(0, 12)}*****cdef {'api_key': '${key}'}`;
    room.faults.createAgent = async () => {
      throw new ParleyError("model_unavailable", { cause: new Error(said) });
    };
    const shown: Shown[] = [];

    await room.submit("agent create", filled, "", shown);

    expect(shown.at(-1)?.text).toContain("sales was not made.");
    expect(shown.at(-1)?.text).toContain("Incorrect API key provided: [key]");
    expect(await everythingSaid(shown)).not.toContain(key.slice(0, 10));
  });

  it("says nothing of the service's misleading reason for something unknown", async () => {
    room.faults.createAgent = async () => {
      throw new ParleyError("resource_not_found", { cause: new Error('The model "None" does not exist') });
    };

    expect((await room.submit("agent create", filled)).text).not.toContain("None");
  });

  it("opens the form again as it was, but for the key", async () => {
    room.faults.createAgent = async () => {
      throw new ParleyError("model_unavailable");
    };

    const { document } = await room.submit("agent create", filled);
    const action = document.actions[0];
    const plan = room.commands.planAction(action?.id ?? "", action?.value ?? "");

    expect(plan).toMatchObject({ role: "manage", acknowledgement: { kind: "form" } });
    expect(JSON.stringify(plan)).toContain("Answer from the docs.");
    expect(JSON.stringify(plan)).not.toContain(key);
    expect(action?.value.length).toBeLessThanOrEqual(60);
  });

  it("keeps the key out of everything that is shown, logged or written down", async () => {
    const shown: Shown[] = [];

    await room.submit("agent create", filled, "", shown);
    shown.push(await room.say("/agent show sales"), await room.say("/agent list"));

    expect(await everythingSaid(shown)).not.toContain(key);
    expect(shown.at(-2)?.text).toContain("Key: one is set");
  });
});

describe("changing an agent", () => {
  beforeEach(async () => {
    await room.submit("agent create", filled);
  });

  const asShown = (form: ReturnType<Room["formOf"]>) =>
    Object.fromEntries(
      form.fields.map((field) => [field.name, field.initial ?? (field.type === "multiselect" ? [] : "")]),
    );

  it("opens with what the agent is made of, and without its key", () => {
    const form = room.formOf("/agent edit sales");

    expect(asShown(form)).toEqual({ ...filled, key: "" });
    expect(form.submitLabel).toBe("Save");
    expect(form.context.length).toBeLessThanOrEqual(2_000);
  });

  it("changes nothing when nothing was changed", async () => {
    const form = room.formOf("/agent edit sales");

    const { text } = await room.submit("agent edit", asShown(form), form.context);

    expect(text).toContain("Nothing was changed about sales.");
    expect(room.calls).not.toContain("updateAgent");
  });

  it("leaves alone what somebody else changed in between", async () => {
    const form = room.formOf("/agent edit sales");
    await room.client.updateAgent(project, "sales", { promptTemplate: "Newer words." });

    await room.submit("agent edit", { ...asShown(form), model: "gpt-5" }, form.context);

    expect(await room.client.getAgent(project, "sales")).toMatchObject({
      model: { provider: "openai", name: "gpt-5", hasKey: true },
      promptTemplate: "Newer words.",
    });
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

  it("takes the channels and the workspace along to a new name", async () => {
    await room.say("/agent use sales");
    await room.say("/agent use sales workspace");
    const form = room.formOf("/agent edit sales");

    const { text } = await room.submit("agent edit", { ...asShown(form), name: "shop" }, form.context);
    const which = await room.say("/agent which", { place: { ...general, channel: "C9" } });

    expect(text).toContain("sales is called shop now.");
    expect(await room.bindings.own(general)).toMatchObject({ agent: "shop" });
    expect(which.text).toContain("shop answers here.");
    expect(room.names.agent("sales")).toBeUndefined();
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

    expect(text).toContain("did not keep its key");
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
    expect((await fresh.say("/agent edit sales")).text).toContain("[Change sales: open-form agent edit sales]");
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

  it("deletes it, takes it out of completion and away from its channels", async () => {
    await room.say("/agent use sales");

    const { text } = await room.press("confirm", "agent-delete sales");

    expect(text).toContain("sales is deleted.");
    await expect(room.client.getAgent(project, "sales")).rejects.toMatchObject({ code: "agent_not_found" });
    expect(room.names.agent("sales")).toBeUndefined();
    expect((await room.bindings.own(general))?.agent).toBeUndefined();
    expect(await room.audit("agent delete")).toMatchObject([{ actor: { id: "U1" }, place: general, outcome: "done" }]);
  });

  it("leaves it when Cancel is pressed", async () => {
    expect((await room.press("dismiss", "agent-delete")).text).toBe("Left as it was.");
    expect(await room.client.getAgent(project, "sales")).toBeDefined();
  });

  it("is for managers, whoever presses the button", () => {
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

  it("writes a refusal down and lets it be seen", async () => {
    const refuse: AgentService["deleteAgent"] = async () => {
      throw new ParleyError("service_failed");
    };
    room.faults.deleteAgent = refuse;

    await expect(room.press("confirm", "agent-delete sales")).rejects.toMatchObject({ code: "service_failed" });
    expect(await room.audit("agent delete")).toMatchObject([{ outcome: "failed", code: "service_failed" }]);
  });
});
