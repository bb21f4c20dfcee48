/**
 * Sentences about commands: what is wrong with what was typed, help, status, mode and forgetting. `command` and `help`
 * are always commands as people type them, with slash and prefix.
 */
import type { ServiceProfile } from "../../ports/agent-service.ts";
import type { Inline } from "../../ports/document.ts";
import type { Mode } from "../../ports/model/place.ts";
import { code, say } from "../drawing/inline.ts";
import { countText } from "./quantities.ts";

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
export function serverText({ dialect, generation, version, foundBy }: ServiceProfile): string {
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
export function limitsText({ maxRuns, offers, cancels, closeStopsRun, resumes }: ServiceProfile): string {
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
  change: (command: string): Inline => say`Change it with ${code(command)}.`,
} as const;

export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
