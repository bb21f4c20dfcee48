/**
 * A service that has agents and nothing else, as servers of the Responses shape: models that people can ask. A test
 * decides what it answers, whether it is reachable, and what it says it offers.
 */

import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type {
  Agent,
  AgentService,
  AskOptions,
  ServiceMessage,
  ServiceProfile,
} from "../../../src/core/ports/agent-service.ts";

export const agentsOnlyProfile: ServiceProfile = {
  dialect: "responses",
  generation: "litellm",
  version: "1.106.2",
  maxRuns: 20,
  closeStopsRun: true,
  cancels: false,
  resumes: false,
  offers: [],
  plainWorks: false,
  urlSourcesSurvive: false,
  ignores: [],
};

export type AgentsOnlyRun = {
  readonly agent: string;
  readonly messages: readonly ServiceMessage[];
  readonly options: AskOptions;
  readonly question: string;
};

export function createAgentsOnly(names: readonly string[] = ["gpt-4.1", "openai/gpt-4o:free"]) {
  const runs: AgentsOnlyRun[] = [];
  const calls: string[] = [];
  const state = {
    agents: [...names],
    profile: agentsOnlyProfile,
    isDown: false,
    events: (run: AgentsOnlyRun): readonly AgentEvent[] => [
      { type: "started" },
      { type: "answer", text: `${run.agent} answers.` },
      { type: "ended" },
    ],
  };

  function reach<T>(call: string, value: () => T): Promise<T> {
    calls.push(call);
    return state.isDown ? Promise.reject(new ParleyError("service_unreachable")) : Promise.resolve().then(value);
  }
  const none = (call: string) => () =>
    reach(call, (): never => {
      throw new ParleyError("resource_not_found", { cause: new Error(`This service has no ${call}.`) });
    });
  const agentOf = (project: string, name: string): Agent => ({
    name,
    project,
    model: { name, hasKey: true },
    tables: [],
    knowledgeBases: [],
  });

  const service: AgentService = {
    profile: () => reach("profile", () => state.profile),
    status: () => reach("status", () => state.profile),
    listProjects: () => reach("listProjects", () => []),
    listDataSources: () => reach("listDataSources", () => []),
    listAgents: (project) => reach("listAgents", () => state.agents.map((name) => agentOf(project, name))),
    getAgent: (project, name) =>
      reach("getAgent", () => {
        if (!state.agents.includes(name)) throw new ParleyError("agent_not_found");
        return agentOf(project, name);
      }),
    createAgent: none("createAgent"),
    updateAgent: none("updateAgent"),
    deleteAgent: none("deleteAgent"),
    listKnowledgeBases: none("listKnowledgeBases"),
    getKnowledgeBase: none("getKnowledgeBase"),
    createKnowledgeBase: none("createKnowledgeBase"),
    deleteKnowledgeBase: none("deleteKnowledgeBase"),
    insert: none("insert"),
    uploadFile: none("uploadFile"),
    listFiles: none("listFiles"),
    deleteFile: none("deleteFile"),
    search: none("search"),
    listDocuments: none("listDocuments"),
    readRows: none("readRows"),
    deleteRows: none("deleteRows"),
    ask: async function* (_project, agent, messages, options = {}) {
      const run = { agent, messages, options, question: messages.at(-1)?.question ?? "" };
      runs.push(run);
      await reach("ask", () => undefined);
      options.signal?.throwIfAborted();
      yield* state.events(run);
    },
    askPlain: none("askPlain"),
    close: async () => {},
  };
  return { service, runs, calls, state };
}
