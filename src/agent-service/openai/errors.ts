/**
 * Turns errors of the OpenAI shape, and what LiteLLM, cowork-server, vLLM and Ollama make of it, into ParleyErrors.
 *
 * The service's text quotes the model's provider, keys and addresses included. It only chooses the code, and goes
 * redacted into the cause for the log.
 */
import { type ErrorCode, ParleyError, type ParleyErrorOptions } from "../../core/errors.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import type { Refusal, Subject } from "../http/request.ts";
import { retryAfterOf, spokenRetryAfter } from "../http/retry-after.ts";
import { redactInternals, redactSecrets, safeWords } from "../http/texts.ts";

/** What a body of any of these shapes says. Texts are cut, but not redacted yet. */
type Said = {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly isJson: boolean;
};

/** Characters of the service's text that are read, and that go into an error's cause. */
const maxReadChars = 20_000;
const maxCauseChars = 1000;
const maxWrappings = 10;

/** LiteLLM names itself where it quotes the model: `litellm.RateLimitError: RateLimitError: OpenAIException - …`. */
const quotesModelPattern = /^(?:litellm\.|\w+Exception - )|\bLiteLLM: model group\b/;
const tooLongPattern =
  /context_length_exceeded|context.?window|maximum context length|token_limit|prompt is too long|string_above_max_length|exceeds? (?:the )?(?:available |maximum )?context/i;
const filteredPattern = /content_filter|content.?policy|ContentPolicyViolation|safety system|responsible ai/i;
const unknownModelPattern =
  /model_not_found|unknown_model|invalid model name|\bmodels? [^\n]{0,200}(?:does not exist|do not exist|not found|not supported|not available)/i;
const noQuotaPattern =
  /insufficient_quota|billing|budget has been exceeded|budget_exceeded|exceeded your current quota/i;
const busyPattern = /rate.?limit|too_many_requests|overloaded|throttling|\b429\b|capacity/i;
/** LiteLLM without a database, and its answers to a key it doesn't know. */
const ownKeyPattern = /no_db_connection|token_not_found|expired_key|^auth_error\b/i;

const tooLong = {
  what: "The question and the conversation before it are too long for the agent's model.",
  hint: "Start a new topic, or ask for less at a time.",
} as const;
const missingTool = {
  what: "The agent needs a tool that it doesn't have here.",
  hint: "Ask your Parley admin to add the tool at the agent service: Parley can't run tools itself.",
} as const;
const filtered = {
  what: "The provider of the agent's model refused this question.",
  hint: "Word it differently, or start a new topic.",
} as const;

/** An error response, for `HttpOptions.errorOf`. */
export function openAiErrorOf({ status, body, header, subject, secrets }: Refusal): ParleyError {
  const said = readBody(body);
  const [code, words] = codeOf(status, said, subject, header);
  const retryAfterMs = retryAfterOf(header) ?? spokenRetryAfter(said.message);
  // LiteLLM answers a request without a key with a bare 500.
  const unsigned = status >= 500 && !said.isJson && secrets.length === 0 ? " (no key was sent)" : "";
  const cause = causeOf(`HTTP ${status}${unsigned}`, said, secrets);
  const options = errorOptions(words, cause, code === "service_busy" ? retryAfterMs : undefined);
  const isQuoted = said.isJson && words === undefined && quotedCodes.includes(code);
  return new ParleyError(code, isQuoted ? { ...options, said: safeWords(said.message, secrets) } : options);
}

/** Their own sentence says only that something failed: the service knows what. */
const quotedCodes: readonly ErrorCode[] = ["service_failed", "service_request_refused"];

/**
 * A failure inside a stream: the `error` of a chunk or of a failed response, an object or a text, or cowork's event
 * with `code` beside the text.
 */
export function openAiFailure(error: unknown, secrets: readonly string[] = []): ParleyError {
  const said = readError(error);
  const text = textToMatch(said);
  const [code, words] = failureOf(said, text);
  const options = errorOptions(words, causeOf("Failed:", said, secrets), undefined);
  return new ParleyError(code, { ...options, said: safeWords(said.message, secrets) });
}

/** Why a run failed, where the server said more than that it did. */
export function whyRunFailed({ what }: ParleyError): "filtered" | "missing-tool" | undefined {
  if (what === filtered.what) return "filtered";
  return what === missingTool.what ? "missing-tool" : undefined;
}

/** A run that ended with calls of tools that it expects us to have. */
export function toolWaitsForUs(tools: readonly string[], secrets: readonly string[] = []): ParleyError {
  return new ParleyError("run_failed", {
    what: missingTool.what,
    hint: missingTool.hint,
    cause: new Error(`Calls without a result: ${redactSecrets(tools.slice(0, 10).join(", "), secrets)}`),
  });
}

type Words = { readonly what: string; readonly hint: string } | undefined;

function codeOf(status: number, said: Said, subject: Subject, header: Refusal["header"]): readonly [ErrorCode, Words?] {
  const text = textToMatch(said);
  if (status < 400) return ["service_not_understood"];
  // A proxy in front answers for a service that is down, in HTML or not at all.
  if (!said.isJson) return [bareCode(status, header)];
  const quotesModel = quotesModelPattern.test(said.message);
  if (status === 429) return [noQuotaPattern.test(text) ? "model_unavailable" : "service_busy"];
  if (tooLongPattern.test(text)) return ["question_too_long", tooLong];
  if (filteredPattern.test(text)) return ["run_failed", filtered];
  if (ownKeyPattern.test(said.type)) return ["not_authorised"];
  if (status === 401 || status === 403) return [quotesModel ? "model_unavailable" : "not_authorised"];
  if (status === 402) return ["model_unavailable"];
  if (status === 404) return [notFoundCode(said, text, subject)];
  if (status < 500 && unknownModelPattern.test(text)) return ["agent_not_found"];
  if (quotesModel || status === 408) return ["model_unavailable"];
  if (status === 409) return ["service_busy"];
  if (status < 500) return ["service_request_refused"];
  if (status === 503 || status === 529) return ["service_busy"];
  return [status === 502 || status === 504 ? "service_unreachable" : "service_failed"];
}

function bareCode(status: number, header: Refusal["header"]): ErrorCode {
  if (status === 401 || status === 403) return "not_authorised";
  if (status === 429 || status === 529) return "service_busy";
  // A running service sends Retry-After.
  if (status === 503 && retryAfterOf(header) !== undefined) return "service_busy";
  if (status >= 502 && status <= 504) return "service_unreachable";
  return status >= 500 ? "service_failed" : "service_not_understood";
}

function notFoundCode(said: Said, text: string, subject: Subject): ErrorCode {
  // A service needn't list its models.
  if (subject === "status") return "resource_not_found";
  if (/^project not found/i.test(said.message)) return "project_not_found";
  // FastAPI's words for a path that nothing serves: not the service, or not under this URL.
  if (said.message === "Not Found" && said.code === "") return "service_not_understood";
  if (subject === "run") return "resource_not_found";
  if (unknownModelPattern.test(text)) return "agent_not_found";
  return subject === "agent" && !/response|conversation|not_found/i.test(text)
    ? "agent_not_found"
    : "resource_not_found";
}

function failureOf(said: Said, text: string): readonly [ErrorCode, Words?] {
  if (tooLongPattern.test(text)) return ["question_too_long", tooLong];
  if (filteredPattern.test(text)) return ["run_failed", filtered];
  const isModels =
    quotesModelPattern.test(said.message) ||
    /^provider_/.test(said.code) ||
    busyPattern.test(text) ||
    noQuotaPattern.test(text) ||
    unknownModelPattern.test(text) ||
    /model_error|invalid_api_key|api key/i.test(text);
  return [isModels ? "model_unavailable" : "run_failed"];
}

function readBody(body: string): Said {
  const parsed = parseJson(body);
  if (isObject(parsed)) return readError(parsed["error"] ?? parsed);
  return { message: textOf(body), type: "", code: "", isJson: false };
}

/** `{message, type, code}`, `{detail}` as text or as a list of faults, cowork's `{code, error: text}`, or a text. */
function readError(given: unknown): Said {
  const error = innermost(given);
  if (!isObject(error)) return { message: textOf(error), type: "", code: "", isJson: true };
  const message = messageOf(error);
  return { message, type: textOf(error["type"]), code: textOf(error["code"]), isJson: true };
}

/** The words of an error, under whichever name; empty if it has none. */
export function messageOf(error: Readonly<Record<string, unknown>>): string {
  const words = ["message", "msg", "error_message", "error_msg", "error"].map((key) => textOf(error[key]));
  const { errors } = error;
  const first: unknown = Array.isArray(errors) ? errors[0] : errors;
  const inner = isObject(first) ? textOf(first["message"]) || textOf(first["detail"]) : textOf(first);
  return [...words, detailOf(error["detail"]), inner, textOf(error["status"])].find((one) => one !== "") ?? "";
}

/** Proxies wrap the error of what they pass on. */
function innermost(given: unknown): unknown {
  let error = given;
  for (let depth = 0; depth < maxWrappings && isObject(error) && isObject(error["error"]); depth += 1) {
    error = error["error"];
  }
  return error;
}

/** Of a list only places and reasons: FastAPI repeats the refused input beside them. */
function detailOf(detail: unknown): string {
  if (!Array.isArray(detail)) return textOf(detail);
  const faults = detail.slice(0, 10).filter(isObject);
  return faults
    .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.map(textOf).join(".") : ""}: ${textOf(msg)}`)
    .join("; ");
}

function textToMatch({ message, type, code }: Said): string {
  return `${type}\n${code}\n${message}`;
}

function causeOf(where: string, { message, type, code }: Said, secrets: readonly string[]): Error {
  const said = redactInternals(redactSecrets(message, secrets)).slice(0, maxCauseChars);
  const named = redactSecrets([type, code].filter((word) => word !== "").join(" "), secrets).slice(0, 200);
  return new Error(
    [where, named, said]
      .filter((part) => part !== "")
      .join(" ")
      .trim(),
  );
}

function errorOptions(words: Words, cause: Error, retryAfterMs: number | undefined): ParleyErrorOptions {
  return { what: words?.what, hint: words?.hint, cause, retryAfterMs };
}

function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.slice(0, maxReadChars) : "";
}
