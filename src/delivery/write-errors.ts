/**
 * What a refused write means for the Reply. One table for progress and finals, so that no code path invents its own.
 */
import { ParleyError } from "../ports/errors.ts";

export type Reaction =
  /** The platform or the store is away or asks to wait: the same again, later. */
  | "again-later"
  /** That message can be written no more: a new one takes its place. */
  | "anew"
  /** The form was refused: once more without form. */
  | "plain"
  /** Nothing can be shown there at all. */
  | "give-up"
  /** A fault of ours or of the adapter: a few times more, then give up. */
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

/** True when the write may have happened although it failed. */
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

/** 1 s, 2 s, 4 s … 30 s; what the platform asks for when it says so. */
export function backoffMs(failures: number, retryAfterMs?: number): number {
  const ownMs = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return retryAfterMs === undefined ? ownMs : Math.max(1, retryAfterMs);
}
