import { afterEach, describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { answered } from "../documents.ts";
import { event, requestsTo } from "../requests.ts";
import { none, type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());
const { read, list, send } = requestsTo(() => scripted);

describe("a message", () => {
  it("becomes an event that is addressed to Parley, and opens a thread", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "How do I\nconnect Slack?" });

    const answer = await send("POST", "/api/messages", request);

    expect(answer).toEqual({ status: 202, body: { thread: request.id } });
    expect(scripted.inbounds).toMatchObject([
      {
        kind: "message",
        eventKey: `console/local/general/${request.id}/${request.id}`,
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
    });
  });

  it.each([
    ["@Parley help", "help", true],
    ["@parley, how long?", "how long?", true],
    ["@Parleyson, how long?", "@Parleyson, how long?", false],
    ["ask @Parley", "ask @Parley", false],
  ])("is understood with a mention that people write from habit: %s", async (text, understood, mentionsParley) => {
    scripted = await startScriptedConsole();
    const request = event({ text });

    await send("POST", "/api/messages", request);

    expect(scripted.inbounds).toMatchObject([{ text: understood, mentionsParley }]);
    expect(await read(request.id)).toMatchObject([{ text }]);
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

    expect(answer).toMatchObject({ status, body: { error: { code, what: expect.stringMatching(/[.?]$/) } } });
    expect(scripted.inbounds).toEqual([]);
  });

  it("is refused when it isn't JSON, or isn't sent as JSON", async () => {
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

  it("is handed on also after intake was stopped, to be journaled for the next start", async () => {
    scripted = await startScriptedConsole();
    await scripted.console.stopIntake();

    const answer = await send("POST", "/api/messages", event({ text: "Hello" }));

    expect(answer.status).toBe(202);
    expect(scripted.console.health().isConnected).toBe(false);
    expect(scripted.inbounds).toHaveLength(1);
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
      eventKey: `console/local/general/${request.id}/${edit.id}`,
      questionKey: `console/local/general/${request.id}/${request.id}`,
      text: "What?",
    });
    expect(await read(request.id)).toMatchObject([{ text: "What?", isEdited: true, revision: 2 }]);
  });

  it("names its question when it is deleted, and is deleted with its conversation", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "Never mind" });
    await send("POST", "/api/messages", request);

    const answer = await send("DELETE", "/api/messages", event({ thread: request.id, messageId: request.id }));

    expect(answer.status).toBe(202);
    expect(scripted.inbounds[1]).toMatchObject({
      kind: "message-deleted",
      questionKey: `console/local/general/${request.id}/${request.id}`,
    });
    expect(await read(request.id)).toEqual([]);
    expect((await list()).conversations).toEqual([]);
  });

  it("stays when its deletion was refused", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound) => (inbound.kind === "message" ? inbound.ack(none) : undefined),
    });
    const request = event({ text: "Still here" });
    await send("POST", "/api/messages", request);

    const answer = await send("DELETE", "/api/messages", event({ thread: request.id, messageId: request.id }));

    expect(answer.status).toBe(503);
    expect(await read(request.id)).toHaveLength(1);
  });

  it("from Parley can't be edited or deleted", async () => {
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
