/** Errors of the scripted model server, in OpenAI's own words or wrapped as LiteLLM wraps them. */
import type { Json } from "./emission.ts";
import type { Refused } from "./script.ts";

export type Refusal = { readonly status: number; readonly body: Json | string; readonly headers: Headers };
type Headers = Readonly<Record<string, string>>;
type Framing = "openai" | "litellm";

/** Throw it to answer with an error. */
export class Refuse extends Error {
  readonly refusal: Refusal;
  constructor(status: number, body: Json | string, headers: Headers = {}) {
    super(typeof body === "string" ? body : JSON.stringify(body));
    this.refusal = { status, body, headers };
  }
}

export function errorBody(
  message: string,
  type: string,
  code: string | null = null,
  param: string | null = null,
): Json {
  return { error: { message, type, param, code } };
}

/** A request that OpenAI's validation refuses. */
export function invalid(message: string, param: string | null = null, code: string | null = null): Refuse {
  return new Refuse(400, errorBody(message, "invalid_request_error", code, param));
}

const serverError = "The server had an error while processing your request.";

export function refuseByWord(word: Exclude<Refused, "drop">, framing: Framing, model: string): Refuse {
  const isOpenAi = framing === "openai";
  switch (word) {
    case "rate limit": {
      const message = "Rate limit reached for fake-chat: limit 3 requests per minute.";
      const headers = { "retry-after": "7", "x-ratelimit-remaining-requests": "0" };
      if (isOpenAi) return new Refuse(429, errorBody(message, "requests", "rate_limit_exceeded"), headers);
      const passedOn = { "llm_provider-retry-after": "7", "x-ratelimit-remaining-requests": "0" };
      return new Refuse(429, quoted("RateLimitError", message, model, "throttling_error", 429), passedOn);
    }
    case "bad key": {
      const message = "Incorrect API key provided: sk-fake*****0001.";
      if (isOpenAi) return new Refuse(401, errorBody(message, "invalid_request_error", "invalid_api_key"));
      return new Refuse(401, quoted("AuthenticationError", message, model, "authentication_error", 401));
    }
    case "too long": {
      const message = "This model's maximum context length is 8192 tokens.";
      if (isOpenAi) return invalid(message, "messages", "context_length_exceeded");
      return new Refuse(400, quoted("ContextWindowExceededError", message, model, "invalid_request_error", 400));
    }
    case "fail":
      if (isOpenAi) return new Refuse(500, errorBody(serverError, "server_error"));
      return new Refuse(500, quoted("InternalServerError", serverError, model, "internal_server_error", 500));
  }
}

/** OpenAI's words (2026-11). */
export function noPictures(): Refuse {
  return invalid("Invalid content type. image_url is only supported by certain models.", "messages.[0].content");
}

/** The connection of the model behind LiteLLM broke before an answer. OpenAI's own just closes. */
export function droppedByModel(model: string): Refuse {
  return new Refuse(500, quoted("InternalServerError", "Connection error.", model, "internal_server_error", 500));
}

export function unknownModel(model: string, framing: Framing, path: string): Refuse {
  if (framing === "openai") {
    const message = `The model '${model}' does not exist or you do not have access to it.`;
    // The Responses API says 400, Chat Completions 404.
    const status = path.endsWith("/responses") ? 400 : 404;
    return new Refuse(status, errorBody(message, "invalid_request_error", "model_not_found"));
  }
  const message = `${path.replace("/v1", "")}: Invalid model name passed in model=${model}. Call \`/v1/models\` to view available models for your key.`;
  return new Refuse(400, errorBody(message, "invalid_request_error", "400"));
}

/** A key that is missing or wrong. LiteLLM without its database answers neither with 401. */
export function refuseKey(given: string | undefined, framing: Framing): Refuse {
  if (framing === "litellm") {
    if (given === undefined) return new Refuse(500, "Internal Server Error");
    return new Refuse(400, errorBody("No connected db.", "no_db_connection", "400"));
  }
  if (given === undefined)
    return new Refuse(401, errorBody("Missing bearer authentication in header", "invalid_request_error"));
  const shown = `${given.slice(0, 3)}*****${given.slice(-4)}`;
  const message = `Incorrect API key provided: ${shown}.`;
  return new Refuse(401, errorBody(message, "invalid_request_error", "invalid_api_key"));
}

/** The error object inside a stream of chat chunks. */
export function failedInside(framing: Framing): Json {
  if (framing === "openai") return errorBody(serverError, "server_error", "server_error");
  const message = `litellm.APIConnectionError: APIConnectionError: OpenAIException - ${serverError}`;
  return { error: { message, type: null, param: null, code: "500" } };
}

function quoted(kind: string, message: string, model: string, type: string, status: number): Json {
  const text = `litellm.${kind}: ${kind}: OpenAIException - ${message}\n\nLiteLLM: model group '${model}' failed with the error above. No fallback was attempted.`;
  return errorBody(text, type, String(status));
}
