/**
 * What reads a message of any platform: how much of it is read, what was found besides words, and what the bridge and
 * an agent get of it.
 */
import type { InboundMessage, ThreadMessage } from "../../src/core/model/inbound.ts";
import type { Attachment } from "../../src/core/model/place.ts";

/** What all readers of one message share. */
export type Found<File> = {
  /** Of parts of the message, which the platform doesn't list among its own files. */
  readonly files: File[];
  /** Parts that can't be read, as noun phrases. */
  readonly unread: Set<string>;
  charsLeft: number;
  partsLeft: number;
  /** Something was left out because of a limit. */
  isCut: boolean;
};

export type Work<File> = {
  /** Restores what people see from the platform's encoding of it: names for ids, entities, dates. */
  readonly decode: (text: string) => string;
  readonly found: Found<File>;
};

export function newFound<File>(maxChars: number, maxParts: number): Found<File> {
  return { files: [], unread: new Set(), charsLeft: maxChars, partsLeft: maxParts, isCut: false };
}

/** Counts one part. False when there were too many. */
export function mayRead({ found }: Work<unknown>): boolean {
  if (found.partsLeft > 0 && found.charsLeft > 0) {
    found.partsLeft -= 1;
    return true;
  }
  found.isCut = true;
  return false;
}

/** The text as people see it, as far as there is room. */
export function say(text: string, { decode, found }: Work<unknown>): string {
  if (text === "") return "";
  const isLong = text.length > found.charsLeft;
  if (isLong) found.isCut = true;
  const said = decode(isLong ? text.slice(0, found.charsLeft).replace(/[\uD800-\uDBFF]$/, "") : text);
  found.charsLeft = Math.max(0, found.charsLeft - said.length);
  return said;
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

export function inQuotes(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A message as a person sees it. */
export type Reading = {
  /** What its author wrote, or what the author's app shows. Close to Markdown. */
  readonly own: string;
  /** What else it shows, such as a message that it forwards or replies to. Says whose each is. */
  readonly quoted: string;
  /** Files of both. */
  readonly attachments: readonly Attachment[];
  /** Parts that can't be read and are no files, as noun phrases. */
  readonly unread: readonly string[];
};

/** For an Inbound: its author's own words apart from what they quote. */
export function saidIn({ own, quoted, attachments, unread }: Reading) {
  return {
    text: own,
    quoted: quoted === "" ? undefined : quoted,
    attachments,
    unread: unread.length === 0 ? undefined : unread,
  } satisfies Partial<InboundMessage>;
}

/** All that a message shows as one text, as threads and shortcuts have it. */
export function wholeText({
  own,
  quoted = "",
}: {
  readonly own: string;
  readonly quoted?: string | undefined;
}): string {
  return paragraphs([own, quoted]);
}

/** `about`: what the platform tells of the message. `isUnfinished`: of Parley's own, one that can still be stopped. */
export function threadMessage(
  reading: Reading,
  about: Omit<ThreadMessage, "text" | "attachments" | "unread" | "isUnfinished"> & { readonly isUnfinished: boolean },
): ThreadMessage {
  const { isUnfinished, ...told } = about;
  const { attachments, unread } = saidIn(reading);
  const said = { ...told, text: wholeText(reading), attachments, unread };
  return isUnfinished ? { ...said, isUnfinished } : said;
}
