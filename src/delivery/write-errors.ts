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

/** `mayHaveHappened`: whether a failed write may have succeeded after all. */
type Rule = { readonly reaction: Reaction; readonly mayHaveHappened: boolean };

const rules: Readonly<Partial<Record<ErrorCode, Rule>>> = {
  platform_rate_limited: { reaction: "again-later", mayHaveHappened: false },
  platform_unreachable: { reaction: "again-later", mayHaveHappened: true },
  state_unavailable: { reaction: "again-later", mayHaveHappened: true },
  message_gone: { reaction: "anew", mayHaveHappened: false },
  message_not_editable: { reaction: "anew", mayHaveHappened: false },
  payload_refused: { reaction: "plain", mayHaveHappened: false },
  platform_refused: { reaction: "plain", mayHaveHappened: false },
  place_gone: { reaction: "give-up", mayHaveHappened: false },
  thread_gone: { reaction: "give-up", mayHaveHappened: false },
  not_permitted: { reaction: "give-up", mayHaveHappened: false },
};

const unknownError: Rule = { reaction: "few-times", mayHaveHappened: true };

function ruleFor(thrown: unknown): Rule {
  return (thrown instanceof ParleyError && rules[thrown.code]) || unknownError;
}

export function reactionTo(thrown: unknown): Reaction {
  return ruleFor(thrown).reaction;
}

export function isOutcomeUnknown(thrown: unknown): boolean {
  return ruleFor(thrown).mayHaveHappened;
}

/** 1 s, 2 s, 4 s … 30 s; or the platform's Retry-After. */
export function backoffMs(failures: number, retryAfterMs?: number): number {
  const ownMs = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return retryAfterMs === undefined ? ownMs : Math.max(1, retryAfterMs);
}
