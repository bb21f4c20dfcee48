/** The messages that show a Turn or a Job, as stored. */
import type { Place } from "./place.ts";

export type ReplyPart = {
  readonly index: number;
  readonly messageId?: string;
  /**
   * intended: about to be posted, perhaps already posted; posted: exists and can change; final: shows its last content;
   * gone: deleted, so its replacement gets the next generation.
   */
  readonly state: "intended" | "posted" | "final" | "gone";
  /** Number of messages of this part that are gone. Absent: none. */
  readonly generation?: number;
  /** Hash of the payload last accepted. An equal hash means there is nothing to write. */
  readonly hash?: string;
  /** Something that was not ready, such as the picture of a chart, is missing there. Absent: nothing is. */
  readonly lacks?: true;
};

/** Index of the part that is an attached file. Every other part is a message. */
export const filePart = 63;

/** Stored so that any instance can continue it. */
export type Reply = {
  readonly place: Place;
  readonly parts: readonly ReplyPart[];
  /** Progress messages that an end was posted beside, until they are removed. Absent: none. */
  readonly superseded?: readonly { readonly messageId: string }[];
};
