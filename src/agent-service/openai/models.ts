/** Models as agents: what a service of the OpenAI shape lists, and the calls of the port that such a service doesn't have. */

import { ParleyError } from "../../core/errors.ts";
import type { Agent, AgentService } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import type { HttpRequest } from "../http/http-request.ts";

type Call = (request: HttpRequest) => Promise<unknown>;

type Calls = Pick<
  AgentService,
  | "listProjects"
  | "listDataSources"
  | "listAgents"
  | "getAgent"
  | "createAgent"
  | "updateAgent"
  | "deleteAgent"
  | "listKnowledgeBases"
  | "getKnowledgeBase"
  | "createKnowledgeBase"
  | "deleteKnowledgeBase"
  | "insert"
  | "uploadFile"
  | "listFiles"
  | "deleteFile"
  | "search"
  | "listDocuments"
  | "deleteRows"
>;

/** OpenAI lists 80; LiteLLM and Ollama what people configured. */
const maxModels = 1_000;
const maxNameChars = 200;

/** Models that answer no question. Their names are all that tells them from others. */
const otherModels =
  /^(?:text-embedding|tts-|whisper|dall-e|gpt-image|chatgpt-image|omni-moderation|text-moderation|sora|babbage-|davinci-)|(?:^|[-_/:.])(?:embed|embedding|embeddings|reranker?)(?:$|[-_/:.\d])/i;

export function createModels(call: Call): Calls {
  /** undefined: the service lists no models, so every name may be one. */
  async function names(): Promise<readonly string[] | undefined> {
    try {
      return readModels(await call(modelsRequest()));
    } catch (thrown) {
      if (thrown instanceof ParleyError && thrown.code === "resource_not_found") return undefined;
      throw thrown;
    }
  }

  return {
    // Without projects, agents are in whichever one Parley is set to.
    listProjects: async () => [],
    listDataSources: async () => [],
    listAgents: async (project) =>
      ((await names()) ?? []).filter((name) => !otherModels.test(name)).map((name) => agentOf(project, name)),
    getAgent: async (project, name) => {
      const listed = await names();
      if (listed !== undefined && !listed.includes(name)) throw new ParleyError("agent_not_found");
      return agentOf(project, name);
    },
    createAgent: refuse,
    updateAgent: refuse,
    deleteAgent: refuse,
    listKnowledgeBases: async () => [],
    getKnowledgeBase: () => Promise.reject(new ParleyError("knowledge_base_not_found")),
    createKnowledgeBase: refuse,
    deleteKnowledgeBase: refuse,
    insert: refuse,
    uploadFile: refuse,
    listFiles: async () => [],
    deleteFile: refuse,
    search: () => Promise.reject(new ParleyError("knowledge_base_not_found")),
    listDocuments: () => Promise.reject(new ParleyError("knowledge_base_not_found")),
    deleteRows: refuse,
  };
}

export function modelsRequest(): HttpRequest {
  return { method: "GET", path: "/models", subject: "status" };
}

/** Nothing outside calls these, since the profile offers none of it. */
function refuse(): Promise<never> {
  const cause = new Error("A service of the OpenAI shape has no such call.");
  return Promise.reject(new ParleyError("service_request_refused", { cause }));
}

/** `{data: [{id}]}`; Ollama's own shape has `{models: [{name}]}`. */
function readModels(body: unknown): readonly string[] {
  const list = isObject(body) ? (body["data"] ?? body["models"]) : body;
  if (!Array.isArray(list)) {
    throw new ParleyError("service_not_understood", { cause: new Error("The list of models isn't one.") });
  }
  const names = list.slice(0, maxModels).flatMap((model: unknown) => {
    const name = isObject(model) ? (model["id"] ?? model["name"]) : undefined;
    return typeof name === "string" && name.trim() !== "" && name.length <= maxNameChars ? [name] : [];
  });
  return [...new Set(names)];
}

function agentOf(project: string, name: string): Agent {
  return { name, project, model: { name, hasKey: false }, tables: [], knowledgeBases: [] };
}
