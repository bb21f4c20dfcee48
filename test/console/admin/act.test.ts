/** What people may change from the admin pages in the places of chat platforms, and what is said there and to them. */
import { beforeEach, describe, expect, it } from "vitest";
import { isForHere } from "../../../adapters/console/admin/acting/act-request.ts";
import { localVisitor } from "../../../adapters/console/people/visitor.ts";
import { until } from "../../doubles/until.ts";
import { type ActingRoom, openActingRoom } from "./acting-room.ts";

const at = (channel: string) => ({ platform: "memory", workspace: "T1", channel });
const helpdesk = at("helpdesk");
const use = { kind: "command", path: "agent use", options: { name: "support" } };

let room: ActingRoom;
beforeEach(async () => {
  room = await openActingRoom();
});

describe("a person who manages", () => {
  it("sets the agent of a channel, is told so alone, and the channel reads who did it", async () => {
    const { status, lines, text } = await room.act({ role: "manage" }, { ...use, place: helpdesk });

    expect(status).toBe(200);
    expect(lines.map(({ kind }) => kind)).toEqual(["shown", "done"]);
    expect(text).toContain("support");
    expect(await room.parley.bindings.own(helpdesk)).toMatchObject({ agent: "support" });
    await until("the channel reads it", () => room.memory.thread(helpdesk).length === 1);
    const [told] = room.memory.thread(helpdesk);
    expect(told?.payload.text).toContain("Ana set support to answer here.");
    expect(await room.audit()).toMatchObject([{ action: "agent use", place: helpdesk, actor: { name: "Ana" } }]);
  });

  it("is not called “You” in a channel and in the audit, where nobody signs in by name", async () => {
    await room.act({ ...localVisitor }, { ...use, place: helpdesk });

    await until("the channel reads it", () => room.memory.thread(helpdesk).length === 1);
    const [told] = room.memory.thread(helpdesk);
    expect(told?.payload.text).toContain("Someone on Parley's page set support to answer here.");
    expect(await room.audit()).toMatchObject([{ actor: { id: "console:you", name: "Someone on Parley's page" } }]);
  });

  it("changes each of these for a channel", async () => {
    const mode = { kind: "command", path: "parley mode", options: { mode: "mention" }, place: helpdesk };
    const base = { kind: "command", path: "kb use", options: { name: "handbook" }, place: helpdesk };
    const form = { kind: "command", path: "agent instructions", options: {}, place: helpdesk };
    const sent = {
      kind: "form",
      formId: "agent instructions",
      values: { instructions: "Be brief." },
      context: "",
      place: helpdesk,
    };

    await room.act({ role: "manage" }, mode);
    await room.act({ role: "manage" }, base);
    const opened = await room.act({ role: "manage" }, form);
    await room.act({ role: "manage" }, sent);

    expect(opened.lines[0]).toMatchObject({ kind: "form", form: { id: "agent instructions" } });
    expect(await room.parley.bindings.own(helpdesk)).toMatchObject({
      mode: "mention",
      knowledgeBase: "handbook",
      instructions: "Be brief.",
    });

    await room.act({ role: "manage" }, { kind: "command", path: "kb clear", options: {}, place: helpdesk });
    expect(await room.parley.bindings.own(helpdesk)).toEqual({ mode: "mention", instructions: "Be brief." });
  });

  it("sets the agent of a workspace as a whole, which no channel is told", async () => {
    const options = { name: "support", scope: "workspace" };

    await room.act({ role: "manage" }, { kind: "command", path: "agent use", options, place: at("") });

    const resolved = await room.parley.bindings.resolve(helpdesk);
    expect(resolved).toMatchObject({ kind: "bound", from: "workspace", binding: { agent: "support" } });
    expect(room.memory.writes).toEqual([]);
  });

  it("reads why a form was not accepted, and it stays open", async () => {
    const values = { instructions: "x".repeat(3_000) };
    const sent = { kind: "form", formId: "agent instructions", values, context: "", place: helpdesk };

    const { lines } = await room.act({ role: "manage" }, sent);

    expect(lines[0]).toMatchObject({ kind: "errors", errors: { instructions: expect.any(String) } });
  });

  it("changes a channel that was deleted", async () => {
    await room.act({ role: "manage" }, { ...use, place: at("gone") });

    expect(await room.parley.bindings.own(at("gone"))).toMatchObject({ agent: "support" });
  });

  it("can't act in another person's direct messages, nor on a platform that isn't connected", async () => {
    const direct = await room.act({ role: "manage" }, { ...use, place: at("D7") });
    const unknown = await room.act({ role: "manage" }, { ...use, place: { ...helpdesk, platform: "irc" } });
    const foreign = await room.act({ role: "manage" }, { ...use, place: { ...helpdesk, platform: "console" } });

    expect([direct.status, unknown.status, foreign.status]).toEqual([403, 404, 404]);
    expect(await room.parley.bindings.own(at("D7"))).toBeUndefined();
    expect(await room.audit()).toEqual([]);
  });

  it("reads that a workspace isn't served, in words for the page", async () => {
    const place = { ...helpdesk, workspace: "T9" };
    room = await openActingRoom({ workspaces: [{ platform: "memory", id: "T1" }] });

    const { lines, text } = await room.act({ role: "manage" }, { ...use, place });

    expect(lines.map(({ kind }) => kind)).toEqual(["shown", "done"]);
    expect(text).toContain("Parley doesn't serve that workspace or server.");
    expect(text).toContain("Add it to WORKSPACES and restart Parley.");
    expect(text).not.toContain("direct messages");
    expect(await room.parley.bindings.own(place)).toBeUndefined();
  });

  it("is told once of what the same request changes twice", async () => {
    const request = { ...use, id: "same", place: helpdesk };
    await room.act({ role: "manage" }, request);

    const again = await room.act({ role: "manage" }, request);

    expect(again.lines.map(({ kind }) => kind)).toEqual(["done"]);
    expect(await room.audit()).toHaveLength(1);
  });

  it("asks nothing from here: its answer would appear in the channel", async () => {
    const ask = { kind: "command", path: "ask", options: { question: "How many?" }, place: helpdesk };

    expect((await room.act({ role: "manage" }, ask)).status).toBe(403);
    expect((await room.act({ role: "manage" }, { kind: "action", action: "ask-about", value: "j1" })).status).toBe(403);
    expect(room.agents.runs).toEqual([]);
  });

  it("is nobody in the chat, whatever name they sign in with", async () => {
    await room.act({ role: "manage", id: "U1", name: "U1" }, { ...use, place: helpdesk });

    expect(await room.audit()).toMatchObject([{ actor: { id: "console:U1" } }]);
  });
});

type Who = "manage" | "ingest" | "ask" | "nobody";
/** What the bridge or this page answers: done, refused by the bridge in words, or not even passed on. */
type Outcome = "done" | "told no" | "refused";

const gap = { kind: "action", action: "gap-show", value: "g1" };
const table: readonly (readonly [string, object, Readonly<Record<Who, Outcome>>])[] = [
  ["agent use", { ...use, place: helpdesk }, { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" }],
  [
    "agent use in a private channel",
    { ...use, place: at("G1") },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "parley mode",
    { kind: "command", path: "parley mode", options: { mode: "every" }, place: helpdesk },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "schedule list",
    { kind: "command", path: "schedule list", options: {}, place: helpdesk },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "kb list in a public channel",
    { kind: "command", path: "kb list", options: {}, place: helpdesk },
    { manage: "done", ingest: "done", ask: "refused", nobody: "refused" },
  ],
  [
    "kb list in a private channel",
    { kind: "command", path: "kb list", options: {}, place: at("G1") },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "kb delete",
    { kind: "command", path: "kb delete", options: { name: "handbook" }, place: helpdesk },
    { manage: "done", ingest: "told no", ask: "refused", nobody: "refused" },
  ],
  [
    "kb query",
    { kind: "command", path: "kb query", options: { sql: "SELECT 1" }, place: helpdesk },
    { manage: "done", ingest: "told no", ask: "refused", nobody: "refused" },
  ],
  ["gap-show", { ...gap, place: helpdesk }, { manage: "done", ingest: "done", ask: "refused", nobody: "refused" }],
  [
    "gap-show in a private channel",
    { ...gap, place: at("G1") },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "confirm agent-delete",
    { kind: "action", action: "confirm", value: "agent-delete sales", place: helpdesk },
    { manage: "done", ingest: "told no", ask: "refused", nobody: "refused" },
  ],
  [
    "run-checks",
    { kind: "action", action: "run-checks", value: "support", place: helpdesk },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "retry-job",
    { kind: "action", action: "retry-job", value: "j1", place: at("") },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "the agent form",
    { kind: "form", formId: "agent create", values: { name: "x" }, context: "", place: helpdesk },
    { manage: "done", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
  [
    "stopping another person's question",
    { kind: "action", action: "stop", value: "t1", place: helpdesk },
    { manage: "refused", ingest: "refused", ask: "refused", nobody: "refused" },
  ],
];
const rows = table.flatMap(([what, request, outcomes]) =>
  (["manage", "ingest", "ask", "nobody"] as const).map((role) => ({ what, request, role, outcome: outcomes[role] })),
);

describe("what each role may do from the admin pages", () => {
  it.each(rows)("$what by a visitor with $role: $outcome", async ({ request, role, outcome }) => {
    const before = { agents: await room.agents.listAgents("mindsdb"), own: await room.parley.bindings.own(helpdesk) };

    const { status, text } = await room.act({ role, id: role }, request);

    expect(status).toBe(outcome === "refused" ? 403 : 200);
    expect(text.includes("You can't")).toBe(outcome === "told no");
    if (outcome === "done") return;
    expect(await room.agents.listAgents("mindsdb")).toEqual(before.agents);
    expect(await room.parley.bindings.own(helpdesk)).toEqual(before.own);
    const audited = await room.audit();
    expect(audited.map((entry) => entry.outcome)).toEqual(outcome === "told no" ? ["refused"] : []);
  });

  it("shows no button that would be refused from here", async () => {
    const { lines } = await room.act(
      { role: "ingest" },
      { kind: "command", path: "kb list", options: {}, place: helpdesk },
    );

    const buttons = lines.flatMap(({ payloads = [] }) => payloads.flatMap(({ actions }) => actions));
    for (const { id, value } of buttons) {
      expect(isForHere("ingest", { id: "x", kind: "action", action: id, value })).toBe(true);
    }
  });
});

describe("requests that aren't what the page sends", () => {
  it.each([
    ["no JSON", "{", 400],
    ["an unknown kind", JSON.stringify({ id: "a", kind: "message", text: "hello" }), 400],
    ["an action that doesn't exist", JSON.stringify({ id: "a", kind: "action", action: "explode", value: "" }), 403],
    ["an id with markup", JSON.stringify({ ...use, id: "<b>" }), 400],
    ["a place without a workspace", JSON.stringify({ ...use, id: "a", place: { ...helpdesk, workspace: "" } }), 400],
    ["a very long value", JSON.stringify({ id: "a", kind: "action", action: "gap-show", value: "x".repeat(300) }), 400],
  ])("refuses %s", async (_what, body, status) => {
    const headers = { "content-type": "application/json" };
    const response = await room
      .pagesFor({ role: "manage" })
      .request("/api/admin/act", { method: "POST", headers, body });

    expect(response.status).toBe(status);
    expect(await room.audit()).toEqual([]);
  });

  it("refuses what a form on another site could send", async () => {
    const response = await room
      .pagesFor({ role: "manage" })
      .request("/api/admin/act", { method: "POST", body: JSON.stringify({ ...use, id: "a", place: helpdesk }) });

    expect(response.status).toBe(415);
    expect(await room.parley.bindings.own(helpdesk)).toBeUndefined();
  });
});
