/** The port to tallies: counters in the store, by UTC day and list, to which each contributor adds exactly once. */

export type TallyChange = { readonly list: string; readonly counter: string; readonly by: number };

/** Replaces what a contributor had added to a day. */
export type Contribution = {
  /** Its id. */
  readonly by: string;
  /** What it had added, as read. Absent: nothing. */
  readonly before?: string;
  /** What it adds now, in the caller's own words. */
  readonly now: string;
  /** The difference. */
  readonly changes: readonly TallyChange[];
};

/** A day is a number of days since 1970. All reject with state_unavailable. */
export type Tallies = {
  /** What those contributors have added, as stored. */
  readonly contributions: (day: number, by: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * Applies each contribution as a whole, if its `before` is still what is stored. Returns the ids of the others, which
   * changed meanwhile.
   */
  readonly exchange: (day: number, contributions: readonly Contribution[]) => Promise<readonly string[]>;
  /** What they have added stays; who added it does not. */
  readonly forget: (day: number, by: readonly string[]) => Promise<void>;
  /** Counters that are not zero. */
  readonly read: (day: number, list: string) => Promise<ReadonlyMap<string, number>>;
};

/** A day's counters are removed after that many days. Twice 30 days are shown, in any time zone. */
export const tallyDays = 70;
