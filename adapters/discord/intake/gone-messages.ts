/**
 * Remembers which messages were deleted, from the moment Discord says so.
 * The event of a message can still be waiting then, and its answer can be on the way: nothing may be shown for it.
 */
import { LRUCache } from "lru-cache";

export type GoneMessages = ReturnType<typeof createGoneMessages>;

/** A question waits a few minutes at most before the first word of its answer stands; later it is withdrawn anyway. */
const maxRemembered = 5_000;

export function createGoneMessages() {
  const gone = new LRUCache<string, true>({ max: maxRemembered });
  return {
    note: (messageId: string): void => {
      gone.set(messageId, true);
    },
    has: (messageId: string | undefined): boolean => messageId !== undefined && gone.has(messageId),
  };
}
