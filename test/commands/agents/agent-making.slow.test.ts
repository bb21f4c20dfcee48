import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localProfile } from "../../../src/agent-service/built-in/profile.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { project } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { filled, general, providerKey as key, olderProfile, openRoom, type Room, type Shown } from "../room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.client.createKnowledgeBase(project, { name: "docs" });
});

afterEach(async () => {
  await room.close();
});

/** Everything that was shown, logged or written down. */
async function everythingSaid(shown: readonly Shown[]): Promise<string> {
  return [JSON.stringify(shown), room.logged.join("\n"), JSON.stringify(await room.audit())].join("\n");
}

async function* events(...list: AgentEvent[]): AsyncGenerator<AgentEvent, void, undefined> {
  yield* list;
}

describe("the form of a new agent", () => {
  it("opens without waiting, asks for knowledge first, and needs nothing but a name", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();

    const form = room.formOf("/agent create");

    expect(form.fields.map(({ label }) => label)).toEqual([
      "Name",
      "Knowledge bases",
      "Instructions",
      "Advanced: Model",
      "Advanced: Provider",
      "Advanced: API key",
      "Advanced: Tables",
    ]);
    expect(form.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(["name"]);
    expect(form.submitLabel).toBe("Create");
  });

  it("leaves out what the service ignores, and says what it does instead", () => {
    const form = room.formOf("/agent create");

    expect(form.fields.map(({ label }) => label)).toEqual(["Name", "Knowledge bases"]);
    expect(form.fields[1]?.hint).toContain("The built-in agent quotes your documents");
  });

  it("asks for a model, but for no provider and no key, where all models are of LOCAL_MODEL_URL", async () => {
    room.faults.profile = async () => localProfile(true);
    await room.names.refresh();

    const form = room.formOf("/agent create");

    expect(form.fields.map(({ name }) => name)).toEqual(["name", "knowledgeBases", "instructions", "model"]);
  });

  it("ticks the knowledge base that was just created, for an hour, until an agent reads it", async () => {
    const ticked = () => room.formOf("/agent create").fields[1]?.initial;
    await room.names.refresh();
    expect(ticked()).toEqual(["docs"]);

    await room.client.createAgent(project, { name: "reader", knowledgeBases: ["docs"] });
    await room.names.refresh();
    expect(ticked()).toBeUndefined();

    await room.client.createKnowledgeBase(project, { name: "handbook" });
    await room.names.refresh();
    expect(ticked()).toEqual(["handbook"]);

    await room.clock.advance(3_600_000);
    expect(ticked()).toBeUndefined();
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
        { value: "mindsdb.*", label: "All knowledge bases" },
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

  it("says how to create a knowledge base that doesn't exist, when there is no similar one", async () => {
    const errors = await room.check("agent create", { name: "sales", knowledgeBases: ["handbook"] });

    expect(errors).toEqual({
      knowledgeBases: "There is no knowledge base called “handbook”. Create it first with /kb create handbook.",
    });
  });

  it("takes the wildcard of the project and entries with its name", async () => {
    const knowledgeBases = ["mindsdb.*", "mindsdb.docs"];

    expect(await room.check("agent create", { name: "sales", knowledgeBases, tables: [] })).toBeUndefined();
    expect(await room.check("agent create", { name: "sales", knowledgeBases: ["nope.*"] })).toMatchObject({
      knowledgeBases: expect.stringContaining("no project called “nope”"),
    });
  });

  it("looks knowledge bases of other projects up one by one", async () => {
    room.faults.listProjects = async () => ["mindsdb", "shop"];
    room.faults.getKnowledgeBase = async (inProject, name) => {
      if (name !== "prices") throw new ParleyError("knowledge_base_not_found");
      return { name, project: inProject };
    };

    expect(await room.check("agent create", { name: "sales", knowledgeBases: ["shop.prices"] })).toBeUndefined();
    expect(await room.check("agent create", { name: "sales", knowledgeBases: ["shop.nope"] })).toEqual({
      knowledgeBases: "There is no knowledge base called “shop.nope”.",
    });
  });

  it("accepts files and whole sources as tables, and says what a table is", async () => {
    room.faults.listDataSources = async () => ["shop"];
    room.faults.listFiles = async () => ["prices"];
    const check = (tables: readonly string[]) => room.check("agent create", { name: "sales", tables });

    expect(await check(["shop.*", "shop.orders", "files.prices"])).toBeUndefined();
    expect(await check(["files.price"])).toMatchObject({ tables: expect.stringContaining("Did you mean prices?") });
    expect(await check(["orders"])).toMatchObject({ tables: expect.stringContaining("Write source.table") });
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
  it("shows progress, creates it, asks about its knowledge, and offers to use it", async () => {
    const shown: Shown[] = [];
    await room.client.insert(project, "docs", {
      rows: [
        {
          id: "1",
          content: "Refunds take 14 days from the return.",
          title: "Refund periods",
          url: "https://example.com/refunds",
        },
      ],
    });

    await room.submit("agent create", filled, "", shown);

    expect(shown[0]?.text).toContain("Creating sales…");
    expect(shown.at(-1)?.text).toContain("Created sales.");
    expect(shown.at(-1)?.text).toContain("Test question: “Tell me about refund periods”");
    expect(shown.at(-1)?.text).toContain("Refunds take 14 days");
    expect(shown.at(-1)?.text).toContain("https://example.com/refunds");
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
    expect(bound.text).toContain("sales now answers in this channel.");
    expect(await room.bindings.own(general)).toMatchObject({ project, agent: "sales" });
  });

  it("never says that a model replied where none is called", async () => {
    const { text } = await room.submit("agent create", { ...filled, key: "nonsense" });

    expect(text).toContain("It has nothing to look up yet. Add pages with /kb ingest.");
    expect(text).not.toContain("repl");
    expect(room.calls).not.toContain("ask");
  });

  it("says of an agent without knowledge that it has nothing to look up", async () => {
    const { text } = await room.submit("agent create", { name: "sales" });

    expect(text).toContain("It has nothing to look up yet. Choose a knowledge base for it.");
    expect(text).toContain("[Edit sales: open-form agent edit sales]");
  });

  it("asks nothing when what it knows can't be listed in time and no model is used", async () => {
    room.faults.listDocuments = () => new Promise(() => undefined);

    const submitted = room.submit("agent create", filled);
    await until("the list was asked for", () => room.calls.includes("listDocuments"));
    await room.clock.advance(10_000);

    expect((await submitted).text).not.toContain("nothing to look up");
    expect(room.calls).not.toContain("ask");
  });

  it.each([
    ["How do refunds work?", "How do refunds work?"],
    ["Refunds (Handbook)", "Tell me about Refunds (Handbook)"],
    ["https://example.com/a", undefined],
    ["report_2024.pdf", undefined],
    ["a".repeat(60), undefined],
    ["4711", undefined],
  ])("makes of the title %s the test question %s", async (title, question) => {
    room.faults.profile = async () => olderProfile;
    room.faults.listDocuments = async () => [{ id: "1", title }];
    const asked: string[] = [];
    room.faults.ask = (_project, _agent, messages) => {
      asked.push(messages.at(-1)?.question ?? "");
      return events({ type: "answer", text: "An answer." }, { type: "ended" });
    };

    await room.submit("agent create", filled);

    expect(asked).toEqual([question ?? "Answer with one word: are you there?"]);
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

    expect(text).toContain("It didn't reply to a test question.");
    expect(text).toContain("The model behind the agent didn't answer.");
    expect(text).toContain("[Edit sales: open-form agent edit sales]");
  });

  it("believes the plain endpoint when the stream lost the answer", async () => {
    room.faults.profile = async () => olderProfile;
    room.faults.ask = () => events({ type: "started" }, { type: "ended" });
    room.faults.askPlain = async () => "Yes";

    expect((await room.submit("agent create", { name: "sales" })).text).toContain("It replied to a test question.");
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
    await until("the test question", () => room.calls.includes("ask"));
    await room.clock.advance(90_000);

    expect((await submitted).text).toContain("The agent hit its time limit.");
  });

  it("is not a failure when only the service's answer was lost", async () => {
    room.faults.createAgent = async (...given) => {
      await room.client.createAgent(...given);
      throw new ParleyError("service_unreachable");
    };

    expect((await room.submit("agent create", filled)).text).toContain("sales already exists with these settings");
    expect(await room.audit()).toMatchObject([{ action: "agent create", outcome: "done", about: { agent: "sales" } }]);
  });

  it("compares an existing agent with the requested one", async () => {
    await room.submit("agent create", filled);

    const same = await room.submit("agent create", filled);
    const other = await room.submit("agent create", { ...filled, instructions: "Something else." });

    expect(same.text).toContain("sales already exists");
    expect(other.text).toContain("There is already an agent called sales.");
    expect(other.text).toContain("sales_2");
  });

  it("creates one agent for two presses", async () => {
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

    expect(shown.at(-1)?.text).toContain("Couldn't create sales.");
    expect(shown.at(-1)?.text).toContain("Incorrect API key provided: [key]");
    expect(await everythingSaid(shown)).not.toContain(key.slice(0, 10));
  });

  it("hides the service's misleading reason for something unknown", async () => {
    room.faults.createAgent = async () => {
      throw new ParleyError("resource_not_found", { cause: new Error('The model "None" does not exist') });
    };

    expect((await room.submit("agent create", filled)).text).not.toContain("None");
  });

  it("opens the form again as it was, but for the key", async () => {
    room.faults.profile = async () => olderProfile;
    await room.names.refresh();
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
    expect(shown.at(-2)?.text).toContain("API key: set");
  });
});
