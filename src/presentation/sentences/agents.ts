/** Sentences and forms about agents: listing, choosing, creating, editing and deleting them. */
import type { Inline } from "../../ports/document.ts";
import { bold, code, say } from "../drawing/inline.ts";
import { accessSentences } from "./access.ts";
import { countText, numberText } from "./quantities.ts";
import { shorten } from "./step-words.ts";

/** Which agent answers here, and why. */
export const bindingSentences = {
  answers: (agent: string): Inline => say`${bold(agent)} answers here.`,
  why: {
    channel: "It was chosen for this channel.",
    workspace: "It's the workspace default; this channel has no agent of its own.",
    settings: "It's the default from the settings; neither this channel nor the workspace has an agent of its own.",
    "only-agent": "It's the only agent.",
  },
  inThread: (agent: string): Inline => say`${bold(agent)} was picked for this thread.`,
  choose: (agents: readonly string[]): Inline => {
    const [first, ...others] = agents;
    if (first === undefined) return say`${accessSentences.noneInReach.what}`;
    if (others.length === 0) return say`${bold(first)} answers here: it's the only agent that you can ask here.`;
    return say`No agent is set here, so I'll ask which of the ${numberText(agents.length)} should answer.`;
  },
  none: "There are no agents yet.",
  makeOne: (command: string): Inline => say`Create one with ${code(command)}.`,
  chooseWith: (command: string): Inline => say`Choose one with ${code(command)}.`,
  used: (agent: string, scope: "channel" | "workspace"): Inline =>
    scope === "channel"
      ? say`${bold(agent)} now answers in this channel.`
      : say`${bold(agent)} is now the default for channels without their own agent.`,
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

/** Agents in a list, and what one of them consists of. */
export const agentSentences = {
  listTitle: (count: number): string => countText(count, "agent"),
  projects: (names: readonly string[]): string => `Projects: ${shorten(names.join(", "), 200)}.`,
  more: (count: number): string => `${countText(count, "more agent")}: start typing to find them.`,
  noSuch: (name: string): Inline => say`There is no agent called ${code(name)}.`,
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

/** "#a, #b", with ids that platforms can show as names. */
export function channelList(ids: readonly string[]): Inline {
  return say`${ids.flatMap((id, index) => [index === 0 ? "" : ", ", channel(id)])}`;
}

function channel(id: string): Inline[number] {
  return { text: id, style: "code", channelId: id };
}
