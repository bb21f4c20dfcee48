import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";

/** Beyond it Node's timers fire at once (2^31 - 1 ms, 24.8 days). */
const maxTimerMs = 2_147_483_647;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("waits out what is longer than a timer of Node's can be", () => {
  let calls = 0;
  systemClock.after(2 * maxTimerMs + 1_000, () => {
    calls += 1;
  });

  vi.advanceTimersByTime(2 * maxTimerMs + 999);
  expect(calls).toBe(0);
  vi.advanceTimersByTime(1);

  expect(calls).toBe(1);
});

it("forgets a long wait that was taken back in its middle", () => {
  let calls = 0;
  const cancel = systemClock.after(2 * maxTimerMs, () => {
    calls += 1;
  });
  vi.advanceTimersByTime(maxTimerMs + 1_000);

  cancel();
  vi.advanceTimersByTime(2 * maxTimerMs);

  expect(calls).toBe(0);
});

it("ends a sleep by its signal, with the signal's reason", async () => {
  const controller = new AbortController();
  const sleep = systemClock.sleep(3 * maxTimerMs, controller.signal);
  const reason = new Error("enough");

  controller.abort(reason);

  await expect(sleep).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

it("doesn't start to sleep when the signal is already aborted", async () => {
  const reason = new Error("enough");

  await expect(systemClock.sleep(1, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});
