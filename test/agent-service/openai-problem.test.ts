import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Refusal, Subject } from "../../src/agent-service/http/request.ts";
import { openAiErrorOf, openAiFailure } from "../../src/agent-service/openai/errors.ts";
import {
  bodyTextOf,
  type ShapedExchange,
  shapedExchanges,
  shapedGolden,
  shapedStream,
  shapedStreams,
} from "./shaped-recordings.ts";

const key = "hunter2-token";

function refusal(status: number, body: unknown, headers: Record<string, string> = {}, subject: Subject = "agent") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return openAiErrorOf({ status, body: text, header: (name) => headers[name], subject, secrets: [key] });
}

function recorded(exchange: ShapedExchange) {
  const { status, headers } = exchange.response;
  const { path } = exchange.request;
  const subject = path.endsWith("/models")
    ? "status"
    : /\/(?:resp|cancel|tail|conv)\w*/.test(path.slice("/v1/responses".length))
      ? "run"
      : "agent";
  const parts: Refusal = {
    ...{ status, subject, secrets: [key], body: bodyTextOf(exchange) },
    header: (name) => headers[name],
  };
  return openAiErrorOf(parts);
}

const refusals = [...shapedExchanges("litellm"), ...shapedExchanges("cowork")].filter(
  ({ response }) => response.status >= 300,
);

describe("recorded errors of servers of the OpenAI shape", () => {
  it("get the codes that are listed beside them", async () => {
    const lines = refusals.map((exchange) => {
      const { code, retryAfterMs, cause } = recorded(exchange);
      const wait = retryAfterMs === undefined ? "" : `, wait ${retryAfterMs} ms`;
      return `${exchange.name}: ${exchange.response.status} -> ${code}${wait}\n    ${(cause as Error).message.replaceAll("\n", " ")}`;
    });

    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(shapedGolden("problems.txt"));
  });

  it("never carry a key or an address anywhere", () => {
    for (const exchange of refusals) {
      const shown = inspect(recorded(exchange), { depth: null, showHidden: true });
      expect(shown).not.toMatch(/sk-fake|MODEL_HOST|hunter2/);
    }
  });
});

it("never carries a part of a key that a long text would be cut in", () => {
  for (let before = 960; before < 1_010; before += 1) {
    expect(inspect(refusal(500, `${"x".repeat(before)} ${key} y`))).not.toContain("hunter2");
  }
});

describe("an error of the OpenAI shape", () => {
  const error = (message: string, type: string, code: string | number | null = null) => ({
    error: { message, type, param: null, code },
  });

  it.each([
    [401, error("Incorrect API key provided: sk-abc.", "invalid_request_error", "invalid_api_key"), "not_authorised"],
    [403, error("You are not allowed to use this model.", "permission_error"), "not_authorised"],
    [
      404,
      error("The model `x` does not exist or you do not have access to it.", "x", "model_not_found"),
      "agent_not_found",
    ],
    [404, error("The model `x` does not exist.", "NotFoundError", 404), "agent_not_found"],
    [404, error('model "x" not found, try pulling it first', "api_error"), "agent_not_found"],
    [404, error("Response with id 'resp_1' not found.", "invalid_request_error"), "resource_not_found"],
    [404, "<html>nginx", "service_not_understood"],
    [404, { detail: "Not Found" }, "service_not_understood"],
    [
      400,
      error("This model's maximum context length is 8192 tokens.", "x", "context_length_exceeded"),
      "question_too_long",
    ],
    [400, error("The response was filtered", "x", "content_filter"), "run_failed"],
    [
      400,
      error("Unsupported parameter: 'foo'.", "invalid_request_error", "unsupported_parameter"),
      "service_request_refused",
    ],
    [429, error("Rate limit reached", "requests", "rate_limit_exceeded"), "service_busy"],
    [429, error("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), "model_unavailable"],
    [402, error("Payment required", "x"), "model_unavailable"],
    [500, error("The server had an error", "server_error"), "service_failed"],
    [500, "oops", "service_failed"],
    [502, "<html>Bad Gateway", "service_unreachable"],
    [503, "", "service_unreachable"],
    [503, error("Loading model", "unavailable_error", 503), "service_busy"],
    [529, error("Overloaded", "overloaded_error"), "service_busy"],
    [504, error("upstream", "x"), "service_unreachable"],
    [307, "", "service_not_understood"],
    [418, { error: "a text" }, "service_request_refused"],
    [400, { object: "error", message: "The model `x` does not exist.", code: 404 }, "agent_not_found"],
    [
      422,
      { detail: [{ loc: ["body", "input"], msg: "Field required", input: { question: "secret plans" } }] },
      "service_request_refused",
    ],
    [400, "[1, 2]", "service_not_understood"],
    [400, "null", "service_not_understood"],
  ] as const)("%i %j is %s", (status, body, code) => {
    expect(refusal(status, body).code).toBe(code);
  });

  it("says that the conversation is too long for the model, not that Parley has a bug", () => {
    const { what, hint } = refusal(400, error("context window of 8192 exceeded", "x", "context_length_exceeded"));

    expect(`${what} ${hint}`).toMatch(/too long for the agent's model.*new topic/);
  });

  it("doesn't repeat the question that a server quotes in its error", () => {
    const detail = [{ loc: ["body", "input"], msg: "Field required", input: { question: "secret plans" } }];

    expect(inspect(refusal(422, { detail }), { depth: null })).not.toContain("secret plans");
  });

  it("removes keys from the cause, its own and those of providers", () => {
    const said = `no: ${key}, sk-live-0123456789abcdef and http://10.0.0.7:4000/v1 api_key=abc123xyz`;
    const shown = inspect(refusal(500, error(said, "server_error")), { depth: null });

    expect(shown).not.toMatch(/hunter2|sk-live|10\.0\.0|abc123xyz/);
  });

  it("says in its cause that a bare 500 was for a request without a key", () => {
    const without = openAiErrorOf({
      ...{ status: 500, body: "Internal Server Error", subject: "status", secrets: [] },
      header: () => undefined,
    });

    expect((without.cause as Error).message).toContain("no key was sent");
  });

  it("reads 200,000 hostile characters without delay", () => {
    const started = performance.now();
    for (const text of [
      "model ".repeat(33_000),
      "/a".repeat(100_000),
      "try again in 1".repeat(14_000),
      "a-".repeat(100_000),
    ])
      refusal(400, error(text, text, text));

    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("how long the service asks to wait", () => {
  const busy = { error: { message: "Slow down.", type: "requests", code: "rate_limit_exceeded" } };
  const wait = (headers: Record<string, string>, body: unknown = busy) => refusal(429, body, headers).retryAfterMs;
  const says = (message: string) => wait({}, { error: { message, type: "requests" } });

  it("is read from every form of the header", () => {
    expect(wait({ "retry-after": "7" })).toBe(7000);
    expect(wait({ "retry-after": "0.5" })).toBe(500);
    expect(wait({ "retry-after-ms": "250", "retry-after": "1" })).toBe(250);
    expect(wait({ "retry-after": "Mon, 23 Nov 2026 06:00:30 GMT", date: "Mon, 23 Nov 2026 06:00:00 GMT" })).toBe(
      30_000,
    );
    expect(wait({ "retry-after": "Mon, 23 Nov 2026 05:00:00 GMT", date: "Mon, 23 Nov 2026 06:00:00 GMT" })).toBe(0);
    expect(wait({ "llm_provider-retry-after": "7" })).toBe(7000);
    expect(wait({ "llm_provider-retry-after": "7", "retry-after": "5" })).toBe(5000);
  });

  it("is unknown when the header says nothing that can be read", () => {
    expect(wait({})).toBeUndefined();
    expect(wait({ "retry-after": "soon" })).toBeUndefined();
    expect(wait({ "retry-after": "-5" })).toBeUndefined();
    expect(wait({ "retry-after": "" })).toBeUndefined();
    expect(wait({ "retry-after": "Infinity" })).toBeUndefined();
    expect(wait({ "retry-after": "99999999999" })).toBeUndefined();
    expect(wait({ "retry-after": "Mon, 23 Nov 2026 06:00:30 GMT" })).toBeUndefined();
    const date = "Mon, 23 Nov 2026 06:00:00 GMT";
    for (const odd of ["-1", "5, 5", "12-", "1/2"]) expect(wait({ "retry-after": odd, date }), odd).toBeUndefined();
  });

  it("is read from the words when there is no header", () => {
    expect(says("No deployments available, Try again in 5 seconds. Passed model=x")).toBe(5000);
    expect(says("Please try again in 20s. Visit the page")).toBe(20_000);
    expect(says("Please try again in 6m0.5s.")).toBe(360_500);
    expect(says("Please retry again in 350ms.")).toBe(350);
    expect(says("Please try again in 1h2m.")).toBe(3_720_000);
    expect(says("Please try again later.")).toBeUndefined();
  });

  it("is not taken from an error that waiting doesn't help", () => {
    expect(refusal(400, { error: { message: "Try again in 5 seconds", type: "x" } }).retryAfterMs).toBeUndefined();
  });
});

describe("a failure inside a stream", () => {
  it("blames the model where the recorded server quotes one", () => {
    const failures = shapedStreams("litellm").flatMap((name) => {
      const events = shapedStream(name).toString("utf8").split("\n");
      const chunks = events.filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));
      const failed = chunks.map((chunk) => chunk.error ?? chunk.response?.error).find((error) => error);
      return failed ? [`${name}: ${openAiFailure(failed).code}`] : [];
    });

    expect(failures).toEqual([
      "litellm/chat_error_mid: model_unavailable",
      "litellm/error_mid: model_unavailable",
      "litellm/native_cut_mid: model_unavailable",
      "litellm/native_error_mid: run_failed",
    ]);
  });

  it.each([
    [{ code: "server_error", message: "litellm.APIConnectionError: OpenAIException - gone" }, "model_unavailable"],
    [{ message: "litellm.APIConnectionError: x", type: null, param: null, code: "500" }, "model_unavailable"],
    [{ code: "server_error", message: "Response API in-stream error" }, "run_failed"],
    [{ type: "error", error: { type: "too_many_requests", code: null, message: "Slow down" } }, "model_unavailable"],
    [{ type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null }, "model_unavailable"],
    [{ code: "provider_overloaded", error: "The model provider is experiencing an incident." }, "model_unavailable"],
    [{ code: "provider_auth", error: "Check the key." }, "model_unavailable"],
    [{ code: "unknown_model", error: "?" }, "model_unavailable"],
    [{ code: "token_limit", error: "?" }, "question_too_long"],
    [{ code: "anton_error", error: "?" }, "run_failed"],
    [{ code: "content_filter", message: "filtered" }, "run_failed"],
    ["just words", "run_failed"],
    [null, "run_failed"],
    [{ message: { deep: 1 } }, "run_failed"],
  ] as const)("%j is %s", (error, code) => {
    expect(openAiFailure(error).code).toBe(code);
  });

  it("keeps keys and addresses out of its cause", () => {
    const shown = inspect(openAiFailure({ message: `key ${key} at http://localhost:4000/v1 sk-abcdef123` }, [key]));

    expect(shown).not.toMatch(/hunter2|localhost:4000|sk-abcdef/);
  });
});
