/**
 * Shutdown of the process: a signal drains it, a second one ends it at once, and uncaught errors are logged before it
 * exits. npm forwards signals that the process has also received from the terminal or the supervisor, so a signal within
 * two seconds counts as the same one.
 */
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";

const sameSignalMs = 2000;

/** The members of `process` that are used. */
export type ProcessLike = {
  readonly on: (event: string, listener: (...details: unknown[]) => void) => unknown;
  readonly off: (event: string, listener: (...details: unknown[]) => void) => unknown;
  readonly exit: (code: number) => void;
};

export type ShutdownOptions = {
  readonly process: ProcessLike;
  /** Shuts everything down in order. The process exits with 0 if it resolves, with 1 if it rejects. */
  readonly drain: (signal: string) => Promise<void>;
  /** A longer drain is given up as hung. Must exceed the sum of its own limits. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** Starts listening. Returns a function that stops it. */
export function watchForEnd(options: ShutdownOptions): () => void {
  const { process, drain, clock, log } = options;
  let firstAtMs: number | undefined;
  let hasExited = false;

  function exit(code: number): void {
    if (hasExited) return;
    hasExited = true;
    process.exit(code);
  }

  function onSignal(signal: string): void {
    if (firstAtMs === undefined) {
      firstAtMs = clock.now();
      void end(signal);
    } else if (clock.now() - firstAtMs > sameSignalMs) {
      log.warn({ signal }, "Received a second signal: exiting at once");
      exit(1);
    }
  }

  async function end(signal: string): Promise<void> {
    log.info({ signal }, "Shutting down: finishing running answers");
    const cancel = clock.after(options.limitMs, () => {
      log.error({ limitMs: options.limitMs }, "Shutdown took too long: the next start continues the rest");
      exit(1);
    });
    try {
      await drain(signal);
      log.info({}, "Shut down");
      exit(0);
    } catch (thrown) {
      log.error({ err: thrown }, "Shutdown failed");
      exit(1);
    } finally {
      cancel();
    }
  }

  // After an unexpected error nothing in memory can be trusted. Stored work continues after the restart.
  function onFault(what: string, thrown: unknown): void {
    if (hasExited) return;
    log.error({ err: thrown }, what);
    exit(1);
  }

  const listeners: readonly (readonly [string, (...details: unknown[]) => void])[] = [
    ["SIGTERM", () => onSignal("SIGTERM")],
    ["SIGINT", () => onSignal("SIGINT")],
    // Its terminal was closed.
    ["SIGHUP", () => onSignal("SIGHUP")],
    ["uncaughtException", (thrown) => onFault("Uncaught error", thrown)],
    ["unhandledRejection", (thrown) => onFault("Unhandled promise rejection", thrown)],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
