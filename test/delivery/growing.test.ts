/** Text that grows while it is written: when it is drawn, and what it leaves to others. */
import { describe, expect, it, vi } from "vitest";
import type { Growing } from "../../src/delivery/types.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const slackLike = { perWorkspace: { capacity: 9.5, refillPerMinute: 48, counts: "edits" }, keptForFinals: 7 } as const;
const channel = (at: number) => ({ ...place, channel: `c${at}` });
const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const growing =
  (text: string): Growing =>
  () => ({ ...document(text), now: "writing" });

async function begun(latencyMs = 0) {
  const bench = createBench({ writes: slackLike, latencyMs });
  const { writer } = bench.open();
  writer.show(document("working"), "first-step");
  await bench.clock.advance(100);
  return { ...bench, writer };
}

describe("text that grows", () => {
  it("is shown within 150 ms of its first word, with the words that have come by then", async () => {
    const { writer, clock, texts } = await begun(40);
    for (let at = 1; at <= 6; at += 1) {
      writer.show(growing(words(at)), at === 1 ? "first-text" : "text");
      await clock.advance(17);
    }
    await clock.advance(48);

    expect(texts()[0]).toMatch(/^word0 word1/);
  });

  it("is shown again whenever an edit could be earned back", async () => {
    const { writer, clock, platform } = await begun();
    for (let at = 1; at <= 600; at += 1) {
      writer.show(growing(words(at)), at === 1 ? "first-text" : "text");
      await clock.advance(17);
    }

    const edits = platform.writes.length - 1;
    expect(edits).toBeGreaterThanOrEqual(8);
    expect(edits).toBeLessThanOrEqual(10);
  });

  it("is drawn only when a write begins", async () => {
    const { writer, clock } = await begun();
    const draw = vi.fn(growing("text"));
    for (let at = 0; at < 400; at += 1) {
      writer.show(draw, at === 0 ? "first-text" : "text");
      await clock.advance(1);
    }

    // Once for the words of the status line.
    expect(draw.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it("is drawn again seldom where a message shows no more of it", async () => {
    const { writer, clock, platform } = await begun();
    const draw = vi.fn(growing("as much as fits"));
    writer.show(draw, "first-text");
    await clock.advance(2_000);
    draw.mockClear();
    for (let at = 0; at < 400; at += 1) {
      writer.show(draw, "text");
      await clock.advance(10);
    }

    expect(platform.writes).toHaveLength(2);
    expect(draw.mock.calls.length).toBeLessThanOrEqual(5);
  });

  it("goes after the steps and ends of others, however many grow at once", async () => {
    const bench = createBench({ writes: slackLike, latencyMs: 40 });
    const { clock, open, settle, platform } = bench;
    const writers = Array.from({ length: 12 }, (_, at) => open(`turn${at}`, channel(at)).writer);
    for (const writer of writers) writer.show(document("working"), "first-step");
    await clock.advance(60_000);
    const [other, ...texts] = writers;
    for (let at = 1; at <= 300; at += 1) {
      for (const writer of texts) writer.show(growing(words(at)), at === 1 ? "first-text" : "text");
      await clock.advance(100);
    }
    // Each grows, but none of them takes what ends need.
    other?.show(document("step"), "step");
    await clock.advance(1_400);
    expect(platform.thread(channel(0)).map(({ payload }) => payload.text)).toEqual(["step"]);

    const beganMs = clock.now();
    await settle(Promise.all(texts.slice(0, 6).map((writer) => writer.finish(document("answer", "done")))));
    expect(clock.now() - beganMs).toBeLessThanOrEqual(1_000);
  });

  it("still grows where the budget is shared by many", async () => {
    const { clock, open, platform } = createBench({ writes: slackLike });
    const writers = Array.from({ length: 5 }, (_, at) => open(`turn${at}`, channel(at)).writer);
    for (const writer of writers) writer.show(document("working"), "first-step");
    await clock.advance(30_000);
    for (let at = 1; at <= 600; at += 1) {
      for (const writer of writers) writer.show(growing(words(at)), at === 1 ? "first-text" : "text");
      await clock.advance(100);
    }

    for (let at = 0; at < 5; at += 1) {
      const edits = platform.writes.filter(({ kind, place: where }) => kind === "edit" && where.channel === `c${at}`);
      expect(edits.length).toBeGreaterThanOrEqual(5);
    }
  });

  it("is said in the status line when its first words can't be shown", async () => {
    const { clock, open, platform } = createBench({ writes: slackLike });
    const writers = Array.from({ length: 10 }, (_, at) => open(`turn${at}`, channel(at)).writer);
    for (const writer of writers) writer.show(document("working"), "first-step");
    await clock.advance(1_000);
    for (const writer of writers) writer.show(growing("word"), "first-text");
    await clock.advance(500);

    expect(platform.statuses.map(({ words }) => words)).toContain("writing");
  });

  it.each(["payload_refused", "internal"] as const)(
    "is tried as seldom as it would be shown while it is refused: %s",
    async (error) => {
      const { writer, clock, platform } = await begun(40);
      platform.fail({ on: "edit", error, times: 1_000 });
      for (let at = 1; at <= 300; at += 1) {
        writer.show(growing(words(at)), at === 1 ? "first-text" : "text");
        await clock.advance(17);
      }
      // What stood since the beginning is left for what comes next.
      expect(platform.writes.filter(({ kind }) => kind === "edit").length).toBeLessThanOrEqual(5);
    },
  );

  it("is cut to one message", async () => {
    const { writer, clock, platform, texts } = await begun();
    vi.spyOn(platform, "render").mockImplementation((drawn) => {
      const text = drawn.blocks.map((block) => (block.kind === "markdown" ? block.text : "")).join("");
      const parts = text.match(/[\s\S]{1,1000}/g) ?? [""];
      return parts.map((part) => ({ text: part }) as never);
    });
    writer.show((maxChars) => document("x".repeat(Math.min(maxChars, 50_000))), "first-text");
    await clock.advance(200);

    expect(texts()).toHaveLength(1);
    expect(texts()[0]?.length).toBeGreaterThanOrEqual(500);
  });
});
