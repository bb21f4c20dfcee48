/**
 * Keeps the messages of one Reply showing the newest document. It handles the race between an answer and the progress
 * before it, which may be in flight, refused, or posted by a process that died. One write at a time, always of the
 * newest document; progress can be lost, the end cannot.
 */

import type { Document } from "../core/document.ts";
import { toParleyError } from "../core/errors.ts";
import type { DeliveryMetrics } from "../core/metrics.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Coordinator } from "../core/ports/state.ts";
import { type Countable, createBudgetsOf } from "./budgets.ts";
import type { Drawing, Drawn } from "./drawing.ts";
import type { Candidate, Limiter, Write } from "./limiter.ts";
import {
  isNeedlessAfter,
  mayBeAnew,
  messagesOf,
  nextOfEnd,
  perform,
  persist,
  type Rendered,
  rendered,
  stands,
} from "./messages.ts";
import {
  atFirst,
  closedError,
  countableOf,
  type Draft,
  type Effect,
  type Ending,
  type Event,
  hasContent,
  hasFailedLong,
  isClosed,
  isFirstPost,
  next as nextState,
  type Pace,
  type State,
  type Update,
  waitingSinceMs,
  wishOf,
} from "./reply.ts";
import { asFinal, nextOperation, type Operation, standing } from "./reply-parts.ts";
import { createStatusWords } from "./status-words.ts";
import type { Delivery, ReplyWriter } from "./types.ts";
import { backoffMs } from "./write-errors.ts";

/** What it waits for can be over sooner, for example when others that share the budget end. */
const looksAgainMs = 1_000;
/** Progress still under way this long after a close is aborted: it may be waiting minutes for a limit to be over. */
const closingGraceMs = 2_000;

/** What all Replies of one platform share. */
export type DeliveryContext = {
  readonly platform: ChatPlatform;
  readonly limiter: Limiter;
  readonly drawing: Drawing;
  readonly coordinator: Pick<Coordinator, "takeToken" | "returnToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics | undefined;
};

export function createReplyWriter(context: DeliveryContext, options: Parameters<Delivery["open"]>[0]): ReplyWriter {
  const { platform, limiter, drawing, clock, metrics } = context;
  const { replyId } = options;
  const { place } = options.reply;
  const { writes } = platform.limits;
  const budgets = createBudgetsOf(platform, place, replyId);
  const messages = messagesOf({ ...context, ...options });
  const supersededAtFirst = messages.superseded.length;
  const pace: Pace = {
    debounceMs: writes.debounceMs ?? 0,
    earnMs: (rank) => limiter.earnMs(budgets(), rank),
    drawnAgainAtMs: drawing.growsAgainAtMs,
  };
  const log = (level: keyof Log, thrown: unknown, message: string) =>
    context.log[level]({ err: thrown, replyId, platform: platform.name }, message);

  let state: State = atFirst;
  let inFlight: Promise<void> | undefined;
  /** When the last write was over. */
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;
  /** Absent until there is progress to abort. */
  let closing: AbortController | undefined;
  /** The newest progress as it is drawn, because most progress never is. */
  let drawnProgress: { readonly of: Update; readonly rendered: Rendered } | undefined;
  /** The platform's Retry-After: for everything, or, where posts are limited apart, only for what it concerns. */
  let retryAtMs: Readonly<Partial<Record<Countable, number>>> = {};
  const status = createStatusWords({
    ...context,
    ...options,
    place,
    waitingSinceMs: () => waitingSinceMs(state, messages),
    isWriting: () => inFlight !== undefined,
  });

  const candidate: Candidate = {
    budgets,
    lacksMessage: () => !stands(messages) && hasContent(state),
    wish: () => {
      const wish = inFlight === undefined ? currentWish() : undefined;
      if (wish === undefined) return undefined;
      // The limiter forgets candidates without a wish, and a wish can move: any drawing delays the next one.
      if (wish.waitMs > 0) return void later(wish.waitMs);
      return mayShow() ? wish : undefined;
    },
    next,
  };
  limiter.expect(candidate);

  function handle(event: Event): void {
    const step = nextState(state, event, clock.now());
    state = step.state;
    for (const effect of step.effects) carryOut(effect);
  }

  function carryOut(effect: Effect): void {
    switch (effect.kind) {
      case "draw":
        draw(effect.draft, () => drawing.draw(effect.draft.document, effect.draft.over));
        break;
      case "draw-without-file":
        draw(effect.draft, () => drawing.withoutFile(effect.drawn, effect.isForbidden));
        break;
      case "resolve":
        status.clear();
        effect.shown.resolve();
        break;
      case "reject":
        status.clear();
        effect.shown.reject(effect.reason);
    }
  }

  /** A long end is rendered over several turns of the event loop; until then there is nothing to write. */
  function draw(draft: Draft, drawing: () => Drawn | Promise<Drawn>): void {
    const whenDrawn = (drawn: Drawn) => handle({ kind: "drawn", draft, drawn });
    const whenFailed = (thrown: unknown) => {
      log("error", thrown, "A document could not be rendered");
      handle({ kind: "undrawable", draft, thrown });
    };
    try {
      const drawn = drawing();
      if (drawn instanceof Promise) void drawn.then(whenDrawn).catch(whenFailed).finally(wake);
      else whenDrawn(drawn);
    } catch (thrown) {
      whenFailed(thrown);
    }
  }

  function mayShow(): boolean {
    return state.kind === "ending" || options.mayShow?.() !== false;
  }

  function currentWish() {
    const wish = wishOf(state, messages, pace);
    if (wish === undefined) return undefined;
    const { countsAs, mayPostAnew, dueAtMs } = wish;
    const retryMs = (what: Countable) => retryAtMs[what] ?? dueAtMs;
    const untilMs = mayPostAnew === true ? Math.min(retryMs("edit"), retryMs("post")) : retryMs(countsAs);
    const rank = wish.rank === "end" && options.givesWay === true ? "first-post" : wish.rank;
    return { ...wish, rank, waitMs: Math.max(untilMs, dueAtMs) - clock.now() };
  }

  function wake(): void {
    if (state.kind === "ending" && inFlight === undefined && state.drawn !== undefined) {
      if (nextOfEnd(messages, state.drawn.rendered) === undefined) return void track(complete(state));
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
    // Another instance may have continued the Turn while a token was on its way.
    if (inFlight !== undefined || !hasContent(state) || !mayShow()) return undefined;
    // What is certain to be a first post isn't drawn before its turn: the newest content may be another one by then.
    if (state.kind === "progress" && isFirstPost(messages)) return { countsAs: "post", start: startFirst };
    const content = currentContent();
    const operation = content && operationFor(content, isAnew);
    if (content === undefined || operation === undefined) return undefined;
    return { countsAs: countableOf(operation), start: () => track(write(operation, content)) };
  }

  async function startFirst(): Promise<void> {
    const content = currentContent();
    if (content !== undefined) await track(write({ kind: "post", index: 0 }, content));
  }

  function operationFor(content: Rendered, isAnew: boolean): Operation | undefined {
    if (state.kind !== "ending") {
      const operation = nextOperation(messages.parts, content.hashes, false);
      if (operation === undefined) handle({ kind: "shown" });
      return operation;
    }
    const operation = nextOfEnd(messages, content);
    return operation !== undefined && isAnew && mayBeAnew(messages, operation) ? { kind: "anew" } : operation;
  }

  function currentContent(): Rendered | undefined {
    if (state.kind === "ending") return state.drawn?.rendered;
    if (state.kind !== "progress" || state.newest === undefined) return undefined;
    try {
      if (drawnProgress?.of !== state.newest) {
        drawnProgress = { of: state.newest, rendered: drawing.progress(state.newest.document) };
      }
      return drawnProgress.rendered;
    } catch (thrown) {
      log("error", thrown, "A document could not be rendered");
      handle({ kind: "shown" });
      return undefined;
    }
  }

  /** Remembers the write in flight, and looks for more to do when it is over. */
  function track(running: Promise<void>): Promise<void> {
    const tracked = running.finally(() => {
      if (inFlight === tracked) inFlight = undefined;
      writtenAtMs = clock.now();
      wake();
    });
    inFlight = tracked;
    return tracked;
  }

  async function write(operation: Operation, content: Rendered): Promise<void> {
    const of = state.kind;
    const isEnd = state.kind === "ending";
    if (!isEnd) closing ??= new AbortController();
    const signal = state.kind === "ending" ? state.signal : closing?.signal;
    handle({ kind: "begun" });
    drawnProgress = undefined;
    try {
      await perform(messages, operation, content, { urgency: isEnd ? "final" : "progress", signal });
      handle({ kind: "written", isWhole: nextOperation(messages.parts, content.hashes, false) === undefined });
    } catch (thrown) {
      await refused(of, operation, thrown);
    }
  }

  async function refused(of: State["kind"], operation: Operation, thrown: unknown): Promise<void> {
    const { code, retryAfterMs } = toParleyError(thrown);
    const isLimit = code === "platform_rate_limited";
    const level = of === "ending" && state.kind === "ending" && !isLimit ? "warn" : "info";
    log(level, thrown, `A ${operation.kind} was refused: ${code}`);
    const isNeedless = isNeedlessAfter(messages, operation, thrown, hasFailedLong(state, clock.now()));
    // A newer end may have taken the place of the one that was written.
    handle({ kind: "refused", of, operation, thrown, isNeedless });
    status.look();
    if (!isLimit) return;
    const what = countableOf(operation);
    const forMs = backoffMs(1, retryAfterMs);
    const atMs = clock.now() + forMs;
    retryAtMs = writes.posts === undefined ? { edit: atMs, post: atMs, other: atMs } : { ...retryAtMs, [what]: atMs };
    await limiter.penalise(budgets(), what, forMs);
  }

  /** Everything is posted: stores it, and resolves. A failure from here on no longer concerns readers. */
  async function complete(ending: Ending): Promise<void> {
    messages.parts = asFinal(messages.parts);
    await persist(messages).catch((thrown: unknown) =>
      log("warn", thrown, "A reply was shown but could not be stored"),
    );
    if (state !== ending) return;
    count(ending);
    handle({ kind: "shown" });
  }

  /** In which way the end of a Turn was shown. Only Turns say whether theirs may be a new message. */
  function count({ stood, hadProgress }: Ending): void {
    if (options.mayPostAnew === undefined) return;
    const isAnew = messages.superseded.length > supersededAtFirst;
    metrics?.onEnd(isAnew ? "anew" : stood ? "edit" : "post");
    if (!stood && hadProgress) metrics?.onPlaceholderSkipped();
  }

  function finish(document: Document, signal: AbortSignal | undefined, drawn?: Drawn): Promise<void> {
    if (isClosed(state)) return Promise.reject(closedError());
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    // A caller that waits for an earlier end gets the outcome of this one.
    const shown = state.kind === "ending" ? state.shown : Promise.withResolvers<void>();
    const onAbort = () => signal && handle({ kind: "aborted", signal });
    const stopListening = () => signal?.removeEventListener("abort", onAbort);
    signal?.addEventListener("abort", onAbort, { once: true });
    shown.promise.then(stopListening, stopListening);
    handle({ kind: "finish", document, signal, shown, drawn, stood: stands(messages) });
    wake();
    return shown.promise;
  }

  return {
    show: (document, news = "step") => {
      if (state.kind !== "progress") return;
      handle({ kind: "show", document, news });
      status.next(document, news);
      wake();
    },

    finish,

    cutShort: async (document, end, signal) => {
      // The write that was in flight at the abort may have succeeded after all.
      await inFlight;
      const whole = await drawing.draw(document);
      const { payloads, hashes } = whole.rendered;
      const kept = standing(messages.parts, hashes);
      if (kept === hashes.length) {
        await finish(document, signal, whole);
        return "whole";
      }
      const cut = rendered([...payloads.slice(0, kept), ...platform.render(end)]);
      await finish(end, signal, { fitted: { pages: [end] }, rendered: cut });
      return "cut";
    },

    close: async () => {
      limiter.forget(candidate);
      cancelTimer?.();
      handle({ kind: "closed" });
      status.clear();
      const cancelGrace = clock.after(closingGraceMs, () => closing?.abort());
      await inFlight;
      cancelGrace();
    },

    current: () => messages.stored,
    writtenAtMs: () => writtenAtMs,
  };
}
