/**
 * Keeps Parley connected to Slack: authenticates, connects, reconnects with backoff, and reports health.
 * Each problem is logged once, however often the connection is retried.
 */
import type { Health } from "../../../src/core/ports/chat-platform.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { SlackParts } from "../parts.ts";
import { lostReason, refusalReason } from "./connection-problems.ts";
import type { SlackReceiver } from "./receiver.ts";

export type Connection = ReturnType<typeof createConnection>;

/** The longest pause between two attempts. */
const maxPauseMs = 15_000;
const firstPauseMs = 500;
const maxStartMs = 10_000;
const steadyMs = 5_000;
/** How often missing scopes are checked again: an admin can grant them while Parley runs. */
const recheckMs = 60_000;

export function createConnection(
  options: SlackParts & {
    readonly receiver: SlackReceiver;
    /** One sentence about what is missing, such as a scope. Rejects when it can't be found out whose events come. */
    readonly authenticate: () => Promise<string | undefined>;
    /** The one workspace whose token Parley has. */
    readonly workspace: () => string | undefined;
    /** One sentence about what would be better. */
    readonly advice: () => string | undefined;
  },
) {
  const { receiver, authenticate, clock, log } = options;
  const closing = new AbortController();
  let isConnected = false;
  let reason: string | undefined = "Connecting to Slack.";
  let reported: string | undefined;
  /** What would be better, logged once. */
  let advised: string | undefined;

  const report = (why: string) => {
    reason = why;
    if (reported !== why) log.warn({ platform: "slack" }, why);
    reported = why;
  };

  const connected = (missing: string | undefined) => {
    isConnected = true;
    reason = undefined;
    if (missing !== undefined) report(missing);
    else {
      log.info({ platform: "slack", workspace: options.workspace() }, "Slack is connected");
      reported = undefined;
    }
    if (missing !== undefined) recheck();
    const advice = options.advice();
    if (advice !== undefined && advice !== advised) log.info({ platform: "slack" }, advice);
    advised = advice;
  };

  const recheck = () => {
    clock.after(recheckMs, () => {
      if (closing.signal.aborted || !isConnected) return;
      authenticate().then(
        (missing) => (missing === undefined ? connected(undefined) : recheck()),
        () => recheck(),
      );
    });
  };

  const keepConnected = async (onFirstTry: () => void, on: Parameters<Connection["start"]>[0]) => {
    let pauseMs = firstPauseMs;
    while (!closing.signal.aborted) {
      try {
        const missing = await authenticate();
        await receiver.start();
        connected(missing);
        on.connected();
        onFirstTry();
        const sinceMs = clock.now();
        await receiver.lost();
        on.lost();
        isConnected = false;
        reason = lostReason;
        // Slack recycles sockets all day, so the first attempt is immediate, unless the socket was lost within seconds.
        if (clock.now() - sinceMs > steadyMs) {
          pauseMs = firstPauseMs;
          continue;
        }
      } catch (thrown) {
        isConnected = false;
        report(refusalReason(thrown));
      }
      onFirstTry();
      await clock.sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  };

  return {
    /** Calls `on` each time the connection is made or lost. Resolves after the first attempt, or after 10 s. */
    start: async (on: { readonly connected: () => void; readonly lost: () => void }): Promise<void> => {
      const firstTry = Promise.withResolvers<void>();
      void keepConnected(firstTry.resolve, on);
      await withTimeout(firstTry.promise, maxStartMs, clock);
    },
    close: (): void => {
      closing.abort();
      isConnected = false;
      reason = "Parley is stopping.";
      void receiver.stop();
    },
    health: (): Health => ({ isConnected, reason }),
  };
}
