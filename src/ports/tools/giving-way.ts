/**
 * Long work in steps that hold nobody up: after some milliseconds everything else has its turn of the event loop.
 */
type Clock = { readonly now: () => number; readonly loopTurn: (line: "writes") => Promise<void> };

/** Of one stretch of work: a heartbeat or an acknowledgement may wait that long. */
const stretchMs = 8;

/** To be awaited between two steps. */
export function givingWay(clock: Clock): () => Promise<void> {
  let sinceMs = clock.now();
  return async () => {
    if (clock.now() - sinceMs < stretchMs) return;
    await clock.loopTurn("writes");
    sinceMs = clock.now();
  };
}
