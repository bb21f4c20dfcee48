import { afterEach, describe, expect, it } from "vitest";
import type { Form } from "../../src/core/document.ts";
import type { Place } from "../../src/core/model/place.ts";
import { infoDocument } from "../../src/presentation/drawing.ts";
import { answered, steps } from "./documents.ts";
import { event, requestsTo } from "./requests.ts";
import { none, type ScriptedConsole, startScriptedConsole } from "./scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());
const { get, read, list, send, events } = requestsTo(() => scripted);

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

    expect(commands).toContainEqual(expect.objectContaining({ name: "/agent use", group: "agent" }));
    expect(names.map((choice: { value: string }) => choice.value)).toEqual(["sales", "support_agent"]);
    expect(unknown).toEqual([]);
  });
});

describe("an empty conversation", () => {
  it("shows who answers in its own channel", async () => {
    const firstView = async (_actor: unknown, { channel }: Place) => infoDocument(`${channel} is answered.`);
    scripted = await startScriptedConsole({ firstView });

    const shown = await get("/api/channels/random/first-view");
    const unknown = await fetch(`${scripted.url}/api/channels/nowhere/first-view`);

    expect(shown.summary).toBe("random is answered.");
    expect(unknown.status).toBe(404);
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

  it("holds its private answer for a tab that is disconnected for a moment", async () => {
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
