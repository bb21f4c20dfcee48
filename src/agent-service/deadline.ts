/**
 * One AbortSignal for a whole exchange: the caller's stop and every limit of time end in it, each with the ParleyError
 * that says which it was. All waiting goes through the Clock.
 */
import { ParleyError } from "../bridge/errors.ts";
import type { Clock } from "../bridge/ports/clock.ts";

export type Deadline = {
  readonly signal: AbortSignal;
  /** Why it was aborted, if it was. */
  readonly reason: () => ParleyError | undefined;
  /** Aborts with `error` after `ms`; the returned function takes that back. */
  readonly limit: (ms: number, error: ParleyError) => () => void;
  readonly abort: (error: ParleyError) => void;
  /** Ends every limit and lets go of the caller's signal. */
  readonly clear: () => void;
};

export function createDeadline(clock: Clock, callersSignal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const cancels = new Set<() => void>();
  const abort = (error: ParleyError) => controller.abort(error);
  const stop = () => abort(new ParleyError("stopped"));
  if (callersSignal?.aborted) stop();
  else callersSignal?.addEventListener("abort", stop, { once: true });

  return {
    signal: controller.signal,
    reason: () => (controller.signal.aborted ? (controller.signal.reason as ParleyError) : undefined),
    limit: (ms, error) => {
      const cancel = clock.after(ms, () => abort(error));
      const forget = () => {
        cancel();
        cancels.delete(forget);
      };
      cancels.add(forget);
      return forget;
    },
    abort,
    clear: () => {
      callersSignal?.removeEventListener("abort", stop);
      for (const cancel of [...cancels]) cancel();
    },
  };
}
