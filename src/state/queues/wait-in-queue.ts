/** One caller's wait for a Lease, in memory or on Redis: settles once, and leaves the queue when aborted. */
import { ParleyError } from "../../core/errors.ts";
import type { Lease, WaitOptions } from "../../core/ports/state.ts";

export type Waiter = {
  readonly grant: (lease: Lease) => void;
  readonly fail: (reason: unknown) => void;
  /** 1 = next. An error of `onPosition` ends this wait only. */
  readonly notify: (position: number) => void;
};

/** `join` puts the new waiter in the queue; `leave` takes it out when the wait ends without a Lease. */
export function waitInQueue(
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
      notify: (position) => {
        if (position === lastPosition) return;
        lastPosition = position;
        try {
          options?.onPosition?.(position);
        } catch (thrown) {
          // Later, because the queue must not change while it loops over its waiters.
          queueMicrotask(() => giveUp(thrown));
        }
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    join(waiter);
  });
}

/** Rejects waits when the coordinator is closed. */
export function closedError(): ParleyError {
  return new ParleyError("state_unavailable", { cause: new Error("The coordinator is closed.") });
}
