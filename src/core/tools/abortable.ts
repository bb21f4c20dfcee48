/** Stops waiting for a promise when a signal aborts, even if the work ignores it. */

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
