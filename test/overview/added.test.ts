import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, quantileOf } from "../../src/insight/counts/durations.ts";
import type { Counters } from "../../src/insight/counts/share.ts";
import { add, nothingAdded, sumsOf } from "../../src/overview/figures.ts";
import { propertyParameters } from "../properties.ts";

const answered: Counters = { q: 1, s: 1, "t/34": 1 };
const failed: Counters = { q: 1, "f/stream_cut": 1 };

function sumOf(questions: readonly Counters[]) {
  const sum = nothingAdded();
  for (const one of questions) add(sum, one);
  return sumsOf(sum);
}

describe("what is counted of questions", () => {
  it("adds up questions, sources, votes and failures", () => {
    const all = [answered, { ...answered, u: 2, d: 1, v: 1 }, { ...failed, d: 1, v: 1 }, {}];

    expect(sumOf(all)).toMatchObject({ questions: 3, withSource: 2, failed: 1, up: 2, down: 2, voted: 2 });
  });

  it("has no time to answer if nothing was answered", () => {
    expect(sumOf([failed])).not.toHaveProperty("medianMs");
  });

  it("gives the median and the time of the slowest twentieth within 10 %", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 3_600_000 }), { minLength: 1, maxLength: 300 }), (durations) => {
        const counts = new Map<number, number>();
        for (const ms of durations) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
        const sorted = durations.toSorted((one, other) => one - other);

        for (const share of [0.5, 0.95]) {
          const exact = sorted[Math.ceil(durations.length * share) - 1] ?? 0;
          expect(Math.abs((quantileOf(counts, share) ?? 0) - exact) / exact).toBeLessThan(0.1);
        }
      }),
      propertyParameters,
    ));
});
