/**
 * The sentences and forms of making, changing and deleting agents and knowledge bases.
 */
import type { Inline } from "../../ports/document.ts";
import { bold, code, inline } from "../drawing/inline.ts";
import { channel } from "./commands.ts";

export const agentFormTexts = {
  createTitle: "New agent",
  editTitle: "Change the agent",
  create: "Create",
  save: "Save",
  fields: {
    name: { label: "Name", hint: "Lower-case letters, digits and underscores, for example support_bot." },
    provider: { label: "Provider", hint: "Of the model, for example openai. Empty: the service's default." },
    model: { label: "Model", hint: "For example gpt-4o. Empty: the service's default." },
    key: { label: "Key", hint: "For the model's provider. Empty: the one that the service has." },
    keptKey: { label: "Key", hint: "Leave it empty to keep the one that is set." },
    knowledgeBases: { label: "Knowledge bases", hint: "What it can look up. project.* stands for all of a project." },
    tables: { label: "Tables", hint: "As source.table. source.* stands for all of a source." },
    instructions: { label: "Instructions", hint: "What it is for, what its data is, how it should answer." },
  },
  allKnowledgeBases: (project: string): string => `all of ${project}`,
  openHere: "Press the button to fill in the form.",
  openCreate: "New agent",
  openEdit: (name: string): string => `Change ${name}`.slice(0, 75),
} as const;

export const nameSentences = {
  missing: "Give it a name, for example support_bot.",
  notAllowed: (suggestion: string): string =>
    `Only lower-case letters, digits and underscores, beginning with a letter: ${suggestion}`,
  taken: (suggestion: string): string => `There is one with that name already. Free is: ${suggestion}`,
  noKnowledgeBase: (name: string, near?: string): string => missing("knowledge base", name, near),
  makeFirst: (command: string): string => `Make it first with ${command}.`,
  noProject: (name: string, near?: string): string => missing("project", name, near),
  noSource: (name: string, near?: string): string => missing("data source", name, near),
  noFile: (name: string, near?: string): string => missing("uploaded file", name, near),
  notATable: (name: string): string => `“${name}” is no table: write source.table, or source.* for all of a source.`,
} as const;

export const makingSentences = {
  making: (name: string): Inline => inline("Making ", bold(name), " …"),
  makingLong: "The service may try its model first; that can take a minute.",
  made: (name: string): Inline => inline(bold(name), " is made."),
  wasThere: (name: string): Inline => inline(bold(name), " is there already, just as you asked for it."),
  trying: (said: Inline): Inline => inline(said, " Asking it a test question …"),
  answered: "It answered a test question.",
  didNotAnswer: "But it did not answer a test question.",
  useHereQuestion: "Use it in this channel?",
  useHere: "Use it here",
  taken: (name: string): Inline => inline("There is another agent called ", bold(name), " already."),
  freeName: (name: string): Inline => inline("Free is: ", code(name)),
  notMade: (name: string): Inline => inline(bold(name), " was not made."),
  notChanged: (name: string): Inline => inline(bold(name), " was not changed."),
  reason: (reason: string): string => `The service said: “${reason}”`,
  changing: (name: string): Inline => inline("Changing ", bold(name), " …"),
  changed: (name: string): Inline => inline(bold(name), " is changed."),
  renamed: (from: string, to: string): Inline => inline(bold(from), " is called ", bold(to), " now."),
  nothingChanged: (name: string): Inline => inline("Nothing was changed about ", bold(name), "."),
  keyLost: "The service did not keep its key: enter it again.",
  tryAgainInForm: "Fill in again",
  unsure: "Whether it was made is not known: the service did not answer. Look with the list before you try again.",
} as const;

export const deletionSentences = {
  ask: (name: string): Inline => inline("Delete ", bold(name), "?"),
  bound: (channels: readonly string[]): Inline =>
    inline("It answers in ", ...channels.flatMap((id, index) => [index === 0 ? "" : ", ", channel(id)]), "."),
  moreBound: (count: number): string => `And in ${count} more.`,
  boundAfter: (count: number): string =>
    count === 1 ? "That channel then has no agent of its own." : "Those channels then have no agent of their own.",
  notBound: "No channel of this workspace has chosen it.",
  final: "This cannot be undone.",
  deleted: (name: string): Inline => inline(bold(name), " is deleted."),
} as const;

export const knowledgeBaseFormTexts = {
  title: "New knowledge base",
  fields: {
    name: { label: "Name", hint: "Lower-case letters, digits and underscores, for example docs." },
    embedding: { label: "Embedding model", hint: "As provider/model. Empty: the service's default." },
    reranking: { label: "Reranking model", hint: "As provider/model. Empty: the service's default." },
    key: { label: "Key", hint: "For the provider of these models. Empty: the one that the service has." },
  },
  notAModel: "Write it as provider/model, for example openai/text-embedding-3-small.",
  openCreate: "New knowledge base",
  useHere: "Add to it from here",
  useHereQuestion: "Shall what is added in this channel go there?",
  made: (name: string): Inline => inline("The knowledge base ", bold(name), " is made."),
  taken: (name: string): Inline => inline("There is a knowledge base called ", bold(name), " already."),
} as const;

function missing(kind: string, name: string, near: string | undefined): string {
  const what = `There is no ${kind} called “${name}”.`;
  return near === undefined ? what : `${what} Did you mean ${near}?`;
}

/** The form of a command that lacks a name. */
export const pickSentences = {
  title: { agent: "Choose an agent", "knowledge-base": "Choose a knowledge base" },
  label: (option: string): string => (option === "name" ? "Name" : option.charAt(0).toUpperCase() + option.slice(1)),
  submit: "Choose",
} as const;
