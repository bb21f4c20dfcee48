/** Does one thing at a time over all instances, for changes that read a record before they write it. */

import { ParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator, Lease } from "../../../src/core/ports/state.ts";
import { maxAloneMs } from "../limits.ts";

/** Rejects with state_unavailable if it can't begin in time. */
export async function alone<T>(
  about: string,
  { coordinator, clock }: { readonly coordinator: Pick<Coordinator, "lease">; readonly clock: Clock },
  work: (lease: Pick<Lease, "isCurrent">) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  const cancel = clock.after(maxAloneMs, () => patience.abort(new ParleyError("state_unavailable")));
  const lease = await coordinator.lease(`console/${about}`, { signal: patience.signal }).finally(cancel);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}
