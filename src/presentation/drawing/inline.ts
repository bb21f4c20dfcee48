/** Builds spans, and removes what could change the direction of the text around a name or URL. */
import type { Inline, Span } from "../../core/document.ts";
import { dateText, momentText } from "../sentences/quantities.ts";
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

export function inBold(spans: Inline): Inline {
  return spans.map((span) => ({ ...span, style: "bold" }));
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

/** That day in each reader's own time zone, where the platform can show it, else in UTC. */
export function day(atMs: number, nowMs: number): Span {
  return { text: dateText(atMs, nowMs), moment: { atMs, unit: "day" } };
}

/** What a sentence can hold besides its own words. */
export type Part = string | number | Span | readonly Part[];

/** A sentence as spans: say`Created ${bold(name)}.` Neighbouring words become one span; empty ones are omitted. */
export function say(words: TemplateStringsArray, ...parts: readonly Part[]): Inline {
  return spansOf(words.flatMap((word, index): Part[] => [word, parts[index] ?? ""]));
}

function spansOf(parts: readonly Part[]): Inline {
  const spans: Span[] = [];
  let plain = "";
  const endPlain = () => {
    if (plain !== "") spans.push(text(plain));
    plain = "";
  };
  const add = (part: Part): void => {
    if (typeof part === "string" || typeof part === "number") plain += part;
    else if (isSpan(part)) {
      if (Object.keys(part).length === 1) plain += part.text;
      else if (part.text !== "") {
        endPlain();
        spans.push(part);
      }
    } else for (const inner of part) add(inner);
  };
  add(parts);
  endPlain();
  return spans.filter((span) => span.text !== "");
}

const isSpan = (part: Span | readonly Part[]): part is Span => !Array.isArray(part);

/** "a · b · c", omitting empty parts. */
export function dotted(...parts: readonly (Part | undefined)[]): Inline {
  const filled = parts.map((part) => (part === undefined ? [] : say`${part}`)).filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [text(" · "), ...part]));
}

/** The text of the spans, without styles. */
export function inlineText(spans: Inline): string {
  return spans.map((span) => span.text).join("");
}

/** "04:48:05 UTC". */
function clockText(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}
