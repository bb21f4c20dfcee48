import { describe, expect, it } from "vitest";
import type { ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import { until, untilAdvanced } from "../../doubles/until.ts";
import { serve } from "../open-service.ts";
import { json } from "../real-server.ts";
import { backupAnswer, openClient, openCowork, read } from "./open-responses.ts";

const asked = (turnId: string, question: string): ServiceMessage => ({ turnId, question, answer: "" });
const answered = (turnId: string, question: string, answer: string): ServiceMessage => ({ turnId, question, answer });

describe("a conversation of cowork-server", () => {
  it("is continued while it holds the same Turns as the history", async () => {
    const { server, service } = await openCowork();
    const first = await read(service.ask("general", "anton", [asked("a", "When?")]));
    const thread = first.last("thread")?.thread;
    const messages = [answered("a", "When?", backupAnswer), asked("b", "history please")];
    const second = await read(service.ask("general", "anton", messages, { thread: thread ?? {} }));

    expect(thread).toMatchObject({ turns: "a" });
    expect(second.answer()).toBe(`Earlier: When? / ${backupAnswer}`);
    expect(second.last("thread")?.thread).toEqual({ ...thread, turns: "a b" });
    expect(server.conversations()).toHaveLength(1);
  });

  it("gets what other agents answered in between as text", async () => {
    const { server, service } = await openCowork();
    const { last } = await read(service.ask("general", "anton", [asked("a", "When?")]));
    const messages = [answered("a", "When?", backupAnswer), answered("x", "Who?", "Ada."), asked("b", "Why?")];
    await read(service.ask("general", "anton", messages, { thread: last("thread")?.thread ?? {} }));

    expect(server.calls.at(-1)?.body["input"]).toBe(
      "Earlier in this conversation:\n\nQuestion: Who?\nAnswer: Ada.\n\nThe question now:\nWhy?",
    );
    expect(server.conversations()).toHaveLength(1);
  });

  it.each([
    ["was edited", [answered("a", "When?", backupAnswer), asked("b", "history please")], "a b"],
    ["was forgotten", [asked("c", "history please")], "a b"],
    ["was forgotten in part", [answered("b", "Where?", "Here."), asked("c", "history please")], "a b"],
    ["has Turns without ids", [{ question: "When?", answer: "At two." }, asked("b", "history please")], "a"],
  ])(
    "is replaced by a new one with the history as text, and deleted, when the history %s",
    async (_what, messages, turns) => {
      const { server, service } = await openCowork();
      const first = await read(service.ask("general", "anton", [asked("a", "When?")]));
      const old = first.last("thread")?.thread["conversation"] ?? "";
      const second = await read(service.ask("general", "anton", messages, { thread: { conversation: old, turns } }));

      const fresh = second.last("thread")?.thread["conversation"] ?? "";
      expect(second.answer()).toMatch(/^Earlier: /);
      expect(fresh).not.toBe(old);
      expect(server.texts(fresh)).toHaveLength(2);
      const input = String(server.calls.findLast(({ path }) => path === "/api/v1/responses/")?.body["input"]);
      for (const { question, answer } of messages) {
        expect(input).toContain(question);
        expect(input).toContain(answer);
      }
      await until("the old conversation is deleted", () => !server.conversations().includes(old));
    },
  );

  it("is replaced when the server has forgotten it", async () => {
    const { server, service } = await openCowork();
    const thread = { conversation: "00000000-0000-0000-0000-000000000001", turns: "a" };
    const messages = [answered("a", "When?", "At two."), asked("b", "Why?")];
    const { last } = await read(service.ask("general", "anton", messages, { thread }));

    expect(last("thread")?.thread["conversation"]).not.toBe(thread.conversation);
    expect(server.calls.at(-1)?.body["input"]).toContain("At two.");
  });

  it("never gets a second run while one is under way", async () => {
    const { server, service } = await openCowork({ wordMs: 1 });
    const first = await read(service.ask("general", "anton", [asked("a", "When?")]));
    const thread = first.last("thread")?.thread ?? {};
    const messages = [answered("a", "When?", backupAnswer), asked("b", "hang")];
    await read(service.ask("general", "anton", messages, { thread }), ({ type }) => type === "answer-delta");
    expect(server.running()).toBe(1);

    const again = await read(service.ask("general", "anton", messages.with(1, asked("b", "Why?")), { thread }));

    expect(again.answer()).toBe(backupAnswer);
    expect(server.lost).toEqual([]);
    await until("the run that nobody follows is stopped", () => server.running() === 0);
  });

  it("is deleted when people forget it, and a second time is fine", async () => {
    const { server, service } = await openCowork();
    const { last } = await read(service.ask("general", "anton", [asked("a", "When?")]));
    const thread = last("thread")?.thread ?? {};
    await service.forgetThread?.(thread);
    await service.forgetThread?.(thread);

    expect(server.conversations()).toEqual([]);
  });

  it("begins in the project of the agent, and not in one that is another service's default", async () => {
    const { server, service } = await openCowork({ projects: ["general", "sales"] });
    await read(service.ask("sales", "anton", [asked("a", "When?")]));
    await read(service.ask("mindsdb", "anton", [asked("a", "When?")]));
    const missing = await read(service.ask("nowhere", "anton", [asked("a", "When?")]));

    const projects = server.calls.filter(({ method }) => method === "POST").map(({ body }) => body["project"]);
    expect(projects).toEqual(["sales", undefined, "nowhere"]);
    expect(missing.error?.code).toBe("project_not_found");
  });
});

describe("a run of cowork-server", () => {
  it("is cancelled by its handle; a second time it was over, and an unknown one is unknown", async () => {
    const { server, service } = await openCowork({ wordMs: 1 });
    const { last } = await read(
      service.ask("general", "anton", [asked("a", "slow")]),
      ({ type }) => type === "answer-delta",
    );
    const run = last("run")?.run ?? {};

    expect(server.running()).toBe(1);
    expect(await service.cancel?.(run)).toBe("cancelled");
    expect(server.running()).toBe(0);
    expect(await service.cancel?.(run)).toBe("over");
    expect(await service.cancel?.({ conversation: "nope", response: "x" })).toBe("unknown");
  });

  it.each(["while it continues", "after its end"])("is read on %s, from its beginning", async (when) => {
    const { server, service } = await openCowork({ wordMs: 1 });
    const messages = [asked("a", "slow, tool scratchpad 6*7")];
    const first = await read(service.ask("general", "anton", messages), ({ type }) => type === "answer-delta");
    if (when === "after its end") await until("the run ends", () => server.running() === 0);
    const resumed = await read(service.ask("general", "anton", messages, { resume: first.last("run")?.run ?? {} }));

    expect(resumed.answer()).toMatch(/^word0 word1 .* word59$/);
    expect(resumed.last("step-finished")).toMatchObject({ observation: "42" });
    expect(resumed.last("run")?.run).toEqual(first.last("run")?.run);
    expect(resumed.events[0]?.type).toBe("started");
    expect(server.calls.filter(({ path }) => path === "/api/v1/responses/")).toHaveLength(1);
  });

  it.each([
    ["the server doesn't know", { conversation: "00000000-0000-0000-0000-000000000009", response: "resp-9" }],
    ["is not the conversation's newest", { response: "resp-of-another-run" }],
  ])("is asked anew if it is one that %s", async (_what, handle) => {
    const { server, service } = await openCowork();
    const first = await read(service.ask("general", "anton", [asked("a", "When?")]));
    const run = { ...first.last("run")?.run, ...handle };
    const thread = first.last("thread")?.thread ?? {};
    const again = await read(service.ask("general", "anton", [asked("b", "history")], { resume: run, thread }));

    expect(again.answer()).toBe("Earlier: ");
    expect(again.events.filter(({ type }) => type === "started")).toHaveLength(1);
    expect(server.lost).toEqual([]);
  });

  it("is asked anew in a new conversation after the server restarted in the middle", async () => {
    const { server, service } = await openCowork({ wordMs: 1 });
    const messages = [asked("a", "slow")];
    const first = await read(service.ask("general", "anton", messages), ({ type }) => type === "answer-delta");
    server.restart();
    const { run } = first.last("run") ?? { run: {} };
    const thread = first.last("thread")?.thread ?? {};
    const again = await read(service.ask("general", "anton", messages, { resume: run, thread }));

    expect(again.answer()).toMatch(/word59$/);
    expect(again.last("thread")?.thread["conversation"]).not.toBe(thread["conversation"]);
    expect(server.lost).toEqual([]);
  });

  it("is read on automatically when the connection breaks in the middle, with nothing twice", async () => {
    const { server, service } = await openCowork({ wordMs: 2 });
    let hasDropped = false;
    const seen = await read(service.ask("general", "anton", [asked("a", "slow")]), (event) => {
      if (!hasDropped && event.type === "answer-delta" && event.text.startsWith("word5")) {
        hasDropped = true;
        server.dropConnections();
      }
      return false;
    });

    expect(seen.error).toBeUndefined();
    expect(seen.answer()).toBe(Array.from({ length: 60 }, (_, at) => `word${at}`).join(" "));
    expect(seen.events.at(-1)?.type).toBe("ended");
    expect(server.calls.some(({ path }) => path.includes("/tail"))).toBe(true);
  });

  it("loses nothing when the connection breaks in the middle of an event", async () => {
    const id = "25d1e76c-3e15-4a54-9344-271d493c1203";
    const event = (type: string, more: object) => `data: ${JSON.stringify({ type, ...more })}\n\n`;
    const piece = (text: string) => event("response.output_text.delta", { item_id: "m", delta: text });
    const output = [{ type: "message", id: "m", content: [{ type: "output_text", text: "At two, every night." }] }];
    const server = await serve((asked, response) => {
      if (asked.path === "/health/") return json(response, 200, { mode: "anton" });
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (asked.method === "POST") {
        const created = event("response.created", { response: { id: "r" }, conversation_id: id });
        response.write(created + piece("At ") + piece("two, ").slice(0, 40), () => response.destroy());
      } else
        response.end(piece("two, ") + piece("every night.") + event("response.completed", { response: { output } }));
    });
    const found = { generation: "cowork", version: "" } as const;
    const { service } = openClient({ baseUrl: server.url, server: found });
    const seen = await read(service.ask("general", "anton", [asked("a", "When?")]));

    expect(seen.error).toBeUndefined();
    expect(seen.events.filter(({ type }) => type === "answer")).toEqual([]);
    expect(seen.answer()).toBe("At two, every night.");
    expect(server.asked.at(-1)?.path).toBe(`/responses/tail?conversation_id=${id}&from_seq=2`);
  });

  it("that is silent for too long is cancelled, because leaving it wouldn't stop it", async () => {
    const { server, service, clock } = await openCowork();
    const events = service.ask("general", "anton", [asked("a", "hang")])[Symbol.asyncIterator]();
    while ((await events.next()).value?.type !== "answer-delta");
    const rest = read({ [Symbol.asyncIterator]: () => events });
    await untilAdvanced(clock, "the run is cancelled", () => server.running() === 0, 10_000);

    expect((await rest).error?.code).toBe("stream_silent");
  });

  it("is cut if the server restarts in the middle and has lost it", async () => {
    const { server, service } = await openCowork({ wordMs: 2 });
    let hasRestarted = false;
    const seen = await read(service.ask("general", "anton", [asked("a", "slow")]), (event) => {
      if (!hasRestarted && event.type === "answer-delta") {
        hasRestarted = true;
        server.restart();
      }
      return false;
    });

    expect(seen.error?.code).toBe("stream_cut");
  });

  it("that fails says why, and shows what it had said once", async () => {
    const { service } = await openCowork();
    const seen = await read(service.ask("general", "anton", [asked("a", "fail mid")]));

    expect(seen.answer()).toBe("The backup runs ");
    expect(seen.last("failed")?.error.code).toBe("model_unavailable");
  });

  it("whose completed answer is really an error has failed", async () => {
    const { service } = await openCowork();
    for (const [words, code] of [
      ["rate limit", "model_unavailable"],
      ["bad key", "model_unavailable"],
      ["too long", "question_too_long"],
      ["drop", "model_unavailable"],
    ] as const) {
      const seen = await read(service.ask("general", "anton", [asked("a", words)]));

      expect([words, seen.last("failed")?.error.code]).toEqual([words, code]);
      expect(seen.events.filter(({ type }) => type.startsWith("answer"))).toEqual([]);
    }
  });

  it("gives tools their results, and the text after the last tool as the answer", async () => {
    const { service } = await openCowork();
    const seen = await read(service.ask("general", "anton", [asked("a", "say first, tool scratchpad 1/0")]));

    expect(seen.answer()).toBe(backupAnswer);
    expect(seen.last("reasoning")?.text).toBe("I will look that up.");
    expect(seen.last("step-finished")).toMatchObject({
      tool: "scratchpad",
      outcome: { kind: "failed" },
      observation: "ZeroDivisionError",
    });
  });
});

describe("cowork-server", () => {
  it("has one agent, named by its health, and its own projects", async () => {
    const { service } = await openCowork({ projects: ["general", "sales"] });

    expect(await service.listProjects()).toEqual(["general", "sales"]);
    expect(await service.listAgents("general")).toMatchObject([{ name: "anton", project: "general" }]);
    await expect(service.getAgent("general", "other")).rejects.toMatchObject({ code: "agent_not_found" });
    const unknown = await read(service.ask("general", "other", [asked("a", "When?")]));
    expect(unknown.error?.code).toBe("agent_not_found");
    expect(await service.status()).toMatchObject({
      ...{ generation: "cowork", version: "2.26.8.2.1", maxRuns: 4, closeStopsRun: false },
      ...{ cancels: true, resumes: true, offers: ["projects"] },
    });
  });

  it("that has no model yet is logged once", async () => {
    const { service, lines } = await openCowork({ configError: "Select a model for OpenAI-compatible." });
    await service.status();
    await service.status();

    expect(lines.filter((line) => line.includes("Select a model"))).toHaveLength(1);
  });

  it("that is not configured never has its key in the log, however it says so", async () => {
    const key = "planted-key-0123456789";
    const configError = `${"Check the settings. ".repeat(9)}The key is ${key}, and it is refused.`;
    const { service, lines } = await openCowork({ key, configError });
    await service.status();

    expect(lines.filter((line) => line.includes("Check the settings"))).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("planted");
  });

  it("that wants a key refuses a wrong one, and nothing is asked twice", async () => {
    const { server, service } = await openCowork({ key: "right" });
    const fine = await read(service.ask("general", "anton", [asked("a", "When?")]));
    expect(fine.answer()).toBe(backupAnswer);

    const found = { generation: "cowork", version: "" } as const;
    const wrong = openClient({ baseUrl: server.api, server: found, token: "wrong-key-0123456789" });
    const posts = () => server.calls.filter(({ method }) => method === "POST").length;
    const before = posts();
    const seen = await read(wrong.service.ask("general", "anton", [asked("a", "When?")]));

    expect(seen.error?.code).toBe("not_authorised");
    expect(posts()).toBe(before + 1);
  });

  it("answers a question alone in a conversation that is deleted afterwards", async () => {
    const { server, service } = await openCowork();

    expect(await service.askPlain("general", "anton", [asked("a", "When?")])).toBe(backupAnswer);
    await until("no conversation is left", () => server.conversations().length === 0);
  });
});
