/** Gathers what comes at nearly the same time, so that a fast stream is looked at a few times a second. */
import type { Clock } from "../../../core/ports/clock.ts";
import { withTimeout } from "../../../core/tools/timeout.ts";

/** `gatherMs` is asked anew for each batch. What came before a failure is yielded before it is thrown. */
export async function* inBatches<T>(
  pieces: AsyncIterable<T>,
  gatherMs: () => number,
  clock: Clock,
): AsyncGenerator<readonly T[], void, undefined> {
  const reading = pieces[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<T>> | undefined;
  const next = () => {
    coming ??= reading.next();
    return coming;
  };
  try {
    for (;;) {
      const first = await next();
      coming = undefined;
      if (first.done === true) return;
      const batch = [first.value];
      const endMs = clock.now() + gatherMs();
      for (let leftMs = endMs - clock.now(); leftMs > 0; leftMs = endMs - clock.now()) {
        const more = await withTimeout(next(), leftMs, clock);
        if (more === undefined || more.done === true) break;
        coming = undefined;
        batch.push(more.value);
      }
      yield batch;
    }
  } finally {
    // While the stream is silent this ends only when its request does, which nobody waits for.
    const ended = reading.return?.().catch(() => undefined);
    if (coming === undefined) await ended;
  }
}
