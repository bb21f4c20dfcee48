/**
 * Limits how often waiting callers of this process are notified of their positions. In a short queue on every change,
 * in a long one at most once a second: notifying ten thousand on each of ten thousand joins would block everything
 * else.
 */
import type { Clock } from "../../core/ports/clock.ts";

/** A queue with more waiting callers is long. */
const longQueue = 100;
const notifyEveryMs = 1_000;

export type QueueNews = {
  /** Call after each change. True if all were notified; otherwise the caller notifies those it must. */
  readonly changed: (length: number) => boolean;
  readonly stop: () => void;
};

export function createQueueNews(clock: Clock, notifyAll: () => void): QueueNews {
  let cancel: (() => void) | undefined;
  return {
    changed: (length) => {
      if (length <= longQueue) {
        notifyAll();
        return true;
      }
      cancel ??= clock.after(notifyEveryMs, () => {
        cancel = undefined;
        notifyAll();
      });
      return false;
    },
    stop: () => {
      cancel?.();
      cancel = undefined;
    },
  };
}
