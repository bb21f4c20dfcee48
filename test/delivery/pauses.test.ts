/** Words that have come are shown soon, whatever comes next: with the limits of each platform. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { platformLimits as consoleLimits } from "../../adapters/console/limits.ts";
import { platformLimits as discordLimits } from "../../adapters/discord/limits.ts";
import { platformLimits as slackLimits } from "../../adapters/slack/limits.ts";
import type { Growing, News } from "../../src/delivery/types.ts";
import { runs } from "../properties.ts";
import { createBench, document, place } from "./delivery-bench.ts";

/** What a person waits for words that have come, at most. */
const shownWithinMs = 2_000;

type Piece = { readonly afterMs: number; readonly words: number };

/** Words of a stream: the first burst, a pause, and so on. */
function bursts(counts: readonly number[], pauseMs: number): readonly Piece[] {
  return counts.flatMap((count) =>
    Array.from({ length: count }, (_, at) => ({ afterMs: at === 0 ? pauseMs : 80, words: 1 })),
  );
}

/** How long each piece waited until it stood in the message. `drawMs`: what drawing takes, for each drawing in turn. */
async function waits(
  writes: typeof slackLimits.writes,
  pieces: readonly Piece[],
  { drawMs = [0], ...bed }: { readonly drawMs?: readonly number[]; readonly tokenMs?: number } = {},
) {
  const bench = createBench({ writes, latencyMs: 200, ...bed });
  const { clock, platform } = bench;
  const { writer } = bench.open();
  writer.show(document("working"), "first-step");
  await clock.advance(1_000);

  let drawings = 0;
  let words = 0;
  const came: { readonly words: number; readonly atMs: number }[] = [];
  for (const piece of pieces) {
    await clock.advance(piece.afterMs);
    words += piece.words;
    const said = words;
    const news: News = came.length === 0 ? "first-text" : "text";
    came.push({ words: said, atMs: clock.now() });
    const growing: Growing = (maxChars) => {
      // Without room it is asked for the words of the status line, which takes no time.
      if (maxChars > 0) clock.busy(drawMs[drawings++ % drawMs.length] ?? 0);
      return document(`${said} words`);
    };
    writer.show(growing, news);
  }
  await clock.advance(60_000);
  expect(platform.rateLimited()).toBe(0);
  expect(bench.texts(place)).toEqual([`${words} words`]);

  const shown = platform.writes.map(({ payload, endedAtMs }) => ({
    words: Number.parseInt(payload?.text ?? "", 10),
    atMs: endedAtMs ?? Number.POSITIVE_INFINITY,
  }));
  return came.map(({ words: said, atMs }) => {
    const first = shown.find((write) => write.words >= said);
    return (first?.atMs ?? Number.POSITIVE_INFINITY) - atMs;
  });
}

describe.each([
  ["Slack", slackLimits.writes],
  ["Discord", discordLimits.writes],
  ["the page", consoleLimits.writes],
])("on %s", (_platform, writes) => {
  it.each([1_000, 5_000, 30_000].flatMap((pauseMs) => [1, 12, 200].map((words) => ({ pauseMs, words }))))(
    "$words words are shown within 2 s, though nothing comes for $pauseMs ms",
    async ({ pauseMs, words }) => {
      const rhythm = bursts([words, words, words, 1], pauseMs);
      for (const drawMs of [[0], [1], [0, 3]]) {
        const waited = await waits(writes, rhythm, { drawMs });
        expect(Math.max(...waited)).toBeLessThanOrEqual(shownWithinMs);
      }
    },
  );

  it("words that keep coming are shown, though drawing them takes as long as until the next one", async () => {
    const quick = Array.from({ length: 600 }, () => ({ afterMs: 5, words: 1 }));
    const waited = await waits(writes, quick, { drawMs: [5], tokenMs: 3 });
    expect(Math.max(...waited)).toBeLessThanOrEqual(shownWithinMs);
  });

  it("words are shown within 2 s in any rhythm", async () => {
    const piece = fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.nat(6_000)),
      words: fc.integer({ min: 1, max: 20 }),
    });
    const drawMs = fc.array(fc.nat(8), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), drawMs, async (pieces, costs) => {
        const waited = await waits(writes, pieces, { drawMs: costs });
        expect(Math.max(...waited)).toBeLessThanOrEqual(shownWithinMs);
      }),
      { numRuns: runs(25) },
    );
  });
});

it("words are shown though another answer is drawn at the same moment, and nothing follows", async () => {
  const { clock, open, texts } = createBench({ writes: consoleLimits.writes });
  const places = Array.from({ length: 5 }, (_, at) => ({ ...place, thread: `t${at}` }));
  const writers = places.map((at, index) => open(`turn${index}`, at).writer);
  for (const writer of writers) writer.show(document("working"), "first-step");
  await clock.advance(1_000);
  for (const said of ["one", "one two"]) {
    for (const writer of writers) {
      const growing: Growing = () => {
        clock.busy(3);
        return document(said);
      };
      writer.show(growing, said === "one" ? "first-text" : "text");
    }
    await clock.advance(200);
  }
  await clock.advance(shownWithinMs);

  expect(places.flatMap((at) => texts(at))).toEqual(places.map(() => "one two"));
});

it("words don't wait for edits of answers that have ended", async () => {
  const { clock, open, settle, texts } = createBench({ writes: slackLimits.writes });
  const { writer } = open("turn0");
  const others = Array.from({ length: 20 }, (_, at) => open(`other${at}`, { ...place, channel: `c${at + 2}` }).writer);
  writer.show(document("working"), "first-step");
  await clock.advance(30_000);
  writer.show(() => document("one"), "first-text");
  await clock.advance(100);
  writer.show(() => document("one two"), "text");
  await clock.advance(100);
  for (const other of others) await settle(other.finish(document("answer", "done")));
  for (const other of others) await other.close();
  await clock.advance(shownWithinMs);

  expect(texts()).toEqual(["one two"]);
});
