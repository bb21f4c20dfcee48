/**
 * Spaces the reactions in a channel, because Discord accepts one in 250 ms.
 * discord.js learns a limit from the first response and applies it from the third request on: the second one would be
 * refused.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";

const gapMs = 300;

export function createReactionPace(clock: Clock) {
  /** By channel: resolves when the next one may be sent. */
  const free = new Map<string, Promise<void>>();

  return <T>(channel: string, react: () => Promise<T>): Promise<T> => {
    const reacted = (free.get(channel) ?? Promise.resolve()).then(react);
    const pause = () => new Promise<void>((resolve) => void clock.after(gapMs, resolve));
    const next = reacted.then(pause, pause).then(() => {
      if (free.get(channel) === next) free.delete(channel);
    });
    free.set(channel, next);
    return reacted;
  };
}
