/** The real Clock. Timers are unreferenced, because waiting must not keep a process alive after shutdown. */
import type { Clock } from "../ports/clock.ts";

/** Node fires longer timers (over 24.8 days) at once, and code that checks and waits again would spin. */
const maxTimerMs = 2 ** 31 - 1;

function after(ms: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number) => {
    timer = setTimeout(
      () => (leftMs > maxTimerMs ? wait(leftMs - maxTimerMs) : callback()),
      Math.min(leftMs, maxTimerMs),
    );
    timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  after,
};
