/**
 * Fifty requests in any second, the ends of answers first.
 */
import { describe, expect, it } from "vitest";
import { createRequestLimiter } from "../../../adapters/discord/writing/request-limiter.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

describe("the pace of requests", () => {
  it("lets no more than 49 through in any second, however many wait", async () => {
    const clock = createFakeClock();
    const limiter = createRequestLimiter(clock);
    const passedMs: number[] = [];
    for (let index = 0; index < 200; index += 1) {
      void limiter.acquire(false).then((answered) => {
        passedMs.push(clock.now());
        clock.after(100, answered);
      });
    }

    for (let tick = 0; tick < 60; tick += 1) await clock.advance(100);

    expect(passedMs.length).toBe(200);
    for (const atMs of passedMs) {
      expect(passedMs.filter((other) => other >= atMs && other < atMs + 1_000).length).toBeLessThanOrEqual(49);
    }
  });

  it("lets the end of an answer through before what waited longer", async () => {
    const clock = createFakeClock();
    const limiter = createRequestLimiter(clock);
    const order: string[] = [];
    for (let index = 0; index < 49; index += 1) void limiter.acquire(false).then((answered) => answered());
    void limiter.acquire(false).then(() => order.push("progress"));
    void limiter.acquire(true).then(() => order.push("final"));

    await clock.advance(2_000);

    expect(order).toEqual(["final", "progress"]);
  });

  it("isn't held up forever by unanswered requests", async () => {
    const clock = createFakeClock();
    const limiter = createRequestLimiter(clock);
    for (let index = 0; index < 49; index += 1) void limiter.acquire(false);
    let isThrough = false;
    void limiter.acquire(false).then(() => {
      isThrough = true;
    });

    await clock.advance(4_000);

    expect(isThrough).toBe(true);
  });
});
