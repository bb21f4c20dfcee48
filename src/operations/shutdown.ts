/**
 * The end of the process, in one place: a signal drains it, a second one forces it, and what nobody caught is told
 * before it dies. npm passes a signal on that the process has already had from the terminal or the supervisor, so one
 * that follows within two seconds counts as the same.
 */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

const sameSignalMs = 2000;

/** The parts of `process` that are used. */
export type ProcessLike = {
  readonly on: (event: string, listener: (...details: unknown[]) => void) => unknown;
  readonly off: (event: string, listener: (...details: unknown[]) => void) => unknown;
  readonly exit: (code: number) => void;
};

export type ShutdownOptions = {
  readonly process: ProcessLike;
  /** Ends everything in order; the process exits with 0 when it resolves, with 1 when it rejects. */
  readonly drain: (signal: string) => Promise<void>;
  /** A drain that takes longer than this hangs, and is given up. Longer than all its own limits together. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** Listens from now on; the returned function stops that. */
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
      log.warn({ signal }, "Asked to end a second time: ending at once");
      exit(1);
    }
  }

  async function end(signal: string): Promise<void> {
    log.info({ signal }, "Ending: taking nothing new in, running answers get time to finish");
    const cancel = clock.after(options.limitMs, () => {
      log.error({ limitMs: options.limitMs }, "Ending took too long: leaving the rest to the next start");
      exit(1);
    });
    try {
      await drain(signal);
      log.info({}, "Ended");
      exit(0);
    } catch (thrown) {
      log.error({ error: thrown }, "Ending failed");
      exit(1);
    } finally {
      cancel();
    }
  }

  // After what nobody expected, nothing that is held in memory can be trusted; what is stored goes on after the restart.
  function onFault(what: string, thrown: unknown): void {
    if (hasExited) return;
    log.error({ error: thrown }, what);
    exit(1);
  }

  const listeners: readonly (readonly [string, (...details: unknown[]) => void])[] = [
    ["SIGTERM", () => onSignal("SIGTERM")],
    ["SIGINT", () => onSignal("SIGINT")],
    ["uncaughtException", (thrown) => onFault("Something failed that nobody caught", thrown)],
    ["unhandledRejection", (thrown) => onFault("A promise was rejected and nobody caught it", thrown)],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
