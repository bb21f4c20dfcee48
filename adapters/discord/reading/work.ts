/** What the readers of one message share: names for ids, what they found besides words, and how much may be read. */
import { z } from "zod";
import type { DiscordAttachment } from "../intake/events.ts";

/** Characters of one message, with what it quotes: more than twice what Discord takes (2026-11-26). */
export const maxReadChars = 30_000;
/** Components, embeds, fields and answers of one message: more than what Discord takes (40 or 260). */
export const maxParts = 400;
/** Components in components; Discord nests them four times. */
export const maxDepth = 8;
/** Forwards in forwards; Discord nests none. */
export const maxForwards = 3;

export type Found = {
  /** Files that components show; Discord doesn't list them among the message's own. */
  readonly files: DiscordAttachment[];
  /** Parts that can't be read, as noun phrases. */
  readonly unread: Set<string>;
  charsLeft: number;
  partsLeft: number;
  /** Something was left out because of a limit. */
  isCut: boolean;
};

export type Work = {
  /** Restores names and dates. */
  readonly decode: (text: string) => string;
  readonly found: Found;
};

export function newFound(): Found {
  return { files: [], unread: new Set(), charsLeft: maxReadChars, partsLeft: maxParts, isCut: false };
}

/** Counts one part. False when there were too many. */
export function mayRead({ found }: Work): boolean {
  if (found.partsLeft > 0 && found.charsLeft > 0) {
    found.partsLeft -= 1;
    return true;
  }
  found.isCut = true;
  return false;
}

/** The text as people see it, as far as there is room. */
export function say(text: string, { decode, found }: Work): string {
  const isLong = text.length > found.charsLeft;
  if (isLong) found.isCut = true;
  const said = decode(isLong ? text.slice(0, found.charsLeft).replace(/[\uD800-\uDBFF]$/, "") : text);
  found.charsLeft = Math.max(0, found.charsLeft - said.length);
  return said;
}

/** What a screen reader reads of a picture or a video. */
export function altText(kind: string, description: string, work: Work): string {
  const said = oneLine(say(description, work));
  return said === "" ? "" : `[${kind}: ${said}]`;
}

export function oneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

export function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

export function inQuotes(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** "" for anything else: an odd field costs itself, not its message. */
export const words = z.string().catch("");
export const flag = z.boolean().catch(false);
export const whole = z.number().catch(0);

/** The parts that match; none of anything else. One more than may be read, so that the limit is noticed. */
export function listOf<T>(schema: z.ZodType<T>) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.slice(0, maxParts + 1).flatMap((one) => {
        const part = schema.safeParse(one);
        return part.success ? [part.data] : [];
      }),
    );
}
