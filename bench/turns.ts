/**
 * Measures many simultaneous questions in one process: the real client, bridge, delivery and SQLite, against a
 * streaming service in another process and a platform in memory that takes 30 ms per write.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createMindsdbService } from "../src/agent-service/mindsdb/request.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../test/doubles/memory-platform.ts";
import { silentLog as log } from "../test/doubles/silent-log.ts";
import { quantile, sentAtMs as sentIn } from "./bots/answers.ts";
import type { Measure } from "./measure.ts";
import { openParley } from "./parley.ts";
import { startStream } from "./service/stream.ts";

const writeMs = 30;
const mebibyte = 1_048_576;

export async function bench(): Promise<Measure[]> {
  const one = await ask(1, 20, 100);
  const hundred = await ask(100, 5, 1_000);
  const thousand = await ask(1_000, 5, 4_000);
  return [
    {
      name: "1,000 questions at once: finals shown",
      value: thousand.shown,
      target: { atLeast: 1_000 },
      unit: "finals",
    },
    { name: "1,000 questions at once: memory", value: thousand.memoryMiB, target: { atMost: 1_024 }, unit: "MiB" },
    {
      name: "1,000 questions at once: event-loop delay p99",
      value: thousand.loopMs,
      target: { atMost: 50 },
      unit: "ms",
    },
    {
      name: "100 questions at once: last byte to final, p99",
      value: hundred.lagMs,
      target: { atMost: writeMs + 15 },
      unit: "ms",
    },
    { name: "1 question: last byte to final, worst", value: one.lagMs, target: { atMost: writeMs + 15 }, unit: "ms" },
    { name: "1,000 questions at once: last byte to final, p99", value: thousand.lagMs, unit: "ms" },
  ];
}

type Outcome = { readonly shown: number; readonly memoryMiB: number; readonly loopMs: number; readonly lagMs: number };

async function ask(count: number, steps: number, pauseMs: number): Promise<Outcome> {
  const stream = await startStream({ steps, pauseMs });
  const service = createMindsdbService({ baseUrl: stream.baseUrl, maxRuns: count, clock, log });
  const platform = createMemoryPlatform({ clock, latencyMs: writeMs });
  const parley = await openParley(service, platform);

  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  for (let index = 0; index < count; index += 1) {
    await parley.ask(index);
    // People do not all press Enter within one tick of the event loop.
    if (index % 10 === 9) await sleep(5);
  }
  let memory = 0;
  while (parley.unfinished() > 0) {
    memory = Math.max(memory, process.memoryUsage().rss);
    await sleep(50);
  }
  loop.disable();
  const lags = finalLags(platform);
  const outcome = {
    shown: lags.length,
    memoryMiB: Math.round(memory / mebibyte),
    loopMs: loop.percentile(99) / 1e6,
    lagMs: quantile(lags, 0.99),
  };
  await service.close();
  await parley.close();
  stream.close();
  return outcome;
}

/** From the moment at which the service wrote its last byte to the moment at which the platform had the answer. */
function finalLags(platform: MemoryPlatform): number[] {
  return platform.writes.flatMap((write) => {
    const { sentAtMs } = sentIn(write.payload?.text ?? "");
    return sentAtMs === undefined || write.outcome !== "ok" ? [] : [(write.endedAtMs ?? 0) - sentAtMs];
  });
}
