/** One AbortSignal per exchange, for the caller's stop and every time limit; its reason is a ParleyError. */

import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { orAborted } from "../../core/tools/abortable.ts";

export type Deadline = {
  readonly signal: AbortSignal;
  /** Why the signal fired; undefined if it hasn't. */
  readonly reason: () => ParleyError | undefined;
  /** Aborts with an error of that code after `ms`. Returns a function that cancels the limit. */
  readonly limit: (ms: number, code: ErrorCode) => () => void;
  readonly abort: (code: ErrorCode) => void;
  /** Settles with the work's result or with the reason of the abort, whichever comes first. */
  readonly race: <T>(work: Promise<T>) => Promise<T>;
  /** Cancels every limit and stops listening to the caller's signal. */
  readonly clear: () => void;
};

export function createDeadline(clock: Clock, callersSignal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const cancels = new Set<() => void>();
  const abort = (code: ErrorCode) => controller.abort(new ParleyError(code));
  const stop = () => abort("stopped");
  if (callersSignal?.aborted) stop();
  else callersSignal?.addEventListener("abort", stop, { once: true });

  return {
    signal: controller.signal,
    reason: () => (controller.signal.aborted ? (controller.signal.reason as ParleyError) : undefined),
    limit: (ms, code) => {
      const cancel = clock.after(ms, () => abort(code));
      const forget = () => {
        cancel();
        cancels.delete(forget);
      };
      cancels.add(forget);
      return forget;
    },
    abort,
    race: (work) => orAborted(work, controller.signal),
    clear: () => {
      callersSignal?.removeEventListener("abort", stop);
      for (const cancel of [...cancels]) cancel();
    },
  };
}
