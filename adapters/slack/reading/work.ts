/** What the readers of one message share: how text is decoded, what was found besides words, and how much may be read. */
import { isRaw, type Raw, rawText } from "./raw.ts";

/** Characters of one message: more than Slack takes as its text (40,000), so that no question is cut. */
export const maxReadChars = 60_000;
/** Nested forwards, containers and lists. Slack's own clients nest less deeply. */
export const maxDepth = 8;
/** Blocks, elements and cells of one message: 20 times what Slack takes, and read within milliseconds. */
const maxParts = 20_000;

export type Work = {
  /** Decodes text in Slack's markup: entities, links, names in place of ids. */
  readonly decode: (text: string) => string;
  /** A person's, channel's or user group's name by its id. */
  readonly nameOf: (id: string) => string | undefined;
  readonly ownUserId: string;
  /** Raw files found in blocks and forwards. */
  readonly files: Raw[];
  /** Parts that can't be read, as noun phrases. */
  readonly unread: Set<string>;
  /** Ids of people named by elements. */
  readonly named: Set<string>;
  charsLeft: number;
  partsLeft: number;
  /** Something was left out because of a limit. */
  isCut: boolean;
};

export function newWork(about: Pick<Work, "decode" | "nameOf" | "ownUserId">): Work {
  const found = { files: [], unread: new Set<string>(), named: new Set<string>() };
  return { ...about, ...found, charsLeft: maxReadChars, partsLeft: maxParts, isCut: false };
}

/** Counts one part; false when there were too many. */
export function mayRead(work: Work): boolean {
  if (work.partsLeft > 0 && work.charsLeft > 0) {
    work.partsLeft -= 1;
    return true;
  }
  work.isCut = true;
  return false;
}

/** Text in Slack's markup as words, as far as there is room. */
export function say(text: string, work: Work): string {
  if (text === "") return "";
  const isLong = text.length > work.charsLeft;
  const said = work.decode(isLong ? text.slice(0, work.charsLeft) : text);
  if (isLong) work.isCut = true;
  work.charsLeft -= Math.min(work.charsLeft, said.length);
  return said;
}

/** A text object, or a bare string where a field may be either. */
export function sayText(value: unknown, work: Work): string {
  if (isRaw(value) && value["type"] === "rich_text") return "";
  return say(rawText(isRaw(value) ? value["text"] : value), work);
}

export function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

export function lines(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n");
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}
