/**
 * Limits how often waiting callers of this process are notified of their positions. In a short line on every change, in
 * a long one at most once a second: notifying ten thousand on each of ten thousand joins would block everything else.
 */
import type { Clock } from "../../ports/clock.ts";

/** A line with more waiting callers is long. */
const longLine = 100;
const notifyEveryMs = 1_000;

export type LineNews = {
  /** Call after each change. True if all were notified; otherwise the caller notifies those it must. */
  readonly changed: (length: number) => boolean;
  readonly stop: () => void;
};

export function createLineNews(clock: Clock, notifyAll: () => void): LineNews {
  let cancel: (() => void) | undefined;
  return {
    changed: (length) => {
      if (length <= longLine) {
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
