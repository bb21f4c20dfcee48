/**
 * Client for services with Chat Completions: OpenAI, LiteLLM, vLLM, Ollama and most others. Their models are the
 * agents. They keep nothing: every run brings its history, and leaving the stream stops it.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentService, ServiceMessage } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, limitsOf, questionOf } from "../dialect.ts";
import type { HttpRequest } from "../http/request.ts";
import { createRunLog, streamEvents } from "../http/stream.ts";
import { openAiFailure, toolWaitsForUs } from "../openai/errors.ts";
import { checkServer, modelsAsAgents, openAiHttp, rolesOf, statelessProfile } from "../openai/server.ts";
import { withoutThoughts } from "../thoughts/thoughts.ts";
import { createChatDecoder } from "./stream.ts";

export function createChatService(options: DialectOptions): AgentService {
  const limits = limitsOf(options);
  const { clock, onMalformed } = options;
  const http = openAiHttp(options, limits);
  const secrets = options.token === undefined ? [] : [options.token];
  const profile = statelessProfile("chat", options);
  const logged = createRunLog(options.log);

  return {
    ...modelsAsAgents(http),
    profile: async () => profile,
    status: async (signal) => {
      await checkServer(http, limits.statusMs, signal);
      return profile;
    },
    ask: async function* (_project, agent, messages, asked) {
      const request = runRequest(agent, messages, true, asked?.signal);
      const decoder = createChatDecoder({ maxChunkBytes: limits.maxChunkBytes, secrets, onMalformed });
      yield* logged(streamEvents(http, clock, limits, request, decoder), decoder, { agent });
      if (!decoder.hasEnded()) {
        throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a finish reason.") });
      }
    },
    askPlain: async (_project, agent, messages, asked) => {
      const request = runRequest(agent, messages, false, asked?.signal);
      return readPlain(await http.json({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" }), secrets);
    },
    close: http.close,
  };
}

function runRequest(
  agent: string,
  messages: readonly ServiceMessage[],
  stream: boolean,
  signal: AbortSignal | undefined,
): HttpRequest {
  questionOf(messages);
  const json = { model: agent, messages: rolesOf(messages), stream };
  return { method: "POST", path: "/chat/completions", subject: "agent", json, signal };
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
