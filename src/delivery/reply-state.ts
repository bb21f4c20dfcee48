/**
 * The states of a Reply writer, and what it wants to write in each. Of progress only the newest document matters; an end
 * must be shown.
 */
import type { Document } from "../ports/document.ts";
import type { Drawn } from "./drawing.ts";
import type { Rendered } from "./perform.ts";
import type { Wish } from "./write-ranking.ts";

export type State =
  /** Shows the newest of what comes. */
  | Progress
  /** Shows an end. */
  | Ending
  /** Waits for an end: one was shown or given up, or nothing is left to show progress in. */
  | { readonly kind: "quiet" }
  | { readonly kind: "closed" };

export type Progress = {
  readonly kind: "progress";
  /** Absent once it is shown. */
  newest: Update | undefined;
  shownAtMs: number;
  failures: number;
  /** Backoff while the platform is unreachable; the end does not wait for it. */
  pausedUntilMs: number;
};

export type Update = {
  readonly document: Document;
  readonly sinceMs: number;
  /** The update it waited for has arrived, so it waits no longer. */
  readonly isSettled: boolean;
  /** Absent until it is its turn, because most progress never is. */
  rendered?: Rendered;
};

export type Ending = {
  readonly kind: "ending";
  readonly document: Document;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  readonly shown: PromiseWithResolvers<void>;
  /** Absent until it is rendered. */
  drawn: Drawn | undefined;
  isPlain: boolean;
  notBeforeMs: number;
  failures: number;
  oddFailures: number;
  /** Of the upload; a success in between does not reset them. */
  fileFailures: number;
  failingSinceMs: number | undefined;
};

export function newProgress(): Progress {
  const longAgo = Number.NEGATIVE_INFINITY;
  return { kind: "progress", newest: undefined, shownAtMs: longAgo, failures: 0, pausedUntilMs: longAgo };
}

export function newEnding(options: Pick<Ending, "document" | "signal" | "sinceMs" | "drawn" | "shown">): Ending {
  return {
    ...options,
    kind: "ending",
    isPlain: false,
    notBeforeMs: Number.NEGATIVE_INFINITY,
    failures: 0,
    oddFailures: 0,
    fileFailures: 0,
    failingSinceMs: undefined,
  };
}

/** What it wants to write, and from when on; undefined while there is nothing. `stands`: its first message is posted. */
export function wishOf(state: State, stands: boolean, settleMs: number): (Wish & { dueAtMs: number }) | undefined {
  switch (state.kind) {
    case "progress": {
      const { newest, shownAtMs, pausedUntilMs } = state;
      if (newest === undefined) return undefined;
      const { sinceMs, isSettled } = newest;
      if (!stands) return { urgency: "first", sinceMs, dueAtMs: pausedUntilMs };
      const settlesAtMs = isSettled ? sinceMs : sinceMs + settleMs;
      return { urgency: "progress", sinceMs: shownAtMs, dueAtMs: Math.max(pausedUntilMs, settlesAtMs) };
    }
    case "ending":
      if (state.drawn === undefined) return undefined;
      return { urgency: "final", sinceMs: state.sinceMs, dueAtMs: state.notBeforeMs };
    case "quiet":
    case "closed":
      return undefined;
  }
}
