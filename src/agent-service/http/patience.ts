/**
 * Waits for a service that is busy and says for how long. Only a refusal is asked again: after 408, 502 and 504 the run
 * may continue at the service.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Clock } from "../../core/ports/clock.ts";

/** Someone looks at the question meanwhile. */
const longestWaitMs = 30_000;
const maxWaits = 2;

/** What `open` returns. Each try is one call of it. */
export async function* patiently<T>(
  open: () => Promise<T>,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal | undefined,
): AsyncGenerator<Extract<AgentEvent, { type: "waiting" }>, T, undefined> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await open();
    } catch (thrown) {
      const waitMs = waits < maxWaits ? busyForMs(thrown) : undefined;
      if (waitMs === undefined || waitMs > longestWaitMs) throw thrown;
      yield { type: "waiting", forMs: waitMs };
      await clock.sleep(waitMs, signal);
      yield { type: "waiting" };
    }
  }
}

function busyForMs(thrown: unknown): number | undefined {
  return thrown instanceof ParleyError && thrown.code === "service_busy" ? thrown.retryAfterMs : undefined;
}
