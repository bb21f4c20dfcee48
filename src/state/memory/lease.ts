/** Lease of the coordinator in memory. */
import type { Lease } from "../../core/ports/state.ts";

/** A Lease within this process: no other process can take it, so it is never lost. */
export function createMemoryLease(fence: number, onRelease: () => void): Lease {
  let isReleased = false;
  return {
    fence,
    lost: new AbortController().signal,
    isCurrent: () => !isReleased,
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      onRelease();
    },
  };
}
