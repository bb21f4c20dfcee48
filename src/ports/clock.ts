/**
 * All waiting goes through a Clock, so that a test moves time instead of sleeping.
 */
export type Clock = {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. Never keeps the process alive by itself. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once after `ms`; the returned function cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /**
   * Resolves in a later turn of the event loop, one caller of a line in each, in the order of the calls: what comes a
   * hundred times in the same instant is begun one by one, and everything else goes on in between. Lines do not wait for
   * each other.
   */
  readonly loopTurn: (line: "events" | "writes" | "turns") => Promise<void>;
};
