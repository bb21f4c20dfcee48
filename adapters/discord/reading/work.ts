/** What the readers of one message share in Discord, and how much of it may be read. */
import { z } from "zod";
import { type Work as AnyWork, newFound as anyFound, oneLine, say } from "../../shared/reading.ts";
import type { DiscordAttachment } from "../intake/events.ts";

/** Characters of one message, with what it quotes: more than twice what Discord takes (2026-11-26). */
export const maxReadChars = 30_000;
/** Components, embeds, fields and answers of one message: more than what Discord takes (40 or 260). */
export const maxParts = 400;
/** Components in components; Discord nests them four times. */
export const maxDepth = 8;
/** Forwards in forwards; Discord nests none. */
export const maxForwards = 3;

export type Work = AnyWork<DiscordAttachment>;

export function newFound(): Work["found"] {
  return anyFound(maxReadChars, maxParts);
}

/** What a screen reader reads of a picture or a video. */
export function altText(kind: string, description: string, work: Work): string {
  const said = oneLine(say(description, work));
  return said === "" ? "" : `[${kind}: ${said}]`;
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
