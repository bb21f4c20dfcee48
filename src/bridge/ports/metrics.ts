/**
 * What the bridge counts. Implemented by src/operations; `noMetrics` where nobody looks.
 */
export type TurnOutcome = "answered" | "failed" | "stopped" | "interrupted";

export type BridgeMetrics = {
  /** Once a Turn and attempt. `firstChunkMs` is absent when the service sent nothing. */
  readonly turnEnded: (
    outcome: TurnOutcome,
    times: { readonly firstChunkMs?: number; readonly totalMs: number },
  ) => void;
  /** Turns in this process: waiting in line or for the service, and with an open stream. */
  /** A stream of the service was opened (1) or has ended (-1); one that is read on after a Stop is still open. */
  readonly streamsChanged: (by: 1 | -1) => void;
  readonly turnsNow: (counts: { readonly waiting: number; readonly running: number }) => void;
};

export const noMetrics: BridgeMetrics = {
  turnEnded: () => undefined,
  turnsNow: () => undefined,
  streamsChanged: () => undefined,
};
