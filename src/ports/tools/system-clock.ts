/** The real Clock. Timers are unreferenced, because waiting must not keep a process alive after shutdown. */
import type { Clock } from "../clock.ts";

/** Node fires longer timers (over 24.8 days) at once, and code that checks and waits again would spin. */
const maxTimerMs = 2 ** 31 - 1;

/** Of each turn of the event loop, for starting writes: one takes 0.3 to 2 ms. */
const defaultWritesMs = 4;

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
  loopTurn: createLoopTurns(),
};

export function createLoopTurns(writesMs = defaultWritesMs): Clock["loopTurn"] {
  const lines = { events: createLine(0), writes: createLine(writesMs), turns: createLine(0) };
  return (line) => lines[line]();
}

/**
 * Lets one caller through in each turn of the event loop, and further ones until `turnMs` are over. Each comes after
 * everything that the one before did at once.
 */
function createLine(turnMs: number): () => Promise<void> {
  /** The first one is through, or will be in the next turn. */
  const callers: (() => void)[] = [];
  let turnEndsMs = 0;

  function beginTurn(): void {
    turnEndsMs = performance.now() + turnMs;
    letThrough();
  }

  function letThrough(): void {
    callers[0]?.();
    // Node runs a tick when no promise is left to be settled.
    queueMicrotask(() => process.nextTick(next));
  }

  function next(): void {
    callers.shift();
    if (callers.length === 0) return;
    if (performance.now() < turnEndsMs) letThrough();
    else setImmediate(beginTurn);
  }

  return () =>
    new Promise((resolve) => {
      callers.push(resolve);
      if (callers.length === 1) setImmediate(beginTurn);
    });
}
