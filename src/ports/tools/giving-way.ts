/** Yields to the event loop during long work, after every few milliseconds. */
type Clock = { readonly now: () => number; readonly loopTurn: (line: "writes") => Promise<void> };

/** Longest stretch without yielding: a heartbeat or an acknowledgement can wait that long. */
const stretchMs = 8;

/** The caller awaits the returned function between two steps. */
export function givingWay(clock: Clock): () => Promise<void> {
  let sinceMs = clock.now();
  return async () => {
    if (clock.now() - sinceMs < stretchMs) return;
    await clock.loopTurn("writes");
    sinceMs = clock.now();
  };
}
