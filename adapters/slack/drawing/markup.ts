/**
 * Outgoing text in Slack's three dialects. `mrkdwn` wants entities; a markdown block must not have them (they corrupt
 * addresses) but Slack looks for `<!here>`, `<@U1>` and `<url|label>` in it all the same; rich_text takes text as it is.
 */
import type { types } from "@slack/bolt";
import type { Inline, Span } from "../../../src/ports/document.ts";
import { breakForgedCode, cleanText, safeLink } from "../../../src/presentation/drawing.ts";

/** Never seen; between a character and what would make it markup. */
const breaker = "\u200B";

export function escapeEntities(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Text that stands for itself in a mrkdwn field: entities undone, and no `*`, `_`, `~` or backtick at a word's edge. */
export function literal(text: string): string {
  const open = /(?<![\p{L}\p{N}])([*_~`])|([*_~`])(?![\p{L}\p{N}])/gu;
  return escapeEntities(text).replace(open, (mark) => `${breaker}${mark}${breaker}`);
}

/** `<url|label>`; without an address that may be linked, the label alone. */
export function mrkdwnLink(label: string, address: string): string {
  const safe = safeLink(label, address);
  const shown = literal(safe.label.replace(/\|/g, "¦"));
  if (safe.url === undefined) return shown;
  return `<${escapeEntities(safe.url.replace(/\|/g, "%7C"))}|${shown}>`;
}

export function inlineMrkdwn(spans: Inline): string {
  return spans.map(spanMrkdwn).join("");
}

function spanMrkdwn(span: Span): string {
  const text = cleanText(span.text);
  const channel = shownChannel(span);
  if (channel !== undefined) return `<#${channel}>`;
  if (span.url !== undefined) return mrkdwnLink(text, span.url);
  // Marks only work around text without blanks at its edges, and not across lines.
  const [, before = "", core = "", after = ""] = /^(\s*)(\S[\s\S]*\S|\S?)(\s*)$/.exec(text) ?? [];
  if (core === "") return text;
  switch (span.style) {
    case "bold":
      return `${before}*${literal(core)}*${after}`;
    case "italic":
      return `${before}_${literal(core)}_${after}`;
    case "code":
      return `${before}\`${escapeEntities(core.replace(/`/g, "ˋ"))}\`${after}`;
    case undefined:
      return literal(text);
    default:
      return span.style satisfies never;
  }
}

/** Slack shows a channel by its newest name, and to nobody who may not know it. */
function shownChannel({ channelId }: Span): string | undefined {
  return channelId !== undefined && /^[CG][A-Z0-9]+$/.test(channelId) ? channelId : undefined;
}

/** Nothing in it is parsed: the safest carrier for names, tool arguments and observations. No element is without text. */
export function inlineRichText(
  spans: Inline,
): (types.RichTextText | types.RichTextLink | types.RichTextChannelMention)[] {
  return spans
    .map((span) => ({ ...span, text: cleanText(span.text) || (span.url ?? "") }))
    .filter(({ text }) => text !== "")
    .map((span) => {
      const { text } = span;
      const channel = shownChannel(span);
      if (channel !== undefined) return { type: "channel", channel_id: channel };
      const style = span.style === undefined ? {} : { style: { [span.style]: true } };
      const safe = span.url === undefined ? undefined : safeLink(text, span.url);
      if (safe?.url !== undefined) return { type: "link", url: safe.url, text: safe.label, ...style };
      return { type: "text", text: safe?.label ?? text, ...style };
    });
}

export function inlinePlain(spans: Inline): string {
  return cleanText(spans.map((span) => span.text).join(""));
}

/** At most `maxBytes` of UTF-8, whole characters, with "…" where something is missing. */
export function withinBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = "";
  let bytes = Buffer.byteLength("…");
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks what Slack would read as a mention, a broadcast or a labelled link, in any text, code included. */
export function breakControls(text: string): string {
  return text.replace(/<(?=[!@#]|[a-z][a-z\d+.-]*:[^<>]*\|)/gi, `<${breaker}`);
}

/** Breaks what was not seen as a link, and what could make an innocent word one from far below: a reference's definition. */
export function breakLinks(text: string): string {
  return text.replaceAll("](", "] (").replaceAll("]:", `]${breaker}:`);
}

/** A definition begins its paragraph, its list item or its quote, also where what follows looks like code. */
export function breakDefinitions(text: string): string {
  return text.replace(definition, `$1${breaker}:`);
}

const definition = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[(?:\\[\s\S]|[^\\[\]]){1,999}\]):/gm;

/** Code stands for itself, unless it would pretend where Slack takes it for no code. */
export function breakLinksInCode(code: string): string {
  return breakForgedCode(code, breaker);
}
