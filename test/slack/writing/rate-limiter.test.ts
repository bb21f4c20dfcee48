/**
 * Posts to one channel go a few at once, then one a second.
 */
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "../../../adapters/slack/writing/rate-limiter.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

function setup() {
  const clock = createFakeClock();
  const startedMs = clock.now();
  const limiter = createRateLimiter({ clock, burst: 2, intervalMs: 1_000 });
  const went: [string, number][] = [];
  const ask = (name: string, channel = "C1") =>
    void limiter.wait(channel).then(() => went.push([name, clock.now() - startedMs]));
  return { clock, limiter, went, ask };
}

describe("pace", () => {
  it("lets a burst go at once, and the rest in order, one after each interval", async () => {
    const { clock, went, ask } = setup();

    for (const name of ["a", "b", "c", "d"]) ask(name);
    await clock.advance(5_000);

    expect(went).toEqual([
      ["a", 0],
      ["b", 0],
      ["c", 1_000],
      ["d", 2_000],
    ]);
  });

  it("doesn't delay other channels, or later callers", async () => {
    const { clock, went, ask } = setup();

    for (const name of ["a", "b", "c"]) ask(name);
    ask("other", "C2");
    await clock.advance(10_000);
    ask("later");
    await clock.advance(0);

    expect(went).toContainEqual(["other", 0]);
    expect(went).toContainEqual(["later", 10_000]);
  });

  it("gives up when it is aborted", async () => {
    const { limiter } = setup();
    const stop = new AbortController();
    await Promise.all([limiter.wait("C1"), limiter.wait("C1")]);

    const waiting = limiter.wait("C1", stop.signal);
    stop.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
  });
});
