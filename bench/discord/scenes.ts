/** Scenes of bench/discord/bench.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, isFinal, quantile, seen, type Write } from "../answers.ts";
import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { openRoom, type RoomOptions } from "./room.ts";

const megabyte = 1_000_000;

/**
 * An answer of 40 s with 20 steps, as the 25.x service was recorded to send them: the model thinks for seconds, then an
 * action, and what its tool found some 50 ms after it.
 */
const long = { steps: 20, pauseMs: 2_000, toolMs: 50 };

export const scenes = {
  acknowledgement: async () => {
    const room = await openRoom({ steps: 20, pauseMs: 1_000, toolMs: 50, people: 200 });
    await room.ask(0, 100, false);
    await sleep(6_000);
    const acks: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      acks.push(...(await room.command(100 + round * 10, 10)));
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
    const { answers, limited, ...queued } = await answer({ ...long, people: 1 }, 1);
    const [only] = answers;
    if (only === undefined) throw new Error("there is no answer");
    return [
      { name: "1 answer of 40 s, 20 steps: posts", value: only.posts, target: { atMost: 1 }, unit: "posts" },
      { name: "1 answer: edits", value: only.edits, target: { atMost: 25 }, unit: "edits" },
      { name: "1 answer: steps shown", value: only.stepsShown, target: { atLeast: 20 }, unit: "steps" },
      { name: "1 answer: placeholder after", value: only.placeholderMs, unit: "ms" },
      ...fresh("1 answer", answers, limited),
      ...unqueued("1 answer", queued),
    ];
  },

  ten: async () => {
    const { answers, limited, ...queued } = await answer({ ...long, people: 10 }, 10);
    const steps = Math.min(...answers.map(({ stepsShown }) => stepsShown));
    return [
      { name: "10 answers in ten threads: steps shown, fewest", value: steps, target: { atLeast: 20 }, unit: "steps" },
      { name: "10 answers: edits, most", value: Math.max(...answers.map(({ edits }) => edits)), unit: "edits" },
      ...fresh("10 answers", answers, limited),
      ...unqueued("10 answers", queued),
    ];
  },

  /** A Discord so slow that the next change comes while the last is on its way. */
  slow: async () => {
    const options = { steps: 20, pauseMs: 500, toolMs: 50, people: 10, discord: { latencyMs: 400 } };
    const { limited, ...queued } = await answer(options, 10);
    return [
      unlimited("10 answers, writes take 400 ms", limited),
      ...unqueued("10 answers, writes take 400 ms", queued),
    ];
  },

  hundred: async () => {
    const room = await openRoom({ steps: 3, pauseMs: 300, toolMs: 50, people: 100 });
    const asked = await room.ask(0, 100, false);
    await room.finals(100);
    const { writes } = await room.report();
    const memory = await room.peakMemory();
    const { editsAtOnce, loopP99Ms } = await room.end();
    await room.close();
    const endedAtMs = Math.max(...writes.filter(isFinal).map(({ atMs }) => atMs));
    const name = "100 short answers at once";
    return [
      {
        name: `${name}: all ended after`,
        value: (endedAtMs - (asked[0]?.atMs ?? Number.NaN)) / 1_000,
        target: { atMost: 7.5 },
        unit: "s",
      },
      unlimited(name, limitedIn(writes)),
      { name: `${name}: edits of one message at once`, value: editsAtOnce, target: { atMost: 1 }, unit: "edits" },
      { name: `${name}: memory`, value: memory / megabyte, target: { atMost: 200 }, unit: "MB" },
      { name: `${name}: requests`, value: writes.length, unit: "requests" },
      { name: `${name}: event-loop delay p99`, value: loopP99Ms, unit: "ms" },
    ];
  },
} satisfies Scenes;

/** What may wait for nothing: within 0.1 s, without a 429. */
function fresh(name: string, answers: readonly Answered[], limited: readonly string[]): readonly Measure[] {
  const stale = answers.flatMap(({ staleMs }) => staleMs);
  const finals = answers.map(({ finalMs }) => finalMs);
  return [
    { name: `${name}: staleness p50`, value: quantile(stale, 0.5), unit: "ms" },
    { name: `${name}: staleness p95`, value: quantile(stale, 0.95), target: { atMost: 100 }, unit: "ms" },
    { name: `${name}: last byte to final, slowest`, value: Math.max(...finals), target: { atMost: 100 }, unit: "ms" },
    unlimited(name, limited),
  ];
}

/** Each 429, by what was asked for. */
function limitedIn(writes: readonly Write[]): readonly string[] {
  return writes.flatMap(({ refusal }) => (refusal?.startsWith("429 ") === true ? [refusal.slice(4)] : []));
}

function unlimited(name: string, limited: readonly string[]): Measure {
  const routes = limited.length === 0 ? "" : ` (${[...new Set(limited)].join(", ")})`;
  return { name: `${name}: 429s${routes}`, value: limited.length, target: { atMost: 0 }, unit: "429s" };
}

type Queued = { readonly atServer: number; readonly inLibrary: number; readonly heldBack: number };

/** No edit waits behind another of the same message: neither on its way nor in the library's queue. */
function unqueued(name: string, { atServer, inLibrary, heldBack }: Queued): readonly Measure[] {
  return [
    {
      name: `${name}: edits of one message at once, at Discord`,
      value: atServer,
      target: { atMost: 1 },
      unit: "edits",
    },
    {
      name: `${name}: edits of one message at once, in discord.js`,
      value: inLibrary,
      target: { atMost: 1 },
      unit: "edits",
    },
    { name: `${name}: kept waiting or refused by discord.js for a limit`, value: heldBack, unit: "requests" },
  ];
}

async function answer(options: RoomOptions, count: number) {
  const room = await openRoom(options);
  const asked = await room.ask(0, count, true);
  await room.finals(count);
  const [{ writes, editsAtOnce }, times] = await Promise.all([room.report(), room.times()]);
  const probed = await room.end();
  await room.close();
  return {
    answers: asked.map((question) => seen(question, writes, times.get(question.index) ?? [])),
    limited: limitedIn(writes),
    atServer: editsAtOnce,
    inLibrary: probed.editsAtOnce,
    heldBack: probed.heldBack,
  };
}

if (import.meta.main) await playNamed(scenes);
