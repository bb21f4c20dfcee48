/**
 * Changing a Conversation from outside of its questions: a running one writes what it read before, and would undo it.
 */

import type { Clock } from "../clock.ts";
import type { Coordinator } from "../state.ts";
import { newId } from "./ids.ts";

/** `lane`: the Conversation's key. Waits for the question that is running there, and goes before those that wait. */
export async function inLane<T>(
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
