/** Reads a rich_text block as text close to Markdown. */

import { inQuotes, lines, mayRead } from "../../shared/reading.ts";
import { link } from "../intake/inbound-text.ts";
import { type Raw, rawList, rawObject, rawText } from "./raw.ts";
import { maxDepth, type Work } from "./work.ts";

type ReadPart = (part: Raw, work: Work, depth: number) => string;

/** By type; what stands directly in a rich_text block. */
export const richTextParts: Readonly<Record<string, ReadPart>> = {
  rich_text_section: (part, work) => inline(part, work),
  rich_text_preformatted: (part, work) => `\`\`\`\n${inline(part, work).replace(/\n$/, "")}\n\`\`\``,
  rich_text_quote: (part, work) => inQuotes(inline(part, work)),
  rich_text_list: (part, work, depth) => {
    const level = Number(part["indent"] ?? 0) || 0;
    const first = Number(part["offset"] ?? 0) || 0;
    return rawList(part["elements"])
      .map((item, index) => {
        const mark = part["style"] === "ordered" ? orderedMark(first + index, level) : "•";
        const text = readPart(item, work, depth + 1).trim();
        return `${"  ".repeat(Math.min(level, maxDepth))}${mark} ${text}`;
      })
      .join("\n");
  },
};

/** By type; what stands within a line. Unknown ones are read by their text. */
export const richTextElements: Readonly<Record<string, (element: Raw, work: Work) => string>> = {
  text: (element) => styled(rawText(element["text"]), rawObject(element["style"])),
  link: ({ url, text }) => link(rawText(url), rawText(text)),
  emoji: ({ name, skin_tone: tone }) => `:${rawText(name)}:${tone === undefined ? "" : `:skin-tone-${rawText(tone)}:`}`,
  user: ({ user_id: id }, work) => {
    work.named.add(rawText(id));
    return rawText(id) === work.ownUserId ? "" : `@${nameIn(work, id)}`;
  },
  channel: ({ channel_id: id }, work) => `#${nameIn(work, id)}`,
  usergroup: ({ usergroup_id: id }, work) => `@${nameIn(work, id).replace(/^@/, "")}`,
  broadcast: ({ range }) => `@${rawText(range)}`,
  team: ({ team_id: id }, work) => `@${nameIn(work, id)}`,
  date: ({ fallback, timestamp }) => rawText(fallback) || dateText(timestamp),
  color: ({ value }) => rawText(value),
};

export function readRichText(block: unknown, work: Work, depth = 0): string {
  return lines(rawList(rawObject(block)["elements"]).map((part) => readPart(part, work, depth)));
}

function readPart(part: Raw, work: Work, depth: number): string {
  if (depth > maxDepth || !mayRead(work)) {
    work.found.isCut = true;
    return "";
  }
  const read = richTextParts[rawText(part["type"])];
  return read === undefined ? inline({ elements: [part] }, work) : read(part, work, depth);
}

function inline(part: Raw, work: Work): string {
  let text = "";
  for (const element of rawList(part["elements"])) {
    if (!mayRead(work)) break;
    const read = richTextElements[rawText(element["type"])];
    const said = read?.(element, work) ?? rawText(element["text"] ?? element["fallback"] ?? element["name"]);
    const kept = said.slice(0, work.found.charsLeft);
    if (kept.length < said.length) work.found.isCut = true;
    work.found.charsLeft -= kept.length;
    text += kept;
  }
  return text;
}

function nameIn({ nameOf }: Work, id: unknown): string {
  return nameOf(rawText(id)) ?? rawText(id);
}

/** Spaces at the ends would keep Markdown from seeing the marks. */
function styled(text: string, { bold, italic, strike, code }: Raw): string {
  const words = text.trim();
  if (words === "") return text;
  const [before, after] = [text.slice(0, text.indexOf(words)), text.slice(text.indexOf(words) + words.length)];
  if (code === true) return `${before}\`${words}\`${after}`;
  const marks = `${bold === true ? "**" : ""}${italic === true ? "_" : ""}${strike === true ? "~~" : ""}`;
  return `${before}${marks}${words}${[...marks].reverse().join("")}${after}`;
}

/** Slack numbers the levels of a list 1., a., i. and then again. */
function orderedMark(index: number, level: number): string {
  const at = Math.max(0, Math.floor(index));
  if (level % 3 === 1 && at < 26) return `${String.fromCharCode(97 + at)}.`;
  return `${at + 1}.`;
}

function dateText(timestamp: unknown): string {
  const ms = Number(timestamp) * 1000;
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString().slice(0, 16).replace("T", " ") : "";
}
