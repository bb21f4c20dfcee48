/** What is due at its time: schedules, reviews of added answers and proofs. Each is a work, and is changed alone. */
import type { App } from "../../app.ts";
import { ParleyError } from "../../core/errors.ts";
import type { WorkDefinition } from "../../core/ports/storage/works.ts";

/** Nothing holds one of them for longer. */
const leaseMs = 10_000;
/** After a failure, for example while storage was unreachable. The first one may be the end of a process. */
const againMs = { first: 5_000, longest: 60_000 };
const dayMs = 86_400_000;
/** Of one kind, on each instance. */
const concurrency = 10;

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

/** `run` is called again after a crash. Returns when it is due next; undefined: never. */
export function dueWork({ state, clock }: App, kind: string, run: WorkDefinition<null>["run"]): WorkDefinition<null> {
  return {
    run,
    concurrency,
    attempts: Number.POSITIVE_INFINITY,
    backoff: (attempt) => Math.min(againMs.longest, againMs.first * 2 ** Math.min(attempt - 1, 10)),
    giveUpAfterMs: dayMs,
    // It is never lost: only what held it for a day is.
    onGivenUp: async ({ key }) => {
      await state.works.add(kind, key, null, { dueAtMs: clock.now() + againMs.longest });
    },
  };
}
