/**
 * The states of a Reply writer, and what it wants to write in each. Of progress only the newest document matters; an end
 * must be shown.
 */

import type { Document } from "../core/document.ts";
import { filePart } from "../core/model/reply.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Countable } from "./budgets.ts";
import { type Debounce, sameNewsMs } from "./debounce.ts";
import type { Drawing, Drawn } from "./drawing.ts";
import { compareRanks, type Wish } from "./limiter.ts";
import { mayBeAnew, nextOfEnd, type Rendered, type ReplyWork } from "./perform.ts";
import type { Operation, Parts } from "./reply-parts.ts";
import type { Growing, News } from "./types.ts";
import { reactionTo } from "./write-errors.ts";

/** A text begins with a few words, not with half of one. Nobody who waits for it notices. */
const fewWordsMs = 60;
/** Nobody reads a growing text in smaller pieces. */
const textEveryMs = 100;

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
  /** The update that is being written. What comes meanwhile is news of its own. */
  writing: Update | undefined;
  /** When the last write began. */
  writtenAtMs: number;
  failures: number;
  /** Backoff while the platform is unreachable; the end does not wait for it. */
  pausedUntilMs: number;
};

export type Update = {
  readonly document: Document | Growing;
  /** The most urgent of what no write has begun to show, and since when. */
  readonly news: News;
  readonly sinceMs: number;
  /** The update it waited for has arrived, so it waits no longer. */
  readonly isSettled: boolean;
  /** An earlier text that no write has begun to show was drawn: this one is drawn without another pause. */
  readonly hasPaused: boolean;
  /** Absent until it is its turn, because most progress never is. */
  rendered?: Rendered;
};

export type Ending = {
  readonly kind: "ending";
  readonly document: Document;
  readonly signal: AbortSignal | undefined;
  readonly sinceMs: number;
  /** "first-post": others' ends go first. */
  readonly rank: "end" | "first-post";
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
  return {
    kind: "progress",
    newest: undefined,
    writing: undefined,
    writtenAtMs: longAgo,
    failures: 0,
    pausedUntilMs: longAgo,
  };
}

export function newEnding(
  options: Pick<Ending, "document" | "signal" | "sinceMs" | "rank" | "drawn" | "shown">,
): Ending {
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

/** The newest update after one more document. What is not written yet keeps its most urgent news. */
export function updated(
  { newest, writing }: Progress,
  document: Document | Growing,
  news: News,
  nowMs: number,
): Update {
  const pending = newest === writing ? undefined : newest;
  const hasPaused = pending !== undefined && (pending.hasPaused || pending.rendered !== undefined);
  if (pending === undefined || compareRanks(news, pending.news) < 0) {
    return { document, news, sinceMs: nowMs, isSettled: false, hasPaused };
  }
  const { sinceMs } = pending;
  const isSettled = pending.isSettled || nowMs - sinceMs >= sameNewsMs;
  return { document, news: pending.news, sinceMs, isSettled, hasPaused };
}

/**
 * A write failed: what it would have shown is still to be shown, with whatever is newer. What was refused has had its
 * turn: a text that grows would be tried again with each of its pieces.
 */
export function keepNews(progress: Progress, thrown: unknown): void {
  const { newest, writing } = progress;
  const isOwed = reactionTo(thrown) === "again-later";
  if (isOwed && newest !== undefined && writing !== undefined) progress.newest = unwritten(newest, writing);
  progress.writing = undefined;
}

function unwritten(newest: Update, written: Update): Update {
  if (compareRanks(newest.news, written.news) < 0) return newest;
  return { ...newest, news: written.news, sinceMs: written.sinceMs, isSettled: true };
}

/** Something new begins with it. Where it has to wait, a platform's status line can say it. */
export function isBeginning(news: News): boolean {
  return compareRanks(news, "text") < 0;
}

/** Since when a new step waits for its edit, or the first message for its post; undefined while neither does. */
export function waitingSinceMs(state: State, stands: boolean): number | undefined {
  if (state.kind !== "progress" || state.newest === undefined || state.newest === state.writing) return undefined;
  const { newest, writing } = state;
  const isFirst = !stands && writing === undefined;
  return isFirst || isBeginning(newest.news) ? newest.sinceMs : undefined;
}

export type Pace = {
  /** How long news wait for what follows at once. */
  readonly debounceMs: number;
  /** How long a new step waits for its result. */
  readonly stepMs: () => number;
  /** How long a result waits for the next step, and a text for more of it. */
  readonly earnMs: (rank: "text" | "result") => number;
  /** When a growing text may be drawn again, however many edits there are. */
  readonly drawnAgainAtMs: () => number;
};

export function debounceMsOf({ limits }: Pick<ChatPlatform, "limits">): number {
  return limits.writes.debounceMs ?? 0;
}

export function paceOf(
  { limits }: Pick<ChatPlatform, "limits">,
  { stepMs }: Pick<Debounce, "stepMs">,
  earnMs: Pace["earnMs"],
  { growsAgainAtMs }: Pick<Drawing, "growsAgainAtMs">,
): Pace {
  return { debounceMs: debounceMsOf({ limits }), stepMs, earnMs, drawnAgainAtMs: growsAgainAtMs };
}

/** What it wants to write, and from when on; undefined while there is nothing. */
export function wishOf(state: State, work: ReplyWork, pace: Pace): (Wish & { dueAtMs: number }) | undefined {
  const parts = work.stored.parts();
  switch (state.kind) {
    case "progress": {
      const { newest, writtenAtMs, pausedUntilMs } = state;
      if (newest === undefined) return undefined;
      const { sinceMs, news } = newest;
      if (parts.get(0)?.messageId === undefined) {
        const countsAs = isEmpty(parts) ? "post" : "other";
        return { rank: "first-post", sinceMs, countsAs, dueAtMs: pausedUntilMs };
      }
      return {
        rank: news,
        sinceMs: writtenAtMs,
        countsAs: "edit",
        dueAtMs: Math.max(pausedUntilMs, readyAtMs(newest, writtenAtMs, pace)),
      };
    }
    case "ending": {
      const operation = state.drawn && nextOfEnd(work, state.drawn.rendered);
      if (operation === undefined) return undefined;
      const { sinceMs, notBeforeMs: dueAtMs, rank } = state;
      return { rank, sinceMs, countsAs: countableOf(operation), mayPostAnew: mayBeAnew(work, operation), dueAtMs };
    }
    case "quiet":
    case "closed":
      return undefined;
  }
}

export function hasContent(state: State): boolean {
  return state.kind === "ending" || (state.kind === "progress" && state.newest !== undefined);
}

export function isEmpty(parts: Parts): boolean {
  return [...parts.values()].every(({ messageId, isUncertain }) => messageId === undefined && !isUncertain);
}

export function countableOf(operation: Operation): Countable {
  if (operation.kind === "edit") return "edit";
  const isMessage = operation.kind === "anew" || (operation.kind === "post" && operation.index !== filePart);
  return isMessage ? "post" : "other";
}

/** When it may be written, tokens permitting. */
function readyAtMs(update: Update, writtenAtMs: number, pace: Pace): number {
  const { news, sinceMs, isSettled, hasPaused, rendered } = update;
  const { debounceMs, stepMs, earnMs } = pace;
  switch (news) {
    case "first-step":
    case "step":
      return isSettled ? sinceMs : sinceMs + stepMs();
    case "first-text":
      return sinceMs + fewWordsMs;
    case "text":
      // Drawing it moves the time of the next drawing. What is drawn doesn't wait for that.
      return Math.max(
        writtenAtMs + Math.max(textEveryMs, earnMs("text")),
        hasPaused || rendered !== undefined ? Number.NEGATIVE_INFINITY : pace.drawnAgainAtMs(),
      );
    case "result":
      return sinceMs + Math.max(debounceMs, earnMs("result"));
    case "elapsed":
      return sinceMs;
  }
}

/** The platform's Retry-After: for everything, or, where posts are limited apart, only for what it concerns. */
export function createRetryAfter(hasPosts: boolean) {
  let untilMs: ReadonlyMap<Countable | "any", number> | undefined;
  const of = (what: Countable) => untilMs?.get(hasPosts ? what : "any") ?? Number.NEGATIVE_INFINITY;
  return {
    note: (what: Countable, atMs: number): void => {
      untilMs = new Map(untilMs).set(hasPosts ? what : "any", atMs);
    },
    untilMs: ({ countsAs, mayPostAnew }: Wish): number =>
      mayPostAnew === true ? Math.min(of("edit"), of("post")) : of(countsAs),
  };
}
