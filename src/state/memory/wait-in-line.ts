/**
 * One caller that waits for a Lease: settles once, leaves its line when its signal aborts, and hears of its position
 * only when that has changed. The same for lines in memory and on Redis.
 */
import { ParleyError } from "../../ports/errors.ts";
import type { Lease, WaitOptions } from "../../ports/state.ts";

export type Waiter = {
  readonly grant: (lease: Lease) => void;
  readonly fail: (reason: unknown) => void;
  /** 1 = next. What `onPosition` throws is the waiter's own failure and ends its wait. */
  readonly tell: (position: number) => void;
};

/**
 * Runs `join` with a new waiter and waits for the Lease. `leave` takes the waiter out of its line; it is called
 * when the wait ends without a Lease.
 */
export function waitInLine(
  options: WaitOptions | undefined,
  join: (waiter: Waiter) => void,
  leave: (waiter: Waiter) => void,
): Promise<Lease> {
  return new Promise<Lease>((resolve, reject) => {
    const signal = options?.signal;
    if (signal?.aborted) return reject(signal.reason);
    let lastPosition = 0;

    const fail = (reason: unknown) => {
      signal?.removeEventListener("abort", onAbort);
      reject(reason);
    };
    const giveUp = (reason: unknown) => {
      fail(reason);
      leave(waiter);
    };
    const onAbort = () => giveUp(signal?.reason);
    const waiter: Waiter = {
      grant: (lease) => {
        signal?.removeEventListener("abort", onAbort);
        resolve(lease);
      },
      fail,
      tell: (position) => {
        if (position === lastPosition) return;
        lastPosition = position;
        try {
          options?.onPosition?.(position);
        } catch (thrown) {
          // Not at once: the line that is telling positions must not change under its own loop.
          queueMicrotask(() => giveUp(thrown));
        }
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    join(waiter);
  });
}

/** What a wait ends with when the coordinator is closed. */
export function closedError(): ParleyError {
  return new ParleyError("state_unavailable", { cause: new Error("The coordinator is closed.") });
}
