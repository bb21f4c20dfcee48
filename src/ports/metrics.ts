/**
 * What the bridge and Jobs count. Implemented by src/operations; `noMetrics` where nobody looks.
 */
export type TurnOutcome = "answered" | "failed" | "stopped" | "interrupted";

export type BridgeMetrics = {
  /** Once a Turn and attempt. `firstChunkMs` is absent when the service sent nothing. */
  readonly turnEnded: (
    outcome: TurnOutcome,
    times: { readonly firstChunkMs?: number; readonly totalMs: number },
  ) => void;
  /** A stream of the service was opened (1) or has ended (-1); one that is read on after a Stop is still open. */
  readonly streamsChanged: (by: 1 | -1) => void;
  /** Turns in this process: waiting in line, and those that hold their lane. */
  readonly turnsNow: (counts: { readonly waiting: number; readonly running: number }) => void;
};

export type JobMetrics = {
  readonly jobEnded: (outcome: "done" | "failed" | "cancelled") => void;
  /** Jobs in this process. */
  readonly jobsNow: (counts: { readonly waiting: number; readonly running: number }) => void;
};

export type WriteKind = "post" | "edit" | "remove" | "find";

/** What the Reply writers of one platform count: every write with its outcome, every 429. */
export type DeliveryMetrics = {
  /** `outcome` is "ok" or a ParleyError's code. */
  readonly onWrite: (kind: WriteKind, outcome: string, ms: number) => void;
  readonly onRateLimited: () => void;
};

export type ParleyMetrics = BridgeMetrics & JobMetrics & { readonly ofPlatform: (platform: string) => DeliveryMetrics };

export const noMetrics: ParleyMetrics = {
  turnEnded: () => undefined,
  turnsNow: () => undefined,
  streamsChanged: () => undefined,
  jobEnded: () => undefined,
  jobsNow: () => undefined,
  ofPlatform: () => ({ onWrite: () => undefined, onRateLimited: () => undefined }),
};
