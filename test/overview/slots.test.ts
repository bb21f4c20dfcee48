import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, quantileOf } from "../../src/overview/figures/durations.ts";
import { add, countersOf, nothingAdded, quarterOf, type Share, sumsOf } from "../../src/overview/figures/slots.ts";
import { propertyParameters } from "../properties.ts";

const answered: Share = { questions: 1, withSource: 1, up: 0, down: 0, durationMs: 6_000 };

function sumOf(shares: readonly Share[]) {
  const sum = nothingAdded();
  for (const share of shares) {
    for (const { name, by } of countersOf(37, share)) add(sum, name.slice(name.indexOf("/") + 1), by);
  }
  return sumsOf(sum);
}

describe("what is counted of questions", () => {
  it("adds up questions, sources, votes and failures", () => {
    const failed: Share = { questions: 1, withSource: 0, up: 0, down: 1, code: "stream_cut" };
    const stopped: Share = { questions: 0, withSource: 0, up: 0, down: 0 };

    expect(sumOf([answered, { ...answered, up: 2, down: 1 }, failed, stopped])).toMatchObject({
      ...{ questions: 3, withSource: 2, failed: 1, up: 2, down: 2, voted: 2 },
    });
    expect(countersOf(37, stopped)).toEqual([]);
  });

  it("knows the quarter of an hour in which a question was asked", () => {
    expect(quarterOf(Date.parse("2027-01-11T00:14:59Z"))).toBe(0);
    expect(quarterOf(Date.parse("2027-01-11T23:45:00Z"))).toBe(95);
  });

  it("has no time to answer if nothing was answered", () => {
    expect(sumOf([{ questions: 1, withSource: 0, up: 0, down: 0, code: "internal" }])).not.toHaveProperty("medianMs");
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
