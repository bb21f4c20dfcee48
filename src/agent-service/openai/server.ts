/**
 * What servers of the OpenAI shape have in common, with either API: models as agents, a conversation as roles, and the
 * calls of the port that such a server doesn't have.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Agent, AgentService, Dialect, ServiceMessage, ServiceProfile } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, type Limits, limitsOf } from "../dialect.ts";
import type { Decoder, DecoderOptions } from "../http/decoder.ts";
import { createHttp, type Http, type HttpRequest } from "../http/request.ts";
import { createRunLog, streamEvents } from "../http/stream.ts";
import { openAiErrorOf } from "./errors.ts";

/** OpenAI lists 80; LiteLLM and Ollama what people configured. */
const maxModels = 1_000;
const maxNameChars = 200;

/** Models that answer no question. Their names are all that tells them from others. */
const otherModels =
  /^(?:text-embedding|tts-|whisper|dall-e|gpt-image|chatgpt-image|omni-moderation|text-moderation|sora|babbage-|davinci-)|(?:^|[-_/:.])(?:embed|embedding|embeddings|reranker?)(?:$|[-_/:.\d])/i;

const modelsRequest: HttpRequest = { method: "GET", path: "/models", subject: "status" };

/** Runs at once: 50 were fine with LiteLLM (2026-11-22). An unknown server may be a laptop, so few. */
const maxRunsOf: Readonly<Partial<Record<ServiceProfile["generation"], number>>> = { openai: 20, litellm: 20 };
const maxRunsOfUnknown = 4;

export function openAiHttp({ baseUrl, token, proxy, clock }: DialectOptions, limits: Limits): Http {
  const { connectMs, requestMs } = limits;
  return createHttp({ baseUrl, token, proxy, connectMs, requestMs, clock, errorOf: openAiErrorOf });
}

/**
 * Of a server that keeps nothing: every request brings its history, and closing the stream stops the run. `background`
 * would make runs outlive the connection; it is not used, because OpenAI then stores each one and starts it later, and
 * LiteLLM ignores the word. AGENT_MAX_RUNS overrides `maxRuns`.
 */
export function statelessProfile(dialect: Dialect, { server, maxRuns }: DialectOptions): ServiceProfile {
  const { generation = "unknown", version = "" } = server ?? {};
  return {
    dialect,
    generation,
    version,
    maxRuns: maxRuns ?? maxRunsOf[generation] ?? maxRunsOfUnknown,
    closeStopsRun: true,
    cancels: false,
    resumes: false,
    offers: [],
    plainWorks: true,
    urlSourcesSurvive: true,
    ignores: [],
  };
}

/** What the clients of both APIs share, where the server keeps nothing. */
export function statelessService(dialect: "responses" | "chat", options: DialectOptions) {
  const limits = limitsOf(options);
  const { clock, token, onMalformed } = options;
  const http = openAiHttp(options, limits);
  const secrets = token === undefined ? [] : [token];
  const profile: ServiceProfile = { ...statelessProfile(dialect, options), takesPictures: true };
  const logged = createRunLog(options.log);

  return {
    calls: {
      ...modelsAsAgents(http),
      profile: async () => profile,
      status: async (signal: AbortSignal | undefined) => {
        await checkServer(http, limits.statusMs, signal);
        return profile;
      },
      close: http.close,
    },
    secrets,
    decoding: { maxChunkBytes: limits.maxChunkBytes, secrets, onMalformed } satisfies DecoderOptions,
    /** The events of a run. `fields`: for what is logged of it. */
    stream: (request: HttpRequest, decoder: Decoder, fields?: object): AsyncIterable<AgentEvent> =>
      logged(streamEvents(http, clock, limits, request, decoder), decoder, fields),
    /** A run without a stream: what the server answers. */
    whole: (request: HttpRequest): Promise<unknown> =>
      http.json({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" }),
  };
}

/** Throws unless the server answers. One without a list of models has answered too. */
async function checkServer(http: Http, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await http.json({ ...modelsRequest, limitMs, signal });
  } catch (thrown) {
    if (!(thrown instanceof ParleyError) || thrown.code !== "resource_not_found") throw thrown;
  }
}

/** Roles alternate, because the templates of many models refuse anything else: unanswered questions are joined. */
export function rolesOf(
  messages: readonly ServiceMessage[],
): readonly { readonly role: "user" | "assistant"; readonly content: string }[] {
  const written: { role: "user" | "assistant"; content: string }[] = [];
  let unanswered: string[] = [];
  for (const { question, answer } of messages) {
    unanswered.push(question);
    if (answer.trim() === "") continue;
    written.push({ role: "user", content: unanswered.join("\n\n") }, { role: "assistant", content: answer });
    unanswered = [];
  }
  return unanswered.length === 0 ? written : [...written, { role: "user", content: unanswered.join("\n\n") }];
}

type Runs = "profile" | "status" | "ask" | "askPlain" | "cancel" | "forgetThread" | "covers" | "close";

/** Everything but the runs. */
export function modelsAsAgents(http: Http): Omit<AgentService, Runs> {
  /** undefined: the service lists no models, so every name may be one. */
  async function names(): Promise<readonly string[] | undefined> {
    try {
      return readModels(await http.json(modelsRequest));
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
    getKnowledgeBase: noKnowledgeBase,
    createKnowledgeBase: refuse,
    deleteKnowledgeBase: refuse,
    insert: refuse,
    uploadFile: refuse,
    listFiles: async () => [],
    deleteFile: refuse,
    search: noKnowledgeBase,
    listDocuments: noKnowledgeBase,
    readRows: noKnowledgeBase,
    deleteRows: refuse,
  };
}

/** Nothing outside calls these, since the profile offers none of it. */
async function refuse(): Promise<never> {
  const cause = new Error("A service of the OpenAI shape has no such call.");
  throw new ParleyError("service_request_refused", { cause });
}

async function noKnowledgeBase(): Promise<never> {
  throw new ParleyError("knowledge_base_not_found");
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
