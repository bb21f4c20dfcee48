/** Sentences and forms about agents: listing, choosing, creating, editing and deleting them. */
import type { Inline } from "../../ports/document.ts";
import { bold, code, inline } from "../drawing/inline.ts";
import { accessSentences } from "./access.ts";
import { countText, numberText } from "./quantities.ts";
import { shorten } from "./step-words.ts";

export const agentFormTexts = {
  createTitle: "New agent",
  editTitle: "Edit agent",
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
  passagesFirst: "Parley sends the agent passages from these with each question.",
  quotesOnly: "The built-in agent quotes your documents. With LOCAL_MODEL_URL, a language model writes the answers.",
  defaultProvider: "The service's default",
  allKnowledgeBases: (project: string): string => `Everything in ${project}`,
  openHere: "Open the form to continue.",
  openCreate: "New agent",
  openEdit: (name: string): string => shorten(`Edit ${name}`, 75),
} as const;

/** What is wrong with a name in a form. */
export const nameSentences = {
  missing: "Enter a name, for example support_bot.",
  notAllowed: (suggestion: string): string =>
    `Use only lower-case letters, digits and underscores, starting with a letter: ${suggestion}`,
  taken: (suggestion: string): string => `That name is taken. Try ${suggestion}.`,
  noKnowledgeBase: (name: string, near?: string): string => missing("knowledge base", name, near),
  makeFirst: (command: string): string => `Create it first with ${command}.`,
  noProject: (name: string, near?: string): string => missing("project", name, near),
  noSource: (name: string, near?: string): string => missing("data source", name, near),
  noFile: (name: string, near?: string): string => missing("uploaded file", name, near),
  notATable: (name: string): string =>
    `“${name}” isn't a table. Write source.table, or source.* for every table in a source.`,
} as const;

function missing(kind: string, name: string, near: string | undefined): string {
  const what = `There is no ${kind} called “${name}”.`;
  return near === undefined ? what : `${what} Did you mean ${near}?`;
}

/** Creating and editing, from the first word to the result. */
export const makingSentences = {
  making: (name: string): Inline => inline("Creating ", bold(name), "…"),
  makingLong: "The service may test its model first, which can take a minute.",
  made: (name: string): Inline => inline("Created ", bold(name), "."),
  wasThere: (name: string): Inline => inline(bold(name), " already exists with these settings."),
  trying: (said: Inline): Inline => inline(said, " Asking it a test question…"),
  /** Only where a model was called. */
  answered: "It replied to a test question.",
  asked: (question: string): string => `Test question: “${question}”`,
  foundNothing: "It found nothing about that.",
  nothingToLookUp: "It has nothing to look up yet.",
  chooseKnowledge: "Choose a knowledge base for it.",
  fillKnowledge: (command: string): Inline => inline("Add pages with ", code(command), "."),
  didNotAnswer: "It didn't reply to a test question.",
  useHereQuestion: "Should it answer in this channel?",
  useHere: "Use it here",
  taken: (name: string): Inline => inline("There is already an agent called ", bold(name), "."),
  freeName: (name: string): Inline => inline("Try ", code(name), " instead."),
  notMade: (name: string): Inline => inline("Couldn't create ", bold(name), "."),
  notChanged: (name: string): Inline => inline("Couldn't update ", bold(name), "."),
  reason: (reason: string): string => `The service said: “${reason}”`,
  changing: (name: string): Inline => inline("Updating ", bold(name), "…"),
  changed: (name: string): Inline => inline("Updated ", bold(name), "."),
  renamed: (from: string, to: string): Inline => inline("Renamed ", bold(from), " to ", bold(to), "."),
  /** `labels`: of the fields, as the form shows them. */
  changedMeanwhile: (name: string, labels: readonly string[]): Inline =>
    inline(
      "Someone else changed ",
      bold(name),
      " while your form was open (",
      labels.join(", "),
      "). Nothing was saved.",
    ),
  nowHas: (label: string, values: readonly string[]): string =>
    `${label} now: ${values.length === 0 ? "none" : values.join(", ")}`,
  openAgain: "Open the form again and check your changes before you save.",
  keyAgain: "Enter the API key again, too.",
  nothingChanged: (name: string): Inline => inline(bold(name), " is unchanged."),
  keyLost: "The service didn't save the API key. Please enter it again.",
  tryAgainInForm: "Edit and retry",
  unsure: "The service didn't confirm. Check the list before trying again.",
} as const;

export const deletionSentences = {
  ask: (name: string): Inline => inline("Delete ", bold(name), "?"),
  bound: (channels: readonly string[]): Inline => inline("It answers in ", channelList(channels), "."),
  moreBound: (count: number): string => `And in ${numberText(count)} more.`,
  boundAfter: (count: number): string =>
    `${count === 1 ? "That channel" : "Those channels"} will then use the workspace default.`,
  notBound: "No channel in this workspace uses it.",
  elsewhere: (count: number): string =>
    `${countText(count, "place")} in other workspaces will then use another default.`,
  final: "This can't be undone.",
  deleted: (name: string): Inline => inline("Deleted ", bold(name), "."),
} as const;

/** Which agent answers here, and why. */
export const bindingSentences = {
  answers: (agent: string): Inline => inline(bold(agent), " answers here."),
  why: {
    channel: "It was chosen for this channel.",
    workspace: "It's the workspace default; this channel has no agent of its own.",
    settings: "It's the default from the settings; neither this channel nor the workspace has an agent of its own.",
    "only-agent": "It's the only agent.",
  },
  inThread: (agent: string): Inline => inline(bold(agent), " was picked for this thread."),
  choose: (agents: readonly string[]): Inline => {
    const [first, ...others] = agents;
    if (first === undefined) return inline(accessSentences.noneInReach.what);
    if (others.length === 0) return inline(bold(first), " answers here: it's the only agent that you can ask here.");
    return inline(`No agent is set here, so I'll ask which of the ${numberText(agents.length)} should answer.`);
  },
  none: "There are no agents yet.",
  makeOne: (command: string): Inline => inline("Create one with ", code(command), "."),
  chooseWith: (command: string): Inline => inline("Choose one with ", code(command), "."),
  used: (agent: string, scope: "channel" | "workspace"): Inline =>
    scope === "channel"
      ? inline(bold(agent), " now answers in this channel.")
      : inline(bold(agent), " is now the default for channels without their own agent."),
  cleared: (scope: "channel" | "workspace"): string =>
    scope === "channel"
      ? "This channel no longer has an agent of its own."
      : "This workspace no longer has an agent of its own.",
  nothingToClear: (scope: "channel" | "workspace"): string =>
    scope === "channel"
      ? "This channel already had no agent of its own."
      : "This workspace already had no agent of its own.",
  isWorkspaceDefault: "It's the default for channels without their own agent.",
} as const;

/** Named in one line; the rest are counted. */
const maxBases = 3;

/** What an agent gets before each question of a channel. */
export const instructionSentences = {
  title: "Channel instructions",
  label: "Instructions for this channel",
  hint: "Sent to the agent before each question asked here. Leave empty to remove them.",
  open: "Edit instructions",
  tooLong: "At most 2,000 characters.",
  saved: "From now on, the agent gets these instructions before each question asked here.",
  ignored: "The built-in agent only quotes your documents, so it doesn't follow them.",
  removed: "This channel no longer has instructions.",
  unchanged: (hasSome: boolean): string =>
    hasSome ? "The instructions are unchanged." : "This channel has no instructions.",
  some: "The agent gets instructions before each question asked here.",
  shown: "Instructions for this channel:",
} as const;

/** Agents in a list, and what one of them consists of. */
export const agentSentences = {
  listTitle: (count: number): string => countText(count, "agent"),
  projects: (names: readonly string[]): string => `Projects: ${shorten(names.join(", "), 200)}.`,
  more: (count: number): string => `${countText(count, "more agent")}: start typing to find them.`,
  noSuch: (name: string): Inline => inline("There is no agent called ", code(name), "."),
  channels: channelList,
  /** "looks in handbook and pricing". */
  looksIn: (bases: readonly string[]): string => {
    const shown = bases.slice(0, maxBases).map((base) => base.replace(/^(.+)\.\*$/, "everything in $1"));
    const more = bases.length - shown.length;
    const names = more > 0 ? [...shown, `${numberText(more)} more`] : shown;
    return `looks in ${[names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ")}`;
  },
  answersIn: "answers in ",
  moreChannels: (count: number): string => ` and ${countText(count, "more channel")}`,
  defaultModel: "default model",
  labels: {
    model: "Model: ",
    key: "API key: ",
    knowledgeBases: "Knowledge bases: ",
    tables: "Tables: ",
    instructions: "Instructions: ",
    channels: "Channels: ",
    changed: "Last changed: ",
  },
  keySet: "set",
  keyNotSet: "uses the service's",
  none: "none",
  moreNames: (count: number): string => ` and ${numberText(count)} more`,
  cut: (chars: number): string => `Shortened (${numberText(chars)} characters in total).`,
  summary: (name: string): string => `About ${name}`,
} as const;

/** Several agents could answer a question. */
export const chooseAgentSentences = {
  which: "Which agent should answer?",
  remember: "Managers can set a default with /agent use.",
  always: "Always this one",
  alwaysSpoken: (name: string): string => `Always ask ${name} in this channel`,
  more: (count: number): string => `${countText(count, "more agent")}: see /agent list, then ask with agent:name.`,
} as const;

/** The form of a command that lacks the name of an agent or a knowledge base. */
export const pickSentences = {
  title: { agent: "Choose an agent", "knowledge-base": "Choose a knowledge base" },
  label: (option: string): string => pickLabels[option] ?? option.charAt(0).toUpperCase() + option.slice(1),
  choice: (value: string): string => pickChoices[value] ?? value,
  submit: "Choose",
} as const;

const pickLabels: Readonly<Record<string, string>> = { scope: "Where" };

const pickChoices: Readonly<Record<string, string>> = {
  channel: "This channel",
  workspace: "All channels without an agent of their own",
};

/** "#a, #b", with ids that platforms can show as names. */
function channelList(ids: readonly string[]): Inline {
  return inline(...ids.flatMap((id, index) => [index === 0 ? "" : ", ", channel(id)]));
}

function channel(id: string): Inline[number] {
  return { text: id, style: "code", channelId: id };
}
