/** The clock that all waiting goes through, so that a test moves time instead of sleeping. */
export type Clock = {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. Never keeps the process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once after `ms`; the returned function cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
};
