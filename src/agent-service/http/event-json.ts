/**
 * Parses the JSON of a stream's events. What isn't an object is skipped, up to a limit: a failure to parse takes as long as
 * a hundred small events, and so many of them would block everything else.
 */
import { ParleyError } from "../../core/errors.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";

/** A stream with more has no events that Parley could read. */
const maxSkipped = 1_000;

/** Names of keys that describe an unknown event, and the characters of all of them. */
const maxKeys = 30;
const maxKindChars = 200;

export function createEventJson(onSkipped: () => void) {
  let skipped = 0;

  return {
    /** The object that these characters say; undefined if they say none. An empty event only keeps the connection open. */
    read: (data: string): Readonly<Record<string, unknown>> | undefined => {
      if (skipped >= maxSkipped) return undefined;
      const event = parseLenient(data);
      if (isObject(event)) return event;
      if (data.trim() === "") return undefined;
      skipped += 1;
      onSkipped();
      return undefined;
    },
    /** Throws service_not_understood once too much was skipped. Called between reads, so that whole events count. */
    refuseNonsense: (): void => {
      if (skipped < maxSkipped) return;
      throw new ParleyError("service_not_understood", { cause: new Error(`${skipped} events weren't JSON.`) });
    },
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
export function errorIn(event: Readonly<Record<string, unknown>>, name: string | undefined): unknown {
  const { type } = event;
  // "error", "InternalServerError", "rate_limit_error".
  const isNamed = name === "error" || event["object"] === "error" || (typeof type === "string" && /error$/i.test(type));
  if (isNamed) return event["error"] ?? event;
  if (event["error"]) return event["error"];
  if (["choices", "output", "response", "type", "object", "usage", "id"].some((key) => key in event)) return undefined;
  return saysFailure(event) ? event : undefined;
}

/** Of an event that belongs to no answer: gateways and proxies name their errors as they like. */
function saysFailure(event: Readonly<Record<string, unknown>>): boolean {
  const { errors, detail, status, success, code } = event;
  if (Array.isArray(errors) ? errors.length > 0 : Boolean(errors)) return true;
  if (typeof detail === "string" || Array.isArray(detail)) return true;
  if (success === false || (typeof status === "string" && /^(?:error|fail(?:ed|ure)?)$/i.test(status))) return true;
  const isCode = (typeof code === "number" && code >= 400) || (typeof code === "string" && code !== "");
  return (isCode || (typeof status === "number" && status >= 400)) && messageKeys.some((key) => key in event);
}

const messageKeys = ["message", "msg", "error_message", "error_msg"];

/** Tells unknown events apart by the names of their keys. */
export function keysOf(event: Readonly<Record<string, unknown>>): string {
  return Object.keys(event).slice(0, maxKeys).sort().join(",").slice(0, maxKindChars);
}
