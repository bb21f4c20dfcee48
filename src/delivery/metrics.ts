/**
 * What delivery tells whoever counts: every write with its outcome, every 429.
 */
export type WriteKind = "post" | "edit" | "remove" | "find";

export type DeliveryMetrics = {
  /** `outcome` is "ok" or a ParleyError's code. */
  readonly onWrite: (kind: WriteKind, outcome: string, ms: number) => void;
  readonly onRateLimited: () => void;
};
