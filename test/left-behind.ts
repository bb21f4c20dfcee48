/**
 * Keeps what a failed test left behind from failing a run whose retry passes: a promise that nobody awaits any more may
 * reject when the test's hooks tidy up. It is logged. Every other unhandled rejection fails the run as before.
 */
import { afterAll, afterEach, beforeEach, type TestContext } from "vitest";

const event = "unhandledRejection";

export function logWhatFailedTestsLeave(): void {
  let current: TestContext["task"] | undefined;
  let hasFailed = false;
  const hasCurrentFailed = () => current?.result?.state === "fail" || (current?.result?.retryCount ?? 0) > 0;

  // Vitest leaves rejections to any other listener, as this one does. What a listener throws fails the run.
  const onRejection = (reason: unknown) => {
    if (process.listenerCount(event) > 2) return;
    if (!hasFailed && !hasCurrentFailed()) throw reason;
    process.stderr.write(`\nA failed test left this behind: ${reason instanceof Error ? reason.stack : reason}\n`);
  };
  process.on(event, onRejection);

  beforeEach(({ task }) => {
    current = task;
  });
  afterEach(() => {
    hasFailed ||= hasCurrentFailed();
  });
  afterAll(() => {
    process.off(event, onRejection);
  });
}
