/**
 * Waiting for something that may not hear of a signal: whoever waits is free at once, whatever the other side does.
 */

/** Rejects with the signal's reason as soon as that aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // What nobody waits for any more may fail without a word.
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
    // Node keeps a combined signal alive for as long as somebody listens to it.
    signal.removeEventListener("abort", onAbort);
  }
}
