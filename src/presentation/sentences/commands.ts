import type { Inline } from "../../core/document.ts";
import type { Mode, Role } from "../../core/model/place.ts";
import type { ServiceOffer, ServiceProfile } from "../../core/ports/agent-service.ts";
import { bold, code, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/**
 * Sentences about commands: what is wrong with what was typed, help, status, mode and forgetting. `command` and `help`
 * are always commands as people type them, with slash and prefix.
 */

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
    channel: "I answer mentions and follow-ups, and other questions only if I find a good answer.",
    every: "I answer every message in this channel.",
  } satisfies Record<Mode, string>,
  answersAll: "I answer every message here, whatever the mode.",
} as const;

export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/**
 * Sentences about roles, and about agents and knowledge bases that someone can't reach. What is out of reach reads like
 * what doesn't exist, so that nobody learns a name by trying.
 */

export const agentsElsewhere =
  "Agents assigned to channels answer only there. See which ones you can ask here with /agent list.";

export const accessSentences = {
  agentNotHere: (name: string): string => `You can't ask “${name}” here.`,
  agentElsewhere: agentsElsewhere,
  noAgentForGuests: {
    what: "No agent is set for this channel.",
    hint: "Ask a Parley manager here to set one with /agent use.",
  },
  noProject: {
    what: "Parley isn't set up for this workspace yet, so no agent answers here.",
    hint: "Ask your Parley admin to add the workspace to WORKSPACE_PROJECTS.",
  },
  noneInReach: {
    what: "There is no agent that you can ask here.",
    hint: "Ask in a channel that has one, or ask a Parley manager to set one here with /agent use.",
  },
  noDirectMessage: {
    what: "Others here can't reach that agent, and Parley can't send you a direct message.",
    hint: "Allow direct messages from Parley, or ask in one of the agent's channels.",
  },
  baseNotHere: (name: string): Inline => say`There is no knowledge base called ${code(name)} that you can reach here.`,
  basesFollow: "You can reach the knowledge bases of the agents that you can ask here, and those you have added to.",
  noBaseHere: "There is no knowledge base that you can reach here.",
} as const;

/** What each role lets people do; stands behind "You can". */
export const abilities = {
  ask: "ask",
  ingest: "add to knowledge bases",
  manage: "manage agents and settings",
} satisfies Record<Role, string>;

/** Sentences and forms about agents: listing, choosing, creating, editing and deleting them. */

/** Which agent answers here, and why. */
export const bindingSentences = {
  answers: (agent: string): Inline => say`${bold(agent)} answers here.`,
  why: {
    channel: "It was chosen for this channel.",
    workspace: "It's the workspace default; this channel has no agent of its own.",
    settings: "It's the default from the settings; neither this channel nor the workspace has an agent of its own.",
    "only-agent": "It's the only agent.",
  },
  choose: (agents: readonly string[]): Inline => {
    const [first, ...others] = agents;
    if (first === undefined) return say`${accessSentences.noneInReach.what}`;
    if (others.length === 0) return say`${bold(first)} answers here: it's the only agent that you can ask here.`;
    return say`No agent is set here, so I'll ask which of the ${numberText(agents.length)} should answer.`;
  },
  none: "There are no agents yet.",
  makeOne: (command: string): Inline => say`Create one with ${code(command)}.`,
} as const;

/** Agents in a list, and what one of them consists of. */
export const agentSentences = {
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
} as const;

/** Several agents could answer a question. */
export const chooseAgentSentences = {
  more: (count: number): string => `${countText(count, "more agent")}: see /agent list, then ask with agent:name.`,
} as const;

/** "#a, #b", with ids that platforms can show as names. */
export function channelList(ids: readonly string[]): Inline {
  return say`${ids.flatMap((id, index) => [index === 0 ? "" : ", ", channel(id)])}`;
}

function channel(id: string): Inline[number] {
  return { text: id, style: "code", channelId: id };
}

/** Sentences about what an agent service doesn't have, and what to do instead. */

export type Lacking = { readonly what: string; readonly hint: string };

export const ofCommands: Readonly<Record<string, Lacking>> = {
  "agent create": {
    what: "This agent service has its own agents, and none can be created from here.",
    hint: "Add one in the service, and /agent list shows it. Parley's built-in service creates agents, with a language model of yours if LOCAL_MODEL_URL is set.",
  },
  "agent edit": {
    what: "The agents of this service are set up there, and can't be changed from here.",
    hint: "With /agent instructions, tell them what matters in this channel.",
  },
  "agent delete": {
    what: "The agents of this service are set up there, and can't be deleted from here.",
    hint: "Remove it in the service. If it just shouldn't answer here, use /agent clear.",
  },
};

export const ofOffers: Readonly<Record<ServiceOffer, Lacking>> = {
  "agent-changes": {
    what: "The agents of this service are set up there, and can't be changed from here.",
    hint: "Change them in the service.",
  },
  "agent-bases": {
    what: "Which knowledge bases the agents of this service look in can't be set from here.",
    hint: "Find passages yourself with /kb search.",
  },
  "knowledge-bases": {
    what: "This agent service has no knowledge bases.",
    hint: "Connect one that has some, or run Parley's built-in service: it has.",
  },
  files: { what: "This agent service doesn't accept files.", hint: "Add their text with /kb add instead." },
  sql: { what: "This agent service can't run queries.", hint: "Add rows with /kb add instead." },
  projects: { what: "This agent service has no projects.", hint: "Leave the project out." },
};

/** Where agents are made, if not here. */
export const elsewhereSentences = {
  addThere: "Add one in the agent service, and it appears here within a minute.",
} as const;

/** Sentences of first contact: the welcome card, commands typed without a slash, and Parley's own tab. */

export const welcomeSentences = {
  gone: (agent: string): Inline => say`${bold(agent)} was chosen here but no longer exists.`,
  mention: "Mention me with a question. For example:",
  mentionOnly: "Mention me with a question.",
  ask: "Ask me a question. For example:",
  askOnly: "Ask me a question.",
  keep: (emoji: string): string => `Tip: react ${emoji} to keep a message.`,
} as const;

/** Commands typed without a slash. */
export const spokenSentences = {
  gone: "This command was typed too long ago.",
  goneHint: "Type it again.",
  notYourQuestion: {
    what: "Only the person who asked, or a Parley manager, can stop that.",
    hint: "See what you can do with /parley roles.",
  },
} as const;
