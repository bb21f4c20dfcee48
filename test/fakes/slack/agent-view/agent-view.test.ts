/** The local Slack's agent view: the status line that the asker reads, sessions with known states, blocks to try. */
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { botToken, type FakeSlack, startFakeSlack } from "../index.ts";
import type { Json } from "../world.ts";

let slack: FakeSlack;
let thread: string;

beforeEach(async () => {
  slack = await startFakeSlack({ refuses: ["data_table"] });
  const { stop } = slack;
  onTestFinished(stop);
  thread = slack.person("U0ALICE").say("C0GENERAL", "hello").ts;
});

async function call(method: string, body: Readonly<Record<string, unknown>>): Promise<Json> {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(body)) {
    form.set(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  const headers = { authorization: `Bearer ${botToken}` };
  const answer = await fetch(`${slack.apiUrl}${method}`, { method: "POST", headers, body: form });
  return (await answer.json()) as Json;
}

const place = (ts = thread) => ({ channel_id: "C0GENERAL", thread_ts: ts });
const post = () =>
  call("chat.postMessage", { channel: "C0GENERAL", thread_ts: thread, text: "42", unfurl_links: "false" });

describe("the status line", () => {
  it("is read under the thread with its time, until the app posts there", async () => {
    await call("assistant.threads.setStatus", { ...place(), status: "is reading", loading_messages: ["Reading…"] });
    expect(slack.world.statusLine.textOf("C0GENERAL", thread)).toBe("is reading");

    await post();

    expect(slack.world.statusLine.textOf("C0GENERAL", thread)).toBeUndefined();
    expect(slack.world.statusLine.log).toEqual([
      {
        ...{ channel: "C0GENERAL", thread, status: "is reading", by: "app" },
        loadingMessages: ["Reading…"],
        atMs: expect.any(Number),
      },
      { ...{ channel: "C0GENERAL", thread, status: "", by: "post" }, loadingMessages: [], atMs: expect.any(Number) },
    ]);
  });

  it("stays when the app edits, and goes when the app says so or after two minutes", async () => {
    const { ts } = await post();
    await call("assistant.threads.setStatus", { ...place(), status: "[1] is reading" });
    await call("chat.update", { channel: "C0GENERAL", ts, text: "43" });
    expect(slack.world.statusLine.textOf("C0GENERAL", thread)).toBe("[1] is reading");

    await call("assistant.threads.setStatus", { ...place(), status: "" });
    expect(slack.world.statusLine.textOf("C0GENERAL", thread)).toBeUndefined();

    await call("assistant.threads.setStatus", { ...place(), status: "is waiting" });
    slack.advance(120_000);
    expect(slack.world.statusLine.textOf("C0GENERAL", thread)).toBeUndefined();
  });

  it.each([
    ["thread_not_found", { thread_ts: "1.1" }],
    ["channel_not_found", { channel_id: "C0NOWHERE" }],
    ["not_in_channel", { channel_id: "C0NOBOT" }],
    ["invalid_arguments", { status: undefined }],
    ["invalid_arguments", { status: "x".repeat(501) }],
    ["invalid_arguments", { loading_messages: Array.from({ length: 11 }, () => "Reading…") }],
    ["invalid_arguments", { loading_messages: [""] }],
  ])("is refused with %s where Slack has none (%#)", async (error, wrong) => {
    const body = Object.entries({ ...place(), status: "is reading", ...wrong }).filter(
      ([, value]) => value !== undefined,
    );

    expect(await call("assistant.threads.setStatus", Object.fromEntries(body))).toMatchObject({ ok: false, error });
  });
});

describe("a session", () => {
  it("takes its title with its first status only, and a new one by renaming", async () => {
    await call("agents.sessions.setStatus", { ...place(), status: "processing", title: "Sales" });
    await call("agents.sessions.setStatus", { ...place(), status: "active", title: "Other" });
    expect(slack.world.sessionTitles.get(`C0GENERAL/${thread}`)).toBe("Sales");

    await call("agents.sessions.rename", { ...place(), title: "Sales in May" });
    expect(slack.world.sessionTitles.get(`C0GENERAL/${thread}`)).toBe("Sales in May");
  });

  it.each([
    ["invalid_status", "agents.sessions.setStatus", { status: "busy" }],
    ["thread_not_found", "agents.sessions.setStatus", { status: "active", thread_ts: "1.1" }],
    ["invalid_arguments", "agents.sessions.setStatus", { status: "active", title: "x".repeat(201) }],
    ["session_not_found", "agents.sessions.rename", { title: "Sales" }],
    ["invalid_arguments", "agents.sessions.rename", { title: "x".repeat(201) }],
  ])("is refused with %s (%s)", async (error, method, body) => {
    expect(await call(method, { ...place(), ...body })).toMatchObject({ ok: false, error });
  });

  it("is refused where the app has no agent view", async () => {
    slack.world.hasAgentView = false;

    expect(await call("agents.sessions.setStatus", { ...place(), status: "active" })).toMatchObject({
      error: "not_allowed",
    });
    expect(await call("agents.sessions.rename", { ...place(), title: "Sales" })).toMatchObject({
      error: "feature_disabled",
    });
  });
});

describe("blocks.validate", () => {
  it("knows what this workspace has not got, with reasons and pointers", async () => {
    const divider = { type: "divider" };
    expect(await call("blocks.validate", { blocks: [divider] })).toEqual({ ok: true });

    const refused = await call("blocks.validate", { message: { blocks: [divider, { type: "data_table" }] } });

    const says = "unsupported type: data_table [json-pointer:/blocks/1/type]";
    const messages = [`[ERROR] ${says}`];
    expect(refused).toEqual({
      ok: false,
      error: "invalid_message",
      errors: [{ pointer: "/1/type", code: "failed_constraint", message: "unsupported type: data_table" }],
      response_metadata: { messages },
    });
  });

  it("takes one thing at a time", async () => {
    expect(await call("blocks.validate", { blocks: [], message: {} })).toMatchObject({ error: "invalid_arguments" });
  });
});
