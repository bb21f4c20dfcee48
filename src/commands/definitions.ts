/**
 * Defines every command. Adapters and manifests build their own commands from this list; no other place names one.
 */
import type { CommandDefinition, OptionDefinition } from "../ports/command-contract.ts";
import { feedDefinitions, knowledgeBaseDefinitions, newName } from "./knowledge-bases/kb-definitions.ts";

const agentOption: OptionDefinition = {
  name: "agent",
  summary: "Which agent answers, if not the one of this channel",
  type: "text",
  isRequired: false,
  completes: "agent",
};

const agentName = (isRequired: boolean, summary: string): OptionDefinition => ({
  name: "name",
  summary,
  type: "text",
  isRequired,
  completes: "agent",
});

const scope: OptionDefinition = {
  name: "scope",
  summary: "Here, or everywhere that has no agent of its own",
  type: "choice",
  isRequired: false,
  choices: ["channel", "workspace"],
};

export const askDefinitions: readonly CommandDefinition[] = [
  {
    path: "ask",
    summary: "Ask an agent a question",
    options: [
      { name: "question", summary: "What you want to know", type: "text", isRequired: true, isRest: true },
      agentOption,
    ],
    role: "ask",
    visibility: "public",
    asks: { question: "question", agent: "agent" },
    examples: ["ask how do I connect Slack?", "ask how many orders came in today? agent:sales"],
  },
];

export const agentDefinitions: readonly CommandDefinition[] = [
  {
    path: "agent list",
    summary: "Which agents there are, and where each one answers",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["agent list"],
  },
  {
    path: "agent show",
    summary: "What an agent is made of",
    options: [agentName(false, "The agent; without one, the one of this channel")],
    role: "ask",
    visibility: "private",
    examples: ["agent show sales"],
  },
  {
    path: "agent use",
    summary: "Choose the agent that answers in this channel or workspace",
    options: [agentName(true, "The agent"), scope],
    role: "manage",
    visibility: "private",
    examples: ["agent use sales", "agent use sales scope workspace"],
  },
  {
    path: "agent clear",
    summary: "Take the agent of this channel or workspace away again",
    options: [scope],
    role: "manage",
    visibility: "private",
    examples: ["agent clear", "agent clear scope workspace"],
  },
  {
    path: "agent which",
    summary: "Which agent answers here, and why",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["agent which"],
  },
  {
    path: "agent create",
    summary: "Make a new agent",
    options: [newName],
    role: "manage",
    visibility: "private",
    opensForm: true,
    examples: ["agent create", "agent create sales"],
  },
  {
    path: "agent edit",
    summary: "Change an agent: its model, its knowledge, its instructions",
    options: [agentName(true, "The agent")],
    role: "manage",
    visibility: "private",
    opensForm: true,
    examples: ["agent edit sales"],
  },
  {
    path: "agent delete",
    summary: "Delete an agent; asks first",
    options: [agentName(true, "The agent")],
    role: "manage",
    visibility: "private",
    examples: ["agent delete sales"],
  },
];

export const parleyDefinitions: readonly CommandDefinition[] = [
  {
    path: "parley help",
    summary: "What you can do here",
    options: [
      {
        name: "about",
        summary: "A command, for its details",
        type: "text",
        isRequired: false,
        isRest: true,
        completes: "command",
      },
    ],
    role: "ask",
    visibility: "private",
    examples: ["parley help", "parley help kb"],
  },
  {
    path: "parley status",
    summary: "Whether everything works, and who answers here",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["parley status"],
  },
  {
    path: "parley mode",
    summary: "Show or set which messages of this channel are answered",
    options: [
      {
        name: "mode",
        summary: "mention: only when named; thread: also follow-ups; channel: every message",
        type: "choice",
        isRequired: false,
        choices: ["mention", "thread", "channel"],
        needs: "manage",
      },
    ],
    role: "ask",
    visibility: "private",
    examples: ["parley mode", "parley mode mention"],
  },
  {
    path: "parley forget",
    summary: "Forget what was said in this conversation",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["parley forget"],
  },
  {
    path: "parley roles",
    summary: "What you may do here, and why",
    options: [],
    role: "ask",
    visibility: "private",
    examples: ["parley roles"],
  },
];

export const commandDefinitions: readonly CommandDefinition[] = [
  ...askDefinitions,
  ...agentDefinitions,
  ...knowledgeBaseDefinitions,
  ...feedDefinitions,
  ...parleyDefinitions,
];

/** Summaries of the command groups: "/agent" as a whole. */
export const groupSummaries: Readonly<Record<string, string>> = {
  ask: "Ask an agent a question",
  agent: "Agents: which there are, who answers here, making and changing them",
  kb: "Knowledge bases: what the agents know, searching and adding to it",
  parley: "Help, state and settings of Parley",
};
