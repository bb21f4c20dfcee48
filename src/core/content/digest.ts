/** The port to the weekly digest of a channel, and to the counts that it shows. */
import type { Actor, Place } from "../model/place.ts";

/** Counts of the questions that ended in a period. All votes on them count, whenever they were cast. */
export type DigestCount = {
  readonly questions: number;
  /** Answered from a source or from rows. */
  readonly withSource: number;
  readonly up: number;
  readonly down: number;
};

/** "nothing": nothing happened, so nothing is posted. "lost": Parley can't post there any longer. */
export type DigestOutcome = "posted" | "nothing" | "lost";

export type Digests = {
  /** Posts the digest of a channel once for that key. Durable when it resolves. */
  readonly post: (about: {
    readonly key: string;
    /** On whose behalf; decides which workspace's facts are looked up, not what the channel sees. */
    readonly actor: Actor;
    readonly place: Place;
    readonly timeZone: string;
    /** The week before that day; absent: the last seven days with today. */
    readonly dueAtMs?: number;
    /** "every Monday at 9:00". */
    readonly when?: string;
  }) => Promise<DigestOutcome>;
};
