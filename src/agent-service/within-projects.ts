/**
 * Keeps every call to the agent service within some of its projects, whatever name people typed: WORKSPACE_PROJECTS gives
 * each workspace its own. A project beyond them looks like one that doesn't exist. What the service doesn't keep by
 * project (data sources and files) isn't offered at all: a query could read any project.
 */
import { noProject } from "../core/access.ts";
import { ParleyError } from "../core/errors.ts";
import type { Agent, AgentDraft, AgentService, ServiceProfile } from "../core/ports/agent-service.ts";
import { splitName } from "../core/tools/split-name.ts";

type Limits = {
  /** What calls may be about. */
  readonly reached: readonly string[];
  /** Those of all workspaces. An agent that looks in a knowledge base of one that isn't reached is left out. */
  readonly all: readonly string[];
  /** AGENT_PROJECT: the only one of a service without projects, which would show the same agents in every one. */
  readonly only: string;
};

export function withinProjects(service: AgentService, { reached, all, only }: Limits): AgentService {
  const reaches = (project: string) => reached.includes(project);
  const isForeign = (project: string) => all.includes(project) && !reaches(project);

  async function has(project: string): Promise<boolean> {
    if (!reaches(project)) return false;
    return project === only || (await service.profile()).offers.includes("projects");
  }

  async function check(project: string): Promise<void> {
    if (!(await has(project))) throw new ParleyError("project_not_found");
  }

  async function within<T>(project: string, work: () => Promise<T>): Promise<T> {
    await check(project);
    return work();
  }

  /** A workspace without a project has nothing, which is no mistake. */
  async function listWithin<T>(project: string, list: () => Promise<readonly T[]>): Promise<readonly T[]> {
    return project === noProject ? [] : within(project, list);
  }

  const isApart = ({ project, knowledgeBases }: Pick<Agent, "project" | "knowledgeBases">) =>
    !knowledgeBases.some((entry) => isForeign(splitName(entry, project).project));

  /** `before`: what the agent has already, set up in the service. */
  function checkData(project: string, { tables = [], knowledgeBases = [] }: Partial<AgentDraft>, before?: Agent): void {
    const isNew = (entry: string) =>
      before?.tables.includes(entry) !== true && before?.knowledgeBases.includes(entry) !== true;
    if (tables.some(isNew)) {
      throw new ParleyError("resource_not_found", { cause: new Error("Tables belong to no project.") });
    }
    if (knowledgeBases.filter(isNew).some((entry) => !reaches(splitName(entry, project).project))) {
      throw new ParleyError("knowledge_base_not_found");
    }
  }

  async function getAgent(project: string, name: string): Promise<Agent> {
    await check(project);
    const agent = await service.getAgent(project, name);
    if (!isApart(agent)) throw new ParleyError("agent_not_found");
    return agent;
  }

  async function* ask(...[project, ...given]: Parameters<AgentService["ask"]>) {
    await check(project);
    yield* service.ask(project, ...given);
  }

  return {
    ...service,
    profile: async () => withoutShared(await service.profile()),
    status: async (signal) => withoutShared(await service.status(signal)),
    listProjects: async () => (await service.listProjects()).filter(reaches),
    listDataSources: async () => [],
    listFiles: async () => [],
    listAgents: (project) => listWithin(project, async () => (await service.listAgents(project)).filter(isApart)),
    getAgent,
    createAgent: (project, draft) =>
      within(project, async () => {
        checkData(project, draft);
        return service.createAgent(project, draft);
      }),
    updateAgent: async (project, name, changes) => {
      checkData(project, changes, await getAgent(project, name));
      return service.updateAgent(project, name, changes);
    },
    deleteAgent: (project, name) => within(project, () => service.deleteAgent(project, name)),
    listKnowledgeBases: (project) => listWithin(project, () => service.listKnowledgeBases(project)),
    getKnowledgeBase: (project, name) => within(project, () => service.getKnowledgeBase(project, name)),
    createKnowledgeBase: (project, draft) => within(project, () => service.createKnowledgeBase(project, draft)),
    deleteKnowledgeBase: (project, name) => within(project, () => service.deleteKnowledgeBase(project, name)),
    insert: (project, base, what, signal) =>
      within(project, async () => {
        if (what.query !== undefined) throw new ParleyError("service_request_refused");
        return service.insert(project, base, what, signal);
      }),
    search: (project, ...given) => within(project, () => service.search(project, ...given)),
    listDocuments: (project, ...given) => within(project, () => service.listDocuments(project, ...given)),
    readRows: (project, ...given) => within(project, () => service.readRows(project, ...given)),
    deleteRows: (project, ...given) => within(project, () => service.deleteRows(project, ...given)),
    ask,
    askPlain: (project, ...given) => within(project, () => service.askPlain(project, ...given)),
    covers:
      service.covers &&
      ((project, ...given) => within(project, async () => (await service.covers?.(project, ...given)) === true)),
  };
}

/** Other projects aren't offered, and neither is SQL, which reads all of them. */
function withoutShared(profile: ServiceProfile): ServiceProfile {
  return { ...profile, offers: profile.offers.filter((offer) => offer !== "sql" && offer !== "projects") };
}
