/** Sentences that several commands say. */

import type { Inline } from "../core/document.ts";
import { bold, code, say } from "../presentation/drawing.ts";
import { countText, shorten } from "../presentation/sentences.ts";

/** Slack allows 75 characters for a button, Discord 80. */
const maxNameChars = 24;

export const agentFormTexts = {
  createTitle: "New agent",
  create: "Create",
  save: "Save",
  fields: {
    name: { label: "Name", hint: "Lower-case letters, digits and underscores, for example support_bot." },
    project: { label: "Project", hint: "Where the service keeps the agent." },
    model: { label: "Advanced: Model", hint: "For example gpt-4o. Leave empty for the default." },
    provider: { label: "Advanced: Provider", hint: "Who runs the model, for example openai." },
    key: { label: "Advanced: API key", hint: "API key for the provider. Leave empty to use the service's own." },
    keptKey: { label: "Advanced: API key", hint: "Leave empty to keep the current key." },
    knowledgeBases: { label: "Knowledge bases", hint: "What it can search. project.* means everything in a project." },
    tables: { label: "Advanced: Tables", hint: "As source.table. source.* means every table in a source." },
    instructions: { label: "Instructions", hint: "Its purpose, its data, and how it should answer." },
  },
  openHere: "Open the form to continue.",
  openCreate: "New agent",
  openEdit: (name: string): string => shorten(`Edit ${name}`, 75),
} as const;

/** What is wrong with a name in a form. */
export const nameSentences = {
  missing: "Enter a name, for example support_bot.",
  notAllowed: (suggestion: string): string =>
    `Use only lower-case letters, digits and underscores, starting with a letter: ${suggestion}`,
  noProject: (name: string, near?: string): string => missing("project", name, near),
} as const;

/** Creating and editing, from the first word to the result. */
export const makingSentences = {
  making: (name: string): Inline => say`Creating ${bold(name)}…`,
  taken: (name: string): Inline => say`There is already an agent called ${bold(name)}.`,
  notMade: (name: string): Inline => say`Couldn't create ${bold(name)}.`,
} as const;

/** What is wrong with what was typed or pressed. */
export const problemSentences = {
  listTooLong: (entries: number, chars: number): string =>
    `That's too long: a list can have up to ${countText(entries, "entry", "entries")} and ${countText(chars, "character")}.`,
  didYouMean: (suggestion: string): Inline => say`Did you mean ${code(suggestion)}?`,
} as const;

/** Jobs in a list, and their buttons. */
export const jobListSentences = {
  again: "Retrying the failed ones.",
  gone: "This job is no longer available.",
} as const;

export const knowledgeBaseSentences = {
  none: "There are no knowledge bases yet.",
  noSuch: (name: string): Inline => say`There is no knowledge base called ${code(name)}.`,
} as const;

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
export const feedSentences = {
  begun: (count: number, what: "address" | "piece" | "query", into: string): Inline =>
    say`Adding ${amountText(count, what)} to ${bold(into)}. Progress is shown below.`,
} as const;

/** Which agents look in a knowledge base, and letting another one look. */
export const readerSentences = {
  nobody: (base: string): Inline => say`No agent uses ${bold(base)} yet.`,
  connectBase: (agent: string | undefined, base: string): string =>
    `Connect ${shorten(base, maxNameChars)} to ${agent === undefined ? "an agent" : shorten(agent, maxNameChars)}`,
} as const;

export function missing(kind: string, name: string, near: string | undefined): string {
  const what = `There is no ${kind} called “${name}”.`;
  return near === undefined ? what : `${what} Did you mean ${near}?`;
}

function amountText(count: number, what: "address" | "piece" | "query"): string {
  switch (what) {
    case "address":
      return countText(count, "page");
    case "piece":
      return countText(count, "item");
    case "query":
      return "the query's rows";
    default:
      return what satisfies never;
  }
}

/** Summaries of the command groups: "/agent" as a whole. */
export const groupSummaries: Readonly<Record<string, string>> = {
  ask: "Ask an agent a question",
  agent: "List, choose and set up agents",
  kb: "Search and add to what the agents know",
  schedule: "Questions that are asked at fixed times",
  parley: "Help, status and settings",
};
