/** When the running step is said in the status line: only where edits are short, and from then on until the end. */
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/core/document.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const slackLike = {
  perWorkspace: { capacity: 10, refillPerMinute: 48, counts: "edits" },
  keptForFinals: 7,
  debounceMs: 75,
} as const;

const step = (text: string): Document => ({ ...document(text), now: text });
const thread = (at: number) => ({ ...place, thread: `t${at}` });

describe("the status line", () => {
  it("stays empty while every step begins its edit at once", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike, latencyMs: 40 });
    const { writer } = open();
    for (let at = 0; at < 5; at += 1) {
      writer.show(step(`step ${at}`), at === 0 ? "first-step" : "step");
      await clock.advance(2_000);
    }
    void writer.finish(document("answer", "done"));
    await clock.advance(1_000);

    expect(platform.statuses).toEqual([]);
  });

  it("shows each new step within a second to each of ten who ask at once, and is cleared with each end", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike, latencyMs: 40 });
    const writers = Array.from({ length: 10 }, (_, at) => open(`turn${at}`, thread(at)).writer);
    for (const writer of writers) writer.show(step("thinking"), "first-step");
    await clock.advance(2_000);
    const shownAt = new Map<string, number>();
    for (let at = 1; at <= 15; at += 1) {
      for (const [who, writer] of writers.entries()) {
        shownAt.set(`t${who} step ${at}`, clock.now());
        writer.show(step(`step ${at}`), "step");
      }
      await clock.advance(2_000);
    }
    const last = Array.from({ length: 10 }, (_, who) => platform.statuses.filter((one) => one.thread === `t${who}`));
    for (const said of last) expect(said.slice(-5).map(({ words }) => words)).toContain("step 15");
    const late = platform.statuses.filter(({ thread: of, words, atMs }) => {
      const sinceMs = shownAt.get(`${of} ${words}`);
      return sinceMs !== undefined && atMs - sinceMs > 1_000;
    });
    expect(late).toEqual([]);
    // Once edits were short for an answer, each of its steps is said.
    for (const said of last) expect(said.length).toBeGreaterThanOrEqual(12);

    for (const writer of writers) void writer.finish(document("answer", "done"));
    await clock.advance(10_000);
    for (let who = 0; who < 10; who += 1) {
      expect(platform.statuses.findLast((one) => one.thread === `t${who}`)?.words).toBeUndefined();
    }
  });

  it("is used at once when an edit was refused with 429", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const { writer } = open();
    writer.show(step("one"), "first-step");
    await clock.advance(100);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 30_000 });
    writer.show(step("two"), "step");
    await clock.advance(1_000);

    expect(platform.statuses.map(({ words }) => words)).toEqual(["two"]);
  });

  it("is not used because one write is in flight for a moment, but because it takes long", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike, latencyMs: 400 });
    const { writer } = open();
    writer.show(step("one"), "first-step");
    await clock.advance(100);
    writer.show(step("two"), "step");
    await clock.advance(2_000);
    expect(platform.statuses).toEqual([]);

    platform.setLatencyMs(5_000);
    writer.show(step("three"), "step");
    await clock.advance(200);
    writer.show(step("four"), "step");
    await clock.advance(700);

    expect(platform.statuses.map(({ words }) => words)).toEqual(["four"]);
  });

  it("is not used for a result, which waits for the next step anyway", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const { writer } = open();
    writer.show(step("one"), "first-step");
    await clock.advance(100);
    writer.show(step("one"), "result");
    await clock.advance(1_000);

    expect(platform.statuses).toEqual([]);
  });

  it("is cleared by the process that takes over an answer, at its end", async () => {
    const { delivery, clock, platform } = createBench({ writes: slackLike });
    const reply = { place, parts: [] };
    const writer = delivery.open({ replyId: "turn1", reply, save: async () => undefined, mayHaveStatus: true });
    void writer.finish(document("answer", "done"));
    await clock.advance(100);

    expect(platform.statuses.map(({ words }) => words)).toEqual([undefined]);
  });

  it("is cleared when the answer is left to another process", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const { writer } = open();
    writer.show(step("one"), "first-step");
    await clock.advance(100);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 30_000 });
    writer.show(step("two"), "step");
    await clock.advance(200);
    await writer.close();

    expect(platform.statuses.map(({ words }) => words)).toEqual(["two", undefined]);
  });
});
