import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Inbound } from "../../src/bridge/ports/chat-platform.ts";
import type { Form } from "../../src/presentation/document.ts";
import { answered, steps } from "./documents.ts";
import { none, type ScriptedConsole, startScriptedConsole } from "./scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());

const event = (more: object) => ({ id: randomUUID(), tab: "tab-1", channel: "general", ...more });

async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(scripted.url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const get = async (path: string) => JSON.parse(await (await fetch(scripted.url + path)).text());
const read = async (thread: string) => (await get(`/api/conversations/general/${thread}`)).messages;
const list = () => get("/api/conversations");

/** Events of one tab's stream, until `isEnough`. */
async function events(
  tab: string,
  isEnough: (received: string) => boolean,
  act: () => Promise<unknown> = async () => {},
) {
  const stop = new AbortController();
  const response = await fetch(`${scripted.url}/api/events?tab=${tab}`, { signal: stop.signal });
  let received = "";
  let hasActed = false;
  for await (const chunk of response.body ?? []) {
    received += Buffer.from(chunk).toString();
    if (!hasActed && received.includes("event: hello")) {
      hasActed = true;
      await act();
    }
    if (isEnough(received)) break;
  }
  stop.abort();
  return received;
}

describe("a message", () => {
  it("becomes an event that only Parley can be meant by, and opens a thread", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "How do I\nconnect Slack?" });

    const answer = await send("POST", "/api/messages", request);

    expect(answer).toEqual({ status: 202, body: { thread: request.id } });
    expect(scripted.inbounds).toMatchObject([
      {
        kind: "message",
        eventKey: `console/local/${request.id}`,
        place: { platform: "console", workspace: "local", channel: "general", thread: request.id },
        conversation: { thread: request.id },
        actor: { id: "you", isAdmin: true, isBot: false },
        messageId: request.id,
        text: "How do I\nconnect Slack?",
        isDirect: true,
      },
    ]);
    expect(await read(request.id)).toMatchObject([{ id: request.id, author: "you", text: "How do I\nconnect Slack?" }]);
    expect(await list()).toMatchObject({
      conversations: [{ thread: request.id, title: "How do I connect Slack?" }],
      total: 1,
    });
  });

  it("is the same event, in the same place, when it is sent again", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "Once" });

    await send("POST", "/api/messages", request);
    await send("POST", "/api/messages", event({ thread: request.id, text: "Between" }));
    await send("POST", "/api/messages", request);

    const [first, , again] = scripted.inbounds;
    expect(again?.eventKey).toBe(first?.eventKey);
    expect(again?.order).toBe(first?.order);
    expect(await read(request.id)).toHaveLength(2);
  });

  it("has an order that grows", async () => {
    scripted = await startScriptedConsole();

    for (let count = 0; count < 5; count += 1)
      await send("POST", "/api/messages", event({ text: `Question ${count}` }));

    const orders = scripted.inbounds.map((inbound) => inbound.order);
    expect(orders).toEqual([...orders].sort());
    expect(new Set(orders).size).toBe(5);
  });

  it("is handed on whole at 100 kB, and beyond the limit too, so that the bridge can say so", async () => {
    scripted = await startScriptedConsole();
    const text = "ü".repeat(130_000);

    const answer = await send("POST", "/api/messages", event({ text }));

    expect(answer.status).toBe(202);
    expect(scripted.inbounds[0]).toMatchObject({ text });
  });

  it.each([
    ["is empty", { text: " \n " }, 422, "question_empty"],
    ["is for a channel that does not exist", { text: "Hello", channel: "secret" }, 404, "place_gone"],
    ["has an id that could leave its place", { text: "Hello", id: "../../x" }, 400, "command_invalid"],
    ["has no text", {}, 400, "command_invalid"],
    ["is larger than any question", { text: "x".repeat(2_100_000) }, 413, "question_too_long"],
  ])("is refused with a sentence when it %s", async (_, more, status, code) => {
    scripted = await startScriptedConsole();

    const answer = await send("POST", "/api/messages", event(more));

    expect(answer).toMatchObject({ status, body: { error: { code, what: expect.stringMatching(/\.$/) } } });
    expect(scripted.inbounds).toEqual([]);
  });

  it("is refused when it is no JSON, or not sent as JSON", async () => {
    scripted = await startScriptedConsole();

    const broken = await send("POST", "/api/messages", "{");
    const form = await send("POST", "/api/messages", event({ text: "Hello" }), { "content-type": "text/plain" });

    expect([broken.status, form.status]).toEqual([400, 415]);
  });

  it.each<[string, (inbound: Inbound) => Promise<void>]>([
    ["nothing acknowledged it", async () => {}],
    ["the bridge failed", async () => Promise.reject(new Error("broken"))],
  ])("is answered 503 when %s, so that the page sends it again", async (_, script) => {
    scripted = await startScriptedConsole({ script });

    const answer = await send("POST", "/api/messages", event({ text: "Hello" }));

    expect(answer).toMatchObject({ status: 503, body: { error: { code: "state_unavailable" } } });
  });

  it("is answered 503 after intake was stopped", async () => {
    scripted = await startScriptedConsole();
    await scripted.console.stopIntake();

    const answer = await send("POST", "/api/messages", event({ text: "Hello" }));

    expect(answer.status).toBe(503);
    expect(scripted.console.health().isConnected).toBe(false);
    expect(scripted.inbounds).toEqual([]);
  });

  it("names its question when it is edited, and changes in place", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "Waht?" });
    await send("POST", "/api/messages", request);

    const edit = event({ thread: request.id, messageId: request.id, text: "What?" });
    const answer = await send("PUT", "/api/messages", edit);

    expect(answer.status).toBe(202);
    expect(scripted.inbounds[1]).toMatchObject({
      kind: "message-edited",
      eventKey: `console/local/${edit.id}`,
      questionKey: `console/local/${request.id}`,
      text: "What?",
    });
    expect(await read(request.id)).toMatchObject([{ text: "What?", isEdited: true, revision: 2 }]);
  });

  it("names its question when it is deleted, and is gone with its conversation", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "Never mind" });
    await send("POST", "/api/messages", request);

    const answer = await send("DELETE", "/api/messages", event({ thread: request.id, messageId: request.id }));

    expect(answer.status).toBe(202);
    expect(scripted.inbounds[1]).toMatchObject({ kind: "message-deleted", questionKey: `console/local/${request.id}` });
    expect(await read(request.id)).toEqual([]);
    expect((await list()).conversations).toEqual([]);
  });

  it("stays when its deletion was not taken", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound) => (inbound.kind === "message" ? inbound.ack(none) : undefined),
    });
    const request = event({ text: "Still here" });
    await send("POST", "/api/messages", request);

    const answer = await send("DELETE", "/api/messages", event({ thread: request.id, messageId: request.id }));

    expect(answer.status).toBe(503);
    expect(await read(request.id)).toHaveLength(1);
  });

  it("of Parley's cannot be edited or deleted", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound, { show }) => {
        await show(inbound.place, "t1", answered);
        await inbound.ack(none);
      },
    });
    const request = event({ text: "Hello" });
    await send("POST", "/api/messages", request);

    const edited = await send("PUT", "/api/messages", event({ thread: request.id, messageId: "t1.0", text: "Mine" }));
    const deleted = await send("DELETE", "/api/messages", event({ thread: request.id, messageId: "t1.0" }));

    expect([edited.status, deleted.status]).toEqual([404, 403]);
  });
});

describe("a command", () => {
  const form: Form = { id: "agent create", title: "Create", submitLabel: "Create", fields: [], context: "c" };

  it("is what begins with a slash, and no message", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: " /agent list " });

    await send("POST", "/api/messages", request);

    expect(scripted.inbounds).toMatchObject([{ kind: "command", input: { kind: "typed", text: "/agent list" } }]);
    expect(await read(request.id)).toEqual([]);
    expect((await list()).conversations).toEqual([]);
  });

  it("names the conversation that its public answer opens", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound) => {
        await inbound.ack({ kind: "defer" });
        await inbound.reply.send(answered, "public");
        await inbound.reply.send(steps, "public");
      },
    });
    const request = event({ text: "/ask How many?" });

    await send("POST", "/api/messages", request);

    await expect.poll(async () => (await list()).conversations).toMatchObject([{ title: "How many?" }]);
    await expect.poll(() => read(request.id)).toMatchObject([{ author: "parley", payload: { summary: "2 steps" } }]);
  });

  it("answers with a form, whose errors come back to it", async () => {
    scripted = await startScriptedConsole({
      script: (inbound) =>
        inbound.ack(
          inbound.kind === "form" ? { kind: "form-errors", errors: { name: "Taken." } } : { kind: "form", form },
        ),
    });

    const opened = await send("POST", "/api/messages", event({ text: "/agent create" }));
    const thread = opened.body.thread;
    const values = { name: "x", tables: ["a", "b"] };
    const submitted = await send("POST", "/api/forms", event({ thread, formId: form.id, context: "c", values }));

    expect(opened).toMatchObject({ status: 200, body: { form } });
    expect(scripted.inbounds[1]).toMatchObject({
      kind: "form",
      formId: "agent create",
      values,
      context: "c",
      conversation: { thread },
    });
    expect(submitted).toEqual({ status: 422, body: { errors: { name: "Taken." } } });
  });

  it("is known to the page, and its names complete", async () => {
    scripted = await startScriptedConsole();

    const commands = await get("/api/commands");
    const names = await get("/api/complete?completes=agent&typed=s&channel=general");
    const unknown = await (
      await fetch(`${scripted.url}/api/complete?completes=password&typed=s&channel=general`)
    ).json();

    expect(commands).toContainEqual(expect.objectContaining({ name: "/agent use" }));
    expect(names.map((choice: { value: string }) => choice.value)).toEqual(["sales", "support_agent"]);
    expect(unknown).toEqual([]);
  });
});

describe("a button", () => {
  it("is handed on with its value and its message", async () => {
    scripted = await startScriptedConsole();

    const answer = await send(
      "POST",
      "/api/actions",
      event({ thread: "x", action: "stop", value: "t1", messageId: "t1.0" }),
    );

    expect(answer.status).toBe(202);
    expect(scripted.inbounds).toMatchObject([
      { kind: "action", action: "stop", value: "t1", messageId: "t1.0", place: { thread: "x" } },
    ]);
  });

  it("is answered privately in the tab that pressed it, and nowhere else", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound, { show }) => {
        await inbound.ack(none);
        await inbound.reply.send(steps, "private");
        await show(inbound.place, "t9", answered);
      },
    });
    const pressed = event({ thread: "x", action: "steps", value: "t1", messageId: "t1.0" });
    const isOver = (received: string) => received.includes('"t9.0"');

    const [own, other] = await Promise.all([
      events("tab-1", isOver, () => send("POST", "/api/actions", pressed)),
      events("tab-2", isOver),
    ]);

    expect(own).toContain('"anchor":"t1.0"');
    expect(own).toContain("event: note");
    expect(other).not.toContain("event: note");
    expect(await read("x")).toMatchObject([{ id: "t9.0" }]);
  });

  it("leaves its private answer waiting for a tab that is away for a moment", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound) => {
        await inbound.ack(none);
        await inbound.reply.send(steps, "private");
      },
    });
    await send("POST", "/api/actions", event({ thread: "x", action: "steps", value: "t1" }));

    const received = await events("tab-1", (text) => text.includes("event: note"));

    expect(received).toContain("2 steps");
  });
});

describe("the page's files", () => {
  it("are all there, together under 300 kB, and cost nothing when they have not changed", async () => {
    scripted = await startScriptedConsole();
    const html = await (await fetch(scripted.url)).text();
    const found = new Set([
      "/",
      ...[...html.matchAll(/(?:src|href)="(\/(?:page|vendor)\/[^"]+)"/g)].map((match) => match[1] ?? ""),
    ]);
    let totalBytes = 0;

    for (const path of found) {
      const response = await fetch(scripted.url + path);
      const text = await response.text();
      const again = await fetch(scripted.url + path, {
        headers: { "if-none-match": response.headers.get("etag") ?? "" },
      });
      expect([path, response.status, again.status]).toEqual([path, 200, 304]);
      totalBytes += Buffer.byteLength(text);
      for (const [, name] of text.matchAll(/from "(?:\.|\/vendor)\/([\w.]+)"/g)) {
        found.add(name === "marked.js" ? "/vendor/marked.js" : `/page/${name}`);
      }
    }

    expect(found).toContain("/page/markdown.js");
    expect(totalBytes).toBeLessThan(300_000);
  });

  it("hold nothing from elsewhere, and no script or style inside the page", async () => {
    scripted = await startScriptedConsole();

    const html = await (await fetch(scripted.url)).text();

    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/<style|style="|<script>|\son\w+="/);
  });

  it.each([
    "/docs/../package.json",
    "/docs/%2e%2e%2fpackage.json",
    "/docs/package.json",
    "/page/..%2findex.ts",
    "/docs/nothing.md",
  ])("do not include %s", async (path) => {
    scripted = await startScriptedConsole();

    expect((await fetch(scripted.url + path)).status).toBe(404);
  });
});
