/** Sentences about what an agent service doesn't have, and what to do instead. */
import type { ServiceOffer } from "../../ports/agent-service.ts";

type Lacking = { readonly what: string; readonly hint: string };

const ofCommands: Readonly<Record<string, Lacking>> = {
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

const ofOffers: Readonly<Record<ServiceOffer, Lacking>> = {
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

/** `path`: of the command, "agent create", or the name of a button's action. */
export function lackingSentences(offer: ServiceOffer, path: string): Lacking {
  return ofCommands[path] ?? ofOffers[offer];
}

/** Where agents are made, if not here. */
export const elsewhereSentences = {
  addThere: "Add one in the agent service, and it appears here within a minute.",
} as const;
