/**
 * Client for services with Chat Completions: OpenAI, LiteLLM, vLLM, Ollama and most others. Their models are the
 * agents. They keep nothing: every run brings its history, and leaving the stream stops it.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AgentService, AskOptions, ServiceMessage, ServiceProfile } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, defaultLimits, type Limits } from "../dialect.ts";
import { streamEvents } from "../http/event-stream.ts";
import type { HttpRequest } from "../http/http-request.ts";
import { openAiFailure, toolWaitsForUs } from "../http/openai-problem.ts";
import { createRunLog } from "../http/run-log.ts";
import { createKeyedHttp } from "../openai/keyed-http.ts";
import { createModels, modelsRequest } from "../openai/models.ts";
import { withoutThoughts } from "../thoughts/apart.ts";
import { createChatDecoder } from "./decoder.ts";
import { chatMessages } from "./messages.ts";

/** Runs at once: 50 were fine with LiteLLM (2026-11-22). Of an unknown server, which may be a laptop, few. */
const maxRunsOf: Readonly<Partial<Record<ServiceProfile["generation"], number>>> = { openai: 20, litellm: 20 };
const maxRunsOfUnknown = 4;

export function createChatService(options: DialectOptions): AgentService {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { http, secrets } = createKeyedHttp(options, limits);
  const runLog = createRunLog(options);

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
      await http.json({ ...modelsRequest(), limitMs: limits.statusMs, signal });
    } catch (thrown) {
      // A server without a list of models has answered too.
      if (!(thrown instanceof ParleyError) || thrown.code !== "resource_not_found") throw thrown;
    }
    return profile();
  }

  async function* ask(
    _project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const skipped = runLog.skipped();
    const request = { ...runRequest(agent, messages, true, asked), accept: "text/event-stream" };
    const decoder = createChatDecoder({ maxChunkBytes: limits.maxChunkBytes, secrets, onMalformed: skipped.note });
    yield* runLog.watch(streamEvents(http, options.clock, limits, request, decoder), skipped.count, { agent });
    if (!decoder.hasEnded()) {
      throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a finish reason.") });
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
  const said = typeof content === "string" && content !== "" ? withoutThoughts(content) : refusal;
  if (typeof said === "string" && said !== "") return said;
  if (Array.isArray(calls) && calls.length > 0) throw toolWaitsForUs([]);
  throw new ParleyError("no_answer");
}
