import { afterEach, describe, expect, it } from "vitest";
import { createChatService } from "../../../src/agent-service/chat/request.ts";
import type { DialectOptions } from "../../../src/agent-service/dialect.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until, untilAdvanced } from "../../doubles/until.ts";
import { type ModelServerOptions, startModelServer } from "../../fakes/model-server/index.ts";
import { failure, serve } from "../open-service.ts";
import { json } from "../real-server.ts";
import { answerOf } from "./decoding.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(options: ModelServerOptions = {}, more: Partial<DialectOptions> = {}) {
  const server = await startModelServer({ slowMs: 1, pauseMs: 1, ...options });
  closers.push(server.close);
  const clock = createFakeClock();
  const token = { token: server.key };
  const service = createChatService({ baseUrl: server.url, ...token, clock, log: silentLog, ...more });
  closers.push(service.close);
  const model = options.as === "litellm" ? "support" : "fake-chat";
  const ask = (question: string, signal?: AbortSignal) =>
    collect(service.ask("mindsdb", model, [{ question, answer: "" }], signal && { signal }));
  return { server, service, clock, ask, model };
}

async function collect(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const usual = "The backup runs every night at two o'clock and keeps thirty copies.";

describe.each(["openai", "litellm"] as const)("a run of Chat Completions at %s", (as) => {
  it("streams the answer", async () => {
    const { ask } = await open({ as });
    const events = await ask("When does the backup run?");

    expect(events[0]).toEqual({ type: "started" });
    expect(events.filter(({ type }) => type === "answer-delta")).toHaveLength(12);
    expect(answerOf(events)).toBe(usual);
    expect(events.at(-1)).toEqual({ type: "ended" });
  });

  it("tells the model what was said before, in alternating roles", async () => {
    const { service, server, model } = await open({ as });
    const said = [
      { question: "First?", answer: "One." },
      { question: "Lost?", answer: "" },
      { question: "history: and now?", answer: "" },
    ];

    const events = await collect(service.ask("mindsdb", model, said));

    expect(answerOf(events)).toBe("Earlier: First? / One.");
    expect(server.calls.at(-1)?.body["messages"]).toEqual([
      { role: "user", content: "First?" },
      { role: "assistant", content: "One." },
      { role: "user", content: "Lost?\n\nhistory: and now?" },
    ]);
  });

  it("sends no half of a character: a server can refuse the whole request for it", async () => {
    const { ask, server } = await open({ as });

    await ask("When does the backup run \ud83d?");

    expect(server.calls.at(-1)?.body["messages"]).toEqual([
      { role: "user", content: "When does the backup run \ufffd?" },
    ]);
  });

  it.each([
    ["bad key", as === "openai" ? "not_authorised" : "model_unavailable"],
    ["too long", "question_too_long"],
    ["fail", as === "openai" ? "service_failed" : "model_unavailable"],
    ["drop", as === "openai" ? "service_unreachable" : "model_unavailable"],
  ])("refused with '%s' is %s, without a second request", async (words, code) => {
    const { ask, server } = await open({ as });

    expect((await failure(ask(words))).code).toBe(code);
    expect(server.calls).toHaveLength(1);
  });

  it("keeps how long the model asks to wait after it was waited for twice", async () => {
    const { ask, clock, server } = await open({ as });
    const refused = failure(ask("rate limit"));
    await untilAdvanced(clock, "three requests", () => server.calls.length === 3, 1_000);

    expect(await refused).toMatchObject({ code: "service_busy", retryAfterMs: 7_000 });
  });

  it("ends as failed with an error in the middle, keeping what was said", async () => {
    const { ask } = await open({ as });
    const events = await ask("fail mid");

    expect(answerOf(events)).toBe("The backup runs ");
    expect(events.at(-2)).toMatchObject({ type: "failed" });
    expect(events.at(-1)).toEqual({ type: "ended" });
  });

  it("marks what was cut short or filtered", async () => {
    const { ask } = await open({ as });

    expect(await ask("cut short")).toContainEqual({ type: "answer", text: "The backup runs every", cut: "length" });
    expect(await ask("filter")).toContainEqual({ type: "answer", text: "The backup runs", cut: "filter" });
  });

  it("names sources, thoughts and tools", async () => {
    const { ask } = await open({ as });
    const events = await ask("cite think");

    expect(events.find(({ type }) => type === "reasoning")).toMatchObject({ text: /The person asks/ });
    expect(events.at(-2)).toMatchObject({ sources: [{ title: "Backups" }, { title: "Copies" }] });
    expect(await ask("use tool")).toContainEqual(expect.objectContaining({ type: "failed" }));
  });

  it("tells the tokens that it took", async () => {
    const { ask } = await open({ as });
    const events = await ask("When does the backup run?");

    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", tokens: { input: 20, output: 12 } },
    ]);
  });

  it("stops at the service when nobody reads it", async () => {
    const { service, server, model } = await open({ as });
    for await (const event of service.ask("mindsdb", model, [{ question: "hang", answer: "" }])) {
      if (event.type === "answer-delta") break;
    }

    await until("the service's notice", () => server.calls[0]?.state === "left");
  });

  it("stops when it is told to, and says so", async () => {
    const { ask, server } = await open({ as });
    const stop = new AbortController();
    const asked = failure(ask("hang", stop.signal));
    await until("the question", () => server.calls.length === 1);
    stop.abort();

    expect((await asked).code).toBe("stopped");
  });

  it("gives up a silent run after its time", async () => {
    const { ask, server, clock } = await open({ as });
    const asked = failure(ask("hang"));
    await until("the question", () => server.calls[0]?.status === 200);
    // Words may still be on their way, and each begins the wait anew.
    const settled = asked.then(() => true);
    await until("the end", async () => {
      await clock.advance(180_001);
      return Promise.race([settled, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
    });

    expect(["stream_silent", "stream_too_long"]).toContain((await asked).code);
  });

  it("answers in one piece where that is asked for", async () => {
    const { service, model } = await open({ as });
    const plain = (question: string) => service.askPlain("mindsdb", model, [{ question, answer: "" }]);

    expect(await plain("When?")).toBe(usual);
    expect((await failure(plain("empty"))).code).toBe("no_answer");
    expect((await failure(plain("use tool"))).code).toBe("run_failed");
  });
});

describe("a chat stream that the model broke off", () => {
  it("is an error where the server just closes", async () => {
    const { ask } = await open({ as: "openai" });

    expect((await failure(ask("cut mid"))).code).toBe("stream_cut");
  });

  it("looks like an answer behind LiteLLM, which says stop", async () => {
    const { ask } = await open({ as: "litellm" });

    expect(answerOf(await ask("cut mid"))).toBe("The backup runs ");
  });
});

describe("a server that refuses to be asked for tokens", () => {
  it.each(["Unrecognized request argument supplied: stream_options", "Bad request"])(
    "saying %j answers anyway, and isn't asked for them again for a day",
    async (refusesOptions) => {
      const known = new Map<string, true>();
      const refusals = {
        get: async (key: string) => known.get(key),
        set: async (key: string, value: true) => void known.set(key, value),
      };
      const { server, ask } = await open({ refusesOptions }, { refusals });
      const first = await ask("When does the backup run?");
      const second = await ask("When does the backup run?");

      const withOptions = server.calls.map(({ body }) => body["stream_options"] !== undefined);
      expect([answerOf(first), answerOf(second)]).toEqual([usual, usual]);
      expect(first.filter(({ type }) => type === "started")).toHaveLength(1);
      expect(withOptions).toEqual([true, false, false]);
    },
  );

  it("isn't suspected once it has told them: what it refuses then is asked once", async () => {
    const { server, ask } = await open({ script: ({ question }) => ({ text: question }) });
    await ask("Hello?");
    server.failWith(400);

    expect((await failure(ask("Hello again?"))).code).toBe("service_request_refused");
    expect(server.calls).toHaveLength(2);
  });
});

describe("models as agents", () => {
  it("are listed without those that answer no question", async () => {
    const models = ["fake-chat", "text-embedding-3-small", "nomic-embed-text:latest", "whisper-1", "embedded-expert"];
    const { service } = await open({ models });

    expect((await service.listAgents("team")).map(({ name }) => name)).toEqual(["fake-chat", "embedded-expert"]);
    expect(await service.getAgent("team", "fake-chat")).toEqual({
      name: "fake-chat",
      project: "team",
      model: { name: "fake-chat", hasKey: false },
      tables: [],
      knowledgeBases: [],
    });
    expect((await failure(service.getAgent("team", "other"))).code).toBe("agent_not_found");
  });

  it("may have any name where the service has no list", async () => {
    const { service, ask } = await open({ routes: ["chat"] });

    expect(await service.listAgents("team")).toEqual([]);
    expect((await service.getAgent("team", "fake-chat")).name).toBe("fake-chat");
    expect((await service.status()).dialect).toBe("chat");
    expect(answerOf(await ask("When?"))).toBe(usual);
  });

  it("are all that it has: it keeps no knowledge and makes no agents", async () => {
    const { service } = await open();

    expect((await service.profile()).offers).toEqual([]);
    expect(await service.listKnowledgeBases("team")).toEqual([]);
    expect((await failure(service.createAgent("team", { name: "x" }))).code).toBe("service_request_refused");
    expect((await failure(service.search("team", "kb", "x", 5))).code).toBe("knowledge_base_not_found");
  });

  it("that don't exist are said so when asked", async () => {
    const { service } = await open();
    const asked = collect(service.ask("team", "other", [{ question: "When?", answer: "" }]));

    expect((await failure(asked)).code).toBe("agent_not_found");
  });

  it("with a list that isn't one are not understood", async () => {
    const server = await serve((_, response) => json(response, 200, { data: "none" }));
    const { service } = await open({}, { baseUrl: server.url });

    expect((await failure(service.listAgents("team"))).code).toBe("service_not_understood");
  });
});

describe("the login of a chat service", () => {
  it("sends the key and nothing else", async () => {
    const { server, ask } = await open();
    await ask("When?");

    expect(server.calls[0]?.headers.authorization).toBe("Bearer model-key");
    expect(Object.keys(server.calls[0]?.body ?? {}).sort()).toEqual(["messages", "model", "stream", "stream_options"]);
  });

  it("says that the key is wrong, and never repeats it", async () => {
    const { service } = await open({}, { token: "sk-wrong-0123456789" });
    const refused = await failure(service.status());

    expect(refused.code).toBe("not_authorised");
    expect(String(refused.cause)).not.toContain("0123456789");
  });

  it("is not needed where the service asks for none", async () => {
    const { service } = await open({ key: null });

    expect((await service.status()).maxRuns).toBe(4);
  });

  it("has the limits of the server that was found", async () => {
    const server = { generation: "litellm", version: "1.106.2" } as const;
    const { service } = await open({ as: "litellm" }, { server });

    expect(await service.profile()).toMatchObject({ generation: "litellm", version: "1.106.2", maxRuns: 20 });
    expect((await open({}, { server, maxRuns: 3 }).then((other) => other.service.profile())).maxRuns).toBe(3);
  });

  it("asks nothing where the question is empty", async () => {
    const { ask, server } = await open();

    expect((await failure(ask("  "))).code).toBe("question_empty");
    expect(server.calls).toEqual([]);
  });
});
