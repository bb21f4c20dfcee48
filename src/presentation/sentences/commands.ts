/**
 * The sentences of commands: what is wrong with what was typed, who answers where, what you may do.
 * `command` is always a command as it is typed, with slash and prefix.
 */

import type { Inline } from "../../ports/document.ts";
import type { Mode, Role } from "../../ports/model/place.ts";
import { bold, code, inline } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** What is wrong with what was typed. */
export const problemSentences = {
  unknownCommand: (typed: string): Inline => inline("There is no command ", code(typed), "."),
  incomplete: (group: string): Inline => inline(code(group), " needs one more word:"),
  unknownPart: (typed: string): Inline => inline("There is no ", code(typed), ". There is:"),
  unknownOption: (typed: string, command: string): Inline => inline(code(command), " has no option ", code(typed), "."),
  missing: (option: string, command: string): Inline => inline(code(command), " needs ", code(option), "."),
  badChoice: (typed: string, option: string, choices: readonly string[]): Inline =>
    inline(code(typed), " cannot be the ", code(option), `: it is ${orList(choices)}.`),
  badNumber: (typed: string, option: string, from?: number, to?: number): Inline =>
    inline(code(typed), " cannot be the ", code(option), `: it is a whole number${rangeText(from, to)}.`),
  badValue: (typed: string, option: string): Inline => inline(code(typed), " cannot be the ", code(option), "."),
  givenTwice: (option: string): Inline => inline(code(option), " was given twice."),
  didYouMean: (suggestion: string): Inline => inline("Did you mean ", code(suggestion), "?"),
  seeHelp: (help: string): Inline => inline("See all of them with ", code(help), "."),
  forExample: (example: string): Inline => inline("For example: ", code(example)),
  options: (names: readonly string[]): Inline =>
    names.length === 0
      ? inline("It has no options.")
      : inline("Its options: ", ...names.flatMap((name, index) => [index === 0 ? "" : ", ", code(name)])),
  buttonGone: "That button does not do anything any more.",
  buttonGoneHint: "Give the command again.",
  leftAsItWas: "Left as it was.",
} as const;

export const helpSentences = {
  title: "What you can do here",
  ask: "Mention Parley with a question, send it a direct message, or use a command:",
  more: (help: string): Inline => inline("Details: ", code(help), " and a command."),
  optional: "if you like",
  oneOf: (choices: readonly string[]): string => orList(choices),
  needs: { ask: "", ingest: "for those who may add", manage: "for those who manage" } satisfies Record<Role, string>,
} as const;

/** Who answers here, and why. */
export const bindingSentences = {
  answers: (agent: string): Inline => inline(bold(agent), " answers here."),
  why: {
    channel: "It was chosen for this channel.",
    workspace: "It was chosen for the workspace; this channel has none of its own.",
    settings: "It is the default of the settings; neither channel nor workspace has one.",
    "only-agent": "It is the only agent there is, and none was chosen.",
  },
  inThread: (agent: string): Inline => inline("In this thread ", bold(agent), " was named, and goes on answering."),
  choose: (count: number): string =>
    `None was chosen here, and there are ${numberText(count)}: each question asks which one should answer.`,
  none: "There is no agent yet.",
  makeOne: (command: string): Inline => inline("Make one with ", code(command), "."),
  chooseWith: (command: string): Inline => inline("Choose one with ", code(command), "."),
  used: (agent: string, scope: "channel" | "workspace"): Inline =>
    scope === "channel"
      ? inline(bold(agent), " answers in this channel from now on.")
      : inline(bold(agent), " answers from now on wherever a channel has no agent of its own."),
  cleared: (scope: "channel" | "workspace"): string =>
    scope === "channel" ? "This channel has no agent of its own any more." : "The workspace has no agent any more.",
  nothingToClear: (scope: "channel" | "workspace"): string =>
    scope === "channel" ? "This channel had no agent of its own." : "The workspace had no agent.",
  isWorkspaceDefault: "It answers wherever a channel has no agent of its own.",
} as const;

/** Agents, and what they are made of. */
export const agentSentences = {
  listTitle: (count: number): string => countText(count, "agent"),
  more: (count: number): string => `${countText(count, "more agent")}: their names complete as you type.`,
  noSuch: (name: string): Inline => inline("There is no agent called ", code(name), "."),
  channels: (ids: readonly string[]): Inline =>
    inline(...ids.flatMap((id, index) => [index === 0 ? "" : ", ", channel(id)])),
  answersIn: "answers in ",
  moreChannels: (count: number): string => ` and ${countText(count, "more channel")}`,
  defaultModel: "the service's default model",
  labels: {
    model: "Model: ",
    key: "Key: ",
    knowledgeBases: "Knowledge bases: ",
    tables: "Tables: ",
    instructions: "Instructions: ",
    channels: "Channels: ",
    changed: "Last changed: ",
  },
  keySet: "one is set",
  keyNotSet: "none of its own",
  none: "none",
  moreNames: (count: number): string => ` and ${numberText(count)} more`,
  cut: (chars: number): string => `Cut here; ${numberText(chars)} characters in all.`,
  summary: (name: string): string => `What ${name} is made of`,
} as const;

export const knowledgeBaseSentences = {
  listTitle: (count: number): string => countText(count, "knowledge base"),
  none: "There is no knowledge base yet.",
  more: (count: number): string => `${countText(count, "more knowledge base")}: their names complete as you type.`,
  noSuch: (name: string): Inline => inline("There is no knowledge base called ", code(name), "."),
  embedding: (model: string): string => `embedding ${model}`,
  reranking: (model: string): string => `reranking ${model}`,
  defaultHere: "what is added here goes there",
  used: (name: string): Inline => inline("What is added in this channel goes to ", bold(name), " from now on."),
  found: (count: number, name: string): Inline => inline(`${countText(count, "passage")} in `, bold(name)),
  nothingFound: (name: string): Inline => inline("Nothing was found in ", bold(name), "."),
  relevance: (value: number): string => `relevance ${value.toFixed(2)}`,
} as const;

export const statusSentences = {
  title: "Parley's state",
  service: (generation: string, version: string): Inline =>
    inline("The agent service answers (", generationText(generation, version), ")"),
  serviceFailed: (what: string, hint: string): string => `${what} ${hint}`,
  questions: (running: number, waiting: number): string =>
    `${countText(running, "question is", "questions are")} being answered, ${numberText(waiting)} waiting`,
  parley: (version: string): string => `Parley ${version}`,
  project: (name: string): Inline => inline("Project ", code(name)),
} as const;

export const modeSentences = {
  is: {
    mention: "Here only messages that name Parley are answered.",
    thread: "Here messages that name Parley are answered, and follow-ups in threads where it has answered.",
    channel: "Here every message is answered.",
  } satisfies Record<Mode, string>,
  change: (command: string): Inline => inline("Change it with ", code(command), "."),
} as const;

export const forgetSentences = {
  forgotten: (count: number): string =>
    `Forgot ${countText(count, "earlier question")}, with the answers, context and steps. Your next question starts fresh.`,
  stays: "I can't remove messages from the chat app, or the agent service's own logs. The audit log stays too.",
  forgetting: "Stopping what runs in this conversation, and forgetting it…",
  nothing: "Nothing to forget here. Run this inside the conversation.",
} as const;

export const roleSentences = {
  title: "What you may do here",
  may: { ask: "ask", ingest: "add to knowledge bases", manage: "manage agents and settings" } satisfies Record<
    Role,
    string
  >,
  line: (role: Role, allowed: boolean, because: string): Inline =>
    inline(allowed ? "You may " : "You may not ", bold(roleSentences.may[role]), `: ${because}`),
} as const;

/** A channel by its id; platforms that can show its name. */
export function channel(id: string): Inline[number] {
  return { text: id, style: "code", channelId: id };
}

function generationText(generation: string, version: string): string {
  // A version of 25.x or 26.x says its generation itself, and the local service has no other.
  return generation === "unknown" && version !== "" ? `unknown, ${version}` : version || generation;
}

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function rangeText(from?: number, to?: number): string {
  if (from !== undefined && to !== undefined) return ` from ${numberText(from)} to ${numberText(to)}`;
  if (from !== undefined) return ` of at least ${numberText(from)}`;
  return to === undefined ? "" : ` of at most ${numberText(to)}`;
}
