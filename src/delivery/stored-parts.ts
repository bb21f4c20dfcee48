/**
 * Tracks the parts of one Reply and their stored version. Identical versions are not stored twice, because a durable
 * write costs more than the message.
 */
import type { Reply } from "../core/model/reply.ts";
import { type Part, type Parts, partsOf, replyOf, withPart } from "./reply-parts.ts";

export type StoredParts = ReturnType<typeof createStoredParts>;

export function createStoredParts(reply: Reply, save: (reply: Reply) => Promise<void>) {
  let parts = partsOf(reply);
  let superseded = (reply.superseded ?? []).map(({ messageId }) => messageId);
  let stored = reply;

  return {
    parts: () => parts,
    replace: (changed: Parts) => {
      parts = changed;
    },
    set: (index: number, part: Part) => {
      parts = withPart(parts, index, part);
    },
    /** Messages that an end was posted beside. They are removed after it. */
    superseded: () => superseded,
    supersede: (messageIds: readonly string[]) => {
      superseded = [...messageIds];
    },
    /** Stores the current parts; rejects like `save`. */
    persist: async (): Promise<void> => {
      const wanted = replyOf(reply.place, parts, superseded);
      if (JSON.stringify(wanted) === JSON.stringify(stored)) return;
      await save(wanted);
      stored = wanted;
    },
    /** As last stored. */
    current: () => stored,
  };
}
