/**
 * Marks Discord posts with the Reply and part they show, so that they can be found again.
 * Discord stores no metadata and returns no nonce, but it stores a component's `id`: the first component's id is a
 * number computed from Reply and part. The nonce makes Discord itself deduplicate posts for a few minutes.
 */
import type { FoundPart, PostMark } from "../../../src/core/ports/chat-platform.ts";
import { digest, generationOf } from "../../shared/posts.ts";
import type { DiscordPayload } from "../drawing/render.ts";
import type { DiscordMessage } from "../intake/events.ts";
import { maxNonceChars } from "../limits.ts";

const maxParts = 64;
/** A component's id is a positive signed 32-bit number: 25 bits for the Reply, 6 for the part. */
const replyBits = 25;

export function markNumber({ replyId, part, generation }: PostMark): number {
  const named = generation === 0 ? replyId : `${replyId}/${generation}`;
  const hash = digest(named).readUInt32BE() >>> (32 - replyBits);
  return (hash | 1) * maxParts + (part % maxParts);
}

/** The same payload with the mark on its first component, with or without a picture. */
export function marked(payload: DiscordPayload, mark: PostMark): DiscordPayload {
  const id = markNumber(mark);
  const { components, pictured } = payload;
  const drawn = { ...payload, components: withId(components, id) };
  return pictured === undefined
    ? drawn
    : { ...drawn, pictured: { ...pictured, components: withId(pictured.components, id) } };
}

function withId([first, ...rest]: DiscordPayload["components"], id: number): DiscordPayload["components"] {
  return first === undefined ? [] : [{ ...first, id }, ...rest];
}

/** The part of that Reply that the message shows, if any. Generations go up to `newest`. */
export function partOf(
  message: DiscordMessage,
  replyId: string,
  newest: number,
): Omit<FoundPart, "messageId"> | undefined {
  const id = message.components[0]?.id;
  if (id === undefined) return undefined;
  const part = id % maxParts;
  const generation = generationOf({ replyId, part }, newest, (mark) => id === markNumber(mark));
  return generation === undefined ? undefined : { part, generation };
}

export function nonceOf({ replyId, part, generation }: PostMark): string {
  const plain = generation === 0 ? `${replyId}-${part}` : `${replyId}-${part}-${generation}`;
  if (plain.length <= maxNonceChars) return plain;
  return digest(plain).toString("base64url").slice(0, maxNonceChars);
}
