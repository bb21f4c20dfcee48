/** The rule for moving a record from one state to the next. Pure. */
import { conversationKey, type Place } from "../core/model/place.ts";
import type { StoredRecord } from "../core/ports/state.ts";

/**
 * The record after the transition, or undefined if it is refused: the state isn't in `from`, or the writer's fence is
 * older than the record's. Keys of `patch` that are undefined are removed. id, eventKey and createdAtMs never change.
 */
export function applyTransition<R extends StoredRecord>(
  record: R,
  from: readonly string[],
  to: string,
  patch: Partial<{ [K in keyof R]: R[K] | undefined }> | undefined,
  fence: number | undefined,
): R | undefined {
  if (!from.includes(record.state)) return undefined;
  if (fence !== undefined && fence < record.fence) return undefined;
  const { id, eventKey, createdAtMs } = record;
  const merged = { ...record, ...patch, id, eventKey, createdAtMs, state: to, fence: fence ?? record.fence };
  // Object.fromEntries, unlike assignment, makes "__proto__" a key like any other.
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as R;
}

/** Key of the record's Conversation; undefined for Jobs. */
export function conversationOf(record: object): string | undefined {
  const { conversation } = record as { readonly conversation?: Place };
  return conversation === undefined ? undefined : conversationKey(conversation);
}
