/**
 * What share of a documented limit may be used, as learnt from the platform: each 429 lowers it, quiet minutes raise it
 * again. Pure.
 */

/** Per 429, and the least that is ever left. */
export const lowersBy = 0.7;
export const minShare = 0.25;
/** Several 429s at once are one piece of news. */
export const lowersEveryMs = 10_000;
/** Per minute without a 429. */
export const risesByPerMinute = 0.1;

export type LearntShare = {
  readonly share: number;
  /** Of the last 429 that lowered it. */
  readonly loweredAtMs: number;
  /** The end of the last wait that the platform asked for; in the future while it lasts. */
  readonly quietSinceMs: number;
};

/** Undefined: the platform has never complained. */
export function shareNow(learnt: LearntShare | undefined, nowMs: number): number {
  if (learnt === undefined) return 1;
  const quietMinutes = Math.max(0, nowMs - learnt.quietSinceMs) / 60_000;
  return Math.min(1, learnt.share + quietMinutes * risesByPerMinute);
}

/** After a 429 that asks to wait until then. */
export function afterLimit(learnt: LearntShare | undefined, nowMs: number, untilMs: number): LearntShare {
  const share = shareNow(learnt, nowMs);
  const quietSinceMs = Math.max(untilMs, learnt?.quietSinceMs ?? untilMs);
  if (learnt !== undefined && nowMs - learnt.loweredAtMs < lowersEveryMs) {
    return { share, loweredAtMs: learnt.loweredAtMs, quietSinceMs };
  }
  return { share: Math.max(minShare, share * lowersBy), loweredAtMs: nowMs, quietSinceMs };
}

/** When the whole limit may be used again. */
export function wholeAgainAtMs({ share, quietSinceMs }: LearntShare): number {
  return quietSinceMs + ((1 - share) / risesByPerMinute) * 60_000;
}
