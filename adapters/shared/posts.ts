/** Posts that show one document in several messages, and posts that are found again by their mark. */
import { createHash } from "node:crypto";
import type { PostMark } from "../../src/core/ports/chat-platform.ts";

/** How an adapter posts, changes and removes one message of a response that is not stored, such as a command's result. */
export type MessageWays<Payload> = {
  /** Resolves with the message's id; undefined if it can't be edited later. */
  readonly post: (payload: Payload, index: number) => Promise<string | undefined>;
  /** Resolves with false if the message can't be edited any longer: then a new one is posted. */
  readonly edit: (messageId: string, payload: Payload) => Promise<boolean>;
  readonly remove: (messageId: string) => Promise<unknown>;
};

/** Shows the payloads in place of those that were `sent` before. Resolves with the ids of what is shown now. */
export async function replacePosts<Payload>(
  sent: readonly (string | undefined)[],
  payloads: readonly Payload[],
  { post, edit, remove }: MessageWays<Payload>,
): Promise<readonly (string | undefined)[]> {
  const now: (string | undefined)[] = [];
  for (const [index, payload] of payloads.entries()) {
    const earlier = sent[index];
    const isEdited = earlier !== undefined && (await edit(earlier, payload));
    now.push(isEdited ? earlier : await post(payload, index));
  }
  for (const earlier of sent) if (earlier !== undefined && !now.includes(earlier)) await remove(earlier);
  return now;
}

/** The same for the same text, in the whole length of SHA-256: for marks that a platform keeps as a short name. */
export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** For marks that are a hash: the generation, up to `newest`, with which the post was marked. */
export function generationOf(
  about: Pick<PostMark, "replyId" | "part">,
  newest: number,
  isMarkedWith: (mark: PostMark) => boolean,
): number | undefined {
  for (let generation = 0; generation <= newest; generation += 1) {
    if (isMarkedWith({ ...about, generation })) return generation;
  }
  return undefined;
}
