/**
 * Decides how an end is shown whose message stands: by an edit of it, or as a new message when edits are short. Pure.
 */

/** An end waits this long for an edit, since one message is worth it; with the write itself, it is shown in a second. */
const patienceMs = 750;

export type Waits = {
  /** Until the budget of edits has a token; 0 or less: as far as is known it has one. */
  readonly editMs: number;
  /** Ends before it that wait for an edit, and how long one edit takes to come back. */
  readonly ahead: number;
  readonly perEditMs: number;
  /** Until its channel and its workspace have a token for a post. */
  readonly postMs: number;
};

/** "wait": neither is possible now, or an edit comes soon. */
export type Route = "edit" | "anew" | "wait";

export function routeOf({ editMs, ahead, perEditMs, postMs }: Waits): Route {
  if (editMs <= 0) return "edit";
  const untilEditMs = editMs + ahead * perEditMs;
  if (untilEditMs <= patienceMs || untilEditMs <= postMs) return "wait";
  return postMs <= 0 ? "anew" : "wait";
}
