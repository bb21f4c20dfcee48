/**
 * Runs an agent, streamed or plain, and refuses what must never pass for an answer.
 *
 * Three stages of a stream: ../http/event-stream.ts reads the bytes, stream/lines.ts finds the JSON text of each chunk,
 * and stream/decoder.ts turns it into events.
 */
import type { AgentEvent, AgentService, AskOptions, ServiceMessage } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import { type StreamLimits, streamEvents } from "../http/event-stream.ts";
import type { Http } from "../http/http.ts";
import type { HttpRequest } from "../http/http-request.ts";
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

/** Each unknown kind of chunk is logged once, up to this many kinds, in case a service keeps inventing them. */
const maxKindsLogged = 100;

export function createRuns(options: RunOptions): Pick<AgentService, "ask" | "askPlain"> {
  const { http, clock, log, limits } = options;
  const kindsLogged = new Set<string>();

  function logUnknown(kind: string): void {
    if (kindsLogged.has(kind) || kindsLogged.size >= maxKindsLogged) return;
    kindsLogged.add(kind);
    log.info({ kind }, "The agent service sent a chunk of an unknown kind");
  }

  async function* ask(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    asked?: AskOptions,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    // Counted, and logged once per run. A line for each would log fourteen times as many bytes as were malformed.
    let skipped = 0;
    const onMalformed = () => {
      skipped += 1;
      options.onMalformed?.();
    };
    try {
      const plain = runRequest(`${agentPath(project, agent)}/completions/stream`, messages, asked);
      const request = { ...plain, accept: "text/event-stream" };
      const decoder = createDecoder({ maxChunkBytes: limits.maxChunkBytes, onMalformed });
      for await (const event of streamEvents(http, clock, limits, request, decoder)) {
        if (event.type === "unknown") logUnknown(event.kind);
        yield event;
      }
    } catch (thrown) {
      options.onFailure(thrown);
      throw thrown;
    } finally {
      if (skipped > 0) log.warn({ agent, skipped }, "Skipped chunks of the agent service that aren't JSON");
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
      const answer = readPlainAnswer(body);
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
