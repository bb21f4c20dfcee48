/** Changes a Conversation under its lane, because a running question would overwrite the change. */
import type { Clock } from "../ports/clock.ts";
import type { Coordinator } from "../ports/state.ts";
import { newId } from "./ids.ts";

type Lanes = { readonly coordinator: Pick<Coordinator, "lanes">; readonly clock: Clock };

/**
 * `lane`: the Conversation's key. Waits for the running question, and goes ahead of those that wait. `signal`: ends the
 * wait, and it rejects with its reason.
 */
export async function withLane<T>(
  lane: string,
  { coordinator, clock }: Lanes,
  work: (fence: number) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const entry = newId(clock.now());
  const lease = await coordinator.lanes.acquire(lane, entry, "", { signal }).catch(async (failure: unknown) => {
    // Otherwise it stays in line, ahead of everyone.
    if (signal?.aborted === true) await coordinator.lanes.remove(lane, entry).catch(() => undefined);
    throw failure;
  });
  try {
    return await work(lease.fence);
  } finally {
    await lease.release();
  }
}
