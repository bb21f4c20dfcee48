import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { project } from "../doubles/people.ts";
import { openRoom, type Room } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(() => room.close());

const spoken = (text: string) => room.commands.spoken(text);

describe("words that are a command without a slash", () => {
  it.each([
    ["kb list", "/kb list", false],
    ["KB List", "/kb list", false],
    ["status", "/parley status", false],
    ["Status!", "/parley status", false],
    ["agent list", "/agent list", false],
    ["agent which", "/agent which", false],
    ["parley help kb", "/parley help kb", false],
    ["kb search refund period", "/kb search refund period", false],
    ["parley mode", "/parley mode", false],
    ["agent use sales", "/agent use sales", true],
    ["agent use sales scope workspace", "/agent use sales scope workspace", true],
    ["parley mode mention", "/parley mode mention", true],
    ["parley forget", "/parley forget", true],
    ["agent use", "/agent use", false],
  ])("%s is %s", (text, typed, isChange) => {
    expect(spoken(text)).toEqual({ input: { kind: "typed", text: typed }, isChange });
  });

  it.each([
    "kb list is our new supplier",
    "agent which is best for refunds",
    "status of order 12",
    "parley status report for Monday",
    "ask bob about it",
    "agent smith, who are you?",
    "kb",
    "agent use sales and support for this channel please",
    "help",
    "",
    "parley forget what I said",
  ])("%s is a question", (text) => {
    expect(spoken(text)).toBeUndefined();
  });

  it("gets the configured prefix", async () => {
    await room.close();
    room = await openRoom({ prefix: "acme-" });

    expect(spoken("kb list")?.input.text).toBe("/acme-kb list");
    expect(spoken("status")?.input.text).toBe("/acme-parley status");
  });
});

describe("the buttons of the welcome card", () => {
  it("Choose an agent opens the form of agent use, for people who manage", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.names.refresh();

    const { acknowledgement, role } = room.commands.planAction("choose-here", "here");

    expect(role).toBe("manage");
    expect(acknowledgement).toMatchObject({ kind: "form", form: { id: "pick agent use" } });
    expect((await room.submit("pick agent use", { name: "sales" })).text).toContain("sales");
  });

  it("Choose an agent means this channel unless another place is chosen", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.names.refresh();

    const { acknowledgement } = room.commands.planAction("choose-here", "here");

    const fields = acknowledgement.kind === "form" ? acknowledgement.form.fields : [];
    expect(fields.find(({ name }) => name === "scope")).toMatchObject({
      label: "Where",
      isRequired: true,
      initial: "channel",
      choices: [{ value: "channel", label: "This channel" }, { value: "workspace" }],
    });
  });

  it("Choose an agent says how to create one where there is none", async () => {
    expect(room.commands.planAction("choose-here", "here").acknowledgement.kind).toBe("defer-private");

    const { text, document } = await room.press("choose-here", "here");

    expect(text).toContain("Create one with /agent create.");
    expect(document.actions.map(({ value }) => value)).toEqual(["agent create"]);
  });

  it("Add pages opens a form for people who can add, which names no knowledge base", () => {
    const { acknowledgement, role } = room.commands.planAction("add-pages", "here");

    expect(role).toBe("ingest");
    expect(acknowledgement).toMatchObject({ kind: "form", form: { id: "kb ingest" } });
    if (acknowledgement.kind !== "form") throw new Error("A form was expected.");
    expect(acknowledgement.form.fields.flatMap((field) => ("choices" in field ? field.choices : []))).toEqual([]);
    expect(room.commands.roleOfForm("kb ingest")).toBe("ingest");
  });

  it("Add pages stays open without a URL", async () => {
    expect(await room.check("kb ingest", { urls: " \n", into: "" })).toEqual({
      urls: "Add the URL of at least one page.",
    });
    expect(await room.check("kb ingest", { urls: "https://example.com", into: "" })).toBeUndefined();
  });
});
