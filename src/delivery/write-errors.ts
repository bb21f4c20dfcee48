/** How a Reply reacts to a refused write. One table for progress and finals, so that no code path invents its own. */
import { ParleyError } from "../ports/errors.ts";

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

export function reactionTo(thrown: unknown): Reaction {
  if (!(thrown instanceof ParleyError)) return "few-times";
  switch (thrown.code) {
    case "platform_rate_limited":
    case "platform_unreachable":
    case "state_unavailable":
      return "again-later";
    case "message_gone":
    case "message_not_editable":
      return "anew";
    case "payload_refused":
    case "platform_refused":
      return "plain";
    case "place_gone":
    case "not_permitted":
      return "give-up";
    default:
      return "few-times";
  }
}

/** True when a failed write may have happened. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  if (!(thrown instanceof ParleyError)) return true;
  switch (thrown.code) {
    case "platform_rate_limited":
    case "payload_refused":
    case "platform_refused":
    case "place_gone":
    case "not_permitted":
    case "message_gone":
    case "message_not_editable":
      return false;
    default:
      return true;
  }
}

/** 1 s, 2 s, 4 s … 30 s; or the platform's Retry-After. */
export function backoffMs(failures: number, retryAfterMs?: number): number {
  const ownMs = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return retryAfterMs === undefined ? ownMs : Math.max(1, retryAfterMs);
}
