/**
 * Turns an error response (any status but 2xx) into a ParleyError. The service has two JSON shapes for errors, and
 * answers redirects and unknown paths with HTML. Its `detail` may hold the model object with its key, host paths and
 * internal URLs, so it only chooses the code and goes redacted into the cause. The detail of 404 "Resource not found"
 * is dropped altogether.
 */
import { type ErrorCode, type InsertReason, ParleyError } from "../../core/errors.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import type { Refusal, Subject } from "../http/request.ts";
import { retryAfterOf } from "../http/retry-after.ts";
import { redactInternals, redactSecrets, safeWords, textOf } from "../http/texts.ts";

export type Problem = {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly isJson: boolean;
  readonly retryAfterMs?: number;
};

/** Characters of `detail` in an error's cause, which goes to the log. */
const maxDetailChars = 1000;

/** Reads an error body of either JSON shape. For any other body only the status counts. */
export function readProblem(status: number, body: string, retryAfter?: string, date?: string): Problem {
  const retryAfterMs = retryAfterOf((name) => ({ "retry-after": retryAfter, date })[name]);
  const parsed = parseJson(body);
  if (!isObject(parsed)) return { status, title: "", detail: "", isJson: false, retryAfterMs };
  const title = textOf(parsed["title"]);
  const detail = textOf(parsed["detail"]) || textOf(parsed["message"]) || title;
  return { status, title, detail, isJson: true, retryAfterMs };
}

export function errorOf({ status, body, header, subject, secrets }: Refusal): ParleyError {
  return problemError(readProblem(status, body, header("retry-after"), header("date")), subject, secrets);
}

export function problemError(problem: Problem, subject: Subject, secrets: readonly string[]): ParleyError {
  const code = codeOf(problem, subject);
  const reason = code === "insert_failed" ? insertReason(problem.detail) : undefined;
  const retryAfterMs = problem.retryAfterMs ?? (code === "knowledge_base_busy" ? 2000 : undefined);
  return new ParleyError(code, { cause: causeOf(problem, secrets), reason, retryAfterMs });
}

function codeOf(problem: Problem, subject: Subject): ErrorCode {
  const { status, isJson } = problem;
  if (status === 401 || status === 403) return "not_authorised";
  if (status === 429) return "service_busy";
  // A running service sends Retry-After. A 503 without it comes from a proxy in front of a service that is down.
  if (status === 503 && problem.retryAfterMs !== undefined) return "service_busy";
  if (status >= 502 && status <= 504) return "service_unreachable";
  if (status < 400) return "service_not_understood";
  if (!isJson) return status >= 500 ? "service_failed" : "service_not_understood";
  if (status === 404) return notFoundCode(problem, subject);
  if (status === 409) return "name_taken";
  if (status === 400) return badRequestCode(problem, subject);
  if (status === 413) return subject === "insert" ? "insert_failed" : subject === "file" ? "file_refused" : refused;
  return status >= 500 ? failureCode(problem) : refused;
}

const refused: ErrorCode = "service_request_refused";

function notFoundCode({ title, detail }: Problem, subject: Subject): ErrorCode {
  // /api/status isn't in the API document, so a service needn't have it.
  if (subject === "status") return "resource_not_found";
  if (/^agent not found/i.test(title)) return "agent_not_found";
  if (/^project not (?:found|exists)/i.test(title)) return "project_not_found";
  if (/^knowledge base not found/i.test(title)) return "knowledge_base_not_found";
  // 26.x says this for an agent's unknown knowledge base, table or model alike.
  if (/^resource not found/i.test(title)) return "resource_not_found";
  // The path itself is unknown, so something other than the service answered.
  if (/^not found$/i.test(title || detail)) return "service_not_understood";
  if (subject === "agent") return "agent_not_found";
  return subject === "knowledge-base" || subject === "insert" ? "knowledge_base_not_found" : "resource_not_found";
}

function badRequestCode({ title, detail }: Problem, subject: Subject): ErrorCode {
  if (/index is already used/i.test(detail)) return "knowledge_base_busy";
  if (/already exists/i.test(title)) return "name_taken";
  if (/not supported format/i.test(detail)) return "file_refused";
  if (/^wrong name/i.test(title)) return "name_not_allowed";
  if (/^creation is not allowed/i.test(title)) return "agent_not_found";
  if (/^error in username/i.test(title)) return "not_authorised";
  if (/^preprocessing error/i.test(title)) return "insert_failed";
  if (/^invalid preprocessing/i.test(title)) return /\bname\b|table_name/i.test(detail) ? "name_not_allowed" : refused;
  return subject === "file" && title === "Error" ? "file_refused" : refused;
}

function failureCode({ title, detail }: Problem): ErrorCode {
  if (/^Model(?:HTTP|API)Error/.test(title)) return "model_unavailable";
  if (/embedding model|reranking model|Error code: \d{3}/i.test(detail)) return "model_unavailable";
  if (/^EntityNotExistsError/.test(title)) {
    if (/^project/i.test(detail)) return "project_not_found";
    return "resource_not_found";
  }
  return "service_failed";
}

function causeOf({ status, title, detail }: Problem, secrets: readonly string[]): Error {
  const holdsModel = /^resource not found/i.test(title);
  const said = holdsModel || detail === title ? "" : `: ${redactInternals(detail).slice(0, maxDetailChars)}`;
  return new Error(redactSecrets(`HTTP ${status} ${title}${said}`.trim(), secrets));
}

const outOfStepsPattern = /maximum number of (?:exploratory queries|iterations|steps)|ran out of steps/i;
const modelPattern =
  /status_code: \d|model_name:|Error code: \d{3}|Connection error|rate limit|api key|context length|model_not_found/i;

/** The service's own words for any failure, which say nothing to people. */
const silentPattern = /^(?:error in completion event generator|agent streaming failed)\b/i;

/** The plain endpoint of 25.x sends a model's failure as if it were the answer, with status 200. */
const modelErrorAsAnswer = /^Error code: \d{3} - /;

/**
 * A failed run. A raw model error with URLs and sometimes keys is never shown to people; it goes redacted into the cause.
 * Other words are shown as far as they are safe.
 */
export function runFailure(said: string): ParleyError {
  const cause = new Error(redactInternals(said).slice(0, 2000));
  const code = runCodeOf(said);
  const isTelling = code === "run_failed" && !silentPattern.test(said);
  return new ParleyError(code, { cause, said: isTelling ? safeWords(said) : undefined });
}

export function isModelErrorAsAnswer(text: string): boolean {
  return modelErrorAsAnswer.test(text);
}

function runCodeOf(said: string): ErrorCode {
  if (outOfStepsPattern.test(said)) return "answer_unusable";
  if (modelPattern.test(said)) return "model_unavailable";
  return "run_failed";
}

/** The message is a Python exception with URLs, host paths and SQL in it, so nothing of it is repeated. */
const insertReasons: readonly (readonly [RegExp, InsertReason])[] = [
  [/File '.*' does not exist/i, "file-unknown"],
  [/NameResolutionError|Failed to resolve|getaddrinfo/i, "url-unresolved"],
  [/Connection refused|NewConnectionError|ConnectTimeout|ReadTimeout|timed out|Connection aborted/i, "url-silent"],
  [/SSLError|CERTIFICATE/i, "url-certificate"],
  [/InvalidURL|InvalidSchema|MissingSchema|Failed to parse: Host/i, "url-invalid"],
  [/optional web handler/i, "no-page-reader"],
  [/Content columns .* not found/i, "row-empty"],
  [/Syntax error|cannot be parsed/i, "query-invalid"],
  [/not found in|does not exists?\b/i, "query-names-missing"],
  [/unterminated|bad character range|nothing to repeat/i, "filter-invalid"],
  [/^[^:]*: 'https?:\/\/[^']*'$/i, "no-page-matched"],
  [/embedding|Error code: \d{3}|api key/i, "embedding-failed"],
];

/** Why the service could not add content. Undefined when the cause is unknown. */
export function insertReason(detail: string): InsertReason | undefined {
  return insertReasons.find(([pattern]) => pattern.test(detail))?.[1];
}
