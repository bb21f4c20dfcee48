/**
 * Waits out an outage of the agent service, so that a restart doesn't fail the rest of a Job. It probes the service
 * meanwhile. After ten minutes the waiting work fails, and later work fails immediately, until the service is back.
 */
import { probePauseMs } from "../../agent-service/circuit.ts";
import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentService } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";

export type ServicePatience = ReturnType<typeof createServicePatience>;

const patienceMs = 600_000;
/**
 * Attempts for the same work: some responses take so long that a proxy gives up, and some content crashes the service.
 */
const maxAttempts = 3;
/** After this long without a failure, the outage counts as over. */
const outageForgottenMs = 60_000;

export function createServicePatience(options: {
  readonly service: Pick<AgentService, "status">;
  readonly clock: Clock;
}) {
  const { service, clock } = options;
  /** The current run of failures. */
  let outage: { readonly sinceMs: number; readonly lastMs: number } | undefined;
  let waiting = 0;

  /** Returns when the outage began. */
  function noteFailure(): number {
    const lastMs = clock.now();
    const isNew = outage === undefined || lastMs - outage.lastMs > outageForgottenMs;
    outage = { sinceMs: isNew || outage === undefined ? lastMs : outage.sinceMs, lastMs };
    return outage.sinceMs;
  }

  /** False when the outage lasts too long. */
  async function isBack(signal: AbortSignal): Promise<boolean> {
    const untilMs = noteFailure() + patienceMs;
    for (let probes = 0; clock.now() < untilMs; probes += 1) {
      await clock.sleep(probePauseMs({ kind: "open", probes }), signal);
      if (await isReachable()) return true;
      noteFailure();
    }
    return false;
  }

  async function isReachable(): Promise<boolean> {
    try {
      await service.status();
      return true;
    } catch (thrown) {
      return !hasCode(thrown, ["service_unreachable", "service_busy"]);
    }
  }

  return {
    /** For work that may run twice. Throws the last error, or the signal's reason. */
    outwait: async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await work();
          outage = undefined;
          return result;
        } catch (thrown) {
          if (signal.aborted) throw signal.reason;
          if (!hasCode(thrown, ["service_unreachable"]) || attempt === maxAttempts) throw thrown;
          waiting += 1;
          const canContinue = await isBack(signal).finally(() => {
            waiting -= 1;
          });
          if (!canContinue) throw thrown;
        }
      }
    },
    isWaiting: () => waiting > 0,
  };
}

function hasCode(thrown: unknown, codes: readonly ErrorCode[]): boolean {
  return thrown instanceof ParleyError && codes.includes(thrown.code);
}
