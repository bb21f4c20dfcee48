/**
 * Client of MindsDB: what each call of the port sends, and how its runs are asked for. Its only state is the profile, the
 * login and the form of crawl filters.
 */

import { type ErrorCode, ParleyError, toParleyError } from "../../core/errors.ts";
import type { AgentService, AskOptions, ServiceMessage, ServiceProfile } from "../../core/ports/agent-service.ts";
import { type DialectOptions, limitsOf, questionOf } from "../dialect.ts";
import { createHttp, type Exchange, type HttpRequest } from "../http/request.ts";
import { createRunLog, streamEvents } from "../http/stream.ts";
import { withoutThoughts } from "../thoughts/thoughts.ts";
import { type CrawlFilter, createCrawlFilters } from "./crawl-filter.ts";
import { errorOf, isModelErrorAsAnswer } from "./errors.ts";
import { createLogin } from "./login.ts";
import { createProfileCache, profileOf } from "./profile.ts";
import * as resources from "./resources.ts";
import {
  deleteStatement,
  listStatement,
  maxIdsPerStatement,
  readDocuments,
  readPassages,
  readSqlAnswer,
  readTexts,
  searchStatement,
} from "./sql.ts";
import { createMindsdbDecoder, isLeakedToolCall } from "./stream.ts";
import { withMultipart } from "./upload.ts";

export function createMindsdbService(options: DialectOptions): AgentService {
  const limits = limitsOf(options);
  const { baseUrl, token, user, password, proxy, maxRuns, clock, log, onMalformed } = options;
  const { connectMs, requestMs } = limits;
  const http = createHttp({
    baseUrl,
    proxy,
    connectMs,
    requestMs,
    clock,
    errorOf,
    login: (exchange: Exchange) => createLogin({ token, user, password, requestMs, clock }, exchange),
  });
  const profiles = createProfileCache(readStatus);
  const crawlFilters = createCrawlFilters(async () => {
    // If it can't be read, the insert itself will say what is wrong.
    const { generation, version } = await profiles.profile().catch(() => ({ generation: "unknown", version: "" }));
    return `${generation} ${version}`;
  });
  const logged = createRunLog(log);

  async function readStatus(signal?: AbortSignal): Promise<ServiceProfile> {
    try {
      const limitMs = limits.statusMs;
      const status = await http.json({ method: "GET", path: "/api/status", subject: "status", limitMs, signal });
      return profileOf(status, maxRuns);
    } catch (thrown) {
      // /api/status isn't in the API document. A service that answers 404 to it is of an unknown generation.
      if (thrown instanceof ParleyError && thrown.code === "resource_not_found") return profileOf(undefined, maxRuns);
      throw thrown;
    }
  }

  /** Every call except `status`: a failure of the service marks the profile for a new read. */
  async function call(request: HttpRequest): Promise<unknown> {
    try {
      return await http.json(request);
    } catch (thrown) {
      profiles.noteFailure(thrown);
      throw thrown;
    }
  }

  async function sql(query: string, signal?: AbortSignal): Promise<unknown> {
    return call({ method: "POST", path: "/api/sql/query", subject: "sql", json: { query }, signal });
  }

  /** Deletes; a resource that is already gone counts as success. */
  async function remove(path: string, subject: HttpRequest["subject"], goneCodes: readonly string[]): Promise<void> {
    try {
      await call({ method: "DELETE", path, subject });
    } catch (thrown) {
      if (thrown instanceof ParleyError && goneCodes.includes(thrown.code)) return;
      throw thrown;
    }
  }

  const get = (path: string, subject: HttpRequest["subject"]) => call({ method: "GET", path, subject });
  const rawAgent = (project: string, name: string) => get(agentPath(project, name), "agent");

  return {
    profile: profiles.profile,
    status: profiles.refresh,
    listProjects: async () =>
      // Without the trailing slash the service redirects to whatever the Host header says.
      resources.readNames(await get("/api/projects/", "project")),
    listDataSources: async () => resources.readDataSources(await get("/api/databases/", "project")),

    listAgents: async (project) => resources.readAgents(project, await get(agentsPath(project), "agent")),
    getAgent: async (project, name) => resources.readAgent(project, await rawAgent(project, name)),
    createAgent: async (project, draft) => {
      const json = { agent: resources.agentBody(project, draft) };
      const request = { method: "POST", path: agentsPath(project), subject: "agent", json } as const;
      const secrets = resources.keysIn(json);
      return resources.readAgent(project, await call({ ...request, secrets, limitMs: limits.firstChunkMs }));
    },
    updateAgent: async (project, name, changes) => {
      const agent = { ...resources.agentBody(project, changes) };
      if (Object.keys(agent).length === 1 && agent["name"] !== undefined && agent["name"] !== name) {
        // 26.1 answers 200 to a bare rename but keeps the old name. It renames once another key has a value.
        agent["prompt_template"] = resources.readAgent(project, await rawAgent(project, name)).promptTemplate || " ";
      }
      if (agent["model"] !== undefined && changes.model?.apiKey === undefined) {
        agent["model"] = resources.wholeModel(await rawAgent(project, name), agent["model"]);
      }
      const request = { method: "PUT", path: agentPath(project, name), subject: "agent", json: { agent } } as const;
      const secrets = resources.keysIn(agent);
      return resources.readAgent(project, await call({ ...request, secrets, limitMs: limits.firstChunkMs }));
    },
    deleteAgent: async (project, name) => remove(agentPath(project, name), "agent", ["agent_not_found"]),

    listKnowledgeBases: async (project) =>
      resources.readKnowledgeBases(project, await get(knowledgeBasesPath(project), "knowledge-base")),
    getKnowledgeBase: async (project, name) =>
      resources.readKnowledgeBase(project, await get(knowledgeBasePath(project, name), "knowledge-base")),
    createKnowledgeBase: async (project, draft) => {
      const json = { knowledge_base: resources.knowledgeBaseBody(draft) };
      const request = { method: "POST", path: knowledgeBasesPath(project), subject: "knowledge-base", json } as const;
      const secrets = resources.keysIn(json);
      return resources.readKnowledgeBase(project, await call({ ...request, secrets, limitMs: limits.firstChunkMs }));
    },
    deleteKnowledgeBase: async (project, name) =>
      remove(knowledgeBasePath(project, name), "knowledge-base", ["knowledge_base_not_found"]),
    insert: async (project, knowledgeBase, what, signal) => {
      const path = knowledgeBasePath(project, knowledgeBase);
      const send = async (filters?: CrawlFilter): Promise<void> => {
        const json = { knowledge_base: resources.insertBody(what, filters) };
        await call({ method: "PUT", path, subject: "insert", json, limitMs: limits.insertMs, signal });
      };
      const domains = what.allowedDomains ?? [];
      await (domains.length === 0 ? send() : crawlFilters.insert(domains, send));
    },

    uploadFile: (name, file, signal) =>
      translated(() =>
        withMultipart(file, async (multipart) => {
          const request = { method: "PUT", path: filePath(name), subject: "file", multipart, signal } as const;
          await call({ ...request, limitMs: limits.insertMs });
        }),
      ),
    listFiles: async () => resources.readNames(await get("/api/files/", "file")),
    // For an unknown file, 25.x answers 200 and 26.x answers 400 "Error deleting file".
    deleteFile: async (name) => remove(filePath(name), "file", ["resource_not_found", "service_request_refused"]),

    search: async (project, knowledgeBase, words, limit, signal) => {
      if (words.trim() === "") return [];
      return readPassages(await sql(searchStatement(project, knowledgeBase, words, limit), signal));
    },
    listDocuments: async (project, knowledgeBase, limit, signal) =>
      readDocuments(await sql(listStatement(project, knowledgeBase, limit), signal)),
    readRows: async (project, knowledgeBase, rowIds, limit, signal) =>
      readTexts(await sql(listStatement(project, knowledgeBase, limit), signal), rowIds),
    deleteRows: async (project, knowledgeBase, rowIds) => {
      for (let at = 0; at < rowIds.length; at += maxIdsPerStatement) {
        const ids = rowIds.slice(at, at + maxIdsPerStatement);
        readSqlAnswer(await sql(deleteStatement(project, knowledgeBase, ids)));
      }
    },

    ask: async function* (project, agent, messages, asked) {
      try {
        const request = runRequest(`${agentPath(project, agent)}/completions/stream`, messages, asked);
        const decoder = createMindsdbDecoder({ maxChunkBytes: limits.maxChunkBytes, onMalformed });
        yield* logged(streamEvents(http, clock, limits, request, decoder), decoder, { agent });
      } catch (thrown) {
        profiles.noteFailure(thrown);
        throw thrown;
      }
    },
    askPlain: async (project, agent, messages, asked) => {
      const request = runRequest(`${agentPath(project, agent)}/completions`, messages, asked);
      const body = await call({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" });
      const answer = withoutThoughts(resources.readPlainAnswer(body));
      if (isModelErrorAsAnswer(answer)) throw new ParleyError("model_unavailable");
      if (isLeakedToolCall(answer)) throw new ParleyError("answer_unusable");
      return answer;
    },
    close: http.close,
  };
}

/** The file's source may throw anything, but the port promises only ParleyErrors. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toParleyError(thrown);
  }
}

function runRequest(path: string, messages: readonly ServiceMessage[], asked?: AskOptions): HttpRequest {
  questionOf(messages);
  const sent = messages.map((message) => ({ question: message.question, answer: message.answer }));
  return { method: "POST", path, subject: "agent", json: { messages: sent }, signal: asked?.signal };
}

function agentsPath(project: string): string {
  return `/api/projects/${segment(project, "project_not_found")}/agents`;
}

function agentPath(project: string, name: string): string {
  return `${agentsPath(project)}/${segment(name, "agent_not_found")}`;
}

function knowledgeBasesPath(project: string): string {
  return `/api/projects/${segment(project, "project_not_found")}/knowledge_bases`;
}

function knowledgeBasePath(project: string, name: string): string {
  return `${knowledgeBasesPath(project)}/${segment(name, "knowledge_base_not_found")}`;
}

function filePath(name: string): string {
  return `/api/files/${segment(name, "file_refused")}`;
}

/** A name that a URL would resolve away ("..") throws "not found". */
function segment(name: string, code: ErrorCode): string {
  const encoded = pathSegment(name);
  if (encoded === undefined) throw new ParleyError(code);
  return encoded;
}

/**
 * Encodes a name as one segment of a URL path; undefined if that's impossible. "." and ".." would be resolved away and
 * address another resource. A lone surrogate (half a character) can't be encoded.
 */
export function pathSegment(name: string): string | undefined {
  return name === "" || name === "." || name === ".." || !name.isWellFormed() ? undefined : encodeURIComponent(name);
}
