/**
 * The circuit breaker for the agent service: stops asking a service that is down. Nobody then waits for a time-out that
 * others have just had. The state machine is pure; the code around it probes whether the service is back. A failing
 * model does not open the circuit, only an unreachable service does.
 */

import { ParleyError } from "../core/errors.ts";
import type { AgentService } from "../core/ports/agent-service.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { errorSentences } from "../presentation/sentences.ts";

export type CircuitState =
  | { readonly kind: "closed"; readonly failures: number }
  /** `probes`: number of failed probes so far; determines the next pause. */
  | { readonly kind: "open"; readonly probes: number };

export type CircuitEvent = "reached" | "unreachable";

/** One failure may be chance; two in a row are not. */
const failuresToOpen = 2;
const firstProbeMs = 1_000;
/** Whatever is down is probed at least this often. */
const maxProbeMs = 15_000;

export const closedCircuit: CircuitState = { kind: "closed", failures: 0 };

export function nextCircuit(state: CircuitState, event: CircuitEvent): CircuitState {
  if (event === "reached") return closedCircuit;
  if (state.kind === "open") return { kind: "open", probes: state.probes + 1 };
  const failures = state.failures + 1;
  return failures >= failuresToOpen ? { kind: "open", probes: 0 } : { kind: "closed", failures };
}

/** Whether a question can be asked. One that a person asks again is always tried. */
export function admits(state: CircuitState, isAskedAgain: boolean): boolean {
  return state.kind === "closed" || isAskedAgain;
}

/** 1 s, 2 s, 4 s … 15 s. */
export function probePauseMs(state: Extract<CircuitState, { kind: "open" }>): number {
  return Math.min(maxProbeMs, firstProbeMs * 2 ** Math.min(state.probes, 10));
}

export type Circuit = {
  /** Throws service_unreachable, in words that say the service was not asked. */
  readonly check: (isAskedAgain: boolean) => void;
  /** The service responded. */
  readonly reached: () => void;
  /**
   * Counts errors that show the service is down; ignores all others. `asked`: a question can take long, but a service
   * that is up answers a look-up at once.
   */
  readonly failed: (error: ParleyError, asked: "question" | "look-up") => void;
  readonly close: () => void;
};

export function createCircuit(deps: {
  readonly service: Pick<AgentService, "status">;
  readonly clock: Clock;
  readonly log: Log;
}): Circuit {
  const { service, clock, log } = deps;
  let state: CircuitState = closedCircuit;
  /** Aborts the probing of a service that is down; there is one probe loop at a time. */
  let probing: AbortController | undefined;
  let isClosed = false;

  function move(event: CircuitEvent): void {
    const next = nextCircuit(state, event);
    if (next.kind !== state.kind && next.kind === "open")
      log.error({}, "The agent service is unreachable; no questions are sent until it is back");
    if (next.kind !== state.kind && next.kind === "closed") log.info({}, "The agent service is back");
    state = next;
    if (state.kind === "closed") {
      probing?.abort();
      probing = undefined;
    } else if (probing === undefined && !isClosed) {
      probing = new AbortController();
      // The loop rejects only with its signal's reason.
      keepProbing(probing.signal).catch(() => undefined);
    }
  }

  async function keepProbing(until: AbortSignal): Promise<void> {
    while (state.kind === "open") {
      await clock.sleep(probePauseMs(state), until);
      const error = await service.status().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (until.aborted) return;
      // Any response means the service is up; questions find out the rest.
      move(error instanceof ParleyError && isAway(error, "look-up") ? "unreachable" : "reached");
    }
  }

  return {
    check: (isAskedAgain) => {
      if (!admits(state, isAskedAgain)) throw new ParleyError("service_unreachable", errorSentences.serviceNotAsked);
    },
    reached: () => {
      if (state !== closedCircuit) move("reached");
    },
    failed: (error, asked) => {
      // While the circuit is open, its own refusals do not count, and the probes have their own backoff.
      if (isAway(error, asked) && state.kind === "closed") move("unreachable");
    },
    close: () => {
      isClosed = true;
      probing?.abort();
    },
  };
}

/** Connection refused, time-out, 502 to 504. A service that sends Retry-After is up. */
function isAway({ code, retryAfterMs }: ParleyError, asked: "question" | "look-up"): boolean {
  if (code === "service_unreachable") return true;
  return asked === "look-up" && code === "service_busy" && retryAfterMs === undefined;
}
