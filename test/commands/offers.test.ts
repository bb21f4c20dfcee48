/** Commands by what the agent service has: agents that are set up elsewhere, with the built-in knowledge bases. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { profileOf } from "../../src/agent-service/mindsdb/profile.ts";
import { alice, project } from "../doubles/people.ts";
import { createAgentsOnly } from "../doubles/service/agents-only.ts";
import { general, openRoom, type Room } from "./room.ts";

const free = "openai/gpt-4o:free";

let main: ReturnType<typeof createAgentsOnly>;
let room: Room;

beforeEach(async () => {
  main = createAgentsOnly(["gpt-4.1", free]);
  room = await openRoom({ main: main.service });
});

afterEach(async () => {
  await room.close();
});

const plan = (text: string) => room.commands.plan({ kind: "typed", text }).acknowledgement.kind;

describe("with a service whose agents are set up there", () => {
  it.each([
    ["/agent create", "none can be created from here", "LOCAL_MODEL_URL"],
    ["/agent create sales", "none can be created from here", "LOCAL_MODEL_URL"],
    ["/agent delete gpt-4.1", "can't be deleted from here", "/agent clear"],
    ["/agent delete", "can't be deleted from here", "/agent clear"],
  ])("%s opens nothing and says so, with what to do instead", async (text, what, hint) => {
    expect(plan(text)).toBe("defer-private");

    const said = (await room.say(text)).text;

    expect(said).toContain(what);
    expect(said).toContain(hint);
    expect(main.calls.filter((call) => /^(create|delete)/.test(call))).toEqual([]);
  });

  it.each([
    ["/agent list", `2 agents\nbullet gpt-4.1\nbullet ${free}`],
    [`/agent use ${free}`, `${free} now answers in this channel.`],
    ["/agent use gpt-4.1 scope workspace", "gpt-4.1 is now the default"],
    [`/agent show ${free}`, "Knowledge bases: none"],
    ["/agent clear", "This channel already had no agent of its own."],
    ["/agent which", "I'll ask which of the 2 should answer."],
    ["/kb create", "Open the form"],
    ["/kb list", "There are no knowledge bases yet."],
  ])("%s works", async (text, said) => {
    expect((await room.say(text)).text).toContain(said);
  });

  it("/kb create asks for a name alone, because the built-in knowledge bases have no models of their own", async () => {
    await room.names.refresh();

    expect(room.formOf("/kb create").fields.map(({ label }) => label)).toEqual(["Name"]);
  });

  it("/agent edit says what the agent gets from the knowledge bases", async () => {
    await room.names.refresh();

    const fields = room.formOf("/agent edit gpt-4.1").fields;

    expect(fields.map(({ hint }) => hint)).toEqual(["Parley sends the agent passages from these with each question."]);
  });

  it("shows of an agent what is known: no key, no tables, no model of the same name", async () => {
    const { text } = await room.say("/agent show gpt-4.1");

    expect(text).not.toMatch(/API key|Tables|default model/);
  });

  it("binds an agent whatever its name consists of, and says which one answers and why", async () => {
    await room.say(`/agent use ${free}`);

    expect((await room.say("/agent which")).text).toContain(`${free} answers here.\nIt was chosen for this channel.`);
    await room.say("/agent clear");
    expect((await room.say("/agent which")).text).not.toContain(free);
  });

  it("offers in help, in lists of subcommands and while typing only what is there", async () => {
    const help = (await room.say("/parley help")).text;
    const group = (await room.say("/parley help agent")).text;
    const incomplete = (await room.say("/agent")).text;
    const typed = await room.commands.complete({
      completes: "command",
      typed: "agent",
      actor: alice,
      place: general,
    });

    for (const text of [help, group, incomplete, typed.map(({ value }) => value).join("\n")]) {
      expect(text).toContain("agent use");
      expect(text).not.toMatch(/\/agent .*(create|delete)/);
    }
    expect(group).toContain("Choose the knowledge bases that an agent looks in");
    expect(group).not.toMatch(/project|shop/);
    expect((await room.say("/parley help agent create")).text).toContain("none can be created from here");
    expect(room.commands.registry.shown().map(({ path }) => path)).toContain("kb search");
  });

  it("registers the same commands whatever the service has", () => {
    const paths = room.commands.registry.definitions.map(({ path }) => path);

    expect(paths).toEqual(expect.arrayContaining(["agent create", "agent edit", "agent delete"]));
  });

  it("edits which knowledge bases an agent looks in, and nothing else", async () => {
    await room.submit("kb create", { name: "handbook" });
    await room.names.refresh();

    const form = room.formOf(`/agent edit ${free}`);
    expect(form.fields.map(({ name }) => name)).toEqual(["knowledgeBases"]);
    const { text } = await room.submit("agent edit", { knowledgeBases: ["handbook"] }, form.context);

    expect(text).toContain(`Updated ${free}.`);
    expect((await room.service.getAgent(project, free)).knowledgeBases).toEqual([`${project}.handbook`]);
    expect((await room.say("/kb list")).text).toContain(free);
    expect((await room.audit("agent edit")).map(({ outcome }) => outcome)).toEqual(["done"]);
  });

  it("refuses a knowledge base that isn't there, in the form", async () => {
    await room.names.refresh();
    const form = room.formOf("/agent edit gpt-4.1");

    const errors = await room.check("agent edit", { knowledgeBases: ["handbok"] }, form.context);

    expect(errors?.["knowledgeBases"]).toContain("There is no knowledge base called “handbok”.");
  });

  it("lets an agent look in a new knowledge base with one press", async () => {
    await room.say(`/agent use ${free}`);

    const { document } = await room.submit("kb create", { name: "handbook" });
    const action = document.actions.find(({ id }) => id === "connect-base");
    const { text } = await room.press("connect-base", action?.value ?? "");

    expect(action?.label).toBe(`Connect handbook to ${free}`);
    expect(text).toBe(`${free} now uses handbook.`);
    expect((await room.service.getAgent(project, free)).knowledgeBases).toEqual([`${project}.handbook`]);
  });

  it("doesn't offer to create an agent where there is none", async () => {
    main.state.agents = [];
    await room.names.refresh();

    const list = await room.say("/agent list");
    const chosen = await room.press("choose-here", "here");
    const { text, document } = await room.submit("kb create", { name: "handbook" });

    for (const said of [list.text, chosen.text, text]) expect(said).toContain("Add one in the agent service");
    for (const shown of [list.document, chosen.document, document]) {
      expect(shown.actions.map(({ value }) => value).filter((value) => value.startsWith("agent create"))).toEqual([]);
    }
  });

  it("says in the status which server it is, and names no project", async () => {
    const { text } = await room.say("/parley status");

    expect(text).toContain("Agent service: OK (LiteLLM 1.106.2, Responses API)");
    expect(text).not.toContain("Project");
  });
});

describe("when the service behind the address changes", () => {
  const older = profileOf({ mindsdb_version: "25.9.1" }, undefined);

  it("answers by what is there now, without a restart", async () => {
    expect((await room.say("/agent create")).text).toContain("none can be created from here");
    main.state.profile = older;

    expect((await room.say("/agent create")).text).toContain("Open the form");
    await room.names.refresh();
    expect(plan("/agent create")).toBe("form");
    expect((await room.say("/parley help")).text).toMatch(/\/agent .*create/);
  });

  it("refuses a form and a button that were opened before", async () => {
    main.state.profile = older;
    await room.names.refresh();
    expect(plan("/agent create")).toBe("form");
    main.state.profile = createAgentsOnly().state.profile;

    const submitted = await room.submit("agent create", { name: "sales" });
    const deleted = await room.press("confirm", "agent-delete gpt-4.1");
    const opened = await room.press("open-form", "agent create");

    expect(submitted.text).toContain("none can be created from here");
    expect(deleted.text).toContain("are set up there");
    expect(opened.text).toContain("none can be created from here");
    expect(main.calls.filter((call) => /^(create|delete)/.test(call))).toEqual([]);
  });

  it("says what was wrong while the service is down, as before", async () => {
    main.state.isDown = true;

    await expect(room.say("/agent list")).rejects.toMatchObject({ code: "service_unreachable" });
    expect((await room.say("/parley status")).text).toContain("can't be reached");
  });
});

it("offers all but other projects and SQL with the built-in service, and projects with one that has some", async () => {
  const other = await openRoom();
  try {
    const { definitions, shown } = other.commands.registry;
    expect(shown().map(({ path, summary }) => [path, summary])).toEqual(
      definitions.filter(({ path }) => path !== "kb query").map(({ path, summary }) => [path, summary]),
    );
    expect((await other.say("/parley help agent")).text).not.toContain("/agent use shop.helper");
    other.faults.profile = async () => profileOf({ mindsdb_version: "25.9.1" }, undefined);
    await other.names.refresh();
    expect((await other.say("/parley help agent")).text).toContain("/agent use shop.helper");
  } finally {
    await other.close();
  }
});
