/**
 * Turns the bytes of a streamed run into AgentEvents, the same way for every API: its reducer says what each event means;
 * thoughts are taken out of the answer, and Parley's own keys out of what the agent does.
 */
import { ParleyError } from "../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { createThoughtsApart } from "../thoughts/thoughts.ts";
import { type Fields, parseLenient, readServerEvents } from "./events.ts";

export type StreamEvent =
  /** `name` is what the stream calls the event; an error in plain words has the field `error`. */
  | { readonly type: "fields"; readonly fields: Fields; readonly name?: string }
  /** JSON of a line, but no object. */
  | { readonly type: "value"; readonly value: unknown }
  /** `[DONE]`. */
  | { readonly type: "done" }
  /** The connection has closed. */
  | { readonly type: "closed" };

/** How an API streams a run. */
export type StreamReducer<State> = {
  readonly begin: () => State;
  readonly reduce: (state: State, event: StreamEvent) => readonly [State, readonly AgentEvent[]];
  /** The service said that the run is over. Nothing that follows is read. */
  readonly hasEnded: (state: State) => boolean;
  /** Whether the event says nothing, as its first characters tell. */
  readonly isSilent?: (state: State, data: string) => boolean;
  /**
   * "events": the standard's, which end with `[DONE]`. "lines": each line is an event, without an empty line behind it,
   * and anything may be between them.
   */
  readonly framing: "events" | "lines";
};

export type DecoderOptions = {
  /** A larger event ends the stream with answer_too_large. */
  readonly maxChunkBytes?: number;
  /** The same limit for all events together. */
  readonly maxRunBytes?: number;
  /** Must not appear in what people read. */
  readonly secrets?: readonly string[];
  /** Called for each event that is skipped because it isn't JSON. */
  readonly onMalformed?: () => void;
};

/** One for each run, whichever requests read it. */
export type Decoder<State = unknown> = {
  /** The events that these bytes complete, in order; none after `ended`. Throws answer_too_large or service_not_understood. */
  readonly push: (bytes: Uint8Array) => readonly AgentEvent[];
  /** The connection has closed: the events of what was not complete yet. */
  readonly end: () => readonly AgentEvent[];
  /** The next bytes come from another connection: what the last one left incomplete comes again. */
  readonly reconnect: () => void;
  readonly state: () => State;
  /** The service said how the run ended. Without that, the stream was cut, or the run continues. */
  readonly hasEnded: () => boolean;
  /** `[DONE]` came: nothing should follow on this connection. */
  readonly isDone: () => boolean;
  /** How many events the service has sent. */
  readonly eventsRead: () => number;
  /** How many weren't JSON. */
  readonly skipped: () => number;
};

/** A stream with more events that are no JSON has none that Parley could read. */
const maxSkipped = 1_000;

const none: readonly AgentEvent[] = [];

export function createDecoder<State>(reducer: StreamReducer<State>, options: DecoderOptions = {}): Decoder<State> {
  const { maxChunkBytes = runLimits.eventBytes, maxRunBytes = runLimits.bytes, secrets = [] } = options;
  const isStandard = reducer.framing === "events";
  const limits = { maxEventBytes: maxChunkBytes, maxRunBytes, isLineAnEvent: !isStandard };
  const withoutKeys = keyRemoval(secrets);
  const apart = createThoughtsApart((event) => events.push(withoutKeys(event)));
  let state = reducer.begin();
  let hasEnded = false;
  let events: AgentEvent[] = [];
  let isDone = false;
  let eventsRead = 0;
  let skipped = 0;
  let reader = readServerEvents(limits, read);

  function read(data: string, name: string | undefined): void {
    if (hasEnded) return;
    const event = eventOf(data, name);
    // A server that keeps its events counts those that say nothing, too.
    if (event === "silent" || event?.type === "fields") eventsRead += 1;
    if (event !== undefined && event !== "silent") take(event);
  }

  function eventOf(data: string, name: string | undefined): StreamEvent | "silent" | undefined {
    if (isStandard && data.startsWith("[DONE]")) {
      isDone = true;
      return { type: "done" };
    }
    if (reducer.isSilent?.(state, data) === true) return "silent";
    // An empty event only keeps the connection open. A failure to parse takes as long as a hundred small events, and so
    // many of them would block everything else.
    const isEmpty = data.trim() === "";
    const value = isEmpty || (isStandard && skipped >= maxSkipped) ? undefined : parseLenient(data);
    if (isObject(value)) return { type: "fields", fields: value, name };
    if (!isStandard && value !== undefined) return { type: "value", value };
    if (!isEmpty) skip();
    return name === "error" ? { type: "fields", fields: { error: data }, name } : undefined;
  }

  function skip(): void {
    skipped += 1;
    options.onMalformed?.();
  }

  function take(event: StreamEvent): void {
    const [next, made] = reducer.reduce(state, event);
    state = next;
    hasEnded = reducer.hasEnded(next);
    for (const one of made) apart(one);
  }

  function taken(): readonly AgentEvent[] {
    if (events.length === 0) return none;
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => {
      if (hasEnded) return none;
      // Between reads, so that whole events count.
      if (isStandard && skipped >= maxSkipped) {
        throw new ParleyError("service_not_understood", { cause: new Error(`${skipped} events weren't JSON.`) });
      }
      reader.push(bytes);
      return taken();
    },
    end: () => {
      if (!hasEnded) reader.end();
      if (!hasEnded) take({ type: "closed" });
      return taken();
    },
    reconnect: () => {
      isDone = false;
      reader = readServerEvents(limits, read);
    },
    state: () => state,
    hasEnded: () => hasEnded,
    isDone: () => isDone,
    eventsRead: () => eventsRead,
    skipped: () => skipped,
  };
}

/** A shorter key can be a word that belongs there: for many local servers it is the server's name. */
const minKeyChars = 12;

/**
 * Takes Parley's own keys out of what a run does and thinks: a service that repeats its requests would show them to
 * people. Answers stay as they are: they come in pieces, and people wait for them.
 */
function keyRemoval(keys: readonly string[]): (event: AgentEvent) => AgentEvent {
  const known = keys.filter((key) => key.length >= minKeyChars);
  if (known.length === 0) return (event) => event;
  const clean = (text: string) => known.reduce((rest, key) => rest.replaceAll(key, "[redacted]"), text);

  return (event) => {
    switch (event.type) {
      case "reasoning":
      case "status":
        return { ...event, text: clean(event.text) };
      case "unknown":
        return { ...event, kind: clean(event.kind) };
      case "step-started":
        return { ...event, tool: clean(event.tool), input: clean(event.input) };
      case "step-finished": {
        const { tool, input } = event;
        const told = { tool: tool && clean(tool), input: input && clean(input) };
        return { ...event, ...told, observation: clean(event.observation) };
      }
      case "approval-requested": {
        const { request } = event;
        return { ...event, request: { ...request, tool: clean(request.tool), input: clean(request.input) } };
      }
      default:
        return event;
    }
  };
}
