/**
 * The figures of the overview over 200,000 questions in 300 channels: `node bench/questions/figures.ts [REDIS_URL]`.
 * Prints how long the charts of 7 and 30 days take, the longest time in which nothing else ran, and what the counters
 * take.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createQuestionCounts } from "../../src/insight/counts/question-counts.ts";
import { type ProjectedTurn, quarterOf } from "../../src/insight/derived/turn-work.ts";
import { readFigures } from "../../src/overview/pages/overview.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../../test/doubles/app.ts";
import { overviewAppOf } from "../../test/doubles/overview-app.ts";
import { onPlatforms } from "../demo/company.ts";
import { monthOf } from "../demo/month.ts";

const questions = 200_000;
const atOnce = 50;
const limitMs = 300;

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const [, , redisUrl] = process.argv;
const dataDir = await mkdtemp(join(tmpdir(), "parley-figures-"));
const state = await openState({ dataDir, ...(redisUrl === undefined ? {} : { redisUrl }), clock, log });
const line = (text: string) => process.stdout.write(`${text}\n`);

async function countAll(): Promise<void> {
  const { derive } = createQuestionCounts(appOf({ ...state, clock }));
  const waiting = new Map<number, ProjectedTurn[]>();
  const put = async (quarter: number, turns: readonly ProjectedTurn[]) =>
    derive(quarter, turns, [], { isCurrent: () => true, fence: 1 });
  const month = { company: onPlatforms, seed: 18, untilMs: clock.now(), days: 60, questions, moreChannels: 300 };
  for (const { turn, votes } of monthOf(month)) {
    const quarter = quarterOf(turn.createdAtMs);
    const up = votes.filter(({ thumb }) => thumb === "up").length;
    const turns = waiting.get(quarter) ?? [];
    waiting.set(quarter, turns);
    turns.push({ turn, votes: { up, down: votes.length - up } });
    if (turns.length >= atOnce) await put(quarter, turns.splice(0));
  }
  for (const [quarter, turns] of waiting) if (turns.length > 0) await put(quarter, turns);
}

async function measure(days: 7 | 30, timeZone: string): Promise<void> {
  const overview = overviewAppOf(
    appOf({
      ...{ ...state, clock },
      bindings: { modeOf: async () => "thread" },
      reach: { lists: { agents: async () => [] } as never },
    }),
    {
      places: { nameOf: async () => ({}), kindOf: () => "shared" },
    },
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const beganMs = performance.now();
  const { total, channels, moreChannels } = await readFigures(overview, days, timeZone);
  const tookMs = performance.now() - beganMs;
  delay.disable();
  const verdict = tookMs <= limitMs ? "ok    " : "MISSED";
  const blocked = (delay.max / 1e6).toFixed(0);
  const found = `${total.questions} questions, ${channels.length + moreChannels} rows`;
  line(
    `${verdict} ${days} days in ${timeZone}: ${tookMs.toFixed(0)} ms (at most ${limitMs}), ${blocked} ms without a turn; ${found}`,
  );
}

try {
  const beganMs = performance.now();
  await countAll();
  const each = (performance.now() - beganMs) / questions;
  line(`counting: ${each.toFixed(3)} ms for each question; the store has ${((await state.bytes()) ?? 0) / 1e6} MB`);
  for (const timeZone of ["UTC", "Europe/Berlin", "Asia/Kolkata"]) {
    await measure(7, timeZone);
    await measure(30, timeZone);
  }
} finally {
  await state.close();
  await rm(dataDir, { recursive: true, force: true });
}
