import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterLimit, type LearntShare, shareNow, wholeAgainAtMs } from "../../src/core/model/learnt-share.ts";
import { propertyParameters } from "../properties.ts";

const minute = 60_000;

/** The share after each of these 429s, none of which asks to wait. */
function sharesAfter(timesMs: readonly number[]): readonly number[] {
  let learnt: LearntShare | undefined;
  return timesMs.map((atMs) => {
    learnt = afterLimit(learnt, atMs, atMs);
    return Number(shareNow(learnt, atMs).toFixed(3));
  });
}

describe("the share of a limit that may be used", () => {
  it("is the whole limit while the platform has not complained", () => {
    expect(shareNow(undefined, 0)).toBe(1);
  });

  it.each([
    [
      "falls with each 429, and not below a quarter",
      [0, 10_000, 20_000, 30_000, 40_000],
      [0.7, 0.502, 0.363, 0.266, 0.25],
    ],
    ["falls once for several that come together", [0, 1, 5_000, 9_999], [0.7, 0.7, 0.708, 0.717]],
    ["has risen by a tenth when a minute was quiet", [0, minute], [0.7, 0.56]],
    ["is whole again after three quiet minutes", [0, 3 * minute], [0.7, 0.7]],
  ])("%s", (_what, timesMs, shares) => {
    expect(sharesAfter(timesMs)).toEqual(shares);
  });

  it("does not rise while the platform makes Parley wait", () => {
    const learnt = afterLimit(undefined, 0, 5 * minute);

    expect(shareNow(learnt, 5 * minute)).toBe(0.7);
    expect(shareNow(learnt, 6 * minute)).toBeCloseTo(0.8);
    expect(shareNow(learnt, wholeAgainAtMs(learnt))).toBe(1);
  });

  it("keeps the longer of two waits", () => {
    const learnt = afterLimit(afterLimit(undefined, 0, 10 * minute), 20_000, 30_000);

    expect(shareNow(learnt, 10 * minute)).toBeCloseTo(0.49);
  });

  it("is always between a quarter and the whole, and whole ten quiet minutes later", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3 * minute), fc.nat(minute)), { maxLength: 50 }), (limits) => {
        let nowMs = 0;
        let learnt: LearntShare | undefined;
        for (const [afterMs, waitMs] of limits) {
          nowMs += afterMs;
          learnt = afterLimit(learnt, nowMs, nowMs + waitMs);
          const share = shareNow(learnt, nowMs);
          expect(share).toBeGreaterThanOrEqual(0.25);
          expect(share).toBeLessThanOrEqual(1);
        }
        expect(shareNow(learnt, nowMs + 10 * minute)).toBe(1);
      }),
      propertyParameters,
    );
  });
});
