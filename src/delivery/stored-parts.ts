/**
 * Tracks the parts of one Reply and their stored version. Identical versions are not stored twice, because a durable
 * write costs more than the message.
 */
import type { Reply } from "../ports/model/reply.ts";
import { type Part, type Parts, partsOf, replyOf, withPart } from "./reply-parts.ts";

export type StoredParts = {
  readonly parts: () => Parts;
  readonly replace: (parts: Parts) => void;
  readonly set: (index: number, part: Part) => void;
  /** Stores the current parts; rejects like `save`. */
  readonly persist: () => Promise<void>;
  /** As last stored. */
  readonly current: () => Reply;
};

export function createStoredParts(reply: Reply, save: (reply: Reply) => Promise<void>): StoredParts {
  let parts = partsOf(reply);
  let stored = reply;

  return {
    parts: () => parts,
    replace: (changed) => {
      parts = changed;
    },
    set: (index, part) => {
      parts = withPart(parts, index, part);
    },
    persist: async () => {
      const wanted = replyOf(reply.place, parts);
      if (JSON.stringify(wanted) === JSON.stringify(stored)) return;
      await save(wanted);
      stored = wanted;
    },
    current: () => stored,
  };
}
