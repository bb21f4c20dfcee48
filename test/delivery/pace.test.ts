/** When progress is shown: new steps at once, their results with the next step or with edits to spare. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rank, tokensLeft } from "../../src/delivery/budgets.ts";
import { compareRanks } from "../../src/delivery/limiter.ts";
import type { News } from "../../src/delivery/types.ts";
import { runs } from "../properties.ts";
import { createBench, document, place } from "./delivery-bench.ts";

/** Of Slack: an edit takes 1.25 s to earn. */
const slackLike = {
  perWorkspace: { capacity: 10, refillPerMinute: 48, counts: "edits" },
  keptForFinals: 7,
  debounceMs: 75,
} as const;
/** Of Discord: four edits in 5.2 s besides the one that is left for the end. */
const discordLike = {
  perChannel: { limit: 5, windowMs: 5_200, counts: "edits" },
  perWorkspace: { capacity: 12, refillPerMinute: 2_100 },
  keptForFinals: 1,
  debounceMs: 75,
} as const;

const channel = (at: number) => ({ ...place, channel: `c${at}` });

describe("the rule of priority", () => {
  const inOrder: readonly Rank[] = [
    "end",
    "first-post",
    "first-step",
    "step",
    "first-text",
    "text",
    "result",
    "elapsed",
    "counts",
  ];

  it("serves ends first, then what shows nothing yet, then new steps, then the rest", () => {
    expect([...inOrder].reverse().sort(compareRanks)).toEqual(inOrder);
  });

  it.each([
    // [open Replies, what each rank leaves in their budget]
    [1, [0, 1, 2, 2, 2, 3, 3, 3, 3]],
    [3, [0, 2, 4, 4, 4, 7, 7, 7, 7]],
    // More than a budget holds means all of it.
    [10, [0, 3, 7, 7, 7, 17, 17, 17, 17]],
    [undefined, [0, 3, 7, 7, 7, 7, 7, 7, 7]],
  ])("leaves tokens for what is more urgent, with %s open", (open, left) => {
    expect(inOrder.map((rank) => tokensLeft(rank, open, 7, 1))).toEqual(left);
  });

  it("leaves the tokens of two steps where none comes back before both have begun", () => {
    const left = inOrder.map((rank) => tokensLeft(rank, 1, 1, 2));
    expect(left).toEqual([0, 0, 1, 1, 1, 2, 3, 3, 2]);
  });
});

describe.each([
  ["a workspace's budget", slackLike, 1_250],
  ["a channel's budget", discordLike, 1_300],
] as const)("under %s", (_which, writes, earnMs) => {
  async function started() {
    const bench = createBench({ writes });
    const { writer } = bench.open();
    writer.show(document("working"), "first-step");
    await bench.clock.advance(0);
    return { ...bench, writer };
  }

  it.each([50, 1_000, 1_600])("a result %d ms after its step rides along with the next step", async (afterMs) => {
    const { clock, platform, writer } = await started();

    for (let at = 1; at <= 6; at += 1) {
      writer.show(document(`step ${at}`), at === 1 ? "first-step" : "step");
      await clock.advance(afterMs);
      writer.show(document(`step ${at}, found`), "result");
      await clock.advance(2_000 - afterMs);
    }

    const found = afterMs < 75;
    const steps = platform.writes.slice(1, 7).map((write) => write.payload?.text);
    expect(steps).toEqual(Array.from({ length: 6 }, (_, at) => (found ? `step ${at + 1}, found` : `step ${at + 1}`)));
    // The last one that nothing followed is about to be shown.
    expect(platform.writes.length).toBeLessThanOrEqual(8);
  });

  it("a step waits for its result, but never long", async () => {
    const { clock, platform, writer } = await started();
    const shownAfterMs = async (text: string, news: News, resultMs: number) => {
      const [sinceMs, before] = [clock.now(), platform.writes.length];
      writer.show(document(text), news);
      await clock.advance(resultMs);
      writer.show(document(`${text}, found`), "result");
      await clock.advance(3_000 - resultMs);
      const write = platform.writes[before];
      return { text: write?.payload?.text, ms: (write?.startedAtMs ?? Number.NaN) - sinceMs };
    };

    expect(await shownAfterMs("1", "first-step", 2_990)).toEqual({ text: "1", ms: 75 });
    expect(await shownAfterMs("2", "step", 2_990)).toEqual({ text: "2", ms: 75 });
    expect(await shownAfterMs("3", "step", 50)).toEqual({ text: "3, found", ms: 50 });
    expect(await shownAfterMs("4", "step", 50)).toEqual({ text: "4, found", ms: 50 });
  });

  it("a step that comes in two parts is one edit, and still waits for its result", async () => {
    const { clock, platform, writer } = await started();
    for (const step of ["1", "2", "3"]) {
      const [sinceMs, before] = [clock.now(), platform.writes.length];
      writer.show(document(step), step === "1" ? "first-step" : "step");
      await clock.advance(5);
      writer.show(document(`${step}, in words`), "result");
      await clock.advance(2_900);
      writer.show(document(`${step}, found`), "result");
      await clock.advance(95);

      const [write, ...more] = platform.writes.slice(before);
      expect(write?.payload?.text).toBe(`${step}, in words`);
      expect((write?.startedAtMs ?? Number.NaN) - sinceMs).toBe(75);
      expect(more).toEqual([]);
    }
  });

  it("the first step waits for its result, however long the answer took to begin", async () => {
    const { clock, platform, writer } = await started();
    await clock.advance(500);
    writer.show(document("begun"), "result");
    await clock.advance(500);
    writer.show(document("1"), "first-step");
    await clock.advance(50);
    writer.show(document("1, found"), "result");
    await clock.advance(100);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["working", "1, found"]);
  });

  it.each([15, 30, 60])("steps that come %d ms apart share edits, though their results are late", async (ms) => {
    const { clock, platform, writer } = await started();
    const begunAtMs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let tool = 0; tool < 4; tool += 1) {
        begunAtMs.push(clock.now());
        writer.show(document(`${begunAtMs.length}`), begunAtMs.length === 1 ? "first-step" : "step");
        await clock.advance(ms);
      }
      for (const found of ["some", "more", "all"]) {
        await clock.advance(2_000);
        writer.show(document(`${begunAtMs.length}, found ${found}`), "result");
      }
      await clock.advance(2_000);
    }

    const lateMs = begunAtMs.map((atMs) => {
      const write = platform.writes.find(({ startedAtMs }) => startedAtMs >= atMs);
      return (write?.startedAtMs ?? Number.NaN) - atMs;
    });
    expect(Math.max(...lateMs)).toBeLessThanOrEqual(75);
  });

  it("a result that no step follows is shown when an edit could be earned back", async () => {
    const { clock, platform, writer, texts } = await started();
    writer.show(document("step"), "first-step");
    await clock.advance(100);
    writer.show(document("step, found"), "result");

    await clock.advance(earnMs - 10);
    expect(texts()).toEqual(["step"]);
    await clock.advance(20);

    expect(texts()).toEqual(["step, found"]);
    expect(platform.writes).toHaveLength(3);
  });

  it("a step takes along a result that waits, and settles as any step", async () => {
    const { clock, platform, writer } = await started();
    writer.show(document("result"), "result");
    await clock.advance(1_000);
    writer.show(document("step"), "first-step");
    await clock.advance(70);
    expect(platform.writes).toHaveLength(1);
    await clock.advance(10);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["working", "step"]);
  });

  it("the elapsed time is shown at once, and takes along what waits", async () => {
    const { clock, writer, texts } = await started();
    writer.show(document("10 s"), "elapsed");
    await clock.advance(0);

    expect(texts()).toEqual(["10 s"]);
  });

  it("what comes while an edit is in flight is news of its own", async () => {
    const { open, clock, platform } = createBench({ writes, latencyMs: 200 });
    const { writer } = open();
    writer.show(document("working"), "first-step");
    await clock.advance(300);
    writer.show(document("step"), "step");
    await clock.advance(100);
    writer.show(document("step, found"), "result");
    await clock.advance(1_000);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["working", "step"]);
  });

  it("a step whose edit failed stays as urgent as it was", async () => {
    const { clock, platform, writer, texts } = await started();
    platform.fail({ on: "edit", error: "platform_unreachable" });
    writer.show(document("step"), "step");
    await clock.advance(80);
    writer.show(document("step, found"), "result");
    await clock.advance(1_010);

    expect(texts()).toEqual(["step, found"]);
  });
});

it("waits with results the longer, the more answers share the budget", async () => {
  const { open, clock, texts } = createBench({ writes: slackLike });
  const writers = Array.from({ length: 10 }, (_, at) => open(`turn${at}`, channel(at)).writer);
  for (const writer of writers) writer.show(document("working"), "first-step");
  await clock.advance(20_000);
  writers[0]?.show(document("found"), "result");

  await clock.advance(12_400);
  expect(texts(channel(0))).toEqual(["working"]);
  await clock.advance(200);

  expect(texts(channel(0))).toEqual(["found"]);
});

it("spends no edit on a result while one that shows a new step might lack it", async () => {
  const { open, clock, platform } = createBench({ writes: { ...slackLike, keptForFinals: 0 } });
  const { writer } = open();
  writer.show(document("working"), "first-step");
  for (let at = 0; at < 9; at += 1) {
    await clock.advance(100);
    writer.show(document(`step ${at}`), "step");
  }
  await clock.advance(100);
  const before = platform.writes.length;
  writer.show(document("found"), "result");
  await clock.advance(1_260);
  expect(platform.writes).toHaveLength(before + 1);

  writer.show(document("next step"), "step");
  await clock.advance(80);

  expect(platform.writes.at(-1)?.payload?.text).toBe("next step");
});

it("shows counts of votes soon, also while another answer in the channel takes a step every two seconds", async () => {
  const { open, clock, delivery, settle } = createBench({ writes: discordLike });
  const voted = open("voted");
  await settle(voted.writer.finish(document("answer", "done")));
  await voted.writer.close();
  const { writer } = open();
  const step = async (at: number) => {
    writer.show(document(`step ${at}`), at === 0 ? "first-step" : "step");
    await clock.advance(1_600);
    writer.show(document(`step ${at}, found`), "result");
    await clock.advance(400);
  };
  for (let at = 0; at < 4; at += 1) await step(at);

  let refreshed: string | undefined;
  const reply = voted.saved.at(-1) ?? { place, parts: [] };
  const counted = { replyId: "voted", reply, save: async () => {}, document: document("answer 👍 1", "done") };
  void delivery.refresh({ ...counted, isWanted: async () => true }).then((result) => (refreshed = result));
  for (let at = 4; at < 6; at += 1) await step(at);

  expect(refreshed).toBe("shown");
});

it("shows results at once where nothing is limited", async () => {
  const { open, clock, texts } = createBench({ writes: { keptForFinals: 0 } });
  const { writer } = open();
  writer.show(document("working"), "first-step");
  await clock.advance(0);
  writer.show(document("found"), "result");
  await clock.advance(0);

  expect(texts()).toEqual(["found"]);
});

it.each([
  ["a workspace", slackLike, 48],
  ["a channel", discordLike, 57.7],
] as const)("uses less of the budget of %s after a 429, and all of it after quiet minutes", async (of, writes, all) => {
  const { open, clock, platform, budget } = createBench({ writes });
  const { writer } = open();
  writer.show(document("working"), "first-step");
  await clock.advance(100);
  expect(budget.perMinute()).toBeCloseTo(all, 1);

  platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 5_000 });
  writer.show(document("step"), "step");
  await clock.advance(1_000);
  expect(budget.perMinute()).toBeCloseTo(0.7 * all, 1);
  expect(budget.lowered).toBe(1);
  expect(budget.owners()).toEqual([["w1", of === "a channel" ? "c1" : undefined]]);
  await clock.advance(300_000);

  expect(budget.owners()).toEqual([]);

  expect(budget.perMinute()).toBeCloseTo(all, 1);
});

/** Ms from one step to the next, and from a step to its result. */
type Rhythm = readonly { readonly everyMs: number; readonly resultMs: number }[];

const rhythms = (fastestMs: number) =>
  fc.array(fc.record({ everyMs: fc.integer({ min: fastestMs, max: 8_000 }), resultMs: fc.nat(8_000) }), {
    minLength: 1,
    maxLength: 25,
  });

const lateThenQuick: Rhythm = [
  { everyMs: 3_530, resultMs: 585 },
  { everyMs: 1_745, resultMs: 10 },
  { everyMs: 1_734, resultMs: 0 },
  { everyMs: 1_734, resultMs: 0 },
];
const twoLateInOneWindow: Rhythm = [
  { everyMs: 7_540, resultMs: 2_714 },
  { everyMs: 6_137, resultMs: 4_421 },
  { everyMs: 1_982, resultMs: 242 },
  { everyMs: 2_505, resultMs: 4_134 },
  { everyMs: 5_849, resultMs: 1_871 },
];

/** How late each step was shown, and how often the platform said 429. */
async function played(rhythm: Rhythm, writes: typeof slackLike | typeof discordLike, hasResults: boolean) {
  const enforced = { perWorkspace: writes.perWorkspace };
  const { open, clock, platform } = createBench({ writes, enforced });
  const { writer } = open();
  writer.show(document("0"), "first-step");
  await clock.advance(500);
  const shown: { readonly news: News; readonly atMs: number }[] = [];
  let nowMs = 0;
  for (const { everyMs, resultMs } of rhythm) {
    shown.push({ news: "step", atMs: nowMs });
    if (resultMs < everyMs) shown.push({ news: "result", atMs: nowMs + resultMs });
    nowMs += everyMs;
  }
  const startedAtMs = clock.now();
  const stepsAtMs: number[] = [];
  let results = 0;
  for (const { news, atMs } of shown) {
    await clock.advance(startedAtMs + atMs - clock.now());
    if (news === "step") stepsAtMs.push(atMs);
    else if (!hasResults) continue;
    else results += 1;
    writer.show(document(`${stepsAtMs.length} ${results}`), news);
  }
  await clock.advance(30_000);
  const lateMs = stepsAtMs.map((atMs, index) => {
    const write = platform.writes.find(({ payload }) => Number.parseInt(payload?.text ?? "0", 10) > index);
    return (write?.startedAtMs ?? Number.POSITIVE_INFINITY) - startedAtMs - atMs;
  });
  return { lateMs, rateLimited: platform.rateLimited(), last: platform.writes.at(-1)?.payload?.text, results };
}

describe.each([
  // The fastest steady steps that leave an edit to spare, and how long one edit takes to come back.
  ["a workspace's budget", slackLike, 1_250, 1_250],
  ["a channel's budget", discordLike, 1_734, 5_200],
] as const)("for any rhythm under %s", (_which, writes, steadyMs, editMs) => {
  it("results delay no step, as long as steps leave an edit to spare", async () => {
    await fc.assert(
      fc.asyncProperty(rhythms(steadyMs), async (rhythm) => {
        const { lateMs, rateLimited, last, results } = await played(rhythm, writes, true);
        expect(Math.max(...lateMs)).toBeLessThanOrEqual(writes.debounceMs);
        expect(rateLimited).toBe(0);
        expect(last).toBe(`${rhythm.length} ${results}`);
      }),
      { numRuns: runs(60), examples: [[lateThenQuick], [twoLateInOneWindow]] },
    );
  });

  it("results delay a burst of steps by no more than one edit", async () => {
    await fc.assert(
      fc.asyncProperty(rhythms(200), async (rhythm) => {
        const [without, withResults] = [await played(rhythm, writes, false), await played(rhythm, writes, true)];
        for (const [index, lateMs] of withResults.lateMs.entries()) {
          expect(lateMs - (without.lateMs[index] ?? 0)).toBeLessThanOrEqual(editMs + writes.debounceMs);
        }
        expect(withResults.rateLimited).toBe(0);
      }),
      { numRuns: runs(60) },
    );
  });
});
