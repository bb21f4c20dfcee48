/** The clock that all waiting goes through, so that a test moves time instead of sleeping. */
export type Clock = {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. Never keeps the process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once after `ms`; the returned function cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /**
   * Resolves in a later turn of the event loop, in call order: for one caller per turn and line, and in the line of writes
   * for further ones until some milliseconds are over. A hundred things that happen at once are then started one by one,
   * and everything else runs in between. Lines do not wait for each other.
   */
  readonly loopTurn: (line: "events" | "writes" | "turns") => Promise<void>;
};
