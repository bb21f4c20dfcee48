/**
 * Stops asking a service that cannot be reached, so that nobody waits for a time-out that others have just had. The
 * machine is pure; the shell around it looks by itself whether the service is back. A model that fails is no reason to
 * stop: only a service that is not there is.
 */

import type { AgentService } from "../ports/agent-service.ts";
import type { Clock } from "../ports/clock.ts";
import { ParleyError } from "../ports/errors.ts";
import type { Log } from "../ports/log.ts";

export type CircuitState =
  | { readonly kind: "closed"; readonly failures: number }
  /** `probes` is how often it was looked for since; decides the next pause. */
  | { readonly kind: "open"; readonly probes: number };

export type CircuitEvent = "reached" | "unreachable";

/** One may be chance; the second in a row is not. */
const failuresToOpen = 2;
const firstProbeMs = 1_000;
/** Whatever is away is tried at least this often. */
const maxProbeMs = 15_000;

export const closedCircuit: CircuitState = { kind: "closed", failures: 0 };

export function nextCircuit(state: CircuitState, event: CircuitEvent): CircuitState {
  if (event === "reached") return closedCircuit;
  if (state.kind === "open") return { kind: "open", probes: state.probes + 1 };
  const failures = state.failures + 1;
  return failures >= failuresToOpen ? { kind: "open", probes: 0 } : { kind: "closed", failures };
}

/** Whether a question may be asked. What a person asks again is worth a look of its own. */
export function admits(state: CircuitState, isAskedAgain: boolean): boolean {
  return state.kind === "closed" || isAskedAgain;
}

/** 1 s, 2 s, 4 s … 15 s. */
export function probePauseMs(state: Extract<CircuitState, { kind: "open" }>): number {
  return Math.min(maxProbeMs, firstProbeMs * 2 ** Math.min(state.probes, 10));
}

export type Circuit = {
  /** Throws service_unreachable, in words that say that it was not even tried. */
  readonly check: (isAskedAgain: boolean) => void;
  /** The service answered something. */
  readonly reached: () => void;
  /**
   * Counts what shows that it is not there; everything else is none of its business. `asked`: a question may take its
   * time, but what is looked up for one is answered at once by a service that is there.
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
  /** Ends the looking for a service that is away; there is one at a time. */
  let looking: AbortController | undefined;
  let isClosed = false;

  function move(event: CircuitEvent): void {
    const next = nextCircuit(state, event);
    if (next.kind !== state.kind && next.kind === "open")
      log.error({}, "The agent service cannot be reached: it is not asked until it is back");
    if (next.kind !== state.kind && next.kind === "closed") log.info({}, "The agent service is back");
    state = next;
    if (state.kind === "closed") {
      looking?.abort();
      looking = undefined;
    } else if (looking === undefined && !isClosed) {
      looking = new AbortController();
      // It ends with its signal's reason, which is nobody's failure.
      keepLooking(looking.signal).catch(() => undefined);
    }
  }

  async function keepLooking(until: AbortSignal): Promise<void> {
    while (state.kind === "open") {
      await clock.sleep(probePauseMs(state), until);
      const error = await service.status().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (until.aborted) return;
      // Whatever it says, it says something: questions find out the rest.
      move(error instanceof ParleyError && isAway(error, "look-up") ? "unreachable" : "reached");
    }
  }

  return {
    check: (isAskedAgain) => {
      if (!admits(state, isAskedAgain)) throw new ParleyError("service_unreachable", notAsked);
    },
    reached: () => {
      if (state !== closedCircuit) move("reached");
    },
    failed: (error, asked) => {
      // While it is open its own refusal is no news, and its probes have their own pace.
      if (isAway(error, asked) && state.kind === "closed") move("unreachable");
    },
    close: () => {
      isClosed = true;
      looking?.abort();
    },
  };
}

/** Refused, silent beyond the limit, 502 to 504. Who says when to come back is there. */
function isAway({ code, retryAfterMs }: ParleyError, asked: "question" | "look-up"): boolean {
  if (code === "service_unreachable") return true;
  return asked === "look-up" && code === "service_busy" && retryAfterMs === undefined;
}

const notAsked = {
  what: "The agent service cannot be reached, so it was not asked.",
  hint: "Your question is kept: press Try again in a minute. Parley keeps looking whether the service is back.",
};
