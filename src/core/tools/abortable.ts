/** Stops waiting for a promise, or for events, when a signal aborts, even if the work ignores it. */

/** Rejects with the signal's reason as soon as it aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for the work after an abort, so its failure must not become an unhandled rejection.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // Node keeps a combined signal alive while it has listeners.
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Rejects with the signal's reason as soon as it aborts, and leaves the events open then, so that they can still be read
 * to their end. It listens once: a listener for each event of a hundred answers that grow took an eighth of the time of
 * reading them.
 */
export async function* untilAborted<T>(events: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let stopWaiting = (_reason: unknown): void => {};
  const onAbort = () => stopWaiting(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const following = () =>
    new Promise<IteratorResult<T>>((resolve, reject) => {
      stopWaiting = reject;
      events.next().then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  try {
    for (;;) {
      const next = await following();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!signal.aborted) await events.return(undefined);
  }
}
