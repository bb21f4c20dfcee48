/**
 * The port to Conversations: what was said in a thread, which agent it chose, and forgetting it.
 */

import type { Actor, Conversation, Place } from "./words.ts";

export type Conversations = {
  readonly get: (place: Place) => Promise<Conversation>;
  /** Parley has spoken there, so that plain follow-ups are meant for it. */
  readonly isKnown: (place: Place) => Promise<boolean>;
  readonly update: (place: Place, change: (conversation: Conversation) => Conversation) => Promise<void>;
  /** Forgets what was said; the thread stays known. */
  readonly forget: (place: Place) => Promise<void>;
  /** Wherever that agent was named, in any workspace; without `to`, threads go back to what their channel says. */
  readonly replaceAgent: (
    project: string,
    from: string,
    to: string | undefined,
    inLane: (lane: string, work: () => Promise<void>) => Promise<void>,
  ) => Promise<void>;
};

/** Returns how many questions were forgotten. Throws not_allowed where others have asked. */
export type Forget = (
  conversation: Place,
  by: Actor,
  /** Whether others' questions may go too: in a direct message, or by whoever manages. */
  mayForgetOthers: boolean,
) => Promise<number>;
