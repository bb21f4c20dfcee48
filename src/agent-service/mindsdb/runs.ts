/**
 * Runs an agent, streamed or plain, and refuses what must never pass for an answer.
 *
 * Three stages of a stream: ../http/event-stream.ts reads the bytes, stream/lines.ts finds the JSON text of each chunk,
 * and stream/decoder.ts turns it into events.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AgentService, AskOptions, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { type StreamLimits, streamEvents } from "../http/event-stream.ts";
import type { Http } from "../http/http.ts";
import type { HttpRequest } from "../http/http-request.ts";
import { createRunLog } from "../http/run-log.ts";
import { withoutThoughts } from "../thoughts/apart.ts";
import { agentPath } from "./paths.ts";
import { readPlainAnswer } from "./resources/resources.ts";
import { isModelErrorAsAnswer } from "./run-failure.ts";
import { isLeakedToolCall } from "./stream/chunk.ts";
import { createDecoder } from "./stream/decoder.ts";

export type RunOptions = {
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: StreamLimits & { readonly maxChunkBytes: number };
  readonly onMalformed?: () => void;
  readonly onFailure: (thrown: unknown) => void;
};

export function createRuns(options: RunOptions): Pick<AgentService, "ask" | "askPlain"> {
  const { http, clock, limits } = options;
  const runLog = createRunLog(options);

  async function* ask(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const skipped = runLog.skipped();
    try {
      const plain = runRequest(`${agentPath(project, agent)}/completions/stream`, messages, asked);
      const request = { ...plain, accept: "text/event-stream" };
      const decoder = createDecoder({ maxChunkBytes: limits.maxChunkBytes, onMalformed: skipped.note });
      yield* runLog.watch(streamEvents(http, clock, limits, request, decoder), skipped.count, { agent });
    } catch (thrown) {
      options.onFailure(thrown);
      throw thrown;
    }
  }

  async function askPlain(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): Promise<string> {
    const request = runRequest(`${agentPath(project, agent)}/completions`, messages, asked);
    try {
      const body = await http.json({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" });
      const answer = withoutThoughts(readPlainAnswer(body));
      if (isModelErrorAsAnswer(answer)) throw new ParleyError("model_unavailable");
      if (isLeakedToolCall(answer)) throw new ParleyError("answer_unusable");
      return answer;
    } catch (thrown) {
      options.onFailure(thrown);
      throw thrown;
    }
  }

  return { ask, askPlain };
}

function runRequest(path: string, messages: readonly ServiceMessage[], asked?: AskOptions): HttpRequest {
  const question = messages[messages.length - 1]?.question ?? "";
  // The service answers an empty question with something unrelated, or repeats the previous question.
  if (question.trim() === "") throw new ParleyError("question_empty");
  const sent = messages.map((message) => ({ question: message.question, answer: message.answer }));
  return { method: "POST", path, subject: "agent", json: { messages: sent }, signal: asked?.signal };
}
