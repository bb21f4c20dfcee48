/**
 * Computes the order in which waiting callers get permits, assuming that none is released. The next permit goes to the
 * group that holds the fewest. This makes rounds: round r has one place for each group that would then hold r. Within a
 * round, groups that begin later come first; the others keep their order.
 */
type FairGroup<T> = {
  readonly held: number;
  readonly waiting: readonly T[];
};

/** All waiting callers in fair order. `groups` are in the order of their next permit. O(n) in the callers. */
export function fairOrder<T>(groups: readonly FairGroup<T>[]): T[] {
  const order: T[] = [];
  let round: readonly FairGroup<T>[] = [];
  let begun = 0;
  for (let held = 0; begun < groups.length || round.length > 0; held += 1) {
    // Skips empty rounds.
    if (round.length === 0) held = Math.max(held, groups[begun]?.held ?? held);
    const first = begun;
    while (groups[begun]?.held === held) begun += 1;
    round = [...groups.slice(first, begun), ...round];
    for (const group of round) {
      const next = group.waiting[held - group.held];
      if (next !== undefined) order.push(next);
    }
    round = round.filter((group) => held - group.held + 1 < group.waiting.length);
  }
  return order;
}
