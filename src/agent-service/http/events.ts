/**
 * Reads server-sent events out of the bytes of a stream, within limits of size, as JSON. Also what servers write beside
 * their events: JSON as a bare line is sent for an error by Ollama and by proxies, `error: …` by llama.cpp.
 */
import { createParser } from "eventsource-parser";
import { ParleyError } from "../../core/errors.ts";
import { parseJson } from "../../core/tools/parse-json.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type EventLimits = {
  /** In characters. A larger event ends the stream with answer_too_large. */
  readonly maxEventBytes: number;
  /** The same for everything that comes. */
  readonly maxRunBytes: number;
  /** Each line is an event, without the empty line that the standard wants behind it. */
  readonly isLineAnEvent?: boolean;
};

/** `name` is what the stream calls the event; undefined where it doesn't. */
export type OnServerEvent = (data: string, name: string | undefined) => void;

export type ServerEvents = {
  /** Calls back for every event that these bytes complete. Throws answer_too_large, after all whole events. */
  readonly push: (bytes: Uint8Array) => void;
  /** The connection has closed: an event whose closing empty line is missing counts. */
  readonly end: () => void;
};

/** Of a JSON over several bare lines; a longer one is no error. */
const maxBareLines = 200;

export function readServerEvents(limits: EventLimits, onEvent: OnServerEvent): ServerEvents {
  const text = new TextDecoder();
  const readBareLine = bareLines(onEvent);
  let bytesInAll = 0;
  let isEventTooLarge = false;
  /** The line that isn't complete yet. What reads them gets whole lines only: a bare one would be lost in pieces. */
  let held = "";

  const parser = createParser({
    // Of an event in many lines.
    maxBufferSize: limits.maxEventBytes,
    onEvent: ({ data, event }) => onEvent(data, event),
    onError: ({ type, line }) => {
      if (type === "max-buffer-size-exceeded") isEventTooLarge = true;
      else if (line !== undefined) readBareLine(line.trimEnd());
    },
  });
  const readLines = lineEvents(onEvent, readBareLine);
  const read = (lines: string) => (limits.isLineAnEvent === true ? readLines(lines) : parser.feed(lines));

  return {
    push: (bytes) => {
      // Checked before the next bytes, so that complete events before an endless one aren't lost with it.
      if (isEventTooLarge || held.length > limits.maxEventBytes) {
        throw new ParleyError("answer_too_large", {
          cause: new Error(`An event of the stream is larger than ${limits.maxEventBytes} characters.`),
        });
      }
      bytesInAll += bytes.length;
      if (bytesInAll > limits.maxRunBytes) {
        throw new ParleyError("answer_too_large", {
          what: `The agent sent more than ${Math.floor(limits.maxRunBytes / 1024 / 1024)} MB while it worked, so Parley stopped reading.`,
          cause: new Error(`A run is larger than ${limits.maxRunBytes} bytes.`),
        });
      }
      const piece = text.decode(bytes, { stream: true });
      const lineEnd = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf("\r")) + 1;
      if (lineEnd > 0) read(held + piece.slice(0, lineEnd));
      held = lineEnd > 0 ? piece.slice(lineEnd) : held + piece;
    },
    end: () => {
      if (!isEventTooLarge) read(`${held}${text.decode()}\n\n`);
    },
  };
}

/** Fields that mean nothing here, and comments. */
const otherFields = /^(?::|id:|retry:)/;

/** Reads whole lines, of which each is an event: a parser would wait for the empty line behind it. */
function lineEvents(onEvent: OnServerEvent, readBareLine: (line: string) => void): (lines: string) => void {
  /** Of the data that follows. */
  let name: string | undefined;

  return (text) => {
    const lines = text.includes("\r") ? text.replaceAll("\r", "\n") : text;
    let start = 0;
    for (let end = lines.indexOf("\n"); end >= 0; end = lines.indexOf("\n", start)) {
      if (lines.startsWith("data:", start)) {
        onEvent(lines.slice(valueAt(lines, start + "data:".length), end), name);
        name = undefined;
      } else if (start === end) name = undefined;
      else if (lines.startsWith("event:", start)) {
        name = lines.slice(valueAt(lines, start + "event:".length), end) || undefined;
      } else {
        const line = lines.slice(start, end);
        if (!otherFields.test(line)) readBareLine(line.trimEnd());
      }
      start = end + 1;
    }
  };
}

/** One space before a value doesn't belong to it. */
function valueAt(text: string, at: number): number {
  return text[at] === " " ? at + 1 : at;
}

/** Reads what servers write beside their events. */
function bareLines(onEvent: OnServerEvent): (line: string) => void {
  /** The lines so far of a JSON object whose first line is "{". */
  let open: string[] | undefined;

  return (line) => {
    if (open !== undefined) {
      open.push(line);
      if (line === "}") onEvent(open.join("\n"), undefined);
      if (line === "}" || open.length >= maxBareLines) open = undefined;
    } else if (line === "{") open = [line];
    else if (line.startsWith("{")) onEvent(line, undefined);
    else if (line.startsWith("error:")) onEvent(line.slice("error:".length).trim(), "error");
  };
}

/** Texts of JSON, and the numbers that only Python's JSON has. Each has one way to match. */
const textsAndOddNumbers = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** JSON, also with the numbers that Python writes where JSON has none: they become null. */
export function parseLenient(data: string): unknown {
  const value = parseJson(data);
  if (value !== undefined || !/NaN|Infinity/.test(data)) return value;
  return parseJson(data.replace(textsAndOddNumbers, (found) => (found.startsWith('"') ? found : "null")));
}

/** An error that a server sends in the place of an event, or of a whole answer; undefined: it is none. */
export function errorIn(event: Fields, name: string | undefined): unknown {
  const { type } = event;
  // "error", "InternalServerError", "rate_limit_error".
  const isNamed = name === "error" || event["object"] === "error" || (typeof type === "string" && /error$/i.test(type));
  if (isNamed) return event["error"] ?? event;
  if (event["error"]) return event["error"];
  if (["choices", "output", "response", "type", "object", "usage", "id"].some((key) => key in event)) return undefined;
  return saysFailure(event) ? event : undefined;
}

/** Of an event that belongs to no answer: gateways and proxies name their errors as they like. */
function saysFailure(event: Fields): boolean {
  const { errors, detail, status, success, code } = event;
  if (Array.isArray(errors) ? errors.length > 0 : Boolean(errors)) return true;
  if (typeof detail === "string" || Array.isArray(detail)) return true;
  if (success === false || (typeof status === "string" && /^(?:error|fail(?:ed|ure)?)$/i.test(status))) return true;
  const isCode = (typeof code === "number" && code >= 400) || (typeof code === "string" && code !== "");
  return (isCode || (typeof status === "number" && status >= 400)) && messageKeys.some((key) => key in event);
}

const messageKeys = ["message", "msg", "error_message", "error_msg"];

/** Names of keys that describe an unknown event, and the characters of all of them. */
const maxKeys = 30;
const maxKindChars = 200;

/** Tells unknown events apart by the names of their keys. */
export function keysOf(event: Fields): string {
  return Object.keys(event).slice(0, maxKeys).sort().join(",").slice(0, maxKindChars);
}
