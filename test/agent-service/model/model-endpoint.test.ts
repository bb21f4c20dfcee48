/** The client of a language model, against a scripted server of both APIs. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelEndpoint, type ModelEndpoint } from "../../../src/agent-service/agent-service.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { pngBytes } from "../../doubles/picture-bytes.ts";
import { type ModelRoute, type ModelServerOptions, startModelServer } from "../../fakes/model-server/index.ts";

const usual = "The backup runs every night at two o'clock and keeps thirty copies.";

async function serving(options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  onTestFinished(server.close);
  return server;
}

function endpointAt(baseUrl: string, more: Partial<Parameters<typeof createModelEndpoint>[0]> = {}): ModelEndpoint {
  const endpoint = createModelEndpoint({ baseUrl, key: "model-key", clock, ...more });
  onTestFinished(endpoint.close);
  return endpoint;
}

async function told(endpoint: ModelEndpoint, question: string, model?: string): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const request = { instructions: "Be kind.", messages: [{ role: "user" as const, text: question }] };
  for await (const event of endpoint.write(model === undefined ? request : { ...request, model })) events.push(event);
  return events;
}

/** The last whole answer, else its pieces. */
const textIn = (events: readonly AgentEvent[]) =>
  answerIn(events)?.text ?? events.flatMap((event) => (event.type === "answer-delta" ? [event.text] : [])).join("");
const answerIn = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === "answer");
const failureIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "failed" ? [event.error.code] : []));

describe("the endpoint of a language model", () => {
  it.each(["openai", "litellm"] as const)("of the kind %j streams a reply", async (as) => {
    const server = await serving({ as });
    const events = await told(endpointAt(server.url), "When does the backup run?");

    expect(textIn(events)).toBe(usual);
    expect(events.flatMap((event) => (event.type === "answer-delta" ? [event.text] : [])).join("")).toBe(usual);
    const asked = server.calls.at(-1)?.asked;
    expect(asked).toMatchObject({ instructions: "Be kind.", question: "When does the backup run?" });
  });

  it.each([["chat"], ["responses"]] as const)("writes no thoughts into its reply, over %s", async (route) => {
    const text = "<think>Let me look up [1] first.\nSEARCH: backup</think>\n\nAt two o'clock [1].";
    const server = await serving({ routes: ["models", route], script: () => ({ text }) });

    expect(textIn(await told(endpointAt(server.url), "When?"))).toBe("At two o'clock [1].");
  });

  it("is found with /v1 in its URL, and without", async () => {
    const server = await serving();

    for (const url of [server.url, server.root, `${server.url}/`]) {
      expect(await endpointAt(url).describe()).toMatchObject({ baseUrl: server.url, model: "fake-chat" });
    }
  });

  it("is asked by the Responses API if it has no Chat Completions, and by the same from then on", async () => {
    const server = await serving({ routes: ["models", "responses"] });
    const endpoint = endpointAt(server.root);

    expect(textIn(await told(endpoint, "When does the backup run?"))).toBe(usual);
    await told(endpoint, "And where?");

    const paths = server.calls.filter(({ method }) => method === "POST").map(({ path }) => path);
    expect(paths).toEqual(["/v1/chat/completions", "/v1/responses", "/v1/responses"]);
    expect(server.calls.at(-1)?.asked).toMatchObject({ instructions: "Be kind." });
  });

  it("writes with an agent's own model if it lists that", async () => {
    const server = await serving();
    const endpoint = endpointAt(server.url, { model: "fake-chat" });

    await told(endpoint, "one", "fake-native");
    await told(endpoint, "two", "gpt-unknown");

    const models = server.calls.flatMap(({ asked }) => (asked === undefined ? [] : [asked.model]));
    expect(models).toEqual(["fake-native", "fake-chat"]);
  });

  it("tells the tokens that a reply took, where it does", async () => {
    const usages = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === "usage");
    const took = [{ type: "usage", tokens: { input: 20, output: 12 } }];
    const telling = await serving();
    const refusing = await serving({ refusesOptions: "Extra inputs are not permitted" });
    const events = await told(endpointAt(refusing.url), "When?");

    expect(usages(await told(endpointAt(telling.url), "When?"))).toEqual(took);
    expect(usages(await told(endpointAt(telling.url), "When?", "fake-native"))).toEqual(took);
    expect([textIn(events), usages(events)]).toEqual([usual, []]);
  });

  it.each(["chat", "responses"] as const)("gets the pictures of a question as data, over %s", async (route) => {
    const routes: readonly ModelRoute[] = ["models", route];
    const picture = { mediaType: "image/png" as const, bytes: pngBytes(10, 10) };
    const messages = [{ role: "user" as const, text: "What is it?", pictures: [picture] }];
    const written = async (options: ModelServerOptions) => {
      const server = await serving(options);
      const events: AgentEvent[] = [];
      for await (const event of endpointAt(server.url).write({ instructions: "", messages })) events.push(event);
      return { events, asked: server.calls.at(-1)?.asked };
    };
    const seen = await written({ routes });
    const blind = await written({ routes, blind: ["fake-chat"] });
    const isTold = (events: readonly AgentEvent[]) => events.some(({ type }) => type === "pictures-refused");

    expect(seen.asked?.pictures).toEqual([`data:image/png;base64,${pngBytes(10, 10).toString("base64")}`]);
    expect([isTold(seen.events), isTold(blind.events)]).toEqual([false, true]);
    expect([textIn(seen.events), textIn(blind.events)]).toEqual([usual, usual]);
    expect(blind.asked).toMatchObject({
      pictures: [],
      question: expect.stringContaining("You can't see the pictures"),
    });
  });

  it("needs a model's name only if it has no list", async () => {
    const server = await serving({ routes: ["chat"] });

    await expect(endpointAt(server.url).describe()).rejects.toMatchObject({
      hint: expect.stringContaining("LOCAL_MODEL"),
    });
    expect(textIn(await told(endpointAt(server.url, { model: "fake-chat" }), "backup?"))).toBe(usual);
  });

  it.each([
    ["rate limit", "service_busy"],
    ["bad key", "not_authorised"],
    ["too long", "question_too_long"],
    ["fail", "service_failed"],
    ["drop", "service_unreachable"],
  ])("says what went wrong with %j before the stream", async (words, code) => {
    const server = await serving();

    // What is busy is waited for, in no time.
    const endpoint = endpointAt(server.url, { clock: { ...clock, sleep: async () => {} } });

    await expect(told(endpoint, words)).rejects.toMatchObject({ code });
  });

  it.each([
    ["fail mid", "chat"],
    ["cut mid", "chat"],
    ["fail mid", "responses"],
    ["cut mid", "responses"],
    ["empty use tool", "chat"],
  ] as const)("says that %j failed inside the stream of %s", async (words, route) => {
    const server = await serving({ routes: ["models", route] });

    const ended = await told(endpointAt(server.url), words).then(failureIn, (thrown: unknown) => [
      thrown instanceof ParleyError ? thrown.code : String(thrown),
    ]);

    expect(ended[0]).toMatch(/model_unavailable|run_failed|stream_cut|answer_unusable/);
  });

  it.each(["chat", "responses"] as const)(
    "says what cut an answer of %s, and gives a refusal as its text",
    async (route) => {
      const server = await serving({ routes: ["models", route] });
      const endpoint = endpointAt(server.url);

      expect(answerIn(await told(endpoint, "cut short"))?.cut).toBe("length");
      expect(answerIn(await told(endpoint, "filter"))?.cut).toBe("filter");
      expect(textIn(await told(endpoint, "refuse"))).toBe("I cannot help with that.");
    },
  );

  it("is left when it falls silent", async () => {
    const server = await serving();
    const endpoint = endpointAt(server.url, { limits: { silenceMs: 50, firstChunkMs: 5_000 } });

    await expect(told(endpoint, "hang")).rejects.toMatchObject({ code: "stream_silent" });
  });

  it("makes one vector for each text, and refuses an answer with fewer", async () => {
    const server = await serving();
    const endpoint = endpointAt(server.url);

    const vectors = await endpoint.embed("fake-chat", ["a heron", "an owl", "a heron"]);

    expect(vectors).toHaveLength(3);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
    await expect(endpoint.embed("no-model", ["a heron"])).rejects.toMatchObject({ code: "agent_not_found" });
  });

  it("is found anew when another server, with other models and the other API, stands behind the URL", async () => {
    const routes: ModelRoute[] = ["models", "chat"];
    const models = ["old"];
    const server = await serving({ routes, models });
    const endpoint = endpointAt(server.url);
    expect(textIn(await told(endpoint, "backup?"))).toBe(usual);

    routes.splice(0, 2, "models", "responses");
    models.splice(0, 1, "new");

    expect(textIn(await told(endpoint, "backup?"))).toBe(usual);
    expect(server.calls.at(-1)).toMatchObject({ path: "/v1/responses", asked: { model: "new" } });
  });

  it("is looked for once more, and then fails, when nothing behind the URL answers any longer", async () => {
    const server = await serving();
    const endpoint = endpointAt(server.url);
    await told(endpoint, "backup?");
    const before = server.calls.length;
    server.failWith(404);

    await expect(told(endpoint, "backup?")).rejects.toMatchObject({ code: "agent_not_found" });

    expect(server.calls.length - before).toBeLessThan(8);
  });

  it.each(["chat", "responses"] as const)("keeps its key out of a failure inside the stream of %s", async (route) => {
    const error = {
      code: "server_error",
      message: "Unexpected header 'Authorization' value quiet-heron-7 in upstream",
    };
    const line = route === "chat" ? { error } : { type: "response.failed", response: { error } };
    const server = createServer((request, response) => {
      if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: "one" }] }));
      if (!request.url?.includes(route)) return response.writeHead(404).end("{}");
      return response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(line)}\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const endpoint = endpointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { key: "quiet-heron-7" });

    const failed = (await told(endpoint, "backup?")).find(({ type }) => type === "failed");

    expect(failed).toMatchObject({ error: { cause: { message: expect.stringContaining("in upstream") } } });
    expect(inspect(failed, { depth: 9 })).not.toContain("quiet-heron");
  });

  it("never repeats its key in an error", async () => {
    const server = await serving({ key: "sk-right-0123456789" });
    const endpoint = endpointAt(server.url, { key: "sk-wrong-0123456789" });

    const thrown: unknown = await endpoint.describe().catch((error: unknown) => error);

    expect(thrown).toMatchObject({ code: "not_authorised" });
    expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain("0123456789");
  });
});
