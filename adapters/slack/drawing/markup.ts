/**
 * Escapes outgoing text for Slack's three text formats.
 * mrkdwn needs entities. A markdown block must not have them (they corrupt URLs), but Slack still reads `<!here>`,
 * `<@U1>` and `<url|label>` in it. rich_text takes text as it is.
 */
import type { types } from "@slack/bolt";
import type { Inline, Span } from "../../../src/core/document.ts";
import { breakForgedCode, cleanText, safeLink } from "../../../src/presentation/drawing.ts";
import * as limits from "../limits.ts";

/** Invisible; separates characters that would form markup together. */
const breaker = "\u200B";

export function escapeEntities(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Literal text for a mrkdwn field: entities escaped, and no `*`, `_`, `~` or backtick at the edge of a word. */
export function literal(text: string): string {
  const open = /(?<![\p{L}\p{N}])([*_~`])|([*_~`])(?![\p{L}\p{N}])/gu;
  return escapeEntities(text).replace(open, (mark) => `${breaker}${mark}${breaker}`);
}

/** `<url|label>`, or the label alone if the URL can't be linked safely or is too long for Slack. */
export function mrkdwnLink(label: string, target: string): string {
  const safe = safeLink(label, target);
  const shown = literal(safe.label.replace(/\|/g, "¦"));
  if (safe.url === undefined || safe.url.length > limits.maxLinkChars) return shown;
  return `<${escapeEntities(safe.url.replace(/\|/g, "%7C"))}|${shown}>`;
}

export function inlineMrkdwn(spans: Inline): string {
  return spans.map(spanMrkdwn).join("");
}

function spanMrkdwn(span: Span): string {
  const text = cleanText(span.text);
  const channel = shownChannel(span);
  if (channel !== undefined) return `<#${channel}>`;
  const notified = notifiedPerson(span);
  if (notified !== undefined) return `<@${notified}>`;
  if (span.moment !== undefined) {
    const { timestamp, format } = dateOf(span.moment);
    return `<!date^${timestamp}^${format}|${escapeEntities(text)}>`;
  }
  if (span.url !== undefined) return mrkdwnLink(text, span.url);
  // Marks only work around text without spaces at its edges, and not across lines.
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

/** Slack shows a channel's current name, and only to people who may see the channel. */
function shownChannel({ channelId }: Span): string | undefined {
  return channelId !== undefined && /^[CG][A-Z0-9]+$/.test(channelId) ? channelId : undefined;
}

const formats = { day: "{date_short}", minute: "{time}", second: "{time_secs}" } as const;

/** Slack shows it in each reader's time zone. */
function dateOf({ atMs, unit }: NonNullable<Span["moment"]>) {
  return { timestamp: Math.ceil(atMs / 1000), format: formats[unit] };
}

/** The only mention that notifies: of the person that Parley's own notice is for. */
function notifiedPerson({ actorId, notifies }: Span): string | undefined {
  return notifies === true && actorId !== undefined && /^[UW][A-Z0-9]+$/.test(actorId) ? actorId : undefined;
}

/** Slack parses nothing in rich text: safest for names, tool arguments and results. Every element has text. */
export function inlineRichText(
  spans: Inline,
): (
  | types.RichTextText
  | types.RichTextLink
  | types.RichTextChannelMention
  | types.RichTextUserMention
  | types.RichTextDate
)[] {
  return spans
    .map((span) => ({ ...span, text: cleanText(span.text) || (span.url ?? "") }))
    .filter(({ text }) => text !== "")
    .map((span) => {
      const { text } = span;
      const channel = shownChannel(span);
      if (channel !== undefined) return { type: "channel", channel_id: channel };
      const notified = notifiedPerson(span);
      if (notified !== undefined) return { type: "user", user_id: notified };
      const style = span.style === undefined ? {} : { style: { [span.style]: true } };
      if (span.moment !== undefined) return { type: "date", ...dateOf(span.moment), fallback: text, ...style };
      const safe = span.url === undefined ? undefined : safeLink(text, span.url);
      if (safe?.url !== undefined && safe.url.length <= limits.maxLinkChars)
        return { type: "link", url: safe.url, text: safe.label, ...style };
      return { type: "text", text: safe?.label ?? text, ...style };
    });
}

export function inlinePlain(spans: Inline): string {
  return cleanText(spans.map((span) => span.text).join(""));
}

/** For lines that Slack shows outside of messages: nothing says whether it reads markup in them. */
export function withoutBrackets(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›");
}

/** The beginning of a text, which never ends in half a character. */
export function beginning(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

/** Cuts to at most `maxBytes` of UTF-8, at whole characters, with "…" at a cut. */
export function truncateBytes(text: string, maxBytes: number): string {
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

/** Breaks everything that Slack would read as a mention, a broadcast or a labelled link, also in code. */
export function breakControls(text: string): string {
  return text.replace(/<(?=[!@#]|[a-z][a-z\d+.-]*:[^<>]*\|)/gi, `<${breaker}`);
}

/**
 * Breaks links that Parley did not recognise, and reference definitions, which could turn an earlier word into a link.
 */
export function breakLinks(text: string): string {
  return text.replaceAll("](", "] (").replaceAll("]:", `]${breaker}:`);
}

/** Breaks reference definitions, which start a paragraph, list item or quote, even if code seems to follow. */
export function breakDefinitions(text: string): string {
  return text.replace(definition, `$1${breaker}:`);
}

const definition = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[(?:\\[\s\S]|[^\\[\]]){1,999}\]):/gm;

/** Leaves code as it is, but breaks text that would forge a link if Slack does not treat it as code. */
export function breakLinksInCode(code: string): string {
  return breakForgedCode(code, breaker);
}
