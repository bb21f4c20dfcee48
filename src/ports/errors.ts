/**
 * The one error class, and the table that gives every code its sentences. docs/errors.md is checked against it.
 * `what` and `hint` are safe to show to anybody: what a service or a platform said goes into `cause`, for the log.
 */
import type { Log } from "./log.ts";

type ErrorText = { readonly what: string; readonly hint: string };

export const errorTexts = {
  // The agent service.
  service_unreachable: {
    what: "The agent service cannot be reached.",
    hint: "Your question is kept: try again in a minute, or tell whoever runs Parley.",
  },
  service_busy: {
    what: "The agent service is busy and did not begin to answer.",
    hint: "Your question is kept: try again in a minute.",
  },
  service_failed: {
    what: "The agent service reported a failure.",
    hint: "Your question is kept: try again, or tell whoever runs the service.",
  },
  service_not_understood: {
    what: "The agent service answered something that is not its API.",
    hint: "Check AGENT_SERVICE_URL: it should be the address of the service itself.",
  },
  service_request_refused: {
    what: "The agent service refused the request.",
    hint: "This is a fault in Parley: report it with the reference.",
  },
  not_authorised: {
    what: "The agent service did not accept Parley's login.",
    hint: "Ask whoever runs Parley to check AGENT_SERVICE_TOKEN, or the user and password.",
  },
  agent_not_found: {
    what: "There is no agent with that name.",
    hint: "See which there are with /agent list, then choose one with /agent use.",
  },
  project_not_found: {
    what: "There is no such project on the agent service.",
    hint: "Check AGENT_PROJECT.",
  },
  knowledge_base_not_found: {
    what: "There is no knowledge base with that name.",
    hint: "See which there are with /kb list.",
  },
  resource_not_found: {
    what: "The agent service does not know something that was named.",
    hint: "Check the knowledge bases, the tables and the model.",
  },
  name_taken: {
    what: "That name is taken.",
    hint: "Choose another one.",
  },
  name_not_allowed: {
    what: "The agent service does not allow that name.",
    hint: "Use lower-case letters, digits and underscores, beginning with a letter.",
  },
  insert_failed: {
    what: "The content could not be added.",
    hint: "Check that it can be read and is not empty, then try again.",
  },
  knowledge_base_busy: {
    what: "The knowledge base is busy with something else.",
    hint: "Try again in a minute.",
  },
  file_refused: {
    what: "The agent service did not accept the file.",
    hint: "Use a text, CSV, JSON, spreadsheet or PDF file.",
  },
  model_unavailable: {
    what: "The model behind the agent did not answer.",
    hint: "Try again, or ask whoever runs the agent.",
  },
  no_answer: {
    what: "The agent ended without an answer.",
    hint: "Your question is kept: try again, or ask whoever runs the agent.",
  },
  answer_unusable: {
    what: "The agent ran out of steps before it had an answer.",
    hint: "Try again with a narrower question.",
  },
  run_failed: {
    what: "Something failed while the agent was working.",
    hint: "Your question is kept: try again.",
  },
  stream_cut: {
    what: "The connection to the agent service broke before the answer was complete.",
    hint: "Your question is kept: try again.",
  },
  stream_silent: {
    what: "The agent service went silent in the middle of its work.",
    hint: "Try again; the earlier run may still be going on.",
  },
  stream_too_long: {
    what: "The agent worked longer than it may.",
    hint: "Try again with a narrower question.",
  },
  answer_too_large: {
    what: "The agent service sent more than Parley accepts in one piece.",
    hint: "Try again with a narrower question.",
  },
  gave_up: {
    what: "Parley was interrupted three times while it worked on this question, so it stopped trying.",
    hint: "Press Try again to ask once more, or ask for less at a time.",
  },
  stopped: { what: "Stopped.", hint: "Press Try again to ask once more." },
  // What people ask for.
  question_empty: { what: "There was no question.", hint: "Write one after my name." },
  question_too_long: {
    what: "The question is longer than 120,000 characters.",
    hint: "Shorten it, or ask about it in parts.",
  },
  too_many_questions: {
    what: "You have too many questions waiting.",
    hint: "Wait for some answers, or stop some of them, then ask again.",
  },
  no_agent: {
    what: "There is no agent yet.",
    hint: "Make one with /agent create.",
  },
  agent_choice: {
    what: "Several agents could answer here.",
    hint: "Choose one, or bind one to this channel with /agent use.",
  },
  not_served: {
    what: "Parley does not serve you here.",
    hint: "It answers in the servers it was set up for, and answers direct messages of their members. If you are a member, try again in a minute.",
  },
  agent_not_here: {
    what: "That agent cannot be asked here.",
    hint: "An agent that is bound to channels answers only in those. See whom you can ask here with /agent list.",
  },
  too_many_commands: {
    what: "You have given more than 30 commands in a minute.",
    hint: "Try again in a minute. Questions are not counted.",
  },
  not_allowed: {
    what: "You may not do that here.",
    hint: "See who may with /parley roles.",
  },
  person_unknown: {
    what: "The chat platform did not say who you are.",
    hint: "Try again in a minute. If it stays so, tell whoever runs Parley.",
  },
  unknown_command: { what: "There is no such command.", hint: "See all of them with /parley help." },
  command_invalid: { what: "That command cannot be understood.", hint: "See how it is used with /parley help." },
  turn_gone: { what: "That answer is not kept any more.", hint: "Ask the question again." },
  // Platforms.
  platform_rate_limited: { what: "The chat platform asks Parley to slow down.", hint: "It goes on by itself." },
  platform_unreachable: { what: "The chat platform cannot be reached.", hint: "Parley keeps trying." },
  platform_refused: {
    what: "The chat platform refused the message.",
    hint: "Tell whoever runs Parley, with the reference.",
  },
  message_gone: { what: "The message is gone.", hint: "Ask again." },
  message_not_editable: { what: "The message cannot be changed any more.", hint: "The answer follows as a new one." },
  payload_refused: { what: "The chat platform did not accept the form of the message.", hint: "Report it." },
  place_gone: { what: "The channel or thread is gone, archived or locked.", hint: "Ask in another one." },
  not_permitted: {
    what: "Parley is not allowed to write there.",
    hint: "Ask an administrator to invite it and to grant its permissions.",
  },
  // Parley itself.
  state_unavailable: { what: "Parley's storage does not answer.", hint: "Try again in a minute." },
  internal: {
    what: "Something went wrong inside Parley.",
    hint: "Try again; report it with the reference if it stays.",
  },
} as const satisfies Record<string, ErrorText>;

export type ErrorCode = keyof typeof errorTexts;

export type ParleyErrorOptions = {
  /** A more particular sentence than the table's; must be safe to show. */
  readonly what?: string;
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

export class ParleyError extends Error {
  override readonly name = "ParleyError";
  readonly code: ErrorCode;
  /** One sentence of what happened; safe to show. */
  readonly what: string;
  /** One sentence of what to do; safe to show. */
  readonly hint: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, options: ParleyErrorOptions = {}) {
    const what = options.what ?? errorTexts[code].what;
    super(`${code}: ${what}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.what = what;
    this.hint = options.hint ?? errorTexts[code].hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Anything thrown, as a ParleyError; what is none becomes "internal" with the original as cause. */
export function toParleyError(thrown: unknown): ParleyError {
  return thrown instanceof ParleyError ? thrown : new ParleyError("internal", { cause: thrown });
}

/** Nothing was stored of that question, and nothing will be. */
export function isNotTaken(thrown: unknown): thrown is ParleyError {
  return thrown instanceof ParleyError && thrown.code === "too_many_questions";
}

/** What somebody typed, named or pressed in vain, and is told: nothing is broken, and nobody who runs Parley has to look. */
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
  "no_agent",
  "agent_choice",
  "not_served",
  "agent_not_here",
  "too_many_commands",
  "not_allowed",
  "unknown_command",
  "command_invalid",
  "turn_gone",
  "message_gone",
  "place_gone",
]);

/** One line of what could not be done: with its causes when something failed, and quietly when somebody only mistyped. */
export function logFailure(log: Log, error: ParleyError, fields: object, message: string): void {
  if (mistakes.has(error.code)) log.info({ ...fields, code: error.code }, message);
  else log.error({ ...fields, err: error }, message);
}
