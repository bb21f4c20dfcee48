/** The port to votes on answers: one per person and answer, changed and taken back by them. */
import type { Asker, Feedback } from "../model/insight.ts";
import type { Actor, Place } from "../model/place.ts";
import type { Thumb, Turn } from "../model/turn.ts";

export type VoteCounts = { readonly up: number; readonly down: number };

/** The person who votes, or the browser. */
export type Voter = { readonly id: string; readonly actor: Pick<Actor, "id" | "name"> };

/** What the form behind 👎 adds. */
export type Explanation = Pick<Feedback, "reason" | "comment" | "tell" | "isShared">;

/** The Turn, as far as votes need it. */
export type Voted = { readonly id: string; readonly conversation: Pick<Place, "platform" | "workspace"> };

/** All of them reject with state_unavailable while storage is unreachable. */
export type Voting = {
  readonly own: (turn: Voted, voter: string) => Promise<Thumb | undefined>;
  /** The newest one wins. What was explained stays if the thumb is the same. */
  readonly give: (turn: Turn, voter: Voter, thumb: Thumb) => Promise<void>;
  readonly takeBack: (turn: Turn, voter: string) => Promise<void>;
  /** A 👎 with its reasons, also if the vote itself was not stored yet. */
  readonly explain: (turn: Turn, voter: Voter, explanation: Explanation) => Promise<void>;
  readonly counts: (turn: Voted) => Promise<VoteCounts>;
  /** 👎 on the answers to a gap's questions, for lists. `at`: the gap's workspace. `askers`: those whose votes count. */
  readonly down: (at: Voted["conversation"], askers: readonly Pick<Asker, "turnId" | "signals">[]) => Promise<number>;
};
