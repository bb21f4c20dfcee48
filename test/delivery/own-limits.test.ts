/** Replies that the platform limits apart from their channel, such as those written by a command's token in Discord. */
import { describe, expect, it } from "vitest";
import { createBench, document, place } from "./delivery-bench.ts";

const writes = {
  perChannel: { limit: 5, windowMs: 5_200, counts: "edits" },
  perWorkspace: { capacity: 12, refillPerMinute: 2_100 },
  keptForFinals: 1,
  debounceMs: 75,
} as const;

type Bench = ReturnType<typeof createBench>;

const endedAtMs = ({ platform }: Bench) =>
  platform.writes.filter(({ urgency }) => urgency === "final").map(({ startedAtMs }) => startedAtMs);

/** The most writes of the kinds in any 5 s. */
function mostAtOnce({ platform }: Bench, kinds: readonly string[]): number {
  const times = platform.writes.filter(({ kind }) => kinds.includes(kind)).map(({ startedAtMs }) => startedAtMs);
  return Math.max(...times.map((from) => times.filter((atMs) => atMs >= from && atMs < from + 5_000).length));
}

describe("a Reply with limits of its own", () => {
  it("ends at once, however many others are written in its channel", async () => {
    const bench = createBench({ writes, hasOwnLimits: () => true });
    const { open, clock } = bench;
    const writers = Array.from({ length: 50 }, (_, at) => open(`turn${at}`).writer);

    for (let step = 0; step < 50; step += 1) {
      for (const writer of writers) writer.show(document(`step ${step}`));
      await clock.advance(100);
    }
    const fromMs = clock.now();
    for (const writer of writers) void writer.finish(document("the answer", "done"));
    for (let at = 0; at < 10; at += 1) await clock.advance(10);

    expect(endedAtMs(bench)).toHaveLength(writers.length);
    expect(Math.max(...endedAtMs(bench)) - fromMs).toBeLessThanOrEqual(100);
  });

  it("counts its messages among its edits, and leaves the last write to its end", async () => {
    const bench = createBench({ writes, hasOwnLimits: () => true });
    const { writer } = bench.open();
    for (let at = 0; at < 200; at += 1) {
      writer.show(document(`step ${at}`));
      await bench.clock.advance(100);
    }

    expect(mostAtOnce(bench, ["post", "edit"])).toBe(4);
    void writer.finish(document("the answer", "done"));
    await bench.clock.advance(10);
    expect(bench.texts()).toEqual(["the answer"]);
  });

  it("takes no edit of those that share the limits of its channel, and none is kept for its end", async () => {
    const own = new Set(["turn1"]);
    const bench = createBench({ writes, hasOwnLimits: (replyId) => own.has(replyId) });
    const { open, clock, platform } = bench;
    const apart = open("turn1").writer;
    const shared = open("turn2").writer;
    for (let at = 0; at < 52; at += 1) {
      apart.show(document(`a ${at}`));
      shared.show(document(`b ${at}`));
      await clock.advance(100);
    }

    const edits = platform.writes.filter(({ kind, payload }) => kind === "edit" && payload?.text.startsWith("b"));
    expect(edits).toHaveLength(4);
  });

  it("shares the limits of its channel again when its own have ended, until it ends", async () => {
    let hasOwnLimits = true;
    const bench = createBench({ writes, hasOwnLimits: (replyId) => hasOwnLimits && replyId === "turn1" });
    const { open, clock, platform } = bench;
    const one = open("turn1").writer;
    const other = open("turn2").writer;
    one.show(document("a"));
    other.show(document("b"));
    await clock.advance(10_000);
    hasOwnLimits = false;
    const fromMs = clock.now();
    for (let at = 0; at < 100; at += 1) {
      one.show(document(`a ${at}`));
      other.show(document(`b ${at}`));
      await clock.advance(100);
    }
    const together = platform.writes.filter(({ startedAtMs: at }) => at >= fromMs && at < fromMs + 5_000);
    await bench.settle(one.finish(document("the answer", "done")));
    await clock.advance(10_000);
    const aloneFrom = clock.now();
    for (let at = 0; at < 50; at += 1) {
      other.show(document(`alone ${at}`));
      await clock.advance(100);
    }

    expect(together).toHaveLength(4);
    expect(platform.writes.filter(({ startedAtMs }) => startedAtMs >= aloneFrom)).toHaveLength(4);
    expect(bench.texts(place)).toContain("the answer");
    expect(platform.violations).toEqual([]);
  });
});
