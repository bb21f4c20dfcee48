/**
 * The state of one Reply, and what each event makes of it. Pure. It shows progress, of which only the newest document
 * matters, until an end comes, which must be shown. After the end only another end is shown: Try again opens a new writer.
 */

import type { Document } from "../core/document.ts";
import { ParleyError, toParleyError } from "../core/errors.ts";
import { filePart } from "../core/model/reply.ts";
import { plainDocument, type Rest } from "../presentation/markdown.ts";
import type { Countable } from "./budgets.ts";
import type { Drawn } from "./drawing.ts";
import { compareRanks, type Wish } from "./limiter.ts";
import { type Messages, mayBeAnew, nextOfEnd, stands } from "./messages.ts";
import type { Operation } from "./reply-parts.ts";
import type { Growing, News } from "./types.ts";
import { backoffMs, type Reaction, reactionTo } from "./write-errors.ts";

/** Updates closer together than this belong to the same event, and the one to wait for is yet to come. */
const sameNewsMs = 10;
/** A text begins with a few words, not with half of one. Nobody who waits for it notices. */
const fewWordsMs = 60;
/** Nobody reads a growing text in smaller pieces. */
const textEveryMs = 100;
/** An end that keeps failing this long without a success is given up. */
const maxFailingMs = 600_000;
/** For failures that should not happen: faults of ours, messages that vanish as soon as they are posted. */
const maxOddFailures = 3;
/** A file is searched for after each attempt; with the backoff this takes some minutes. */
const maxFileFailures = 8;

export type State =
  /** Shows the newest of what comes. */
  | Progress
  /** Shows an end. */
  | Ending
  /** An end is shown or given up, or nothing is left to show progress in. A closed Reply takes no other end. */
  | { readonly kind: "done"; readonly isClosed: boolean };

export type Progress = {
  readonly kind: "progress";
  /** What no write has begun to show. */
  readonly newest?: Update;
  /** The update that is being written. What comes meanwhile is news of its own. */
  readonly writing?: Update;
  /** When the last write began. */
  readonly writtenAtMs: number;
  readonly failures: number;
  /** Backoff while the platform is unreachable; the end does not wait for it. */
  readonly pausedUntilMs: number;
};

export type Update = {
  readonly document: Document | Growing;
  /** The most urgent of what no write has begun to show, and since when. */
  readonly news: News;
  readonly sinceMs: number;
  /** The update it waited for has arrived, so it waits no longer. */
  readonly isSettled: boolean;
};

/** What is drawn as the end. `over`: content that was cut off earlier and comes after it. */
export type Draft = { readonly document: Document; readonly over?: Rest; readonly isPlain?: true };

export type Ending = {
  readonly kind: "ending";
  readonly draft: Draft;
  /** Absent until it is drawn. */
  readonly drawn?: Drawn;
  readonly signal: AbortSignal | undefined;
  readonly shown: PromiseWithResolvers<void>;
  readonly sinceMs: number;
  readonly notBeforeMs: number;
  readonly failures: number;
  readonly oddFailures: number;
  /** Of the upload; a success in between does not reset them. */
  readonly fileFailures: number;
  readonly failingSinceMs?: number;
  /** When it began: its first message was there, and progress was waiting to be shown. */
  readonly stood: boolean;
  readonly hadProgress: boolean;
};

export type Event =
  | { readonly kind: "show"; readonly document: Document | Growing; readonly news: News }
  | ({ readonly kind: "finish"; readonly document: Document } & Pick<Ending, "signal" | "shown" | "drawn" | "stood">)
  | { readonly kind: "drawn"; readonly draft: Draft; readonly drawn: Drawn }
  | { readonly kind: "undrawable"; readonly draft: Draft; readonly thrown: unknown }
  /** A write begins. */
  | { readonly kind: "begun" }
  /** `isWhole`: of progress, nothing is left to write. */
  | { readonly kind: "written"; readonly isWhole: boolean }
  /** `of`: what it would have shown. `isNeedless`: that write is no longer needed. */
  | {
      readonly kind: "refused";
      readonly of: State["kind"];
      readonly operation: Operation;
      readonly thrown: unknown;
      readonly isNeedless: boolean;
    }
  /** Nothing is left to write: all of it is shown, or progress can't be drawn. */
  | { readonly kind: "shown" }
  | { readonly kind: "aborted"; readonly signal: AbortSignal }
  | { readonly kind: "closed" };

export type Effect =
  | { readonly kind: "draw"; readonly draft: Draft }
  /** The file could not be attached. */
  | { readonly kind: "draw-without-file"; readonly draft: Draft; readonly drawn: Drawn; readonly isForbidden: boolean }
  | { readonly kind: "resolve"; readonly shown: PromiseWithResolvers<void> }
  | { readonly kind: "reject"; readonly shown: PromiseWithResolvers<void>; readonly reason: unknown };

export type Step = { readonly state: State; readonly effects: readonly Effect[] };

const longAgo = Number.NEGATIVE_INFINITY;
const done: State = { kind: "done", isClosed: false };

export const atFirst: Progress = { kind: "progress", writtenAtMs: longAgo, failures: 0, pausedUntilMs: longAgo };

export function next(state: State, event: Event, nowMs: number): Step {
  if (event.kind === "closed") {
    const closed: State = { kind: "done", isClosed: true };
    return state.kind === "ending" ? givenUp(state, closedError(), closed) : stay(closed);
  }
  if (event.kind === "finish") return isClosed(state) ? stay(state) : ended(state, event, nowMs);
  switch (state.kind) {
    case "progress":
      return stay(nextOfProgress(state, event, nowMs));
    case "ending":
      return nextOfEnding(state, event, nowMs);
    case "done":
      return stay(state);
  }
}

function nextOfProgress(progress: Progress, event: Event, nowMs: number): State {
  const { newest, writing } = progress;
  switch (event.kind) {
    case "show":
      return { ...progress, newest: updated(newest, event, nowMs) };
    case "begun":
      return { ...progress, newest: undefined, writing: newest, writtenAtMs: nowMs };
    case "written":
      return { ...progress, newest: event.isWhole ? newest : (newest ?? writing), writing: undefined, failures: 0 };
    case "shown":
      return { ...progress, newest: undefined, writtenAtMs: nowMs };
    case "refused":
      return refusedProgress({ ...progress, writing: undefined }, writing, event, nowMs);
    default:
      return progress;
  }
}

/** The newest update after one more document. What is not written yet keeps its most urgent news. */
function updated(
  pending: Update | undefined,
  { document, news }: Pick<Update, "document" | "news">,
  nowMs: number,
): Update {
  if (pending === undefined || compareRanks(news, pending.news) < 0) {
    return { document, news, sinceMs: nowMs, isSettled: false };
  }
  return { ...pending, document, isSettled: pending.isSettled || nowMs - pending.sinceMs >= sameNewsMs };
}

function refusedProgress(
  progress: Progress,
  written: Update | undefined,
  { operation, thrown, isNeedless }: Extract<Event, { kind: "refused" }>,
  nowMs: number,
): State {
  const reaction = reactionTo(thrown);
  if (isNeedless) return { ...progress, newest: progress.newest ?? written };
  if (reaction === "give-up" || (reaction === "anew" && operation.kind === "edit")) return done;
  // The next update may be accepted. Text that grows has one at once, and each try costs an edit.
  if (reaction !== "again-later") return { ...progress, writtenAtMs: nowMs };
  const failures = progress.failures + 1;
  const pausedUntilMs = nowMs + backoffMs(failures, toParleyError(thrown).retryAfterMs);
  return { ...progress, newest: withUnwritten(progress.newest, written), failures, pausedUntilMs };
}

/** What a failed write would have shown is still to be shown, with whatever is newer. */
function withUnwritten(newest: Update | undefined, written: Update | undefined): Update | undefined {
  if (written === undefined) return newest;
  if (newest !== undefined && compareRanks(newest.news, written.news) < 0) return newest;
  return { ...written, document: (newest ?? written).document, isSettled: true };
}

function ended(before: State, event: Extract<Event, { kind: "finish" }>, nowMs: number): Step {
  const { document, signal, shown, drawn, stood } = event;
  const draft: Draft = { document };
  const first = before.kind === "ending" ? before : undefined;
  const state: Ending = {
    kind: "ending",
    draft,
    drawn,
    signal,
    shown,
    sinceMs: nowMs,
    notBeforeMs: longAgo,
    failures: 0,
    oddFailures: 0,
    fileFailures: 0,
    stood: first?.stood ?? stood,
    hadProgress: first?.hadProgress ?? hasContent(before),
  };
  return { state, effects: drawn === undefined ? [{ kind: "draw", draft }] : [] };
}

function nextOfEnding(ending: Ending, event: Event, nowMs: number): Step {
  switch (event.kind) {
    case "drawn":
      return stay(event.draft === ending.draft ? { ...ending, drawn: event.drawn } : ending);
    case "undrawable":
      return event.draft === ending.draft ? failed(ending, event.thrown, "plain", nowMs) : stay(ending);
    case "written":
      return stay({ ...ending, failingSinceMs: undefined });
    case "refused":
      return event.of !== "ending" || event.isNeedless ? stay(ending) : refusedEnding(ending, event, nowMs);
    case "shown":
      return { state: done, effects: [{ kind: "resolve", shown: ending.shown }] };
    case "aborted":
      return event.signal === ending.signal ? givenUp(ending, event.signal.reason) : stay(ending);
    default:
      return stay(ending);
  }
}

function refusedEnding(
  ending: Ending,
  { operation, thrown }: Extract<Event, { kind: "refused" }>,
  nowMs: number,
): Step {
  const reaction = reactionTo(thrown);
  const { draft, drawn } = ending;
  if (operation.kind !== "post" || operation.index !== filePart) return failed(ending, thrown, reaction, nowMs);
  const { code } = toParleyError(thrown);
  const fileFailures = ending.fileFailures + (code === "platform_rate_limited" ? 0 : 1);
  const state: Ending = { ...ending, fileFailures };
  if (drawn === undefined || (reaction === "again-later" && fileFailures < maxFileFailures)) {
    return failed(state, thrown, reaction, nowMs);
  }
  return { state, effects: [{ kind: "draw-without-file", draft, drawn, isForbidden: code === "not_permitted" }] };
}

function failed(before: Ending, thrown: unknown, reaction: Reaction, nowMs: number): Step {
  const isOdd = reaction !== "again-later";
  const ending: Ending = {
    ...before,
    failingSinceMs: before.failingSinceMs ?? nowMs,
    failures: before.failures + (isOdd ? 0 : 1),
    oddFailures: before.oddFailures + (isOdd ? 1 : 0),
  };
  const { draft, drawn, failures, oddFailures } = ending;
  const isHopeless = reaction === "give-up" || (reaction === "plain" && draft.isPlain === true);
  if (isHopeless || hasFailedLong(ending, nowMs) || oddFailures > maxOddFailures) return givenUp(ending, thrown);
  if (reaction === "plain") {
    const { pages, rest } = drawn?.fitted ?? { pages: [draft.document] };
    const blocks = pages.flatMap((page) => page.blocks);
    const plain: Draft = { document: plainDocument({ ...draft.document, blocks }), over: rest, isPlain: true };
    return { state: { ...ending, draft: plain, drawn: undefined }, effects: [{ kind: "draw", draft: plain }] };
  }
  const { code, retryAfterMs } = toParleyError(thrown);
  // The budget waits for what a platform asks, and another way may be open.
  if (reaction === "anew" || code === "platform_rate_limited") return stay(ending);
  return stay({ ...ending, notBeforeMs: nowMs + backoffMs(failures + oddFailures, retryAfterMs) });
}

function givenUp({ shown }: Ending, reason: unknown, state: State = done): Step {
  return { state, effects: [{ kind: "reject", shown, reason }] };
}

function stay(state: State): Step {
  return { state, effects: [] };
}

export function isClosed(state: State): boolean {
  return state.kind === "done" && state.isClosed;
}

/** A closed writer writes nothing. */
export function closedError(): ParleyError {
  return new ParleyError("internal", { what: "The reply was closed before it was shown." });
}

export function hasFailedLong(state: State, nowMs: number): boolean {
  if (state.kind !== "ending" || state.failingSinceMs === undefined) return false;
  return nowMs - state.failingSinceMs >= maxFailingMs;
}

export function hasContent(state: State): boolean {
  return state.kind === "ending" || (state.kind === "progress" && (state.newest ?? state.writing) !== undefined);
}

/** Something new begins with it. Where it has to wait, a platform's status line can say it. */
export function isBeginning(news: News): boolean {
  return compareRanks(news, "text") < 0;
}

/** Since when a new step waits for its edit, or the first message for its post; undefined while neither does. */
export function waitingSinceMs(state: State, messages: Messages): number | undefined {
  if (state.kind !== "progress" || state.newest === undefined) return undefined;
  const { newest, writing } = state;
  const isFirst = !stands(messages) && writing === undefined;
  return isFirst || isBeginning(newest.news) ? newest.sinceMs : undefined;
}

export type Pace = {
  /** How long news wait for what follows at once, such as a new step for its result. */
  readonly debounceMs: number;
  /** How long a result waits for the next step, and a text for more of it. */
  readonly earnMs: (rank: "text" | "result") => number;
  /** When a growing text may be drawn again, however many edits there are. */
  readonly drawnAgainAtMs: () => number;
};

/** What it wants to write, and from when on; undefined while there is nothing. */
export function wishOf(
  state: State,
  messages: Messages,
  pace: Pace,
): (Wish & { readonly dueAtMs: number }) | undefined {
  switch (state.kind) {
    case "progress": {
      const { newest, writtenAtMs, pausedUntilMs } = state;
      if (newest === undefined) return undefined;
      if (!stands(messages)) {
        const countsAs = isFirstPost(messages) ? "post" : "other";
        return { rank: "first-post", sinceMs: newest.sinceMs, countsAs, dueAtMs: pausedUntilMs };
      }
      const dueAtMs = Math.max(pausedUntilMs, readyAtMs(newest, writtenAtMs, pace));
      return { rank: newest.news, sinceMs: writtenAtMs, countsAs: "edit", dueAtMs };
    }
    case "ending": {
      const operation = state.drawn && nextOfEnd(messages, state.drawn.rendered);
      if (operation === undefined) return undefined;
      const { sinceMs, notBeforeMs: dueAtMs } = state;
      const mayPostAnew = mayBeAnew(messages, operation);
      return { rank: "end", sinceMs, countsAs: countableOf(operation), mayPostAnew, dueAtMs };
    }
    case "done":
      return undefined;
  }
}

/** Nothing stands and nothing can be there that isn't known: whatever is to be shown is a new message. */
export function isFirstPost({ parts }: Messages): boolean {
  return [...parts.values()].every(({ state }) => state === "gone");
}

export function countableOf(operation: Operation): Countable {
  if (operation.kind === "edit") return "edit";
  const isMessage = operation.kind === "anew" || (operation.kind === "post" && operation.index !== filePart);
  return isMessage ? "post" : "other";
}

/** When it may be written, tokens permitting. */
function readyAtMs({ news, sinceMs, isSettled }: Update, writtenAtMs: number, pace: Pace): number {
  switch (news) {
    case "first-step":
    case "step":
      return isSettled ? sinceMs : sinceMs + pace.debounceMs;
    case "first-text":
      return sinceMs + fewWordsMs;
    case "text":
      return Math.max(writtenAtMs + Math.max(textEveryMs, pace.earnMs("text")), pace.drawnAgainAtMs());
    case "result":
      return sinceMs + Math.max(pace.debounceMs, pace.earnMs("result"));
    case "elapsed":
      return sinceMs;
  }
}
