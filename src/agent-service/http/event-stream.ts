/**
 * Reads a streamed run: the bytes of the response, within the limits of time. A dialect's decoder turns them into events.
 * A service may send nothing while a model thinks, not even a heartbeat: only the limits tell that from a hung run. They
 * count while waiting for bytes, not while the consumer handles events.
 */
import type { Dispatcher } from "undici";
import { ParleyError } from "../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { createDeadline } from "./deadline.ts";
import { parseLenient } from "./event-json.ts";
import { type Http, header } from "./http.ts";
import type { HttpRequest } from "./http-request.ts";
import { patiently } from "./patience.ts";

export type StreamLimits = {
  /** To the first byte of the response; a slower service is busy, not down. */
  readonly firstChunkMs: number;
  readonly silenceMs: number;
  readonly runMs: number;
};

/** Turns the bytes of a stream into events. One for each stream. */
export type Decoder = {
  /** The events that these bytes complete, in order; none after `ended`. Throws answer_too_large or service_not_understood. */
  readonly push: (bytes: Uint8Array) => readonly AgentEvent[];
  /** The connection has closed: the events of what was not complete yet. */
  readonly end: () => readonly AgentEvent[];
};

/** After the end: time and bytes for the response to finish normally, so that its connection can be reused. */
const drainMs = 250;
const drainBytes = 64 * 1024;
/** Of a body that isn't a stream: up to here each part may be the last one. */
const maxTriedBytes = 64 * 1024;

/** The events of one request. Throws what the port's `ask` throws; everything before the error is yielded first. */
export async function* streamEvents(
  http: Http,
  clock: Clock,
  limits: StreamLimits,
  request: HttpRequest,
  decoder: Decoder,
): AsyncGenerator<AgentEvent, void, undefined> {
  const deadline = createDeadline(clock, request.signal);
  deadline.limit(limits.runMs, "stream_too_long");
  let endWait = (): void => {};
  let isDone = false;
  const open = async () => {
    endWait = deadline.limit(limits.firstChunkMs, "service_busy");
    try {
      return await http.open(request, deadline);
    } catch (thrown) {
      endWait();
      throw thrown;
    }
  };
  try {
    const response = yield* patiently(open, clock, deadline.signal);
    const isWhole = comesWhole(response);
    const body: Uint8Array[] = [];
    const parts = response.body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
    for (;;) {
      const next = await nextPart(parts);
      endWait();
      if (isWhole) {
        const whole = readWhole(next, body, decoder);
        if (whole === undefined) {
          endWait = deadline.limit(limits.silenceMs, "stream_silent");
          continue;
        }
        yield* whole;
        return;
      }
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

/** As JSON: a server that doesn't stream, or an error with status 200. Throws for a page of HTML. */
function comesWhole(response: Dispatcher.ResponseData): boolean {
  const contentType = header(response, "content-type") ?? "";
  if (/^text\/html\b/i.test(contentType)) throw notStream(contentType);
  return /^application\/(?:problem\+)?json\b/i.test(contentType);
}

function notStream(contentType: string): ParleyError {
  return new ParleyError("service_not_understood", {
    cause: new Error(`A stream came as ${contentType.slice(0, 80)}.`),
  });
}

/** The only event of a stream, as soon as all of it has come; undefined until then. */
function readWhole(
  next: IteratorResult<Uint8Array>,
  body: Uint8Array[],
  decoder: Decoder,
): readonly AgentEvent[] | undefined {
  if (next.done !== true) body.push(next.value);
  const size = body.reduce((sum, { length }) => sum + length, 0);
  if (size > runLimits.eventBytes) throw new ParleyError("answer_too_large");
  // Some servers leave the connection open. To try each part of a long body would take as long as its square.
  if (next.done !== true && size > maxTriedBytes) return undefined;
  const value = parseLenient(Buffer.concat(body).toString("utf8"));
  if (value === undefined && next.done !== true) return undefined;
  const event = Buffer.from(`data: ${JSON.stringify(value ?? null)}\n\n`);
  const events = [...decoder.push(event), ...decoder.end()];
  if (events.some(({ type }) => type === "failed" || type === "answer" || type === "answer-delta")) return events;
  throw notStream("application/json");
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
