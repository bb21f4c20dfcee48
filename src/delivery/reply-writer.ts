/**
 * Keeps the messages of one Reply showing the newest document. It handles the race between an answer and the progress
 * before it, which may be in flight, refused, or posted by a process that died. One write at a time, always of the
 * newest document; progress can be lost, the end cannot. After `finish` only another `finish` is shown: Try again opens
 * a new writer. It is one file, because every function in it reads or changes the state of the one Reply.
 */

import type { Document } from "../core/document.ts";
import { toParleyError } from "../core/errors.ts";
import type { DeliveryMetrics } from "../core/metrics.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { plainDocument, type Rest } from "../presentation/markdown.ts";
import { createBudgetsOf } from "./budgets.ts";
import { createDebounce } from "./debounce.ts";
import type { Drawing, Drawn } from "./drawing.ts";
import { createEndCount } from "./end-count.ts";
import type { Candidate, Limiter, Write } from "./limiter.ts";
import { mayBeAnew, newWork, nextOfEnd, perform, type Rendered, rendered } from "./perform.ts";
import { afterRefusal, type Consequence, closedError, failEnding, type Refusal } from "./refusals.ts";
import { asFinal, nextOperation, type Operation, standing } from "./reply-parts.ts";
import {
  countableOf,
  createRetryAfter,
  debounceMsOf,
  type Ending,
  hasContent,
  isEmpty,
  keepNews,
  newEnding,
  newProgress,
  type Progress,
  paceOf,
  type State,
  updated,
  waitingSinceMs,
  wishOf,
} from "./reply-state.ts";
import { createStatusWords } from "./status-words.ts";
import { createStoredParts } from "./stored-parts.ts";
import type { Delivery, ReplyWriter } from "./types.ts";
import { backoffMs } from "./write-errors.ts";

/** What it waits for can be over sooner, for example when others that share the budget end. */
const looksAgainMs = 1_000;
/** Progress still under way this long after a close is aborted: it may be waiting minutes for a limit to be over. */
const closingGraceMs = 2_000;

export type ReplyWriterOptions = Parameters<Delivery["open"]>[0] & {
  readonly platform: ChatPlatform;
  readonly limiter: Limiter;
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics | undefined;
};

export function createReplyWriter(options: ReplyWriterOptions): ReplyWriter {
  const { platform, limiter, drawing, clock, replyId } = options;
  const { place } = options.reply;
  const budgets = createBudgetsOf(platform, place, replyId);
  const results = createDebounce(debounceMsOf(platform), clock);
  const pace = paceOf(platform, results, (rank) => limiter.earnMs(budgets(), rank), drawing);
  const stored = createStoredParts(options.reply, options.save);
  const work = newWork(options, stored);
  const log = (level: keyof Log, thrown: unknown, message: string) =>
    options.log[level]({ err: thrown, replyId, platform: platform.name }, message);

  let state: State = newProgress();
  const retryAfter = createRetryAfter(platform.limits.writes.posts !== undefined);
  const ends = createEndCount(work, options);
  let inFlight: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  /** Absent until there is progress to abort. */
  let closing: AbortController | undefined;
  const stands = () => stored.parts().get(0)?.messageId !== undefined;
  const status = createStatusWords({
    ...options,
    place,
    waitingSinceMs: () => waitingSinceMs(state, stands()),
    isWriting: () => inFlight !== undefined,
  });

  const candidate: Candidate = {
    budgets,
    lacksMessage: () => !stands() && hasContent(state),
    wish: () => {
      const wish = inFlight === undefined ? currentWish() : undefined;
      if (wish === undefined) return undefined;
      // The scheduler forgets candidates without a wish, and a wish can move: any drawing delays the next one.
      if (wish.waitMs > 0) return void later(wish.waitMs);
      return wish.rank === "end" || options.mayShow?.() !== false ? wish : undefined;
    },
    next,
  };
  limiter.expect(candidate);

  function currentWish() {
    const wish = wishOf(state, work, pace);
    return wish && { ...wish, waitMs: Math.max(retryAfter.untilMs(wish), wish.dueAtMs) - clock.now() };
  }

  function wake(): void {
    if (inFlight === undefined && state.kind === "ending" && state.drawn !== undefined) {
      if (nextOfEnd(work, state.drawn.rendered) === undefined) return void track(complete(state));
    }
    const wish = currentWish();
    if (wish === undefined) return;
    cancelTimer?.();
    if (wish.waitMs <= 0) limiter.wake(candidate);
    else later(wish.waitMs);
  }

  /** Checks again then: a timer may fire a moment early. */
  function later(waitMs: number): void {
    cancelTimer?.();
    cancelTimer = clock.after(Math.min(waitMs, looksAgainMs), wake);
  }

  function next(isAnew: boolean): Write | undefined {
    const showing = state;
    if (inFlight !== undefined || showing.kind === "quiet" || showing.kind === "closed") return undefined;
    // What is certain to be a first post isn't drawn before its turn: the newest content may be another one by then.
    if (showing.kind === "progress" && showing.newest !== undefined && isEmpty(stored.parts())) {
      return { countsAs: "post", start: async () => showFirst(showing) };
    }
    const content = currentContent();
    if (content === undefined) return undefined;
    const isEnd = showing.kind === "ending";
    const edit = isEnd ? nextOfEnd(work, content) : nextOperation(stored.parts(), content.hashes, false);
    if (edit === undefined) {
      if (!isEnd) Object.assign(showing, { newest: undefined, writtenAtMs: clock.now() });
      return undefined;
    }
    const operation: Operation = isAnew && isEnd && mayBeAnew(work, edit) ? { kind: "anew" } : edit;
    return { countsAs: countableOf(operation), start: () => track(write(operation, content, showing)) };
  }

  async function showFirst(showing: Progress): Promise<void> {
    const content = currentContent();
    if (content !== undefined) await track(write({ kind: "post", index: 0 }, content, showing));
  }

  function currentContent(): Rendered | undefined {
    if (state.kind === "ending") return state.drawn?.rendered;
    if (state.kind !== "progress" || state.newest === undefined) return undefined;
    try {
      state.newest.rendered ??= drawing.progress(state.newest.document);
      return state.newest.rendered;
    } catch (thrown) {
      state.newest = undefined;
      log("error", thrown, "A document could not be rendered");
      return undefined;
    }
  }

  /** Remembers the write in flight, and looks for more to do when it is over. */
  function track(running: Promise<void>): Promise<void> {
    const tracked = running.finally(() => {
      if (inFlight === tracked) inFlight = undefined;
      wake();
    });
    inFlight = tracked;
    return tracked;
  }

  async function write(operation: Operation, content: Rendered, showing: Progress | Ending): Promise<void> {
    const { kind } = showing;
    const urgency = kind === "ending" ? "final" : "progress";
    const writing = kind === "progress" ? showing.newest : undefined;
    if (kind === "progress") Object.assign(showing, { writing, writtenAtMs: clock.now() });
    try {
      if (kind === "progress") closing ??= new AbortController();
      const signal = kind === "ending" ? showing.signal : closing?.signal;
      await perform(work, operation, content, { urgency, signal });
    } catch (thrown) {
      // A newer end may have taken the place of the one that was written.
      if (state.kind === "progress") keepNews(state, thrown);
      status.look();
      await refused({ operation, content, thrown }, state.kind === kind ? state : undefined);
      return;
    }
    if (state.kind === "ending") state.failingSinceMs = undefined;
    if (state.kind !== "progress") return;
    state.writing = undefined;
    state.failures = 0;
    const isShown = nextOperation(stored.parts(), content.hashes, false) === undefined;
    if (isShown && state.newest?.rendered === content) state.newest = undefined;
  }

  async function refused(refusal: Refusal, showing: Progress | Ending | undefined): Promise<void> {
    const { operation, thrown } = refusal;
    const { code, retryAfterMs } = toParleyError(thrown);
    const isLimit = code === "platform_rate_limited";
    const level = showing?.kind === "ending" && !isLimit ? "warn" : "info";
    log(level, thrown, `A ${operation.kind} was refused: ${code}`);
    if (isLimit) {
      const forMs = backoffMs(1, retryAfterMs);
      const what = countableOf(operation);
      retryAfter.note(what, clock.now() + forMs);
      await limiter.penalise(budgets(), what, forMs);
    }
    const consequence = afterRefusal(work, refusal, showing);
    if (showing?.kind === "ending") proceed(showing, consequence, thrown);
    else if (consequence === "give-up" && state.kind === "progress") state = { kind: "quiet" };
  }

  function proceed(ending: Ending, consequence: Consequence, thrown: unknown): void {
    if (state !== ending) return;
    switch (consequence) {
      case "continue":
        return;
      case "plain": {
        ending.isPlain = true;
        const { pages, rest } = ending.drawn?.fitted ?? { pages: [ending.document] };
        draw(ending, plainDocument({ ...ending.document, blocks: pages.flatMap(({ blocks }) => blocks) }), rest);
        return;
      }
      case "without-file": {
        const isForbidden = toParleyError(thrown).code === "not_permitted";
        if (ending.drawn !== undefined) ending.drawn = drawing.withoutFile(ending.drawn, isForbidden);
        return;
      }
      case "give-up":
        giveUp(ending, thrown);
    }
  }

  /** A long end is rendered over several turns of the event loop; until then there is nothing to write. */
  function draw(ending: Ending, document: Document, over?: Rest): void {
    ending.drawn = undefined;
    const done = (drawn: Drawn) => {
      ending.drawn = drawn;
    };
    const failed = (thrown: unknown) => {
      log("error", thrown, "A document could not be rendered");
      proceed(ending, failEnding(ending, thrown, "plain", clock.now()), thrown);
    };
    try {
      const drawn = drawing.draw(document, over);
      if (!(drawn instanceof Promise)) done(drawn);
      else void drawn.then(done).catch(failed).finally(wake);
    } catch (thrown) {
      failed(thrown);
    }
  }

  /** Everything is posted: stores it, and resolves. A failure from here on no longer concerns readers. */
  async function complete(ending: Ending): Promise<void> {
    stored.replace(asFinal(stored.parts()));
    await stored.persist().catch((thrown: unknown) => log("warn", thrown, "A reply was shown but could not be stored"));
    if (state !== ending) return;
    state = { kind: "quiet" };
    ends?.shown();
    status.clear();
    ending.shown.resolve();
  }

  function giveUp(ending: Ending, reason: unknown): void {
    if (state !== ending) return;
    state = { kind: "quiet" };
    status.clear();
    ending.shown.reject(reason);
  }

  function finish(document: Document, signal: AbortSignal | undefined, drawn?: Drawn): Promise<void> {
    if (state.kind === "closed") return Promise.reject(closedError());
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    // A caller that waits for an earlier end gets the outcome of this one.
    const shown = state.kind === "ending" ? state.shown : Promise.withResolvers<void>();
    ends?.begins(stands(), state.kind === "progress" && state.newest !== undefined);
    const rank = options.givesWay === true ? "first-post" : "end";
    const ending = newEnding({ document, signal, sinceMs: clock.now(), rank, drawn, shown });
    const onAbort = () => giveUp(ending, signal?.reason);
    const stopListening = () => signal?.removeEventListener("abort", onAbort);
    signal?.addEventListener("abort", onAbort, { once: true });
    shown.promise.then(stopListening, stopListening);
    state = ending;
    if (drawn === undefined) draw(ending, document);
    wake();
    return shown.promise;
  }

  return {
    show: (document, news = "step") => {
      if (state.kind !== "progress") return;
      results.note(news);
      state.newest = updated(state, document, news, clock.now());
      status.next(document, news);
      wake();
    },

    finish,

    cutShort: async (document, end, signal) => {
      // The write that was in flight at the abort may have succeeded after all.
      await inFlight;
      const whole = await drawing.draw(document);
      const { payloads, hashes } = whole.rendered;
      const kept = standing(stored.parts(), hashes);
      if (kept === hashes.length) {
        await finish(document, signal, whole);
        return "whole";
      }
      const cut = rendered([...payloads.slice(0, kept), ...platform.render(end)]);
      await finish(end, signal, { fitted: { pages: [end] }, rendered: cut });
      return "cut";
    },

    close: async () => {
      const before = state;
      state = { kind: "closed" };
      limiter.forget(candidate);
      cancelTimer?.();
      status.clear();
      if (before.kind === "ending") before.shown.reject(closedError());
      const cancelGrace = clock.after(closingGraceMs, () => closing?.abort());
      await inFlight;
      cancelGrace();
    },

    current: stored.current,
  };
}
