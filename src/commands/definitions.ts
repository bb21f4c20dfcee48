/** Defines every command. Adapters and manifests build their own commands from this list; no other place names one. */
import type { CommandDefinition, OptionDefinition } from "../ports/command-contract.ts";
import type { Mode } from "../ports/model/place.ts";
import { digestDefinitions } from "./insight/digest-definitions.ts";
import { gapDefinitions } from "./insight/gap-definitions.ts";
import { feedDefinitions, knowledgeBaseDefinitions, newName } from "./knowledge-bases/kb-definitions.ts";
import { ledgerDefinitions } from "./ledger/ledger-definitions.ts";
import { scheduleDefinitions } from "./schedules/schedule-definitions.ts";

const agentOption: OptionDefinition = {
  name: "agent",
  summary: "The agent to ask (default: this channel's)",
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
  summary: "This channel, or the default for all",
  type: "choice",
  isRequired: false,
  choices: ["channel", "workspace"],
  default: "channel",
};

export const askDefinitions: readonly CommandDefinition[] = [
  {
    path: "ask",
    summary: "Ask an agent a question",
    options: [
      {
        name: "question",
        summary: "What you want to know",
        type: "text",
        isRequired: true,
        isRest: true,
        hasOwnLimit: true,
      },
      agentOption,
    ],
    role: "ask",
    asks: { question: "question", agent: "agent" },
    examples: [
      "ask how do I connect Slack?",
      "ask how many orders came in today? agent:sales",
      "ask how many orders came in? every monday 9:00",
    ],
  },
];

export const agentDefinitions: readonly CommandDefinition[] = [
  {
    path: "agent list",
    summary: "List agents and where they answer",
    options: [
      {
        name: "project",
        summary: "Another project of the agent service",
        type: "text",
        isRequired: false,
        completes: "project",
        offer: "projects",
      },
    ],
    role: "ask",
    examples: ["agent list"],
    moreExamples: { offer: "projects", examples: ["agent list project:shop"] },
  },
  {
    path: "agent show",
    summary: "Show an agent's setup",
    options: [agentName(false, "The agent (default: this channel's)")],
    role: "ask",
    examples: ["agent show sales"],
  },
  {
    path: "agent use",
    summary: "Set the agent for this channel or workspace",
    options: [agentName(true, "The agent"), scope],
    role: "manage",
    examples: ["agent use sales", "agent use sales scope workspace"],
    moreExamples: { offer: "projects", examples: ["agent use shop.helper"] },
  },
  {
    path: "agent clear",
    summary: "Remove the agent from this channel or workspace",
    options: [scope],
    role: "manage",
    examples: ["agent clear", "agent clear scope workspace"],
  },
  {
    path: "agent which",
    summary: "Show which agent answers here, and why",
    options: [],
    role: "ask",
    examples: ["agent which"],
  },
  {
    path: "agent create",
    summary: "Create an agent",
    options: [newName],
    role: "manage",
    opensForm: true,
    offer: "agent-changes",
    examples: ["agent create", "agent create sales"],
    moreExamples: { offer: "projects", examples: ["agent create shop.helper"] },
  },
  {
    path: "agent edit",
    summary: "Edit an agent's model, knowledge and instructions",
    options: [agentName(true, "The agent")],
    role: "manage",
    opensForm: true,
    offer: "agent-bases",
    reduced: { without: "agent-changes", summary: "Choose the knowledge bases that an agent looks in" },
    examples: ["agent edit sales"],
    moreExamples: { offer: "projects", examples: ["agent edit shop.helper"] },
  },
  {
    path: "agent instructions",
    summary: "Set the instructions that go with each question of this channel",
    options: [],
    role: "manage",
    opensForm: true,
    examples: ["agent instructions"],
  },
  {
    path: "agent delete",
    summary: "Delete an agent (asks for confirmation)",
    options: [agentName(true, "The agent")],
    role: "manage",
    offer: "agent-changes",
    examples: ["agent delete sales"],
  },
];

export const modes = ["mention", "thread", "channel", "every"] as const satisfies readonly Mode[];

export const parleyDefinitions: readonly CommandDefinition[] = [
  {
    path: "parley help",
    summary: "Show what you can do here",
    options: [
      {
        name: "about",
        summary: "A command to explain",
        type: "text",
        isRequired: false,
        isRest: true,
        completes: "command",
      },
    ],
    role: "ask",
    examples: ["parley help", "parley help kb"],
  },
  {
    path: "parley status",
    summary: "Health, and who answers here",
    options: [],
    role: "ask",
    examples: ["parley status"],
  },
  {
    path: "parley mode",
    summary: "Show or set which messages get an answer in this channel",
    options: [
      {
        name: "mode",
        summary: "mention: only then; thread: also follow-ups; channel: also questions with a source; every: all",
        type: "choice",
        isRequired: false,
        choices: modes,
        needs: "manage",
      },
    ],
    role: "ask",
    examples: ["parley mode", "parley mode mention"],
  },
  {
    path: "parley forget",
    summary: "Forget this conversation so far",
    options: [],
    role: "ask",
    examples: ["parley forget"],
  },
  {
    path: "parley roles",
    summary: "Show what you're allowed to do here, and why",
    options: [],
    role: "ask",
    examples: ["parley roles"],
  },
];

export const commandDefinitions: readonly CommandDefinition[] = [
  ...askDefinitions,
  ...agentDefinitions,
  ...knowledgeBaseDefinitions,
  ...feedDefinitions,
  ...ledgerDefinitions,
  ...scheduleDefinitions,
  ...gapDefinitions,
  ...digestDefinitions,
  ...parleyDefinitions,
];

/** Summaries of the command groups: "/agent" as a whole. */
export const groupSummaries: Readonly<Record<string, string>> = {
  ask: "Ask an agent a question",
  agent: "List, choose, create and edit agents",
  kb: "Search and add to what the agents know",
  schedule: "Questions that are asked at fixed times",
  parley: "Help, status and settings",
};
