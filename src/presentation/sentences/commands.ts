/**
 * Sentences about commands: what is wrong with what was typed, help, status, mode and forgetting. `command` and `help`
 * are always commands as people type them, with slash and prefix.
 */
import type { ServiceProfile } from "../../ports/agent-service.ts";
import type { Inline } from "../../ports/document.ts";
import type { Mode, Role } from "../../ports/model/place.ts";
import { code, inline } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** What is wrong with what was typed or pressed. */
export const problemSentences = {
  unknownCommand: (typed: string): Inline => inline("There is no command ", code(typed), "."),
  incomplete: (group: string): Inline => inline("Which one? ", code(group), " can:"),
  unknownPart: (typed: string): Inline => inline("There is no ", code(typed), ". Choose one of these:"),
  tooLong: (words: number, chars: number): string =>
    `That's too long: a command can have up to ${countText(words, "word")} and ${countText(chars, "character")}.`,
  listTooLong: (entries: number, chars: number): string =>
    `That's too long: a list can have up to ${countText(entries, "entry", "entries")} and ${countText(chars, "character")}.`,
  unknownOption: (typed: string, command: string): Inline => inline(code(command), " has no option ", code(typed), "."),
  missing: (option: string, command: string): Inline => inline(code(command), " needs ", code(option), "."),
  badChoice: (typed: string, option: string, choices: readonly string[]): Inline =>
    inline(code(typed), " isn't a valid ", code(option), `. Choose ${orList(choices)}.`),
  badNumber: (typed: string, option: string, from?: number, to?: number): Inline =>
    inline(code(typed), " isn't a valid ", code(option), `. Use a whole number${rangeText(from, to)}.`),
  badValue: (typed: string, option: string): Inline => inline(code(typed), " isn't a valid ", code(option), "."),
  givenTwice: (option: string): Inline => inline(code(option), " is there twice."),
  didYouMean: (suggestion: string): Inline => inline("Did you mean ", code(suggestion), "?"),
  seeHelp: (help: string): Inline => inline("See all commands with ", code(help), "."),
  forExample: (example: string): Inline => inline("For example: ", code(example)),
  options: (names: readonly string[]): Inline =>
    names.length === 0
      ? inline("It has no options.")
      : inline("Its options: ", ...names.flatMap((name, index) => [index === 0 ? "" : ", ", code(name)])),
  buttonGone: "This button has expired.",
  buttonGoneHint: "Run the command again.",
  leftAsItWas: "No changes made.",
} as const;

export const helpSentences = {
  title: "What you can do here",
  ask: "Mention Parley with a question, send it a direct message, or use a command:",
  askDirectly: "Write a question, or use a command:",
  more: (help: string): Inline => inline("For details: ", code(`${help} kb ingest`)),
  optional: "optional",
  oneOf: (choices: readonly string[]): string => orList(choices),
  needs: { ask: "", ingest: "needs permission to add", manage: "managers only" } satisfies Record<Role, string>,
} as const;

export const statusSentences = {
  title: "Status",
  service: (profile: ServiceProfile): Inline => inline(`Agent service: OK (${serverText(profile)})`),
  serviceLimits: (profile: ServiceProfile): string => {
    const limits = limitsText(profile);
    return `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}`;
  },
  serviceFailed: (what: string, hint: string): string => `${what} ${hint}`,
  questions: (running: number, waiting: number): string =>
    `Running ${numberText(running)} · waiting ${numberText(waiting)}`,
  parley: (version: string): string => `Parley ${version}`,
  project: (name: string): Inline => inline("Project ", code(name)),
} as const;

/** What the service is, and what it can't do, in one line for admins. */
export function serviceText(profile: ServiceProfile): string {
  return profile.generation === "local" ? "built-in" : `${serverText(profile)}; ${limitsText(profile)}`;
}

const serverNames: Readonly<Record<ServiceProfile["generation"], string>> = {
  "25.x": "MindsDB",
  "26.x": "MindsDB",
  local: "built-in",
  openai: "OpenAI",
  litellm: "LiteLLM",
  cowork: "cowork-server",
  unknown: "an unknown server",
};

const apiNames: Readonly<Record<ServiceProfile["dialect"], string>> = {
  mindsdb: "MindsDB's API",
  responses: "Responses API",
  chat: "Chat Completions",
};

/** "LiteLLM 1.106.2, Responses API, found by /v1/models". */
function serverText({ dialect, generation, version, foundBy }: ServiceProfile): string {
  if (generation === "local") return "built-in";
  const name = [serverNames[generation], ...(version === "" ? [] : [version])].join(" ");
  const api = serverNames[generation] === "MindsDB" ? [] : [apiNames[dialect]];
  return [name, ...api, ...(foundBy === undefined ? [] : [foundText(foundBy)])].join(", ");
}

/** By a path that answered, or by a setting. */
function foundText(by: string): string {
  return by.startsWith("/") ? `found by ${by}` : `set by ${by}`;
}

/** "20 questions at once; it can't create agents or stop runs". */
function limitsText({ maxRuns, offers, cancels, closeStopsRun, resumes }: ServiceProfile): string {
  const lacks = [
    ...(offers.includes("agent-changes") ? [] : ["create agents"]),
    ...(offers.includes("knowledge-bases") ? [] : ["hold knowledge bases"]),
    ...(cancels || closeStopsRun ? [] : ["stop runs"]),
    ...(resumes ? [] : ["continue runs after a restart of Parley"]),
  ];
  const runs = `${countText(maxRuns, "question")} at once`;
  return lacks.length === 0 ? runs : `${runs}; it can't ${orList(lacks)}`;
}

export const modeSentences = {
  is: {
    mention: "I answer only when mentioned.",
    thread: "I answer when mentioned, and follow-ups in threads I've joined.",
    channel:
      "I answer when mentioned, and follow-ups in threads I've joined. I also look into questions to nobody in particular, and speak only if I find an answer.",
    every: "I answer every message in this channel.",
  } satisfies Record<Mode, string>,
  answersAll: "I answer every message here, whatever the mode.",
  change: (command: string): Inline => inline("Change it with ", code(command), "."),
} as const;

export const forgetSentences = {
  forgotten: (count: number): string =>
    `Forgot ${countText(count, "earlier question")}, with the answers, context and steps. Your next question starts fresh.`,
  stays: "I can't remove messages from the chat app, or the agent service's own logs. The audit log stays too.",
  forgetting: "Stopping what's running in this conversation, and forgetting it…",
  nothing: "Nothing to forget here. Run this inside the conversation.",
} as const;

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function rangeText(from?: number, to?: number): string {
  if (from !== undefined && to !== undefined) return ` from ${numberText(from)} to ${numberText(to)}`;
  if (from !== undefined) return ` of at least ${numberText(from)}`;
  return to === undefined ? "" : ` of at most ${numberText(to)}`;
}
