/** Scenes of bench/slack/bench.ts. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, isFinal, quantile, seen } from "../answers.ts";
import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { openRoom, type RoomOptions } from "./room.ts";

const megabyte = 1_000_000;

/**
 * An answer of 40 s with 20 steps, as the 25.x service was recorded to send them: the model thinks for seconds, then an
 * action, and what its tool found some 50 ms after it.
 */
const long: RoomOptions = { steps: 20, pauseMs: 2_000, toolMs: 50 };

export const scenes = {
  acknowledgement: async () => {
    const room = await openRoom({ steps: 20, pauseMs: 800, toolMs: 50 });
    await room.ask(0, 100, false);
    await sleep(4_000);
    const acks: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const asked = await room.ask(100 + round * 10, 10, false);
      acks.push(...asked.map(({ ackMs }) => ackMs));
      await sleep(100);
    }
    await room.close();
    return [
      {
        name: "acknowledgement with 100 running answers, p99",
        value: quantile(acks, 0.99),
        target: { atMost: 500 },
        unit: "ms",
      },
    ];
  },

  one: async () => {
    const { answers, refused } = await answer(long, 1);
    const [only] = answers;
    if (only === undefined) throw new Error("there is no answer");
    return [
      { name: "1 answer of 40 s, 20 steps: posts", value: only.posts, target: { atMost: 1 }, unit: "posts" },
      { name: "1 answer: edits", value: only.edits, target: { atMost: 25 }, unit: "edits" },
      { name: "1 answer: steps shown", value: only.stepsShown, target: { atLeast: 20 }, unit: "steps" },
      { name: "1 answer: placeholder after", value: only.placeholderMs, target: { atMost: 1_000 }, unit: "ms" },
      { name: "1 answer: staleness p95", value: quantile(only.staleMs, 0.95), target: { atMost: 100 }, unit: "ms" },
      { name: "1 answer: last byte to final", value: only.finalMs, target: { atMost: 50 }, unit: "ms" },
      { name: "1 answer: 429s", value: refused, target: { atMost: 0 }, unit: "429s" },
    ];
  },

  /** Twice as many moments as a minute's budget has edits for: what nobody can show at once. */
  apart: async () => {
    const { answers, refused } = await answer({ ...long, toolMs: 1_000 }, 1);
    const [only] = answers;
    return [
      { name: "1 answer whose tools take 1 s: edits", value: only?.edits ?? Number.NaN, unit: "edits" },
      { name: "1 answer whose tools take 1 s: staleness p95", value: quantile(only?.staleMs ?? [], 0.95), unit: "ms" },
      { name: "1 answer whose tools take 1 s: 429s", value: refused, target: { atMost: 0 }, unit: "429s" },
    ];
  },

  ten: async () => {
    const { answers, refused } = await answer(long, 10);
    const stale = answers.flatMap(({ staleMs }) => staleMs);
    const finals = answers.map(({ finalMs }) => finalMs);
    const shown = finals.filter((ms) => !Number.isNaN(ms)).length;
    return [
      { name: "10 answers in one channel: finals shown", value: shown, target: { atLeast: 10 }, unit: "finals" },
      { name: "10 answers: 429s", value: refused, target: { atMost: 0 }, unit: "429s" },
      { name: "10 answers: staleness p50", value: quantile(stale, 0.5), target: { atMost: 7_000 }, unit: "ms" },
      { name: "10 answers: staleness p95", value: quantile(stale, 0.95), target: { atMost: 14_000 }, unit: "ms" },
      { name: "10 answers: final, median", value: quantile(finals, 0.5), target: { atMost: 1_000 }, unit: "ms" },
      { name: "10 answers: final, last", value: quantile(finals, 1), target: { atMost: 5_000 }, unit: "ms" },
    ];
  },

  /** Slack takes whatever comes; Parley keeps to its own budget all the same, so the last final waits two minutes. */
  hundred: () => hundred("100 answers, a Slack without limits", false),

  /** With that budget taken out as well, a hundred messages are edited at the same instant: no workspace allows that. */
  flood: async () =>
    (await hundred("100 answers, no limit at all", true)).map(({ target: _none, ...figure }) => figure),

  storm: async () => {
    const room = await openRoom({ steps: 0, pauseMs: 2_000, toolMs: 0 });
    await room.ask(0, 1, false);
    // So late that the answer's end is what meets it.
    await sleep(1_500);
    await room.fail("chat.update", 4, 3);
    await room.idle();
    const final = (await room.writes()).find(isFinal);
    await room.close();
    return [
      {
        name: "429 storm, four times 3 s: last byte to final",
        value: (final?.atMs ?? Number.NaN) - (final?.sentAtMs ?? Number.NaN),
        target: { atMost: 12_500 },
        unit: "ms",
      },
    ];
  },
} satisfies Scenes;

async function hundred(name: string, isUnlimited: boolean): Promise<Measure[]> {
  const room = await openRoom({ steps: 3, pauseMs: 300, toolMs: 50, slack: { rates: false }, isUnlimited });
  const loop = monitorEventLoopDelay({ resolution: 5 });
  let memory = 0;
  loop.enable();
  await room.ask(0, 100, false);
  await room.idle(() => {
    memory = Math.max(memory, process.memoryUsage().rss);
  });
  loop.disable();
  const writes = await room.writes();
  await room.close();
  const shown = new Set(writes.filter(isFinal).map(({ thread }) => thread)).size;
  return [
    { name: `${name}: finals shown`, value: shown, target: { atLeast: 100 }, unit: "finals" },
    { name: `${name}: memory`, value: memory / megabyte, target: { atMost: 200 }, unit: "MB" },
    { name: `${name}: event-loop delay p99`, value: loop.percentile(99) / 1e6, target: { atMost: 15 }, unit: "ms" },
  ];
}

async function answer(
  options: RoomOptions,
  count: number,
): Promise<{ readonly answers: readonly Answered[]; readonly refused: number }> {
  const room = await openRoom(options);
  const asked = await room.ask(0, count, true);
  await room.idle();
  const [writes, times] = await Promise.all([room.writes(), room.times()]);
  await room.close();
  return {
    answers: asked.map((question) => seen(question, writes, times.get(question.index) ?? [])),
    refused: writes.filter(({ refusal }) => refusal === "ratelimited").length,
  };
}

if (import.meta.main) await playNamed(scenes);
