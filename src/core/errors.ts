/**
 * The one error class and its codes. It carries no sentences of its own: the presentation words each code, and
 * docs/errors.md is checked against that. What a service or a platform said goes into `cause`, for the log.
 */
import type { Log } from "./ports/log.ts";

export type ErrorCode =
  // The agent service.
  | "service_unreachable"
  | "service_busy"
  | "service_failed"
  | "service_not_understood"
  | "service_request_refused"
  | "not_authorised"
  | "agent_not_found"
  | "project_not_found"
  | "knowledge_base_not_found"
  | "resource_not_found"
  | "name_taken"
  | "name_not_allowed"
  | "insert_failed"
  | "knowledge_base_busy"
  | "file_refused"
  | "model_unavailable"
  | "no_answer"
  | "answer_unusable"
  | "run_failed"
  | "stream_cut"
  | "stream_silent"
  | "stream_too_long"
  | "answer_too_large"
  | "gave_up"
  | "approval_needed"
  | "approval_unclear"
  | "stopped"
  // What people ask for.
  | "question_empty"
  | "question_too_long"
  | "too_many_questions"
  | "tokens_used_up"
  | "no_agent"
  | "agent_choice"
  | "not_served"
  | "agent_not_here"
  | "too_many_commands"
  | "not_allowed"
  | "person_unknown"
  | "unknown_command"
  | "command_invalid"
  | "turn_gone"
  | "approval_over"
  // Platforms.
  | "platform_rate_limited"
  | "platform_unreachable"
  | "platform_refused"
  | "message_gone"
  | "message_not_editable"
  | "payload_refused"
  | "place_gone"
  | "thread_gone"
  | "not_permitted"
  // Parley itself.
  | "state_unavailable"
  | "internal";

/** Why a service could not add content, as far as Parley recognises it. */
export type InsertReason =
  | "embedding-failed"
  | "file-unknown"
  | "filter-invalid"
  | "no-page-matched"
  | "no-page-reader"
  | "page-empty"
  | "page-not-text"
  | "page-too-large"
  | "query-invalid"
  | "query-names-missing"
  | "robots"
  | "row-empty"
  | "url-certificate"
  | "url-failed"
  | "url-internal"
  | "url-invalid"
  | "url-silent"
  | "url-unresolved";

export type ParleyErrorOptions = {
  /** What happened, where more is known than the code says; must be safe to show. */
  readonly what?: string | undefined;
  /** What to do about it; must be safe to show. */
  readonly hint?: string | undefined;
  /** What the service said, in a few words that are safe to show. */
  readonly said?: string | undefined;
  /** Of insert_failed. */
  readonly reason?: InsertReason;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

export class ParleyError extends Error {
  override readonly name = "ParleyError";
  readonly code: ErrorCode;
  /** Absent where the code says it all. */
  readonly what: string | undefined;
  readonly hint: string | undefined;
  readonly said: string | undefined;
  readonly reason: InsertReason | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, options: ParleyErrorOptions = {}) {
    const { what, hint, cause } = options;
    super(what === undefined ? code : `${code}: ${what}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.what = what;
    this.hint = hint;
    this.said = options.said;
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Anything thrown, as a ParleyError; anything else becomes "internal" with the original as its cause. */
export function toParleyError(thrown: unknown): ParleyError {
  return thrown instanceof ParleyError ? thrown : new ParleyError("internal", { cause: thrown });
}

/** Whether the question was refused before anything of it was stored. */
export function isNotTaken(thrown: unknown): thrown is ParleyError {
  return thrown instanceof ParleyError && thrown.code === "too_many_questions";
}

/** Mistakes of people, who are told: nothing is broken, and the admin needn't look. */
const mistakes: ReadonlySet<ErrorCode> = new Set([
  "agent_not_found",
  "knowledge_base_not_found",
  "resource_not_found",
  "name_taken",
  "name_not_allowed",
  "file_refused",
  "question_empty",
  "question_too_long",
  "too_many_questions",
  "tokens_used_up",
  "no_agent",
  "agent_choice",
  "not_served",
  "agent_not_here",
  "too_many_commands",
  "not_allowed",
  "unknown_command",
  "command_invalid",
  "turn_gone",
  "approval_over",
  "message_gone",
  "place_gone",
  "thread_gone",
]);

/** Logs a failure: as an error with its causes, or at info level when someone only made a mistake. */
export function logFailure(log: Log, error: ParleyError, fields: object, message: string): void {
  if (mistakes.has(error.code)) log.info({ ...fields, code: error.code }, message);
  else log.error({ ...fields, err: error }, message);
}
