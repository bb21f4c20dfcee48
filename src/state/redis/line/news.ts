/**
 * When those who wait in a line of this process hear where they stand: in a short line on every change, in a long one
 * at most once a second. Telling ten thousand on each of ten thousand joins would hold up everything else.
 */
import type { Clock } from "../../../ports/clock.ts";

/** A line of so many is long. */
const longLine = 100;
const tellEveryMs = 1_000;

export type LineNews = {
  /** The line has changed. True when everybody was told at once; else the caller tells whom it has to. */
  readonly changed: (length: number) => boolean;
  readonly stop: () => void;
};

export function createLineNews(clock: Clock, tellAll: () => void): LineNews {
  let cancel: (() => void) | undefined;
  return {
    changed: (length) => {
      if (length <= longLine) {
        tellAll();
        return true;
      }
      cancel ??= clock.after(tellEveryMs, () => {
        cancel = undefined;
        tellAll();
      });
      return false;
    },
    stop: () => {
      cancel?.();
      cancel = undefined;
    },
  };
}
