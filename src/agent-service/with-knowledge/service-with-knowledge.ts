/**
 * Gives a service without knowledge bases those of another one, as one service. Agents and runs are of the first; nothing
 * outside knows that there are two.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type {
  Agent,
  AgentService,
  AskOptions,
  ServiceMessage,
  ServiceOffer,
  ServiceProfile,
} from "../../core/ports/agent-service.ts";
import type { Log } from "../../core/ports/log.ts";
import type { KeyValue } from "../../core/ports/state.ts";
import { createAgentBases, type StoredBases } from "./agent-bases.ts";
import { existingBases, type FoundPassages, findPassages } from "./found-passages.ts";
import { honestAnswer, withHonestMarks } from "./honest-marks.ts";

export type Knowledge = {
  readonly service: AgentService;
  /** What to search for, so that a follow-up finds what it means. */
  readonly searchText: (messages: readonly ServiceMessage[]) => string;
  /** As the port's `covers`, of knowledge bases by their names; those that don't exist are left out. */
  readonly covers: (
    project: string,
    knowledgeBases: readonly string[],
    asked: { readonly question: string; readonly lastSources?: readonly string[] },
    signal?: AbortSignal,
  ) => Promise<boolean>;
};

/** What the knowledge bases bring along. */
const added: readonly ServiceOffer[] = ["knowledge-bases", "agent-bases", "files"];

export function createServiceWithKnowledge(options: {
  /** Has the agents. */
  readonly main: AgentService;
  /** Starts or finds the service with the knowledge bases. Called only where `main` has none, perhaps often. */
  readonly knowledge: () => Promise<Knowledge>;
  /** Namespace "agent-bases". */
  readonly store: KeyValue<StoredBases>;
  readonly log: Log;
}): AgentService {
  const { main, knowledge, log } = options;
  const agentBases = createAgentBases(options.store);
  let lastHadBases: boolean | undefined;

  /** While the service is down, its knowledge bases are where they were before. */
  async function mainHasBases(): Promise<boolean> {
    try {
      lastHadBases = hasBases(await main.profile());
    } catch (failure) {
      if (lastHadBases === undefined) throw failure;
    }
    return lastHadBases;
  }

  function withAdded(profile: ServiceProfile): ServiceProfile {
    lastHadBases = hasBases(profile);
    if (lastHadBases) return profile;
    const offers = [...new Set([...profile.offers, ...added])];
    // The models of the built-in service, whose knowledge bases these are, are set for all of them.
    return { ...profile, offers, urlSourcesSurvive: true, ignores: [...profile.ignores, "base-models"] };
  }

  const bases = async (): Promise<AgentService> => ((await mainHasBases()) ? main : (await knowledge()).service);

  async function getAgent(project: string, name: string): Promise<Agent> {
    const agent = await main.getAgent(project, name);
    if (await mainHasBases()) return agent;
    return { ...agent, knowledgeBases: await agentBases.of(agent.project, agent.name) };
  }

  async function listAgents(project: string): Promise<readonly Agent[]> {
    const agents = await main.listAgents(project);
    if (agents.length === 0 || (await mainHasBases())) return agents;
    const all = await agentBases.all(project);
    return agents.map((agent) => ({ ...agent, knowledgeBases: all.get(agent.name) ?? [] }));
  }

  const updateAgent: AgentService["updateAgent"] = async (project, name, changes) => {
    if (await mainHasBases()) return main.updateAgent(project, name, changes);
    const { knowledgeBases, tables, ...others } = changes;
    if (Object.values(others).some((value) => value !== undefined) || (tables?.length ?? 0) > 0) {
      throw new ParleyError("service_request_refused", {
        cause: new Error("Only the knowledge bases of these agents can be changed."),
      });
    }
    const agent = await main.getAgent(project, name);
    if (knowledgeBases !== undefined) await agentBases.set(agent, knowledgeBases);
    return getAgent(project, name);
  };

  /** Undefined where the agent has nothing to look in, or the service looks itself. */
  async function lookUp(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    { signal }: AskOptions,
  ): Promise<FoundPassages | undefined> {
    if (await mainHasBases()) return undefined;
    const knowledgeBases = await agentBases.of(project, agent);
    if (knowledgeBases.length === 0) return undefined;
    return findPassages(await knowledge(), { project, knowledgeBases }, messages, { signal, log });
  }

  /** The searches are told with the first event of the run: until then nobody knows whether the service answers. */
  async function* ask(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked: AskOptions = {},
  ): AsyncGenerator<AgentEvent> {
    const found = await lookUp(project, agent, messages, asked).catch(asStopped(asked.signal));
    // What continues after an approval has told its searches before.
    let untold = asked.approvals === undefined ? (found?.steps ?? []) : [];
    const events = main.ask(project, agent, found?.messages ?? messages, asked);
    for await (const event of withHonestMarks(events, found?.numbers)) {
      if (event.type === "waiting") {
        yield event;
        continue;
      }
      if (event.type === "started") {
        yield event;
        yield* untold;
      } else {
        yield* untold;
        yield event;
      }
      untold = [];
    }
  }

  return {
    profile: async () => withAdded(await main.profile()),
    status: async (signal) => withAdded(await main.status(signal)),
    listProjects: () => main.listProjects(),
    listDataSources: () => main.listDataSources(),
    listAgents,
    getAgent,
    createAgent: (project, draft) => main.createAgent(project, draft),
    updateAgent,
    deleteAgent: (project, name) => main.deleteAgent(project, name),
    listKnowledgeBases: async (project) => (await bases()).listKnowledgeBases(project),
    getKnowledgeBase: async (project, name) => (await bases()).getKnowledgeBase(project, name),
    createKnowledgeBase: async (project, draft) => (await bases()).createKnowledgeBase(project, draft),
    deleteKnowledgeBase: async (project, name) => (await bases()).deleteKnowledgeBase(project, name),
    insert: async (...what) => (await bases()).insert(...what),
    uploadFile: async (...file) => (await bases()).uploadFile(...file),
    listFiles: async () => (await bases()).listFiles(),
    deleteFile: async (name) => (await bases()).deleteFile(name),
    search: async (...words) => (await bases()).search(...words),
    listDocuments: async (...about) => (await bases()).listDocuments(...about),
    readRows: async (...rows) => (await bases()).readRows(...rows),
    deleteRows: async (...rows) => (await bases()).deleteRows(...rows),
    ask,
    askPlain: async (project, agent, messages, asked = {}) => {
      const found = await lookUp(project, agent, messages, asked).catch(asStopped(asked.signal));
      const text = await main.askPlain(project, agent, found?.messages ?? messages, asked);
      return honestAnswer(text, found?.numbers);
    },
    covers: async (project, agent, asked, signal) => {
      if (await mainHasBases()) return (await main.covers?.(project, agent, asked, signal)) ?? true;
      const knowledgeBases = await agentBases.of(project, agent);
      // What an agent without any knows is its service's own.
      if (knowledgeBases.length === 0) return true;
      const { service, covers } = await knowledge();
      const existing = await existingBases(service, { project, knowledgeBases }, log);
      return covers(
        project,
        existing.map(({ name }) => name),
        asked,
        signal,
      );
    },
    cancel: main.cancel,
    forgetThread: main.forgetThread,
    close: () => main.close(),
  };
}

function hasBases({ offers }: ServiceProfile): boolean {
  return offers.includes("knowledge-bases");
}

/** The port promises ParleyErrors, and code "stopped" on abort. */
function asStopped(signal: AbortSignal | undefined): (failure: unknown) => never {
  return (failure) => {
    if (signal?.aborted === true && !(failure instanceof ParleyError)) {
      throw new ParleyError("stopped", { cause: failure });
    }
    throw failure;
  };
}
