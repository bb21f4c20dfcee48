/**
 * How a post says whose part it is. Discord keeps no metadata and hands no nonce back, but it keeps the `id` of a
 * component: the first one bears a number made from the Reply and the part. The nonce is for Discord itself, which makes
 * no second message of it within a few minutes.
 */
import { createHash } from "node:crypto";
import type { PostMark } from "../../src/bridge/ports/chat-platform.ts";
import type { DiscordMessage } from "./events.ts";
import { maxNonceChars } from "./limits.ts";
import type { DiscordPayload } from "./render.ts";

const maxParts = 64;
/** A component's id is a positive 32-bit number: 25 bits for the Reply, 6 for the part. */
const replyBits = 25;

export function markNumber({ replyId, part }: PostMark): number {
  const hash = createHash("sha256").update(replyId).digest().readUInt32BE() >>> (32 - replyBits);
  return (hash | 1) * maxParts + (part % maxParts);
}

/** The same payload with the mark on its first component. */
export function marked(payload: DiscordPayload, mark: PostMark): DiscordPayload {
  const [first, ...rest] = payload.components;
  return first === undefined ? payload : { components: [{ ...first, id: markNumber(mark) }, ...rest] };
}

/** Which part of that Reply the message is, if any. */
export function partOf(message: DiscordMessage, replyId: string): number | undefined {
  const id = message.components[0]?.id;
  if (id === undefined) return undefined;
  const part = id % maxParts;
  return id === markNumber({ replyId, part }) ? part : undefined;
}

/** `again`: how many posts of that part are gone; Discord would hand out the first of them once more. */
export function nonceOf({ replyId, part }: PostMark, again = 0): string {
  const plain = again === 0 ? `${replyId}-${part}` : `${replyId}-${part}-${again}`;
  if (plain.length <= maxNonceChars) return plain;
  return createHash("sha256").update(plain).digest("base64url").slice(0, maxNonceChars);
}
