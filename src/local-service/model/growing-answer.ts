/**
 * Decides when a growing answer is sent again. Each output chunk repeats the whole text, so each has to be longer than the
 * one before by a share of it: all of them together stay proportional to the answer, not to its square.
 */
import type { Clock } from "../../ports/clock.ts";

/** Each is at least a tenth longer, so all together are at most eleven times the answer. */
const growth = 1.1;
/** Nobody sees faster changes. */
const minIntervalMs = 100;

export function createGrowingAnswer(clock: Clock) {
  let sentChars = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Whether it is time to look at the text again. */
    isDue: (): boolean => clock.now() - lookedAtMs >= minIntervalMs,
    /** The text if it is to be sent now. */
    next: (text: string): string | undefined => {
      lookedAtMs = clock.now();
      if (text.length < Math.max(1, sentChars * growth)) return undefined;
      sentChars = text.length;
      return text;
    },
  };
}
