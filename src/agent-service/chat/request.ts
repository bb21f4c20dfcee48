/**
 * Client for services with Chat Completions: OpenAI, LiteLLM, vLLM, Ollama and most others. Their models are the
 * agents. They keep nothing: every run brings its history, and leaving the stream stops it.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentService, ServiceMessage } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, questionOf } from "../dialect.ts";
import type { HttpRequest } from "../http/request.ts";
import { openAiFailure, toolWaitsForUs } from "../openai/errors.ts";
import { rolesOf, statelessService } from "../openai/server.ts";
import { withoutThoughts } from "../thoughts/thoughts.ts";
import { createChatDecoder } from "./stream.ts";

export function createChatService(options: DialectOptions): AgentService {
  const { calls, secrets, decoding, stream, whole } = statelessService("chat", options);

  return {
    ...calls,
    ask: async function* (_project, agent, messages, asked) {
      const decoder = createChatDecoder(decoding);
      yield* stream(runRequest(agent, messages, true, asked?.signal), decoder, { agent });
      if (!decoder.hasEnded()) {
        throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a finish reason.") });
      }
    },
    askPlain: async (_project, agent, messages, asked) =>
      readPlain(await whole(runRequest(agent, messages, false, asked?.signal)), secrets),
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
