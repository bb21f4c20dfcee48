/**
 * Tracks the parts of one Reply and their stored version. Identical versions are not stored twice, because a durable
 * write costs more than the message.
 */
import type { Reply } from "../ports/model/reply.ts";
import { type Part, type Parts, partsOf, replyOf, withPart } from "./reply-parts.ts";

export type StoredParts = ReturnType<typeof createStoredParts>;

export function createStoredParts(reply: Reply, save: (reply: Reply) => Promise<void>) {
  let parts = partsOf(reply);
  let stored = reply;

  return {
    parts: () => parts,
    replace: (changed: Parts) => {
      parts = changed;
    },
    set: (index: number, part: Part) => {
      parts = withPart(parts, index, part);
    },
    /** Stores the current parts; rejects like `save`. */
    persist: async (): Promise<void> => {
      const wanted = replyOf(reply.place, parts);
      if (JSON.stringify(wanted) === JSON.stringify(stored)) return;
      await save(wanted);
      stored = wanted;
    },
    /** As last stored. */
    current: () => stored,
  };
}
