/**
 * Builders for spans. Whatever goes into one loses bidi and invisible controls here, once, so that no sentence made of
 * somebody's name, question or address can turn the direction of the text around it.
 */
import type { Inline, Span } from "../../ports/document.ts";
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

/** `url` must be http or https; with any other address the label stands alone. */
export function link(label: string, url: string): Span {
  const shown = cleanText(label);
  return /^https?:\/\//i.test(url) ? { text: shown === "" ? url : shown, url } : { text: shown };
}

/** A person, named without a ping. */
export function person(name: string, actorId?: string): Span {
  return actorId === undefined ? { text: cleanText(name) } : { text: cleanText(name), actorId };
}

/** Strings stand for plain spans; empty ones are left out. */
export function inline(...parts: readonly (string | Span | Inline)[]): Inline {
  return parts
    .flatMap((part): Inline => (typeof part === "string" ? [text(part)] : "text" in part ? [part] : part))
    .filter((span) => span.text !== "");
}

/** "a · b · c", without what is empty. */
export function dotted(...parts: readonly (string | Span | Inline | undefined)[]): Inline {
  const filled = parts.map((part) => (part === undefined ? [] : inline(part))).filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [text(" · "), ...part]));
}

/** The words alone. */
export function inlineText(spans: Inline): string {
  return spans.map((span) => span.text).join("");
}
