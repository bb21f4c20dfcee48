/**
 * Client of a service that speaks Chat Completions: OpenAI, LiteLLM, vLLM, Ollama and most others. Its models are the
 * agents. It keeps nothing: every run brings its history, and leaving the stream stops it.
 */
import type {
  AgentEvent,
  AgentService,
  AskOptions,
  ServiceMessage,
  ServiceProfile,
} from "../../ports/agent-service.ts";
import { ParleyError } from "../../ports/errors.ts";
import { isObject } from "../../ports/tools/parse-json.ts";
import { present } from "../../ports/tools/present.ts";
import { type DialectOptions, defaultLimits, type Limits } from "../dialect.ts";
import { streamEvents } from "../http/event-stream.ts";
import { createHttp } from "../http/http.ts";
import type { HttpRequest, Login } from "../http/http-request.ts";
import { openAiErrorOf, openAiFailure, toolWaitsForUs } from "../http/openai-problem.ts";
import { createModels, modelsRequest } from "../openai/models.ts";
import { createChatDecoder } from "./decoder.ts";
import { chatMessages } from "./messages.ts";
import { createThoughtTags } from "./thought-tags.ts";

/** Runs at once: 50 were fine with LiteLLM (2026-11-22). Of an unknown server, which may be a laptop, few. */
const maxRunsOf: Readonly<Partial<Record<ServiceProfile["generation"], number>>> = { openai: 20, litellm: 20 };
const maxRunsOfUnknown = 4;

/** Each unknown kind of chunk is logged once, up to this many kinds. */
const maxKindsLogged = 100;

export function createChatService(options: DialectOptions): AgentService {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { baseUrl, token, proxy, clock, log } = options;
  const { connectMs, requestMs } = limits;
  const secrets = token === undefined ? [] : [token];
  const login = keyAlone(token, secrets);
  const http = createHttp(
    present({ baseUrl, proxy, connectMs, requestMs, clock, errorOf: openAiErrorOf, login: () => login }),
  );
  const kindsLogged = new Set<string>();

  function profile(): ServiceProfile {
    const { generation = "unknown", version = "" } = options.server ?? {};
    return {
      dialect: "chat",
      generation,
      version,
      maxRuns: options.maxRuns ?? maxRunsOf[generation] ?? maxRunsOfUnknown,
      closeStopsRun: true,
      cancels: false,
      resumes: false,
      offers: [],
      plainWorks: true,
      urlSourcesSurvive: true,
      ignores: [],
    };
  }

  async function status(signal?: AbortSignal): Promise<ServiceProfile> {
    try {
      await http.json(present({ ...modelsRequest(), limitMs: limits.statusMs, signal }));
    } catch (thrown) {
      // A server without a list of models has answered too.
      if (!(thrown instanceof ParleyError) || thrown.code !== "resource_not_found") throw thrown;
    }
    return profile();
  }

  function logUnknown(kind: string): void {
    if (kindsLogged.has(kind) || kindsLogged.size >= maxKindsLogged) return;
    kindsLogged.add(kind);
    log.info({ kind }, "The agent service sent a chunk of an unknown kind");
  }

  async function* ask(
    _project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    let skipped = 0;
    const onMalformed = () => {
      skipped += 1;
      options.onMalformed?.();
    };
    const request = { ...runRequest(agent, messages, true, asked), accept: "text/event-stream" };
    const decoder = createChatDecoder({ maxChunkBytes: limits.maxChunkBytes, secrets, onMalformed });
    try {
      for await (const event of streamEvents(http, clock, limits, request, decoder)) {
        if (event.type === "unknown") logUnknown(event.kind);
        yield event;
      }
      if (!decoder.hasEnded()) {
        throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a finish reason.") });
      }
    } finally {
      if (skipped > 0) log.warn({ agent, skipped }, "Skipped chunks of the agent service that aren't JSON");
    }
  }

  async function askPlain(
    _project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): Promise<string> {
    const request = runRequest(agent, messages, false, asked);
    return readPlain(await http.json({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" }), secrets);
  }

  return {
    ...createModels((request) => http.json(request)),
    profile: async () => profile(),
    status,
    ask,
    askPlain,
    close: http.close,
  };
}

/** A bearer key doesn't expire, so a refused one stays refused. */
function keyAlone(token: string | undefined, secrets: readonly string[]): Login {
  return {
    token: () => token,
    canRenew: () => false,
    renew: () => Promise.reject(new ParleyError("not_authorised")),
    secrets: () => secrets,
  };
}

function runRequest(
  agent: string,
  messages: readonly ServiceMessage[],
  stream: boolean,
  asked: AskOptions | undefined,
): HttpRequest {
  if ((messages.at(-1)?.question ?? "").trim() === "") throw new ParleyError("question_empty");
  const json = { model: agent, messages: chatMessages(messages), stream };
  return { method: "POST", path: "/chat/completions", subject: "agent", json, signal: asked?.signal };
}

function readPlain(body: unknown, secrets: readonly string[]): string {
  const choices = isObject(body) ? body["choices"] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice["message"] : undefined;
  if (!isObject(message)) {
    if (isObject(body) && body["error"]) throw openAiFailure(body["error"], secrets);
    throw new ParleyError("service_not_understood", { cause: new Error("A chat completion without a message.") });
  }
  const { content, refusal, tool_calls: calls } = message;
  const said = typeof content === "string" && content !== "" ? withoutThought(content) : refusal;
  if (typeof said === "string" && said !== "") return said;
  if (Array.isArray(calls) && calls.length > 0) throw toolWaitsForUs([]);
  throw new ParleyError("no_answer");
}

function withoutThought(content: string): string {
  const tags = createThoughtTags();
  return tags.push(content).answer + tags.end().answer;
}
