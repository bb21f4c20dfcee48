/**
 * Escapes outgoing text for Discord's Markdown.
 * Names, questions and other literal text can't become markup. Mentions, command links and custom emoji are broken in
 * any text; each message also switches off pings.
 */
import type { Inline, Span } from "../../../src/core/document.ts";
import { breakForgedCode, cleanText, safeLink } from "../../../src/presentation/drawing.ts";

/** Invisible; separates characters that would form markup together. */
const breaker = "\u200B";

/** Breaks `<@1>`, `<@&1>`, `<#1>`, `<:name:1>`, `<a:name:1>`, `</command:1>`, `<id:guide>`, @everyone and @here. */
export function breakControls(text: string): string {
  return text
    .replace(/<(?=@[!&]?\d|#\d|a?:\w+:\d|\/[^<>\n]+:\d|id:\w)/gi, `<${breaker}`)
    .replace(/@(?=everyone|here)/g, `@${breaker}`);
}

/** Escapes text so that it is shown literally. */
export function literal(text: string): string {
  const escaped = cleanText(text)
    .replace(/[\\*_~`|[\]]/g, "\\$&")
    .replace(/<(?=[@#:a/i])/g, `<${breaker}`)
    .replace(/@(?=everyone|here)/g, `@${breaker}`)
    // Headings, quotes, lists and small print, at the start of a line only.
    .replace(/^([^\S\n]*)(#{1,3}|>{1,3}|-|\+|-#)(?=\s)/gm, "$1\\$2")
    .replace(/^([^\S\n]*\d+)([.)])(?=\s)/gm, "$1\\$2");
  // No backslashes in a URL, because Discord would include them in the link, and no brackets, which could start one.
  const withUrls = escaped.replace(/https?:\/\/\S+/g, (url) =>
    url.replace(/\\([*_~|[\]])/g, (_, mark: string) => ({ "[": "%5B", "]": "%5D" })[mark] ?? mark),
  );
  // An escaped bracket still ends a label that started before it.
  return withUrls.replaceAll("](", "]\\(");
}

/** Breaks links that Parley did not write. */
export function breakLinks(text: string): string {
  return text.replaceAll("](", `]${breaker}(`);
}

/** The same for code, where only text that would forge a link is broken. */
export function breakLinksInCode(code: string): string {
  return breakForgedCode(code, breaker);
}

/**
 * `[label](<url>)`, without a preview because of the angle brackets; the label alone if the URL can't be linked safely.
 */
export function maskedLink(label: string, target: string): string {
  const safe = safeLink(label, target);
  if (safe.url === undefined) return literal(safe.label);
  const url = linkable(safe.url);
  // Discord shows no link if its label is a URL.
  if (/^https?:\/\//i.test(safe.label)) return safe.label === safe.url ? `<${url}>` : `${literal(safe.label)} <${url}>`;
  return `[${literal(withoutBrackets(safe.label))}](<${url}>)`;
}

/** Discord ignores backslashes when it pairs brackets: one bracket too many extends a label beyond its link. */
function withoutBrackets(label: string): string {
  return label.replaceAll("[", "(").replaceAll("]", ")");
}

function linkable(url: string): string {
  return url.replace(/[<>()\s]/g, (character) => encodeURIComponent(character).replace("(", "%28").replace(")", "%29"));
}

export function inlineMarkdown(spans: Inline): string {
  return merged(spans).map(spanMarkdown).join("");
}

/** Joins adjacent spans of the same style, because adjacent marks (`**a****b**`) would not work. */
function merged(spans: Inline): Inline {
  const runs: Span[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    const isPlain = ({ url, actorId, channelId, moment }: Span) =>
      (url ?? actorId ?? channelId ?? moment) === undefined;
    if (last !== undefined && last.style === span.style && isPlain(last) && isPlain(span)) {
      runs[runs.length - 1] = { ...last, text: last.text + span.text };
    } else runs.push(span);
  }
  return runs;
}

const momentStyles = { day: "D", minute: "t", second: "T" } as const;

function spanMarkdown(span: Span): string {
  const text = cleanText(span.text);
  if (span.url !== undefined) return maskedLink(text, span.url);
  // Shown as names; nobody is pinged because the message allows no mentions.
  if (span.actorId !== undefined && /^\d+$/.test(span.actorId)) return `<@${span.actorId}>`;
  if (span.channelId !== undefined && /^\d+$/.test(span.channelId)) return `<#${span.channelId}>`;
  // In each reader's time zone.
  if (span.moment !== undefined) {
    return `<t:${Math.ceil(span.moment.atMs / 1000)}:${momentStyles[span.moment.unit]}>`;
  }
  // Marks only work around text without spaces at its edges.
  const [, before = "", core = "", after = ""] = /^(\s*)(\S[\s\S]*\S|\S?)(\s*)$/.exec(text) ?? [];
  if (core === "") return text;
  switch (span.style) {
    case "bold":
      return `${before}**${literal(core)}**${after}`;
    case "italic":
      return `${before}*${literal(core)}*${after}`;
    case "code":
      return `${before}\`${breakLinksInCode(breakControls(core)).replace(/`/g, "ˋ")}\`${after}`;
    case undefined:
      return literal(text);
    default:
      return span.style satisfies never;
  }
}

/** Marks each line as small print. */
export function smallPrint(markdown: string): string {
  return markdown
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `-# ${line}`)
    .join("\n");
}

/** A code block that its content can't close. Discord has no longer fences, so backticks become look-alikes. */
export function fenced(text: string, language = ""): string {
  return `\`\`\`${/^[\w+-]{0,20}$/.test(language) ? language : ""}\n${breakLinksInCode(text).replace(/```/g, "ˋˋˋ").replace(/\n$/, "")}\n\`\`\``;
}

/** Cuts to at most `maxChars` UTF-16 units, at whole characters, with "…" at a cut. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
