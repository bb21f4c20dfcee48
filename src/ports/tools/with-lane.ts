/** Changes a Conversation under its lane, because a running question would overwrite the change. */
import type { Clock } from "../clock.ts";
import type { Coordinator } from "../state.ts";
import { newId } from "./ids.ts";

/** `lane`: the Conversation's key. Waits for the running question, and goes ahead of those that wait. */
export async function withLane<T>(
  lane: string,
  { coordinator, clock }: { readonly coordinator: Pick<Coordinator, "lanes">; readonly clock: Clock },
  work: (fence: number) => Promise<T>,
): Promise<T> {
  const lease = await coordinator.lanes.acquire(lane, newId(clock.now()), "");
  try {
    return await work(lease.fence);
  } finally {
    await lease.release();
  }
}
