/**
 * Reads a streamed run: the bytes of the response, within the limits of time. A service may send nothing while a model
 * thinks, not even a heartbeat: only the limits tell that from a hung run. They count while waiting for bytes, not while
 * the consumer handles events.
 */
import type { Dispatcher } from "undici";
import { ParleyError } from "../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Decoder } from "./decoder.ts";
import { parseLenient } from "./events.ts";
import { createDeadline, type Http, type HttpRequest, header } from "./request.ts";

export type StreamLimits = {
  /** To the first byte of the response; a slower service is busy, not down. */
  readonly firstChunkMs: number;
  readonly silenceMs: number;
  readonly runMs: number;
};

type Events = AsyncGenerator<AgentEvent, void, undefined>;

/** After the end: time and bytes for the response to finish normally, so that its connection can be reused. */
const drainMs = 250;
const drainBytes = 64 * 1024;
/** After a `[DONE]` that said nothing of an end: nothing should follow it. */
const afterDoneMs = 5_000;
/** Of a body that isn't a stream: up to here each part may be the last one. */
const maxTriedBytes = 64 * 1024;

/** The events of one request. Throws what the port's `ask` throws; everything before the error is yielded first. */
export async function* streamEvents(
  http: Http,
  clock: Clock,
  limits: StreamLimits,
  request: HttpRequest,
  decoder: Decoder,
): Events {
  const deadline = createDeadline(clock, request.signal);
  deadline.limit(limits.runMs, "stream_too_long");
  let endWait = (): void => {};
  let isDone = false;
  const open = async () => {
    endWait = deadline.limit(limits.firstChunkMs, "service_busy");
    try {
      return await http.open({ ...request, accept: "text/event-stream" }, deadline);
    } catch (thrown) {
      endWait();
      throw thrown;
    }
  };
  try {
    const response = yield* patiently(open, clock, deadline.signal);
    const isWhole = comesWhole(response);
    const body = { parts: [] as Uint8Array[], bytes: 0 };
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
      endWait = decoder.isDone()
        ? deadline.limit(afterDoneMs, "stream_cut")
        : deadline.limit(limits.silenceMs, "stream_silent");
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

/** Someone looks at the question meanwhile. */
const longestWaitMs = 30_000;
const maxWaits = 2;

/**
 * What `open` returns; each try is one call of it. Waits for a service that is busy and says for how long. Only a refusal
 * is asked again: after 408, 502 and 504 the run may continue at the service.
 */
export async function* patiently<T>(
  open: () => Promise<T>,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal | undefined,
): AsyncGenerator<Extract<AgentEvent, { type: "waiting" }>, T, undefined> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await open();
    } catch (thrown) {
      const isBusy = thrown instanceof ParleyError && thrown.code === "service_busy" && waits < maxWaits;
      const waitMs = isBusy ? thrown.retryAfterMs : undefined;
      if (waitMs === undefined || waitMs > longestWaitMs) throw thrown;
      yield { type: "waiting", forMs: waitMs };
      await clock.sleep(waitMs, signal);
      yield { type: "waiting" };
    }
  }
}

/** Each unknown kind is logged once, up to this many kinds, in case a service keeps inventing them. */
const maxKindsLogged = 100;

/** Logs what a service sends that nobody understands: a few lines, however much of it comes. One for each client. */
export function createRunLog(log: Log) {
  const kindsLogged = new Set<string>();

  /** The events of one request. */
  return async function* logged(events: AsyncIterable<AgentEvent>, decoder: Decoder, fields: object = {}): Events {
    const before = decoder.skipped();
    try {
      for await (const event of events) {
        if (event.type === "unknown" && !kindsLogged.has(event.kind) && kindsLogged.size < maxKindsLogged) {
          kindsLogged.add(event.kind);
          log.info({ kind: event.kind }, "The agent service sent an event of an unknown kind");
        }
        yield event;
      }
    } finally {
      // Counted, since a line for each would log more than was malformed.
      const skipped = decoder.skipped() - before;
      if (skipped > 0) log.warn({ ...fields, skipped }, "Skipped events of the agent service that aren't JSON");
    }
  };
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
  body: { readonly parts: Uint8Array[]; bytes: number },
  decoder: Decoder,
): readonly AgentEvent[] | undefined {
  if (next.done !== true) {
    body.parts.push(next.value);
    body.bytes += next.value.length;
  }
  if (body.bytes > runLimits.eventBytes) throw new ParleyError("answer_too_large");
  // Some servers leave the connection open. To try each part of a long body would take as long as its square.
  if (next.done !== true && body.bytes > maxTriedBytes) return undefined;
  const text = Buffer.concat(body.parts).toString("utf8");
  const isJson = parseLenient(text) !== undefined;
  if (!isJson && next.done !== true) return undefined;
  // JSON has line ends between its values only. It isn't written again, because writing doesn't take any depth.
  const event = Buffer.from(`data: ${isJson ? text.replace(/[\r\n]/g, " ") : "null"}\n\n`);
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
