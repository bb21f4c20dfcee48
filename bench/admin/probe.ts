/**
 * Measures the event loop and the heap inside Parley's process. It is loaded before Parley, and is told what to do over the
 * channel between the two processes.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { usedMs, watchOwnWork } from "../own-work.ts";

export type Looked = {
  /** The longest time without a turn of the event loop: by the clock, and of its own processor time. */
  readonly blockedMs: number;
  readonly ownMs: number;
  /** Processor time of its thread. */
  readonly usedMs: number;
  /** After a collection. Only with "collect". */
  readonly heapBytes?: number;
};

// Parley's children are given its options too.
if (process.argv[1]?.endsWith("/dist/main.js") === true) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const work = watchOwnWork();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let usedBefore = usedMs();
  process.on("message", (order: "look" | "collect") => {
    const looked: Looked = { blockedMs: delay.max / 1e6, ownMs: work.worstMs(), usedMs: usedMs() - usedBefore };
    if (order === "collect") collect();
    process.send?.(order === "collect" ? { ...looked, heapBytes: process.memoryUsage().heapUsed } : looked);
    work.reset();
    delay.reset();
    usedBefore = usedMs();
  });
  process.channel?.unref();
}
