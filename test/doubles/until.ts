/**
 * Waits in a test until something holds, for a limited time, and names what never came.
 */
import type { FakeClock } from "./fake-clock.ts";

type Condition = () => boolean | Promise<boolean>;

/**
 * Below the test runner's own limit, which could not name what was awaited. It says that something never comes, not how
 * fast it is: on a busy machine a start or an answer takes many seconds.
 */
const defaultLimitMs = 45_000;
const lookEveryMs = 10;

export async function until(what: string, condition: Condition, limitMs = defaultLimitMs): Promise<void> {
  await repeat(what, condition, limitMs, () => new Promise((resolve) => setTimeout(resolve, lookEveryMs)));
}

/** Advances the clock by `stepMs` between two looks. With 0, the fake time stands still while real work goes on. */
export async function untilAdvanced(clock: FakeClock, what: string, condition: Condition, stepMs = 0): Promise<void> {
  await repeat(what, condition, defaultLimitMs, () => clock.advance(stepMs));
}

async function repeat(what: string, condition: Condition, limitMs: number, pause: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`Waited ${limitMs / 1_000} s in vain for ${what}`);
    await pause();
  }
}
