/** A histogram of durations whose buckets grow by 15 %, so that a quantile is at most 8 % off. Pure. */

const leastMs = 50;
const growth = 1.15;
/** The last bucket begins at about 22 hours. */
const lastBucket = 102;

export function bucketOf(ms: number): number {
  const bucket = Math.floor(Math.log(Math.max(ms, leastMs) / leastMs) / Math.log(growth));
  return Math.min(bucket, lastBucket);
}

/** Undefined: no durations. `counts`: by bucket. `share`: 0.5 for the median. */
export function quantileOf(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const wanted = Math.ceil(buckets.reduce((sum, [, count]) => sum + count, 0) * share);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    // The middle of the bucket, as a proportion.
    if (seen >= wanted) return Math.round(leastMs * growth ** (bucket + 0.5));
  }
  return undefined;
}
