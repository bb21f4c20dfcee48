/**
 * Client for services with Chat Completions: OpenAI, LiteLLM, vLLM, Ollama and most others. Their models are the
 * agents. They keep nothing: every run brings its history, and leaving the stream stops it.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentService, Picture, ServiceMessage } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, questionOf } from "../dialect.ts";
import type { HttpRequest } from "../http/request.ts";
import { openAiFailure, toolWaitsForUs } from "../openai/errors.ts";
import { picturePart, textPart, withNote, withPictures } from "../openai/pictures.ts";
import { rolesOf, statelessService } from "../openai/server.ts";
import { asksUsage, createUsageAsking } from "../openai/usage.ts";
import { withoutThoughts } from "../thoughts/thoughts.ts";
import { createChatDecoder } from "./stream.ts";

export function createChatService(options: DialectOptions): AgentService {
  const { calls, secrets, decoding, stream, whole } = statelessService("chat", options);
  const askingUsage = createUsageAsking(options);

  async function* runOf(agent: string, json: object, signal: AbortSignal | undefined) {
    const decoder = createChatDecoder(decoding);
    yield* stream(requestOf(json, signal), decoder, { agent });
    if (!decoder.hasEnded()) {
      throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a finish reason.") });
    }
  }

  return {
    ...calls,
    ask: (_project, agent, messages, asked = {}) =>
      withPictures(agent, asked, options, ({ pictures, note }) => {
        const json = { ...bodyOf(agent, withNote(messages, note), pictures), stream: true };
        return askingUsage(`${options.baseUrl}\n${agent}`, (isAsked) =>
          runOf(agent, isAsked ? { ...json, ...asksUsage } : json, asked.signal),
        );
      }),
    askPlain: async (_project, agent, messages, asked) => {
      const json = { ...bodyOf(agent, messages, []), stream: false };
      return readPlain(await whole(requestOf(json, asked?.signal)), secrets);
    },
  };
}

function bodyOf(agent: string, messages: readonly ServiceMessage[], pictures: readonly Picture[]) {
  questionOf(messages);
  const written = rolesOf(messages);
  const question = written.at(-1);
  if (question === undefined || pictures.length === 0) return { model: agent, messages: written };
  const content = [textPart.chat(question.content), ...pictures.map(picturePart.chat)];
  return { model: agent, messages: [...written.slice(0, -1), { role: question.role, content }] };
}

function requestOf(json: object, signal: AbortSignal | undefined): HttpRequest {
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
