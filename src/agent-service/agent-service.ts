/**
 * The client of the agent service, whichever dialect it speaks. Finds that out, and passes every call on to the client of
 * that dialect.
 */

import type { AgentEvent, RunHandle } from "../core/model/agent-event.ts";
import type { AgentService, AskOptions, Dialect } from "../core/ports/agent-service.ts";
import { createChatService } from "./chat/request.ts";
import { type Client, createCurrentClient, withFoundBy } from "./current-client.ts";
import type { DialectOptions } from "./dialect.ts";
import { createMindsdbService } from "./mindsdb/request.ts";
import { createProbe, type Found, type ProbeOptions } from "./probe/probe.ts";
import { createResponsesService } from "./responses/request.ts";

export { createModelEndpoint, type ModelEndpoint, type ModelEndpointOptions } from "./model/model-endpoint.ts";
export { whyRunFailed } from "./openai/errors.ts";
export { createServiceWithKnowledge, type Knowledge } from "./with-knowledge/service-with-knowledge.ts";

export type AgentServiceOptions = ProbeOptions;

const factories: Readonly<Record<Dialect, (options: DialectOptions) => AgentService>> = {
  mindsdb: createMindsdbService,
  responses: createResponsesService,
  chat: createChatService,
};

export function createAgentService({ kind, ...options }: AgentServiceOptions): AgentService {
  const probe = createProbe({ ...options, kind });
  const open = ({ dialect, baseUrl, server }: Found) => factories[dialect]({ ...options, baseUrl, server });
  const current = createCurrentClient({ probe, open, log: options.log });
  const use = <T>(work: (service: AgentService) => Promise<T>) => current.use(({ service }) => work(service));

  return {
    profile: () => current.use(async (client) => withFoundBy(await client.service.profile(), client)),
    status: current.status,
    listProjects: () => use((service) => service.listProjects()),
    listDataSources: () => use((service) => service.listDataSources()),
    listAgents: (project) => use((service) => service.listAgents(project)),
    getAgent: (project, name) => use((service) => service.getAgent(project, name)),
    createAgent: (project, draft) => use((service) => service.createAgent(project, draft)),
    updateAgent: (project, name, changes) => use((service) => service.updateAgent(project, name, changes)),
    deleteAgent: (project, name) => use((service) => service.deleteAgent(project, name)),
    listKnowledgeBases: (project) => use((service) => service.listKnowledgeBases(project)),
    getKnowledgeBase: (project, name) => use((service) => service.getKnowledgeBase(project, name)),
    createKnowledgeBase: (project, draft) => use((service) => service.createKnowledgeBase(project, draft)),
    deleteKnowledgeBase: (project, name) => use((service) => service.deleteKnowledgeBase(project, name)),
    insert: (project, base, what, signal) => use((service) => service.insert(project, base, what, signal)),
    uploadFile: (name, file, signal) => use((service) => service.uploadFile(name, file, signal)),
    listFiles: () => use((service) => service.listFiles()),
    deleteFile: (name) => use((service) => service.deleteFile(name)),
    search: (project, base, words, limit, signal) =>
      use((service) => service.search(project, base, words, limit, signal)),
    listDocuments: (project, base, limit, signal) =>
      use((service) => service.listDocuments(project, base, limit, signal)),
    readRows: (project, base, rowIds, limit, signal) =>
      use((service) => service.readRows(project, base, rowIds, limit, signal)),
    deleteRows: (project, base, rowIds) => use((service) => service.deleteRows(project, base, rowIds)),

    ask: (project, agent, messages, asked) =>
      current.stream((client) =>
        runOf(client, client.service.ask(project, agent, messages, ownOptions(client, asked))),
      ),
    askPlain: (project, agent, messages, asked) =>
      current.use((client) => client.service.askPlain(project, agent, messages, ownOptions(client, asked))),
    cancel: (run, signal) =>
      current.use(async (client) => {
        const own = ownOf(client, run);
        return own === undefined ? "unknown" : ((await client.service.cancel?.(own, signal)) ?? "unknown");
      }),
    forgetThread: (thread) =>
      current.use(async (client) => {
        const own = ownOf(client, thread);
        if (own !== undefined) await client.service.forgetThread?.(own);
      }),
    close: current.close,
  };
}

/** Ids of one kind of service mean nothing to another, so each carries whose it is. */
const owner = "by";

function ownerOf({ found: { dialect, server } }: Client): string {
  return `${dialect}/${server.generation}`;
}

async function* runOf(client: Client, events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === "run") yield { type: "run", run: { ...event.run, [owner]: ownerOf(client) } };
    else if (event.type === "thread") yield { type: "thread", thread: { ...event.thread, [owner]: ownerOf(client) } };
    else yield event;
  }
}

/** The ids as the dialect gave them; undefined if another one did. */
function ownOf(client: Client, ids: RunHandle | undefined): RunHandle | undefined {
  if (ids === undefined || ids[owner] !== ownerOf(client)) return undefined;
  return Object.fromEntries(Object.entries(ids).filter(([name]) => name !== owner));
}

function ownOptions(client: Client, asked: AskOptions | undefined): AskOptions | undefined {
  if (asked === undefined) return undefined;
  const { resume, thread, approvals, ...others } = asked;
  const own = ownOf(client, resume);
  return {
    ...others,
    resume: own,
    thread: ownOf(client, thread),
    approvals: own === undefined ? undefined : approvals,
  };
}
