/**
 * Runs an agent, streamed or plain, and refuses what must never pass for an answer.
 *
 * Three stages of a stream: this file reads the bytes, stream/lines.ts finds the JSON text of each chunk, and
 * stream/decoder.ts turns it into events. The service sends nothing while a model thinks, not even a heartbeat: only the
 * limits tell that from a hung run. They count while waiting for bytes, not while the consumer handles events.
 */
import type { Dispatcher } from "undici";
import type { AgentEvent, AgentService, AskOptions, ServiceMessage } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import { createDeadline } from "./deadline.ts";
import { type Http, header } from "./http.ts";
import type { HttpRequest } from "./http-request.ts";
import { agentPath } from "./paths.ts";
import { readPlainAnswer } from "./resources/resources.ts";
import { isModelErrorAsAnswer } from "./run-failure.ts";
import { isLeakedToolCall } from "./stream/chunk.ts";
import { createDecoder, type Decoder } from "./stream/decoder.ts";

type StreamLimits = {
  /** To the first byte of the response; a slower service is busy, not down. */
  readonly firstChunkMs: number;
  readonly silenceMs: number;
  readonly runMs: number;
};

export type RunOptions = {
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: StreamLimits & { readonly maxChunkBytes: number };
  readonly onMalformed?: () => void;
  readonly onFailure: (thrown: unknown) => void;
};

/** After the end: time and bytes for the response to finish normally, so that its connection can be reused. */
const drainMs = 250;
const drainBytes = 64 * 1024;

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
  return { method: "POST", path, subject: "agent", json: { messages }, signal: asked?.signal };
}

async function* streamEvents(
  http: Http,
  clock: Clock,
  limits: StreamLimits,
  request: HttpRequest,
  decoder: Decoder,
): AsyncGenerator<AgentEvent, void, undefined> {
  const deadline = createDeadline(clock, request.signal);
  deadline.limit(limits.runMs, "stream_too_long");
  let endWait = deadline.limit(limits.firstChunkMs, "service_busy");
  let isDone = false;
  try {
    const response = await http.open(request, deadline);
    refuseOtherThanStream(response);
    const parts = response.body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
    for (;;) {
      const next = await nextPart(parts);
      endWait();
      const events = next.done === true ? decoder.end() : decoder.push(next.value);
      for (const event of events) {
        // Nothing is awaited after the end, so the connection is released before the event is yielded.
        if (event.type === "ended") {
          isDone = true;
          deadline.clear();
          release(response.body, parts, clock);
        }
        yield event;
      }
      if (isDone) return;
      if (next.done === true) {
        isDone = true;
        return;
      }
      endWait = deadline.limit(limits.silenceMs, "stream_silent");
    }
  } finally {
    deadline.clear();
    // A consumer that stops early closes the connection.
    if (!isDone) deadline.abort("stopped");
  }

  async function nextPart(parts: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await parts.next();
    } catch (thrown) {
      throw http.translate(thrown, deadline, "stream_cut");
    }
  }
}

function refuseOtherThanStream(response: Dispatcher.ResponseData): void {
  const contentType = header(response, "content-type") ?? "";
  if (!/^(?:text\/html|application\/(?:problem\+)?json)\b/i.test(contentType)) return;
  throw new ParleyError("service_not_understood", {
    cause: new Error(`A stream came as ${contentType.slice(0, 80)}.`),
  });
}

/** Reads the last bytes (a second end, the final HTTP chunk). Destroys the connection if they don't come. */
function release(body: Dispatcher.ResponseData["body"], parts: AsyncIterator<Uint8Array>, clock: Clock): void {
  let bytes = 0;
  const giveUp = () => {
    // Destroying makes the pending read fail, and nobody needs that error.
    body.on("error", () => {});
    body.destroy();
  };
  const endWait = clock.after(drainMs, giveUp);
  const drain = async () => {
    for (;;) {
      const next = await parts.next();
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > drainBytes) return giveUp();
    }
  };
  drain().catch(giveUp).finally(endWait);
}
