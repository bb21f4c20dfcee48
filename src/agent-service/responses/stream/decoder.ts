/** Decodes the bytes of a streamed response into AgentEvents. Accepts any split of the bytes, and a missing `[DONE]`. */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { createEventJson, errorIn } from "../../http/event-json.ts";
import type { Decoder } from "../../http/event-stream.ts";
import { createKeyRemoval } from "../../http/key-removal.ts";
import { readServerEvents } from "../../http/server-sent-events.ts";
import { createThoughtsApart } from "../../thoughts/apart.ts";
import type { Spot } from "./messages.ts";
import { createTranslator, type TranslatorOptions } from "./translator.ts";

export type ResponsesDecoderOptions = TranslatorOptions & {
  /** A larger event ends the stream with answer_too_large. */
  readonly maxChunkBytes?: number;
  /** The same limit for all events together. */
  readonly maxRunBytes?: number;
  /** Counts the events that are skipped because they aren't JSON. */
  readonly skipped?: { readonly note: () => void; readonly count: () => number };
};

export type ResponsesDecoder = Decoder & {
  /** A terminal event came. Without one, the run may continue. */
  readonly hasEnded: () => boolean;
  /** The server reported a failure. */
  readonly hasFailed: () => boolean;
  /** The next bytes come from another connection: what the last one left incomplete comes again. */
  readonly reconnect: () => void;
  /** How many events weren't JSON. */
  readonly skipped: () => number;
  /** How many events the server has sent. */
  readonly eventsRead: () => number;
};

/**
 * Beginnings of events that say nothing once the run is known. The first one repeats the whole request; parsing it takes
 * as long as parsing ten pieces of an answer.
 */
const silentBeginnings = [
  '{"type":"response.in_progress","response":{',
  '{"type":"response.content_part.added",',
  '{"type":"response.reasoning_summary_part.added",',
  '{"type":"response.reasoning_summary_part.done",',
];
/** Of `{"type":"response.output_text.delta"`, where all silent ones differ: the letter after "response.". */
const typeLetterAt = silentBeginnings[0]?.indexOf("in_progress") ?? 0;

function isSilent(data: string): boolean {
  return data[typeLetterAt] !== "o" && silentBeginnings.some((beginning) => data.startsWith(beginning));
}

const none: readonly AgentEvent[] = [];

export function createResponsesDecoder(options: ResponsesDecoderOptions = {}): ResponsesDecoder {
  const { maxChunkBytes = runLimits.eventBytes, maxRunBytes = runLimits.bytes } = options;
  let events: AgentEvent[] = [];
  let eventsRead = 0;
  const withoutKeys = createKeyRemoval(options.secrets);
  const apart = createThoughtsApart((event) => events.push(withoutKeys(event)));
  const translator = createTranslator(apart, options);
  const json = createEventJson(() => options.skipped?.note());
  const open = () => readServerEvents({ maxEventBytes: maxChunkBytes, maxRunBytes }, read);
  let reader = open();

  function read(data: string, name: string | undefined): void {
    if (data === "[DONE]" || translator.hasEnded()) return;
    const isKnown = translator.isIdentified() && isSilent(data);
    const event = isKnown ? undefined : asEvent(json.read(data), data, name);
    // The server counts those that say nothing, too.
    if (isKnown || event !== undefined) eventsRead += 1;
    if (event !== undefined) translator.read(event, name);
  }

  /** Also of a whole response, from a server that doesn't stream, and of an error that isn't an event of its own. */
  function asEvent(value: Spot | undefined, data: string, name: string | undefined): Spot | undefined {
    if (value === undefined) return name === "error" ? { type: "error", message: data } : undefined;
    if (value["object"] === "response" && Array.isArray(value["output"]) && value["type"] === undefined) {
      const outcome = value["status"] === "failed" || value["status"] === "incomplete" ? value["status"] : "completed";
      return { type: `response.${outcome}`, response: value };
    }
    // Its own events have an error inside only where the run has failed.
    if (/^(?:response\.|error$)/.test(String(value["type"]))) return value;
    const error = errorIn(value, name);
    return error === undefined ? value : { type: "error", error };
  }

  function taken(): readonly AgentEvent[] {
    if (events.length === 0) return none;
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => {
      if (translator.hasEnded()) return none;
      json.refuseNonsense();
      reader.push(bytes);
      return taken();
    },
    end: () => {
      if (!translator.hasEnded()) reader.end();
      if (!options.isCowork) translator.close();
      return taken();
    },
    reconnect: () => {
      reader = open();
    },
    hasEnded: translator.hasEnded,
    hasFailed: translator.hasFailed,
    skipped: options.skipped?.count ?? (() => 0),
    eventsRead: () => eventsRead,
  };
}
