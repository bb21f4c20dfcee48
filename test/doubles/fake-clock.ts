/**
 * A clock that only advances when a test says so. Timers fire in order of their due time. Between two of them pending
 * promises settle, so that what a timer started can set the next one.
 */
import type { Clock } from "../../src/core/ports/clock.ts";

export type FakeClock = Clock & {
  /** Moves time forward by `ms`, firing what falls due on the way. */
  readonly advance: (ms: number) => Promise<void>;
  /** Time that passes while code runs: no timer fires before the code is through. */
  readonly busy: (ms: number) => void;
  /** Timers that are waiting: a test of clean-up expects 0. */
  readonly pending: () => number;
};

type Timer = { readonly dueMs: number; readonly fire: () => void };

/** Lets promise chains and I/O callbacks that are already due run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

export function createFakeClock(startMs = 1_800_000_000_000): FakeClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  const after: Clock["after"] = (ms, callback) => {
    const timer: Timer = { dueMs: nowMs + Math.max(0, ms), fire: callback };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  };

  return {
    now: () => nowMs,
    after,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = after(ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settle();
      for (;;) {
        const next = [...timers].filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.dueMs);
        timers.delete(next);
        next.fire();
        await settle();
      }
      nowMs = Math.max(nowMs, untilMs);
      await settle();
    },
    busy: (ms) => {
      nowMs += ms;
    },
    pending: () => timers.size,
  };
}
