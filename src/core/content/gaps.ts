/** The port to gaps: what answers say about themselves is noted at a Turn's end, grouped later, and listed here. */
import type { Gap, GapScope, GapState, Signal } from "../model/insight.ts";
import type { Place } from "../model/place.ts";
import type { Turn, TurnView } from "../model/turn.ts";

/**
 * Starts what was noted, once the fact it is about is stored. Returns at once and never rejects. A process that dies
 * before is healed: another one finds the note a few seconds later.
 */
export type Begin = () => void;

/**
 * Notes are durable when the promise resolves, and are worked off in the background. Order: note, store the fact
 * (the vote, the Turn's end), acknowledge it, begin.
 */
export type TurnNotes = {
  /** Called with the end that was shown, before it is recorded. Never rejects, and waits only briefly for storage. */
  readonly noteEnd: (turn: Turn, view: TurnView) => Promise<Begin>;
  /** A 👎, or a form sent with one: read from the stored votes when it is worked off. */
  readonly noteSignal: (turn: Turn, signal: Extract<Signal, "thumbs-down">) => Promise<Begin>;
  /** Votes have changed, or were taken back. */
  readonly withdrawSignal: (turn: Turn, signal: Extract<Signal, "thumbs-down">) => Promise<Begin>;
  /** Called before any final state of a Turn is stored, seen or unseen. Rejects with state_unavailable. Absent: nobody counts. */
  readonly noteFinal?: (turn: Turn) => Promise<Begin>;
  /** A vote that says nothing bad. Absent: nobody counts it. */
  readonly noteVote?: (turn: Turn) => Promise<Begin>;
  /**
   * Before Turns are forgotten. The function it returns is called afterwards and deletes their votes, their wordings,
   * and gaps that nobody else has. It rejects while storage is away.
   */
  readonly noteForgotten: (turns: readonly ForgottenTurn[]) => Promise<() => Promise<void>>;
};

export type ForgottenTurn = Pick<Turn, "id" | "agent" | "actor" | "askedIn" | "conversation" | "createdAtMs">;

/** Who can read a list: everyone in the workspace, a private channel's members, one person, or nobody (`all`). */
export type Audience =
  | { readonly kind: "public" }
  | { readonly kind: "channel"; readonly channel: string }
  | { readonly kind: "person"; readonly person: string }
  | { readonly kind: "all" };

/** More people and newer questions weigh more. */
export type WeighedGap = { readonly id: string; readonly weight: number };

export type GapsEverywhere = {
  /** `key` reads the gap. */
  readonly gaps: readonly { readonly key: string; readonly gap: Gap }[];
  /** Where the next page begins. */
  readonly next?: string;
};

/** Gaps and their lists. A list only says where to look: whether a person may read a gap is decided for each. */
export type Gaps = {
  readonly get: (workspace: Pick<Place, "platform" | "workspace">, id: string) => Promise<Gap | undefined>;
  /** The gap that a Turn belongs to. */
  readonly ofTurn: (turn: Pick<Turn, "id" | "askedIn">) => Promise<Gap | undefined>;
  /** Heaviest first, without reading them. */
  readonly list: (
    scope: GapScope,
    state: GapState,
    audience: Audience,
    count: number,
  ) => Promise<readonly WeighedGap[]>;
  readonly count: (scope: GapScope, state: GapState, audience: Audience) => Promise<number>;
  /** Of all workspaces and agents, heaviest first. `after`: `next` of the page before. */
  readonly everywhere: (
    state: GapState,
    audience: "public" | "all",
    count: number,
    after?: string,
  ) => Promise<GapsEverywhere>;
  readonly countEverywhere: (state: GapState, audience: "public" | "all") => Promise<number>;
  readonly byKey: (key: string) => Promise<Gap | undefined>;
  /**
   * Changes a gap under its agent's lease; undefined leaves it. Returns what is stored then, undefined if it is gone.
   * Don't call it from within another change of the same agent.
   */
  readonly change: (gap: Gap, change: (newest: Gap) => Gap | undefined) => Promise<Gap | undefined>;
  /**
   * Moves all questions of an open gap into another open one of the same agent; later questions in the words of either
   * join that one. Durable and repeatable. Returns it; undefined if one of them is gone or not open, or they can't be one.
   */
  readonly merge: (from: Gap, into: Gap) => Promise<Gap | undefined>;
  /** Undoes that. Returns the gap that there is again; undefined if nothing of it is left to take out. */
  readonly split: (gap: Gap, mergedId: string) => Promise<Gap | undefined>;
};
