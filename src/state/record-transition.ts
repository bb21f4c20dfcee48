/**
 * The rule by which a record goes from one state to the next; pure, and the same on every backend that runs it here.
 */
import { conversationKey, type Place } from "../ports/model/place.ts";

export type StoredRecord = {
  readonly id: string;
  readonly eventKey: string;
  readonly state: string;
  readonly createdAtMs: number;
  readonly fence: number;
};

/**
 * The record after the transition, or undefined when it is refused: another state than expected, or a writer whose
 * lease is older than that of the last one. Keys of `patch` that are undefined are removed; a record's identity stays.
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

/** Where a record's Conversation is, where it has one; undefined for Jobs. */
export function conversationOf(record: object): string | undefined {
  const { conversation } = record as { readonly conversation?: Place };
  return conversation === undefined ? undefined : conversationKey(conversation);
}
