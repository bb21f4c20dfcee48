/** Waits for an edit that nothing else needs: everything else goes first, and it gives up soon. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Budgets } from "./write-budget.ts";
import type { Candidate } from "./write-ranking.ts";
import type { WriteScheduler } from "./write-scheduler.ts";

/** How long it waits for a token, and how long someone waits for it. */
const patienceMs = 10_000;
const awaitedMs = 3_000;

/** False when there was none to spare in time. */
export function lowPriorityToken(
  budgets: () => Budgets,
  { scheduler, clock }: { readonly scheduler: WriteScheduler; readonly clock: Clock },
  { isAwaited = false, signal }: { readonly isAwaited?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  const sinceMs = clock.now();
  return new Promise((resolve) => {
    let isWaiting = true;
    const end = (isTaken: boolean) => {
      isWaiting = false;
      cancel();
      signal?.removeEventListener("abort", giveUp);
      resolve(isTaken);
    };
    const candidate: Candidate = {
      budgets,
      wish: () => (isWaiting ? { rank: isAwaited ? "step" : "counts", sinceMs } : undefined),
      next: () => ({ countsAs: "edit", start: async () => end(true) }),
    };
    const giveUp = () => {
      end(false);
      scheduler.forget(candidate);
    };
    const cancel = clock.after(isAwaited ? awaitedMs : patienceMs, giveUp);
    signal?.addEventListener("abort", giveUp, { once: true });
    scheduler.wake(candidate);
  });
}
