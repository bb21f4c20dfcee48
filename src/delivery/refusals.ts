/**
 * Decides what follows a refused write: a retry, other content, or nothing more.
 */
import { ParleyError, toParleyError } from "../core/errors.ts";
import { filePart } from "../core/model/reply.ts";
import { abandon, type Rendered, type ReplyWork } from "./perform.ts";
import type { Operation } from "./reply-parts.ts";
import type { Ending, Progress } from "./reply-state.ts";
import { backoffMs, type Reaction, reactionTo } from "./write-errors.ts";

/** An end that keeps failing this long without a success is given up. */
const maxFailingMs = 600_000;
/** For failures that should not happen: faults of ours, messages that vanish as soon as they are posted. */
const maxOddFailures = 3;
/** A file is searched for after each attempt; with the backoff this takes some minutes. */
const maxFileFailures = 8;

export type Consequence =
  /** Continues with whatever is missing, after the backoff if there is one. */
  | "continue"
  /** Shows the end as plain text. */
  | "plain"
  /** The messages are posted; the last one says that the file is not. */
  | "without-file"
  /** Shows no more progress, or fails the end. */
  | "give-up";

export type Refusal = { readonly operation: Operation; readonly content: Rendered; readonly thrown: unknown };

/** Counts the failure in `showing`, absent when what was written is over by now, and drops a message that is lost. */
export function afterRefusal(
  work: ReplyWork,
  { operation, content, thrown }: Refusal,
  showing: Progress | Ending | undefined,
): Consequence {
  const { code } = toParleyError(thrown);
  const reaction = reactionTo(thrown);
  const nowMs = work.clock.now();
  const ending = showing?.kind === "ending" ? showing : undefined;
  switch (operation.kind) {
    case "find":
      break;
    case "anew":
      // Where nothing may be posted, what stands can perhaps be edited.
      if (reaction === "again-later" || !stands(work)) break;
      work.mayPostAnew = false;
      return "continue";
    case "post":
      if (operation.index !== filePart || ending === undefined) break;
      if (code !== "platform_rate_limited") ending.fileFailures += 1;
      if (ending.drawn === undefined) break;
      if (reaction !== "again-later" || ending.fileFailures >= maxFileFailures) return "without-file";
      break;
    case "edit":
      if (reaction !== "anew") break;
      abandon(work, operation.index, operation.messageId);
      if (code === "message_not_editable") work.replaced = new Set(work.replaced).add(operation.messageId);
      if (ending === undefined) return "give-up";
      break;
    case "remove":
      if (reaction === "again-later" && !hasFailedLong(ending, nowMs)) break;
      // The answer is posted; a surplus message does not make it a failure.
      abandon(work, operation.index, operation.messageId);
      return "continue";
  }
  if (ending !== undefined) return failEnding(ending, thrown, reaction, nowMs);
  return showing?.kind === "progress" ? failProgress(showing, content, thrown, nowMs) : "continue";
}

function stands({ stored }: ReplyWork): boolean {
  return stored.parts().get(0)?.messageId !== undefined;
}

function failProgress(progress: Progress, content: Rendered, thrown: unknown, nowMs: number): Consequence {
  const reaction = reactionTo(thrown);
  if (reaction === "give-up") return "give-up";
  if (reaction === "again-later") {
    progress.failures += 1;
    progress.pausedUntilMs = nowMs + backoffMs(progress.failures, toParleyError(thrown).retryAfterMs);
    return "continue";
  }
  // The next update may be accepted. Text that grows has one at once, and each try costs an edit.
  if (progress.newest?.rendered === content) progress.newest = undefined;
  progress.writtenAtMs = nowMs;
  return "continue";
}

export function failEnding(ending: Ending, thrown: unknown, reaction: Reaction, nowMs: number): Consequence {
  ending.failingSinceMs ??= nowMs;
  if (reaction === "again-later") ending.failures += 1;
  else ending.oddFailures += 1;
  if (reaction === "give-up" || hasFailedLong(ending, nowMs) || ending.oddFailures > maxOddFailures) return "give-up";
  if (reaction === "plain") return ending.isPlain ? "give-up" : "plain";
  // The budget waits for what a platform asks, and another way may be open.
  if (reaction !== "anew" && toParleyError(thrown).code !== "platform_rate_limited") {
    ending.notBeforeMs = nowMs + backoffMs(ending.failures + ending.oddFailures, toParleyError(thrown).retryAfterMs);
  }
  return "continue";
}

function hasFailedLong(ending: Ending | undefined, nowMs: number): boolean {
  return ending?.failingSinceMs !== undefined && nowMs - ending.failingSinceMs >= maxFailingMs;
}

/** A closed writer writes nothing. */
export function closedError(): ParleyError {
  return new ParleyError("internal", { what: "The reply was closed before it was shown." });
}
