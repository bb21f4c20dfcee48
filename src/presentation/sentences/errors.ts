/** Every error in two sentences: what happened, and what to do. docs/errors.md is checked against this table. */

import type { Inline } from "../../core/document.ts";
import { type ErrorCode, type InsertReason, ParleyError } from "../../core/errors.ts";
import { moment, say } from "../drawing/inline.ts";
import { agentsElsewhere } from "./commands.ts";
import { approvalSentences } from "./questions.ts";

export type ErrorText = { readonly what: string; readonly hint: string };

export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  // The agent service.
  service_unreachable: {
    what: "The agent service can't be reached.",
    hint: "Your question is saved. Try again in a minute, or tell your Parley admin.",
  },
  service_busy: {
    what: "The agent service is busy and hasn't started to answer.",
    hint: "Your question is saved. Try again in a minute.",
  },
  service_failed: {
    what: "The agent service reported an error.",
    hint: "Your question is saved. Try again, or tell your Parley admin.",
  },
  service_not_understood: {
    what: "The agent service sent an unexpected reply.",
    hint: "Check AGENT_SERVICE_URL: it must be the URL of the service itself.",
  },
  service_request_refused: {
    what: "The agent service rejected the request.",
    hint: "Tell your Parley admin: the log has what the service says, by the reference.",
  },
  not_authorised: {
    what: "The agent service rejected Parley's login.",
    hint: "Ask your Parley admin to check AGENT_SERVICE_TOKEN, or the user and password.",
  },
  agent_not_found: {
    what: "There is no agent with that name.",
    hint: "See all agents with /agent list, then choose one with /agent use.",
  },
  project_not_found: {
    what: "There is no such project on the agent service.",
    hint: "Check AGENT_PROJECT.",
  },
  knowledge_base_not_found: {
    what: "There is no knowledge base with that name.",
    hint: "See all knowledge bases with /kb list.",
  },
  resource_not_found: {
    what: "The agent service doesn't recognise one of these names.",
    hint: "Check the knowledge bases, the tables and the model.",
  },
  name_taken: {
    what: "That name is taken.",
    hint: "Choose another one.",
  },
  name_not_allowed: {
    what: "The agent service doesn't allow that name.",
    hint: "Use lower-case letters, digits and underscores, starting with a letter.",
  },
  insert_failed: {
    what: "The content couldn't be added.",
    hint: "Check that it can be read and isn't empty, then try again.",
  },
  knowledge_base_busy: {
    what: "The knowledge base is busy.",
    hint: "Try again in a minute.",
  },
  file_refused: {
    what: "The agent service rejected the file.",
    hint: "Use a text, CSV, JSON, spreadsheet or PDF file.",
  },
  model_unavailable: {
    what: "The model behind the agent didn't answer.",
    hint: "Try again, or tell your Parley admin.",
  },
  no_answer: {
    what: "The agent finished without an answer.",
    hint: "Your question is saved. Try again, or tell your Parley admin.",
  },
  answer_unusable: {
    what: "The agent ran out of steps before it had an answer.",
    hint: "Try again with a narrower question.",
  },
  run_failed: {
    what: "Something failed while the agent was working.",
    hint: "Your question is saved. Try again.",
  },
  stream_cut: {
    what: "The connection to the agent service dropped before the answer was complete.",
    hint: "Your question is saved. Try again.",
  },
  stream_silent: {
    what: "The agent service stopped responding.",
    hint: "Try again (the first run may still be active).",
  },
  stream_too_long: {
    what: "The agent hit its time limit.",
    hint: "Try again with a narrower question.",
  },
  answer_too_large: {
    what: "The agent service sent more than Parley accepts at once.",
    hint: "Try again with a narrower question.",
  },
  gave_up: {
    what: "Parley was interrupted three times while working on this question, so it stopped trying.",
    hint: "Press Try again to ask once more, or ask for less at a time.",
  },
  approval_needed: {
    what: "The agent asked for approval of a tool, and there was nobody to ask.",
    hint: "Ask it in a channel or a direct message instead.",
  },
  approval_unclear: approvalSentences.unclear,
  stopped: { what: "Stopped.", hint: "Press Try again to ask once more." },
  // What people ask for.
  question_empty: { what: "Hi! What would you like to know?", hint: "Mention me and add your question." },
  question_too_long: {
    what: "The question is longer than 120,000 characters.",
    hint: "Shorten it, or split it into several questions.",
  },
  too_many_questions: {
    what: "You have too many questions waiting.",
    hint: "Wait for some answers, or stop some of them, then ask again.",
  },
  tokens_used_up: {
    what: "This agent has used its tokens for today.",
    hint: "Ask it again tomorrow, or tell your Parley admin.",
  },
  no_agent: {
    what: "There are no agents yet.",
    hint: "Create one with /agent create.",
  },
  agent_choice: {
    what: "Several agents could answer here.",
    hint: "Choose one, or set one for this channel with /agent use.",
  },
  not_served: {
    what: "Parley isn't available to you here.",
    hint: "It answers in the servers it was set up for, and direct messages from their members. If you're a member, try again in a minute.",
  },
  agent_not_here: {
    what: "You can't ask that agent here.",
    hint: agentsElsewhere,
  },
  too_many_commands: {
    what: "You've sent more than 30 commands in a minute.",
    hint: "Try again in a minute. Questions don't count.",
  },
  not_allowed: {
    what: "You don't have permission to do that here.",
    hint: "See what you can do with /parley roles.",
  },
  person_unknown: {
    what: "The chat platform didn't say who you are.",
    hint: "Try again in a minute. If it keeps happening, tell your Parley admin.",
  },
  unknown_command: { what: "There is no such command.", hint: "See all commands with /parley help." },
  command_invalid: { what: "Parley doesn't understand that command.", hint: "See how to use it with /parley help." },
  turn_gone: { what: "That answer is no longer available.", hint: "Ask the question again." },
  approval_over: approvalSentences.over,
  // Platforms.
  platform_rate_limited: {
    what: "The chat platform asked Parley to slow down.",
    hint: "It continues automatically.",
  },
  platform_unreachable: { what: "The chat platform can't be reached.", hint: "Parley keeps trying." },
  platform_refused: {
    what: "The chat platform rejected the message.",
    hint: "Tell your Parley admin, with the reference.",
  },
  message_gone: { what: "The message was deleted.", hint: "Ask again." },
  message_not_editable: { what: "The message can no longer be edited.", hint: "The answer follows in a new one." },
  payload_refused: {
    what: "The chat platform rejected the message's format.",
    hint: "Please report this.",
  },
  place_gone: { what: "The channel or thread is gone, archived or locked.", hint: "Ask in another one." },
  thread_gone: { what: "The thread is gone.", hint: "Ask in a new message." },
  not_permitted: {
    what: "Parley isn't allowed to post there.",
    hint: "Ask an admin to invite it and to grant its permissions.",
  },
  // Parley itself.
  state_unavailable: { what: "Parley can't reach its storage.", hint: "Try again in a minute." },
  internal: {
    what: "Something went wrong inside Parley.",
    hint: "Try again. If it keeps happening, report it with the reference.",
  },
};

const insertSentence = (reason: string): string => `The content couldn't be added: ${reason}.`;

const insertReasons: Readonly<Record<InsertReason, string>> = {
  "embedding-failed": "the embedding model didn't answer",
  "file-unknown": "the service has no file with that name",
  "filter-invalid": "a filter isn't a valid expression",
  "no-page-matched": "no page matched the filter",
  "no-page-reader": "the service was installed without the part that reads web pages",
  "page-empty": "the page has no readable text",
  "page-not-text": "it isn't a web page",
  "page-too-large": "the page is too large",
  "query-invalid": "the query couldn't be parsed",
  "query-names-missing": "the query names something that doesn't exist",
  robots: "the site's robots.txt doesn't allow reading it",
  "row-empty": "a row has no content",
  "url-certificate": "the site has an invalid HTTPS certificate",
  "url-failed": "the site returned an error",
  "url-internal": "the URL leads into an internal network",
  "url-invalid": "that isn't a web URL",
  "url-silent": "the site didn't answer",
  "url-unresolved": "the URL's host name doesn't resolve",
};

/** In the reader's own time, where the platform can show that. */
export function busyUntil(untilMs: number): Inline {
  return say`The agent service is busy until ${moment(untilMs, "minute")}.`;
}

const questionSaved = "Your question is saved. ";

/**
 * What to tell a person: the error's own sentences where it has any, else those of its code. `hasQuestion`: a question
 * failed, which is stored and can be asked again; after a command there is none to save.
 */
export function errorText(
  error: ParleyError | ErrorText,
  { hasQuestion = false }: { readonly hasQuestion?: boolean } = {},
): ErrorText {
  if (!(error instanceof ParleyError)) return error;
  const { code, reason } = error;
  const text = errorTexts[code];
  const general = reason === undefined ? text.what : insertSentence(insertReasons[reason]);
  const what = error.said === undefined ? general : `${general.replace(/\.$/, "")}: “${error.said}”.`;
  const hint = hasQuestion ? text.hint : text.hint.replace(questionSaved, "");
  return { what: error.what ?? what, hint: error.hint ?? hint };
}

/** The general sentences of a stored code; undefined for one that this version doesn't know. */
export function codeText(code: string): ErrorText | undefined {
  return Object.hasOwn(errorTexts, code) ? errorTexts[code as ErrorCode] : undefined;
}

/** Errors that say more than their code. */
export const errorSentences = {
  serviceNotAsked: {
    what: "The agent service can't be reached, so it wasn't asked.",
    hint: "Your question is saved. Press Try again in a minute; Parley keeps checking the service.",
  },
  noPlace: {
    what: "The chat platform had no place for this answer for an hour, so Parley stopped trying.",
    hint: "Ask the question again.",
  },
  notFinished: "The answer isn't finished yet.",
} as const;
