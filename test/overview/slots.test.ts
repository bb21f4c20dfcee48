import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, quantileOf } from "../../src/overview/figures/durations.ts";
import {
  add,
  changesOf,
  lists,
  nothingAdded,
  quarterOf,
  type Share,
  sumsOf,
} from "../../src/overview/figures/slots.ts";
import { propertyParameters } from "../properties.ts";

const share = { quarter: 37, where: "slack/T1/C1 mindsdb/support", withSource: 0, up: 0, down: 0 } as const;
const answered: Share = { ...share, questions: 1, withSource: 1, durationMs: 6_000 };
const failed: Share = { ...share, questions: 1, code: "stream_cut" };

function sumOf(shares: readonly Share[]) {
  const sum = nothingAdded();
  for (const one of shares) {
    for (const { list, counter, by } of changesOf(undefined, one)) {
      if (list === lists.all) add(sum, counter.slice(counter.indexOf(" ") + 1), by);
    }
  }
  return sumsOf(sum);
}

describe("what is counted of questions", () => {
  it("adds up questions, sources, votes and failures", () => {
    const stopped: Share = { ...share, questions: 0 };

    expect(sumOf([answered, { ...answered, up: 2, down: 1 }, { ...failed, down: 1 }, stopped])).toMatchObject({
      ...{ questions: 3, withSource: 2, failed: 1, up: 2, down: 2, voted: 2 },
    });
    expect(changesOf(undefined, stopped)).toEqual([]);
  });

  it("knows the quarter of an hour in which a question was asked", () => {
    expect(quarterOf(Date.parse("2027-01-11T00:14:59Z"))).toBe(0);
    expect(quarterOf(Date.parse("2027-01-11T23:45:00Z"))).toBe(95);
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
