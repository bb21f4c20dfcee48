/** A service that is busy and says for how long: a short wait is kept, a long one is told, and a run is never repeated. */
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createChatService } from "../../../src/agent-service/chat/request.ts";
import type { DialectOptions } from "../../../src/agent-service/dialect.ts";
import { createMindsdbService } from "../../../src/agent-service/mindsdb/request.ts";
import { createModelEndpoint } from "../../../src/agent-service/model/model-endpoint.ts";
import { createResponsesService } from "../../../src/agent-service/responses/request.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { type Answer, json, startServer } from "../real-server.ts";

const question = [{ question: "When?", answer: "" }];
const chunk = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chatAnswer = chunk({ choices: [{ index: 0, delta: { content: "At two." }, finish_reason: "stop" }] });
const message = {
  ...{ id: "m1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: "At two.", annotations: [] }],
};
const responsesAnswer = chunk({
  type: "response.completed",
  response: { id: "r1", object: "response", status: "completed", output: [message] },
});
const mindsdbAnswer = chunk({ output: "At two.", messages: [] }) + chunk({ type: "end" });

type Ask = (signal?: AbortSignal) => AsyncIterable<AgentEvent>;
type Opened = { readonly ask: Ask; readonly close: () => Promise<void> };

const dialects: Readonly<Record<string, { readonly answer: string; readonly open: (o: DialectOptions) => Opened }>> = {
  "the service of the API": { answer: mindsdbAnswer, open: (options) => opened(createMindsdbService(options)) },
  "Chat Completions": { answer: chatAnswer, open: (options) => opened(createChatService(options)) },
  Responses: { answer: responsesAnswer, open: (options) => opened(createResponsesService(options)) },
  cowork: {
    answer: responsesAnswer,
    open: (options) =>
      opened(createResponsesService({ ...options, server: { generation: "cowork", version: "2.26" } })),
  },
  "the endpoint of a language model": {
    answer: chatAnswer,
    open: ({ baseUrl, clock }) => {
      const endpoint = createModelEndpoint({ baseUrl, clock, model: "m" });
      const messages = [{ role: "user", text: "When?" }] as const;
      const ask: Ask = (signal) =>
        endpoint.write({ instructions: "", messages, ...(signal === undefined ? {} : { signal }) });
      return { ask, close: endpoint.close };
    },
  },
};

function opened(service: ReturnType<typeof createChatService>): Opened {
  const ask: Ask = (signal) => service.ask("p", "support", question, signal === undefined ? {} : { signal });
  return { ask, close: service.close };
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Refusal = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** The first requests for a run get these refusals, the others the answer. */
async function serving(name: string, refusals: readonly Refusal[]) {
  const dialect = dialects[name];
  if (dialect === undefined) throw new Error(`no dialect ${name}`);
  let runs = 0;
  const answer: Answer = ({ method, path }, response) => {
    if (path.startsWith("/health")) return json(response, 200, { status: "ok", mode: "support" });
    const isRun = method === "POST" && /completions|responses/.test(path);
    if (!isRun) return json(response, 404, { error: { message: "no list", type: "not_found" } });
    const refusal = refusals[runs];
    runs += 1;
    if (refusal === undefined) return stream(response, dialect.answer);
    response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers });
    response.end(JSON.stringify({ error: { message: "Slow down.", type: "rate_limit_error" }, title: "Busy" }));
  };
  const server = await startServer(answer);
  const clock = createFakeClock();
  const { ask, close } = dialect.open({ baseUrl: server.url, clock, log: silentLog });
  closers.push(server.close, close);
  return { clock, runs: () => runs, seen: read(ask, clock) };
}

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(text);
}

/** What comes of it, and when each event came. */
function read(ask: Ask, clock: FakeClock) {
  return (signal?: AbortSignal) => {
    const startedMs = clock.now();
    const run = { events: [] as { readonly event: AgentEvent; readonly atMs: number }[], thrown: undefined as unknown };
    const over = (async () => {
      try {
        for await (const event of ask(signal)) run.events.push({ event, atMs: clock.now() - startedMs });
      } catch (thrown) {
        run.thrown = thrown;
      }
    })();
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    const waits = () => run.events.filter(({ event }) => event.type === "waiting");
    return Object.assign(run, {
      waits,
      over: () => untilAdvanced(clock, "the end of the run", () => isOver, 250),
      waiting: () => untilAdvanced(clock, "the wait", () => waits().length > 0),
    });
  };
}

const busy = (status: number, after: string): Refusal => ({ status, headers: { "retry-after": after } });
const textOf = (events: readonly { readonly event: AgentEvent }[]) =>
  events
    .map(({ event }) => (event.type === "answer" || event.type === "answer-delta" ? event.text : ""))
    .find((text) => text !== "");

describe.each(Object.keys(dialects))("%s", (name) => {
  it.each([429, 503])("is asked again after a %i, when the time that it names is over", async (status) => {
    const { seen, runs } = await serving(name, [busy(status, "7")]);
    const run = seen();
    await run.over();

    expect(run.thrown).toBeUndefined();
    expect(textOf(run.events)).toBe("At two.");
    expect(runs()).toBe(2);
    const [told, again] = run.waits();
    expect([told?.event, again?.event]).toEqual([{ type: "waiting", forMs: 7_000 }, { type: "waiting" }]);
    expect((again?.atMs ?? 0) - (told?.atMs ?? 0)).toBe(7_000);
  });

  it("is asked twice again at most, and the error says how long it stays busy", async () => {
    const { seen, runs } = await serving(name, [busy(429, "1"), busy(429, "30"), busy(429, "9")]);
    const run = seen();
    await run.over();

    expect(run.thrown).toMatchObject({ code: "service_busy", retryAfterMs: 9_000 });
    expect(runs()).toBe(3);
  });

  it("isn't asked again when it is busy for longer than someone waits", async () => {
    const { seen, runs } = await serving(name, [busy(429, "31")]);
    const run = seen();
    await run.over();

    expect(run.thrown).toMatchObject({ code: "service_busy", retryAfterMs: 31_000 });
    expect(run.waits()).toEqual([]);
    expect(runs()).toBe(1);
  });

  it("understands a date", async () => {
    const date = "Thu, 26 Nov 2026 10:00:00 GMT";
    const headers = { date, "retry-after": "Thu, 26 Nov 2026 10:00:12 GMT" };
    const { seen } = await serving(name, [{ status: 429, headers }]);
    const run = seen();
    await run.over();

    expect(run.waits()[0]?.event).toEqual({ type: "waiting", forMs: 12_000 });
  });

  it.each([
    { status: 429 },
    { status: 408, headers: { "retry-after": "1" } },
    { status: 500, headers: { "retry-after": "1" } },
    { status: 502, headers: { "retry-after": "1" } },
    { status: 504, headers: { "retry-after": "1" } },
  ])("isn't asked again after $status with $headers: the run may continue", async (refusal) => {
    const { seen, runs } = await serving(name, [refusal]);
    const run = seen();
    await run.over();

    expect(run.thrown).toBeDefined();
    expect(run.waits()).toEqual([]);
    expect(runs()).toBe(1);
  });

  it("isn't asked again once the run was stopped", async () => {
    const { seen, runs, clock } = await serving(name, [busy(429, "20")]);
    const stop = new AbortController();
    const run = seen(stop.signal);
    await run.waiting();
    stop.abort();
    await run.over();
    await clock.advance(60_000);

    expect(runs()).toBe(1);
    expect(clock.pending()).toBe(0);
  });
});
