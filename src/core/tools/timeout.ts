/** Waits a limited time for a result, for answers that a platform waits for. */
import type { Clock } from "../ports/clock.ts";

/** Undefined when it is late or fails; the caller then has another answer. */
export async function withTimeout<T>(
  work: Promise<T>,
  withinMs: number,
  clock: Pick<Clock, "after">,
): Promise<T | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(withinMs, () => resolve(undefined));
  });
  return Promise.race([work.catch(() => undefined), late]).finally(cancel);
}
