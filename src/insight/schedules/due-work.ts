/** What is due at its time: schedules, reviews of added answers and proofs. Each is a work, and is changed alone. */
import type { App } from "../../app.ts";
import { ParleyError } from "../../core/errors.ts";

/** Nothing holds one of them for longer. */
const leaseMs = 10_000;

/**
 * For changes of it and of its time: meanwhile no instance does it. Rejects with state_unavailable when that can't be
 * had soon.
 */
export async function alone<T>(app: App, kind: string, key: string, work: () => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const cancel = app.clock.after(leaseMs, () => waiting.abort(new ParleyError("state_unavailable")));
  const waited = app.state.coordinator.lease(`due/${kind}/${key}`, { signal: waiting.signal });
  const lease = await waited.finally(cancel);
  try {
    return await work();
  } finally {
    await lease.release();
  }
}
