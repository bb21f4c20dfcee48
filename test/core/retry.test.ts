/**
 * Retries double their pause, and the caller decides after each failure whether to go on.
 */
import { describe, expect, it } from "vitest";
import { keepTrying, retry } from "../../src/core/tools/retry.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

function failing(times: number, clock: { readonly now: () => number }) {
  const startedMs = clock.now();
  const atMs: number[] = [];
  const attempt = async () => {
    atMs.push(clock.now() - startedMs);
    if (atMs.length <= times) throw new Error(`failure ${atMs.length}`);
    return "done";
  };
  return { attempt, atMs };
}

describe("a retry", () => {
  it("doubles the pause up to its maximum, until an attempt works", async () => {
    const clock = createFakeClock();
    const { attempt, atMs } = failing(4, clock);

    const result = retry(attempt, { clock, firstPauseMs: 100, maxPauseMs: 300, pauseAfter: (_, pauseMs) => pauseMs });
    await clock.advance(10_000);

    expect(await result).toBe("done");
    expect(atMs).toEqual([0, 100, 300, 600, 900]);
  });

  it("waits as long as the caller says, and rejects with the last failure when the caller gives up", async () => {
    const clock = createFakeClock();
    const { attempt, atMs } = failing(9, clock);

    const result = retry(attempt, {
      clock,
      firstPauseMs: 100,
      maxPauseMs: 300,
      pauseAfter: (_, _pauseMs, tries) => (tries < 3 ? 1_000 : undefined),
    }).catch((failure: Error) => failure.message);
    await clock.advance(10_000);

    expect(await result).toBe("failure 3");
    expect(atMs).toEqual([0, 1_000, 2_000]);
  });

  it("ends a pause when its signal aborts", async () => {
    const clock = createFakeClock();
    const { attempt, atMs } = failing(9, clock);
    const stop = new AbortController();

    const result = retry(attempt, {
      clock,
      firstPauseMs: 100,
      maxPauseMs: 300,
      signal: stop.signal,
      pauseAfter: (_, pauseMs) => pauseMs,
    }).catch((reason: Error) => reason.message);
    await clock.advance(50);
    stop.abort(new Error("stopped"));

    expect(await result).toBe("stopped");
    expect(atMs).toEqual([0]);
    expect(clock.pending()).toBe(0);
  });

  it("of a write to the storage stops when its time is over", async () => {
    const clock = createFakeClock();
    const { attempt, atMs } = failing(99, clock);

    const result = keepTrying(attempt, { clock, forMs: 2_000 }).catch((failure: Error) => failure.message);
    await clock.advance(60_000);

    expect(await result).toBe("failure 4");
    expect(atMs).toEqual([0, 250, 750, 1_750]);
  });
});
