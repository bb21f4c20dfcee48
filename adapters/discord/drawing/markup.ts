/**
 * Outgoing text in Discord's Markdown. Parley's own words are escaped, so that a name or a question is no markup;
 * what would be a mention, a command or a picture of an emoji is broken in any text. Pings are refused per message besides.
 */
import type { Inline, Span } from "../../../src/ports/document.ts";
import { breakForgedCode, cleanText, safeLink } from "../../../src/presentation/drawing.ts";

/** Never seen; between a character and what would make it markup. */
const breaker = "\u200B";

/** `<@1>`, `<@&1>`, `<#1>`, `<:name:1>`, `<a:name:1>`, `</command:1>`, `<id:guide>`: would be drawn as something else. */
export function breakControls(text: string): string {
  return text
    .replace(/<(?=@[!&]?\d|#\d|a?:\w+:\d|\/[^<>\n]+:\d|id:\w)/gi, `<${breaker}`)
    .replace(/@(?=everyone|here)/g, `@${breaker}`);
}

/** Text that stands for itself. */
export function literal(text: string): string {
  const escaped = cleanText(text)
    .replace(/[\\*_~`|[\]]/g, "\\$&")
    .replace(/<(?=[@#:a/i])/g, `<${breaker}`)
    .replace(/@(?=everyone|here)/g, `@${breaker}`)
    // Only at the beginning of a line are these headings, quotes, lists and small print.
    .replace(/^([^\S\n]*)(#{1,3}|>{1,3}|-|\+|-#)(?=\s)/gm, "$1\\$2")
    .replace(/^([^\S\n]*\d+)([.)])(?=\s)/gm, "$1\\$2");
  // An address has no room for backslashes: Discord would link them. Nor for brackets, which could begin a link.
  const addressed = escaped.replace(/https?:\/\/\S+/g, (address) =>
    address.replace(/\\([*_~|[\]])/g, (_, mark: string) => ({ "[": "%5B", "]": "%5D" })[mark] ?? mark),
  );
  // An escaped bracket still ends a label that began before it.
  return addressed.replaceAll("](", "]\\(");
}

/** Whatever is no link of Parley's own must not be one to Discord either. */
export function breakLinks(text: string): string {
  return text.replaceAll("](", `]${breaker}(`);
}

/** The same for code, where only what would pretend is parted. */
export function breakLinksInCode(code: string): string {
  return breakForgedCode(code, breaker);
}

/** `[label](<url>)`; the angle brackets keep the preview away. Without an address that may be linked, the label alone. */
export function maskedLink(label: string, address: string): string {
  const safe = safeLink(label, address);
  if (safe.url === undefined) return literal(safe.label);
  const url = linkable(safe.url);
  // Discord draws no link whose label is an address itself.
  if (/^https?:\/\//i.test(safe.label)) return safe.label === safe.url ? `<${url}>` : `${literal(safe.label)} <${url}>`;
  return `[${literal(withoutBrackets(safe.label))}](<${url}>)`;
}

/** Discord pairs the brackets of a label without regard to backslashes: with one too many, a label reaches beyond its link. */
function withoutBrackets(label: string): string {
  return label.replaceAll("[", "(").replaceAll("]", ")");
}

function linkable(url: string): string {
  return url.replace(/[<>()\s]/g, (character) => encodeURIComponent(character).replace("(", "%28").replace(")", "%29"));
}

export function inlineMarkdown(spans: Inline): string {
  return merged(spans).map(spanMarkdown).join("");
}

/** Neighbours of one style are one run: marks that meet (`**a****b**`) would be no marks. */
function merged(spans: Inline): Inline {
  const runs: Span[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    const isPlain = (one: Span) => one.url === undefined && one.actorId === undefined && one.channelId === undefined;
    if (last !== undefined && last.style === span.style && isPlain(last) && isPlain(span)) {
      runs[runs.length - 1] = { ...last, text: last.text + span.text };
    } else runs.push(span);
  }
  return runs;
}

function spanMarkdown(span: Span): string {
  const text = cleanText(span.text);
  if (span.url !== undefined) return maskedLink(text, span.url);
  // Drawn as their names, and nobody is pinged: the message allows no mentions.
  if (span.actorId !== undefined && /^\d+$/.test(span.actorId)) return `<@${span.actorId}>`;
  if (span.channelId !== undefined && /^\d+$/.test(span.channelId)) return `<#${span.channelId}>`;
  // Marks only work around text without blanks at its edges.
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

/** Small print: each line has its own mark. */
export function smallPrint(markdown: string): string {
  return markdown
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `-# ${line}`)
    .join("\n");
}

/** A fence that its content cannot close. Discord knows no longer ones, so backticks inside are made look-alikes. */
export function fenced(text: string, language = ""): string {
  return `\`\`\`${/^[\w+-]{0,20}$/.test(language) ? language : ""}\n${breakLinksInCode(text).replace(/```/g, "ˋˋˋ").replace(/\n$/, "")}\n\`\`\``;
}

/** At most `maxChars` UTF-16 units, whole characters, with "…" where something is missing. */
export function within(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
