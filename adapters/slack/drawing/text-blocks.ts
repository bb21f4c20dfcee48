/** Plain blocks of text, which every workspace accepts: rich text, sections and context lines. */
import type { types } from "@slack/bolt";
import type { Inline } from "../../../src/core/document.ts";
import * as limits from "../limits.ts";
import { inlineMrkdwn, inlineRichText } from "./markup.ts";
import { always, type Slot } from "./slots.ts";

export function section(text: string): types.SectionBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

export function context(text: string): types.ContextBlock {
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] };
}

export function richText(lines: readonly Inline[]): types.RichTextBlock {
  const elements = lines.flatMap((line, index) => [
    ...inlineRichText(line),
    ...(index === lines.length - 1 ? [] : [{ type: "text" as const, text: "\n" }]),
  ]);
  // Slack refuses an empty section.
  const shown = elements.length === 0 ? [{ type: "text" as const, text: " " }] : elements;
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: shown }] };
}

export function inlineSlots(text: Inline): readonly Slot[] {
  const mrkdwn = inlineMrkdwn(text);
  if (mrkdwn.length <= limits.maxSectionChars) {
    return mrkdwn.trim() === "" ? [] : [always(richText([text]))];
  }
  return split(mrkdwn, limits.maxSectionChars).map((part) => always(section(part)));
}

export function quietSlots(text: Inline): readonly Slot[] {
  const parts = split(inlineMrkdwn(text), limits.maxContextChars);
  const isWhole = parts.length === 1;
  return parts.map((part) => ({
    alternatives: [{ needs: [], blocks: [context(part)], ...(isWhole ? { asRichText: richText([text]) } : {}) }],
  }));
}

/** Makes a headline bold, unless it already has bold parts. */
export function headlineText(text: Inline): Inline {
  if (text.some((span) => span.style === "bold")) return text;
  return text.map((span) => (span.style === undefined && span.url === undefined ? { ...span, style: "bold" } : span));
}

/** Splits at line ends, else at spaces, else anywhere; never inside an entity or a surrogate pair. */
export function split(text: string, maxChars: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxChars) {
    const head = rest.slice(0, maxChars);
    const line = head.lastIndexOf("\n");
    const space = head.lastIndexOf(" ");
    let at = line > maxChars / 2 ? line + 1 : space > maxChars / 2 ? space + 1 : maxChars;
    const entity = /&[a-z]{0,4}$/.exec(rest.slice(0, at));
    if (entity !== null) at = entity.index;
    if (/[\uD800-\uDBFF]$/.test(rest.slice(0, at))) at -= 1;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest].filter((part) => part.trim() !== "");
}

/** Lines of rich text, together as far as they fit. */
export function linesSlots(lines: readonly Inline[]): readonly Slot[] {
  const groups: Inline[][] = [];
  let chars = 0;
  for (const line of lines) {
    const lineChars = inlineMrkdwn(line).length + 1;
    const group = groups.at(-1);
    if (group === undefined || chars + lineChars > limits.maxSectionChars) {
      groups.push([line]);
      chars = lineChars;
    } else {
      group.push(line);
      chars += lineChars;
    }
  }
  return groups.map((group) => always(richText(group)));
}
