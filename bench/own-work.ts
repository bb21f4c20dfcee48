/**
 * Measures the longest time this process worked without returning to its event loop, in CPU time of its thread. Unlike
 * the event loop's delay, this excludes what other programs took of the machine.
 */

const tickMs = 5;

export type OwnWork = { readonly worstMs: () => number; readonly reset: () => void };

/** CPU time that this thread has used since its start. */
export function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function watchOwnWork(): OwnWork {
  let last = usedMs();
  let worst = 0;
  setInterval(() => {
    const now = usedMs();
    worst = Math.max(worst, now - last);
    last = now;
  }, tickMs).unref();
  return {
    worstMs: () => worst,
    reset: () => {
      worst = 0;
      last = usedMs();
    },
  };
}
