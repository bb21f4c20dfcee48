/**
 * How fast questions of an earlier version are read into the overview:
 * `node bench/questions/older-turns.ts DATA_DIR [--redis URL] [--seconds 20] [--busy]`, over a store that `npm run demo`
 * has filled. Prints the rate, the processor time of each, the longest time in which nothing else ran, and how long the
 * store took to open.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTurnWork } from "../../src/insight/derived/turn-work.ts";
import { createDayCounts } from "../../src/insight/digest/day-counts.ts";
import { createVotes } from "../../src/insight/feedback/votes.ts";
import { createOlderTurns, createProjections } from "../../src/overview/overview.ts";
import { systemClock as clock } from "../../src/ports/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { usedMs, watchOwnWork } from "../own-work.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    redis: { type: "string" },
    seconds: { type: "string", default: "20" },
    busy: { type: "boolean", default: false },
  },
});
const [dataDir = ""] = positionals;
const retentionMs = 90 * 86_400_000;
const enoughPerSecond = 300;
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const beganMs = performance.now();
const redis = values.redis === undefined ? {} : { redisUrl: values.redis };
const state = await openState({ dataDir, ...redis, clock, log });
const openedMs = performance.now() - beganMs;
const { keyValue, turns, coordinator } = state;

const counts = createDayCounts({
  cells: keyValue("day-counts"),
  shares: keyValue("counted"),
  isCounted: ({ agent, scheduleId }) => agent !== undefined && scheduleId === undefined,
  retentionMs,
});
const notes = {} as never;
const metrics = { voted: () => {} };
const voting = createVotes({ store: keyValue("feedback"), turns, notes, metrics, retentionMs, clock });
const work = createTurnWork({
  ...{ notes: keyValue("open-counts"), turns, votes: voting.counts, coordinator, clock, log },
  projections: [counts, ...createProjections({ ...state, platformOf: () => undefined, clock })],
});
let read = 0;
const older = createOlderTurns({
  ...{ store: keyValue("older-turns"), turns, isBusy: () => values.busy, coordinator, clock, log },
  derive: async (found) => {
    await work.derive(found);
    read += found.length;
  },
});

const delay = monitorEventLoopDelay({ resolution: 1 });
older.start();
await sleep(1_000);
delay.enable();
const startedMs = performance.now();
const startedUsedMs = usedMs();
const ownWork = watchOwnWork();
const endMs = startedMs + Number(values.seconds) * 1_000;
while (performance.now() < endMs && (await older.left()) !== undefined) await sleep(50);
const seconds = (performance.now() - startedMs) / 1_000;
delay.disable();
const each = (usedMs() - startedUsedMs) / read;
const rate = read / seconds;
const verdict = rate >= enoughPerSecond ? "ok    " : "MISSED";
process.stdout.write(
  `${verdict} ${rate.toFixed(0)} questions a second (at least ${enoughPerSecond}): ${read} in ${seconds.toFixed(1)} s; ` +
    `${each.toFixed(2)} ms of CPU for each; ${ownWork.worstMs().toFixed(0)} ms of CPU and ` +
    `${(delay.max / 1e6).toFixed(0)} ms in all without a turn at most; opened in ${openedMs.toFixed(0)} ms\n`,
);
await work.drain();
await older.drain();
await state.close();
