/**
 * Decides when a growing answer is sent again. Each output chunk repeats the whole text, so each has to be longer than the
 * one before by a share of it, or come so much later: all of them together stay proportional to the answer and its time,
 * not to its square.
 */
import type { Clock } from "../../ports/clock.ts";
import { soon } from "../../ports/tools/soon.ts";

/** Each is at least a tenth longer, so all together are at most eleven times the answer. */
const growth = 1.1;
/** Nobody sees faster changes. */
const minIntervalMs = 100;
/** A slow model's words are sent at this rate, repetitions included: within a second up to 4,000 characters. */
const charsPerMs = 4;
const minSlowMs = 500;
/** A model that writes nothing for so long pauses: what it has written is sent. */
const pauseMs = 500;

export function createGrowingAnswer(clock: Clock) {
  let sentChars = 0;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Whether it is time to look at the text again. */
    isDue: (): boolean => clock.now() - lookedAtMs >= minIntervalMs,
    /** The text if it is to be sent now. */
    next: (text: string, hasPaused: boolean): string | undefined => {
      lookedAtMs = clock.now();
      const isSlow = lookedAtMs - sentAtMs >= Math.max(minSlowMs, text.length / charsPerMs);
      const least = hasPaused || isSlow ? sentChars + 1 : sentChars * growth;
      if (text.length < Math.max(1, least)) return undefined;
      sentChars = text.length;
      sentAtMs = lookedAtMs;
      return text;
    },
  };
}

/** With "pause" once after each piece that no other one follows for a while. */
export async function* withPauses<T>(pieces: AsyncIterable<T>, clock: Clock): AsyncGenerator<T | "pause"> {
  const reading = pieces[Symbol.asyncIterator]();
  let isReading = false;
  const read = () => {
    isReading = true;
    return reading.next();
  };
  try {
    for (let hasCome = false; ; hasCome = true) {
      const next = read();
      if (hasCome && (await soon(next, pauseMs, clock)) === undefined) yield "pause";
      const { done, value } = await next;
      isReading = false;
      if (done === true) return;
      yield value;
    }
  } finally {
    // While the model is silent this ends only when its request does, which nobody waits for.
    const ended = reading.return?.().catch(() => undefined);
    if (!isReading) await ended;
  }
}
