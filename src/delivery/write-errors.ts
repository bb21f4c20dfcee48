/**
 * How a Reply reacts to a refused write (429, message gone, no permission …). One table for progress and finals, so
 * that no code path invents its own.
 */
import { type ErrorCode, ParleyError } from "../core/errors.ts";

export type Reaction =
  /** The platform or the store is unreachable or asks to wait: retry the same later. */
  | "again-later"
  /** That message can't be written to: post a new one in its place. */
  | "anew"
  /** The formatting was refused: retry once as plain text. */
  | "plain"
  /** Nothing can be shown there. */
  | "give-up"
  /** A fault of ours or of the adapter: retry a few times, then give up. */
  | "few-times";

const reactions: Readonly<Partial<Record<ErrorCode, Reaction>>> = {
  platform_rate_limited: "again-later",
  platform_unreachable: "again-later",
  state_unavailable: "again-later",
  message_gone: "anew",
  message_not_editable: "anew",
  payload_refused: "plain",
  platform_refused: "plain",
  place_gone: "give-up",
  thread_gone: "give-up",
  not_permitted: "give-up",
};

export function reactionTo(thrown: unknown): Reaction {
  return (thrown instanceof ParleyError ? reactions[thrown.code] : undefined) ?? "few-times";
}

/** Whether a failed write may have succeeded after all: its response was lost, or the fault is unknown. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  if (thrown instanceof ParleyError && thrown.code === "platform_rate_limited") return false;
  return ["again-later", "few-times"].includes(reactionTo(thrown));
}

/** 1 s, 2 s, 4 s … 30 s; or the platform's Retry-After. */
export function backoffMs(failures: number, retryAfterMs?: number): number {
  const ownMs = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return retryAfterMs === undefined ? ownMs : Math.max(1, retryAfterMs);
}
