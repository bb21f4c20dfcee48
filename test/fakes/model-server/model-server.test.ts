import { afterEach, describe, expect, it } from "vitest";
import { shapedExchanges, shapedStream } from "../../agent-service/shaped-recordings.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./index.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({ slowMs: 1, pauseMs: 1, ...options });
  servers.push(server);
  return server;
}

function send(server: ModelServer, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.root}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Bodies of the API, read loosely. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads them as they come.
type Body = any;

async function jsonOf(response: Promise<Response>): Promise<Body> {
  return (await response).json();
}

type Line = { readonly event: string | undefined; readonly data: unknown };

/** Ids, times and numbers that mean nothing are replaced; deltas of arguments are joined, since only their sum counts. */
function normal(bytes: string): readonly unknown[] {
  const lines: Line[] = [];
  for (const block of bytes.split("\n\n")) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) continue;
    const event = /^event: (.*)$/m.exec(block)?.[1];
    lines.push({ event, data: data === "[DONE]" ? data : (JSON.parse(data, replace) as unknown) });
  }
  return joinArguments(lines);
}

function replace(key: string, value: unknown): unknown {
  if (/^(?:id|item_id|call_id|previous_response_id)$/.test(key)) return key;
  if (/^(?:created|created_at|sequence_number)$/.test(key)) return 0;
  return value;
}

function joinArguments(lines: readonly Line[]): readonly unknown[] {
  const joined: unknown[] = [];
  let open: { type: string; delta: string } | undefined;
  for (const { event, data } of lines) {
    const { type, delta } = data as { type?: string; delta?: string };
    if (type === "response.function_call_arguments.delta") {
      if (open === undefined) {
        open = { type, delta: "" };
        joined.push(open);
      }
      open.delta += delta;
    } else {
      open = undefined;
      joined.push(event === undefined ? data : { event, data });
    }
  }
  return joined;
}

const comparable = shapedExchanges("litellm").filter(
  ({ name, request, response }) =>
    request.method === "POST" &&
    /^\/v1\/(?:responses|chat\/completions)$/.test(request.path) &&
    response.status === 200 &&
    // Streams that the client left, that never end, or whose text the model made from what this one isn't asked.
    !/leave|hang/.test(name),
);

describe("as LiteLLM, the model server sends what LiteLLM was recorded to send", () => {
  it.each(
    comparable.filter(({ request }) => isStream(request.body)).map((exchange) => [exchange.name, exchange] as const),
  )("%s", async (name, { request }) => {
    const server = await start({ as: "litellm" });

    const response = await send(server, request.path, request.body);

    expect(normal(await response.text())).toEqual(normal(shapedStream(name).toString("utf8")));
  });

  it.each(
    shapedExchanges("litellm")
      .filter(
        ({ name, request, response }) =>
          request.method === "POST" && response.status >= 400 && !/cooldown|bad_json|no_input|cancel/.test(name),
      )
      .map((exchange) => [exchange.name, exchange] as const),
  )("%s", async (name, { request, response: recorded }) => {
    const server = await start({ as: "litellm" });
    const keys: Record<string, string> = /_401$/.test(name) ? { authorization: "Bearer wrong" } : {};
    if (/no_auth/.test(name)) keys["authorization"] = "";

    const response = await send(server, request.path, request.body, keys);

    expect(response.status).toBe(recorded.status);
    const waits = ["retry-after", "llm_provider-retry-after"];
    expect(waits.map((header) => response.headers.get(header))).toEqual(
      waits.map((header) => recorded.headers[header] ?? null),
    );
    const text = await response.text();
    if (recorded.bodyText !== undefined) expect(text).toBe(recorded.bodyText);
    else expect(kindOf(JSON.parse(text))).toEqual(kindOf(recorded.body));
  });
});

function isStream(body: unknown): boolean {
  return (body as { stream?: boolean }).stream === true;
}

function kindOf(body: unknown): unknown {
  const { error } = body as { error: { type: string; code: string; message: string } };
  return { type: error.type, code: error.code, quotes: error.message.split(" ")[0] };
}

describe("as OpenAI, the model server", () => {
  const ask = (server: ModelServer, input: unknown, more: object = {}) =>
    send(server, "/v1/responses", { model: "fake-chat", input, stream: true, ...more });

  it("names each event, numbers it and ends with [DONE]", async () => {
    const server = await start();

    const text = await (await ask(server, "hosted think cite: when?")).text();
    const events = text.split("\n\n").filter((block) => block !== "");

    expect(events.at(-1)).toBe("data: [DONE]");
    for (const [index, block] of events.slice(0, -1).entries()) {
      const [event, data] = block.split("\n");
      const parsed = JSON.parse((data ?? "").slice("data: ".length));
      expect(event).toBe(`event: ${parsed.type}`);
      expect(parsed.sequence_number).toBe(index);
    }
  });

  it("keeps a response, and continues from it", async () => {
    const server = await start();
    const first = await jsonOf(send(server, "/v1/responses", { model: "fake-chat", input: "First question" }));

    const next = await (await ask(server, "history: and now?", { previous_response_id: first.id })).text();

    expect(next).toContain("Earlier: First question / The backup runs");
    expect((await ask(server, "x", { previous_response_id: "resp_other" })).status).toBe(400);
  });

  it("asks for approval, and says what was decided", async () => {
    const server = await start();
    const first = await jsonOf(send(server, "/v1/responses", { model: "fake-chat", input: "approve it" }));
    const [request] = first.output;
    expect(request).toMatchObject({ type: "mcp_approval_request", name: "delete_page" });

    const decide = (approve: boolean) =>
      ask(server, [{ type: "mcp_approval_response", approval_request_id: request.id, approve }], {
        previous_response_id: first.id,
      });

    expect(await (await decide(true)).text()).toContain("The page is deleted.");
    expect(await (await decide(false)).text()).toContain("I left the page as it is.");
    const stray = [{ type: "mcp_approval_response", approval_request_id: "mcpr_9", approve: true }];
    expect((await ask(server, stray)).status).toBe(400);
  });

  it("continues in the background, resumes from a number, and can be cancelled", async () => {
    // Slow enough to be asked for what hasn't been sent yet.
    const server = await start({ slowMs: 10 });
    const left = new AbortController();
    const response = await fetch(`${server.url}/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "fake-chat", input: "slow", stream: true, background: true }),
      signal: left.signal,
    });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const id = /"id":"(resp_\w+)"/.exec(new TextDecoder().decode(value))?.[1];
    left.abort();

    const rest = await (await send(server, `/v1/responses/${id}?stream=true&starting_after=5`)).text();
    expect(rest).toContain('"sequence_number":6,');
    expect(rest).not.toContain('"sequence_number":5,');
    expect(rest).toContain("response.completed");

    expect((await send(server, `/v1/responses/${id}/cancel`, {})).status).toBe(200);
    expect((await send(server, "/v1/responses/resp_9/cancel", {})).status).toBe(404);
  });

  it("stops a run whose client leaves", async () => {
    const server = await start();
    const left = new AbortController();
    const options = {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "fake-chat", messages: [{ role: "user", content: "hang" }], stream: true }),
      signal: left.signal,
    };
    const response = await fetch(`${server.url}/chat/completions`, options);
    await response.body?.getReader().read();
    left.abort();

    await expect.poll(() => server.calls[0]?.state).toBe("left");
  });

  it("refuses what the real one refuses", async () => {
    const server = await start();
    const chat = (messages: unknown, more: object = {}) =>
      send(server, "/v1/chat/completions", { model: "fake-chat", messages, ...more });
    const statusOf = async (response: Promise<Response>) => (await response).status;

    expect(await statusOf(send(server, "/v1/models", undefined, { authorization: "Bearer no" }))).toBe(401);
    expect(await statusOf(chat([{ role: "user", content: "x" }], { model: "other" }))).toBe(404);
    expect(await statusOf(chat([]))).toBe(400);
    expect(await statusOf(chat([{ role: "bot", content: "x" }]))).toBe(400);
    expect(await statusOf(chat([{ role: "assistant", content: null }]))).toBe(400);
    expect(await statusOf(chat([{ role: "tool", tool_call_id: "call_1", content: "x" }]))).toBe(400);
    const call = { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] };
    expect(await statusOf(chat([call, { role: "user", content: "x" }]))).toBe(400);
    expect(await statusOf(chat([call, { role: "tool", tool_call_id: "call_1", content: "x" }]))).toBe(200);
    expect(await statusOf(ask(server, "x", { unknown_field: 1 }))).toBe(400);
    expect(await statusOf(ask(server, [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }]))).toBe(
      400,
    );
    expect(await statusOf(ask(server, [{ type: "function_call_output", call_id: "c", output: "x" }]))).toBe(400);
    expect(await statusOf(ask(server, "x", { conversation: "conv_9" }))).toBe(404);
    expect(await statusOf(ask(server, "x", { conversation: "conv_9", previous_response_id: "r" }))).toBe(400);
    expect(await statusOf(ask(server, "x", { metadata: { a: 1 } }))).toBe(400);
    expect(await statusOf(send(server, "/v1/embeddings", { model: "fake-chat", input: [] }))).toBe(400);
  });

  it("embeds the same text alike, and shared words closer than others", async () => {
    const server = await start();
    const input = ["the backup runs every night", "every night the backup runs", "lunch menu of friday"];
    const { data } = await jsonOf(send(server, "/v1/embeddings", { model: "fake-chat", input }));
    const [first, same, other] = data.map(({ embedding }: { embedding: number[] }) => embedding);
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

    expect(dot(first, same)).toBeCloseTo(1, 5);
    expect(dot(first, other)).toBeLessThan(0.5);
  });

  it("says what a test's own script says", async () => {
    const server = await start({
      script: ({ question }) => (question === "Who?" ? { text: "Ada, as page [1] says." } : undefined),
    });
    const messages = [{ role: "user", content: "Who?" }];

    const body = await jsonOf(send(server, "/v1/chat/completions", { model: "fake-chat", messages }));

    expect(body.choices[0].message.content).toBe("Ada, as page [1] says.");
    expect(server.calls[0]?.asked?.question).toBe("Who?");
  });

  it("keeps a pace on average", async () => {
    const server = await start();
    const startedMs = performance.now();

    await (await ask(server, "30 tokens at 600 a second")).text();

    expect(performance.now() - startedMs).toBeGreaterThan(48);
  });
});
