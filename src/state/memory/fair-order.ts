/**
 * Computes the fair order in which waiting callers get permits, assuming that none is released. The next permit goes to
 * the group that holds the fewest, then to the one served longest ago, then to the one that became active first. This
 * makes rounds: round r has one place for each group that would then hold r. Within a round, groups that begin later
 * come first; the others keep their order.
 */
export type FairGroup<T> = {
  readonly held: number;
  /** Number of its last grant; 0 = none since it became active. */
  readonly lastGrant: number;
  readonly waiting: readonly T[];
};

/** All waiting callers in fair order. `groups` are in the order in which they became active. O(n) in the callers. */
export function fairOrder<T>(groups: Iterable<FairGroup<T>>): T[] {
  const waiting = [...groups].filter((group) => group.waiting.length > 0);
  waiting.sort((one, other) => one.held - other.held || one.lastGrant - other.lastGrant);
  const order: T[] = [];
  let round: readonly FairGroup<T>[] = [];
  let begun = 0;
  for (let held = 0; begun < waiting.length || round.length > 0; held += 1) {
    // Skips empty rounds.
    if (round.length === 0) held = Math.max(held, waiting[begun]?.held ?? held);
    const first = begun;
    while (waiting[begun]?.held === held) begun += 1;
    round = [...waiting.slice(first, begun), ...round];
    for (const group of round) {
      const next = group.waiting[held - group.held];
      if (next !== undefined) order.push(next);
    }
    round = round.filter((group) => held - group.held + 1 < group.waiting.length);
  }
  return order;
}
