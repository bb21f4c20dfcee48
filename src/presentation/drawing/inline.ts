/** Builds spans, and removes what could change the direction of the text around a name or URL. */
import type { Inline, Span } from "../../ports/document.ts";
import { clockText, momentText } from "../sentences/quantities.ts";
import { cleanText } from "./sanitise.ts";

export function text(value: string): Span {
  return { text: cleanText(value) };
}

export function bold(value: string): Span {
  return { text: cleanText(value), style: "bold" };
}

export function italic(value: string): Span {
  return { text: cleanText(value), style: "italic" };
}

export function code(value: string): Span {
  return { text: cleanText(value), style: "code" };
}

/** `url` must be http or https; with any other URL only the label is shown. */
export function link(label: string, url: string): Span {
  const shown = cleanText(label);
  return /^https?:\/\//i.test(url) ? { text: shown === "" ? url : shown, url } : { text: shown };
}

/** Names a person without pinging them. An id with a colon is of a person on the page, whom no platform knows. */
export function person(name: string, actorId?: string): Span {
  return actorId === undefined || actorId.includes(":")
    ? { text: cleanText(name) }
    : { text: cleanText(name), actorId };
}

/** That time for each reader's own time zone, where the platform can show it. */
export function moment(atMs: number, unit: "minute" | "second"): Span {
  return { text: unit === "minute" ? momentText(atMs) : clockText(atMs), moment: { atMs, unit } };
}

/** Strings become plain spans; empty ones are omitted. */
export function inline(...parts: readonly (string | Span | Inline)[]): Inline {
  return parts
    .flatMap((part): Inline => (typeof part === "string" ? [text(part)] : "text" in part ? [part] : part))
    .filter((span) => span.text !== "");
}

/** "a · b · c", omitting empty parts. */
export function dotted(...parts: readonly (string | Span | Inline | undefined)[]): Inline {
  const filled = parts.map((part) => (part === undefined ? [] : inline(part))).filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [text(" · "), ...part]));
}

/** The text of the spans, without styles. */
export function inlineText(spans: Inline): string {
  return spans.map((span) => span.text).join("");
}
