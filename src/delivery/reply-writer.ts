/**
 * Keeps the messages of one Reply showing the newest document. It handles the race between an answer and the progress
 * before it, which may be in flight, refused, or posted by a process that died. One write at a time, always of the
 * newest document; progress can be lost, the end cannot. After `finish` only another `finish` is shown: Try again opens
 * a new writer.
 */

import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { ReplyWriter } from "../ports/delivery.ts";
import type { Document } from "../ports/document.ts";
import { type ParleyError, toParleyError } from "../ports/errors.ts";
import type { Log } from "../ports/log.ts";
import type { DeliveryMetrics } from "../ports/metrics.ts";
import { filePart, type Reply } from "../ports/model/reply.ts";
import { present } from "../ports/tools/present.ts";
import type { Rest } from "../presentation/markdown.ts";
import { plainDocument } from "../presentation/markdown.ts";
import type { Drawing, Drawn } from "./drawing.ts";
import { abandon, perform, type Rendered, type ReplyWork, rendered } from "./perform.ts";
import { nextOperation, type Operation, standing } from "./reply-parts.ts";
import { createStoredParts } from "./stored-parts.ts";
import { closedError, type Final, type Target } from "./targets.ts";
import { backoffMs, type Reaction, reactionTo } from "./write-errors.ts";
import { budgetsOf, type Candidate, type WriteScheduler } from "./write-scheduler.ts";

/** A final that keeps failing this long without a success is given up. */
const maxFailingMs = 600_000;
/** For failures that should not happen: faults of ours, messages that vanish as soon as they are posted. */
const maxOddFailures = 3;
/** A file is searched for after each attempt; with the backoff this takes some minutes. */
const maxFileFailures = 8;
/** Updates closer together than this belong to the same event, and the one to wait for is yet to come. */
const sameNewsMs = 10;
/** Shared: of 10,000 waiting questions few ever give up a message. */
const none: ReadonlySet<string> = new Set();
/** Index for a message that is no longer part of the Reply. */
const noPart = -1;

export type ReplyWriterOptions = {
  readonly platform: ChatPlatform;
  readonly scheduler: WriteScheduler;
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics | undefined;
  readonly replyId: string;
  readonly reply: Reply;
  readonly save: (reply: Reply) => Promise<void>;
  readonly mayHaveTwins?: boolean;
  readonly mayShow?: () => boolean;
};

export function createReplyWriter(options: ReplyWriterOptions): ReplyWriter {
  const { platform, scheduler, drawing, clock, replyId, reply } = options;
  const { place } = reply;
  const { settleMs = 0 } = platform.limits.writes;
  const stored = createStoredParts(reply, options.save);
  const work: ReplyWork = {
    platform,
    clock,
    metrics: options.metrics,
    replyId,
    place,
    stored,
    abandoned: none,
    replaced: none,
    mayHaveTwins: options.mayHaveTwins === true,
  };
  const log = (level: keyof Log, thrown: unknown, message: string) =>
    options.log[level]({ err: thrown, replyId, platform: platform.name }, message);

  let progress: Target | undefined;
  /** Only the end is shown from here on: it was requested, or nothing is left to show progress in. */
  let progressIsOver = false;
  let progressFailures = 0;
  let final: Final | undefined;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  /** The platform's Retry-After; applies to everything. */
  let limitedUntilMs = Number.NEGATIVE_INFINITY;
  /** Backoff of progress while the platform is unreachable; the end does not wait for it. */
  let progressPausedUntilMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | undefined;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;

  function renderTarget(target: Target): Rendered {
    target.rendered ??= rendered(platform.render(target.document));
    return target.rendered;
  }

  /** A long end is rendered over several turns of the event loop; until then there is nothing to write. */
  function draw(ending: Final, document: Document, over?: Rest): void {
    delete ending.rendered;
    const done = (drawn: Drawn) => Object.assign(ending, { drawn, rendered: drawn.rendered });
    const failed = (thrown: unknown) => {
      log("error", thrown, "A document could not be rendered");
      failFinal(ending, thrown, "plain");
    };
    try {
      const drawn = drawing.draw(document, over);
      if (!(drawn instanceof Promise)) done(drawn);
      else void drawn.then(done).catch(failed).finally(wake);
    } catch (thrown) {
      failed(thrown);
    }
  }

  function operationFor(target: Target): Operation | undefined {
    const { hashes, file } = renderTarget(target);
    const operation = nextOperation(stored.parts(), hashes, target === final, file?.hash);
    if (operation !== undefined || target !== final) return operation;
    if (work.mayHaveTwins) return { kind: "find" };
    const [messageId] = work.replaced;
    return messageId === undefined ? undefined : { kind: "remove", index: noPart, messageId };
  }

  function waitMs(): number {
    return Math.max(limitedUntilMs, final?.notBeforeMs ?? progressDueAtMs()) - clock.now();
  }

  function progressDueAtMs(): number {
    if (progress === undefined || !stands()) return progressPausedUntilMs;
    return Math.max(progressPausedUntilMs, progress.sinceMs + (progress.isSettled === true ? 0 : settleMs));
  }

  function stands(): boolean {
    return stored.parts().get(0)?.messageId !== undefined;
  }

  const budgets = budgetsOf(place);
  const candidate: Candidate = {
    budgets,
    wish: () => {
      if (isClosed || inFlight !== undefined || waitMs() > 0) return undefined;
      if (final !== undefined && final.rendered === undefined) return undefined;
      if (final !== undefined) return { urgency: "final", sinceMs: final.sinceMs };
      if (progress === undefined || progressIsOver || options.mayShow?.() === false) return undefined;
      return stands() ? { urgency: "progress", sinceMs: shownAtMs } : { urgency: "first", sinceMs: progress.sinceMs };
    },
    confirm: () => {
      const target = final ?? progress;
      if (target === undefined || (final !== undefined && final.rendered === undefined)) return undefined;
      try {
        const operation = operationFor(target);
        if (operation !== undefined) return operation.kind === "edit" ? "edit" : "other";
        if (final !== undefined) void track(complete(final));
        else progress = undefined;
      } catch (thrown) {
        if (final !== undefined) failFinal(final, thrown, "plain");
        else progress = undefined;
        log("error", thrown, "A document could not be rendered");
      }
      return undefined;
    },
    write: () => track(writeOnce()),
  };

  scheduler.expect(candidate);

  /** Remembers the write in flight, and looks for more to do when it is over. */
  function track(running: Promise<void>): Promise<void> {
    const tracked = running.finally(() => {
      if (inFlight === tracked) inFlight = undefined;
      wake();
    });
    inFlight = tracked;
    return tracked;
  }

  function wake(): void {
    if (isClosed || (final === undefined && (progress === undefined || progressIsOver))) return;
    cancelTimer?.();
    if (waitMs() <= 0) scheduler.wake(candidate);
    // Check again: a timer may fire a moment early, and the scheduler forgets candidates without a wish.
    else cancelTimer = clock.after(waitMs(), wake);
  }

  async function writeOnce(): Promise<void> {
    const target = final ?? progress;
    const isDrawn = target !== final || final?.rendered !== undefined;
    const operation = target === undefined || !isDrawn ? undefined : operationFor(target);
    if (target === undefined || operation === undefined) return;
    const isFinal = target === final;
    const signal = isFinal ? final?.signal : undefined;
    try {
      const urgency = isFinal ? "final" : "progress";
      await perform(work, operation, renderTarget(target), { urgency, ...present({ signal }) });
      shownAtMs = clock.now();
      progressFailures = 0;
      if (final !== undefined) final.failingSinceMs = undefined;
      if (!isFinal && progress === target && operationFor(target) === undefined) progress = undefined;
    } catch (thrown) {
      await refused(thrown, operation, isFinal ? final : undefined, target);
    }
  }

  async function refused(
    thrown: unknown,
    operation: Operation,
    ending: Final | undefined,
    target: Target,
  ): Promise<void> {
    const error = toParleyError(thrown);
    const isLimit = error.code === "platform_rate_limited";
    log(ending === undefined || isLimit ? "info" : "warn", thrown, `A ${operation.kind} was refused: ${error.code}`);
    if (isLimit) {
      const forMs = backoffMs(1, error.retryAfterMs);
      limitedUntilMs = clock.now() + forMs;
      await scheduler.penalise(budgets, forMs);
    }
    const reaction = reactionTo(thrown);
    const isFile = operation.kind === "post" && operation.index === filePart;
    if (isFile && ending !== undefined && !isLimit) ending.fileFailures += 1;
    const isFileOver = reaction !== "again-later" || (ending?.fileFailures ?? 0) >= maxFileFailures;
    if (isFile && ending?.drawn !== undefined && isFileOver) {
      // The messages are posted; the last one says that the file is not.
      const drawn = drawing.withoutFile(ending.drawn, error.code === "not_permitted");
      Object.assign(ending, { drawn, rendered: drawn.rendered });
    } else if (reaction === "anew" && operation.kind === "edit") {
      abandon(work, operation.index, operation.messageId);
      if (error.code === "message_not_editable") work.replaced = new Set(work.replaced).add(operation.messageId);
      if (ending === undefined) progressIsOver = true;
      else failFinal(ending, thrown, "anew");
    } else if (operation.kind === "remove" && (reaction !== "again-later" || hasFailedLong(ending))) {
      // The answer is posted; a surplus message does not make it a failure.
      abandon(work, operation.index, operation.messageId);
    } else if (ending !== undefined) failFinal(ending, thrown, reaction);
    else failProgress(target, error, reaction);
  }

  function failProgress(target: Target, error: ParleyError, reaction: Reaction): void {
    if (reaction === "give-up") progressIsOver = true;
    else if (reaction === "again-later") {
      progressFailures += 1;
      progressPausedUntilMs = clock.now() + backoffMs(progressFailures, error.retryAfterMs);
    } else if (progress === target) progress = undefined;
  }

  function hasFailedLong(ending: Final | undefined): boolean {
    return ending?.failingSinceMs !== undefined && clock.now() - ending.failingSinceMs >= maxFailingMs;
  }

  function failFinal(ending: Final, thrown: unknown, reaction: Reaction): void {
    if (final !== ending) return;
    ending.failingSinceMs ??= clock.now();
    if (reaction === "again-later") ending.failures += 1;
    else ending.oddFailures += 1;
    const isHopeless = reaction === "give-up" || (reaction === "plain" && ending.isPlain);
    if (hasFailedLong(ending) || isHopeless || ending.oddFailures > maxOddFailures) endFinal(ending, thrown);
    else if (reaction === "plain") makePlain(ending);
    else if (reaction !== "anew") {
      const { retryAfterMs } = toParleyError(thrown);
      ending.notBeforeMs = clock.now() + backoffMs(ending.failures + ending.oddFailures, retryAfterMs);
    }
  }

  function makePlain(ending: Final): void {
    ending.isPlain = true;
    const { pages, rest } = ending.drawn?.fitted ?? { pages: [ending.document] };
    draw(ending, plainDocument({ ...ending.document, blocks: pages.flatMap(({ blocks }) => blocks) }), rest);
  }

  /** Everything is posted: stores it, and resolves. A failure from here on no longer concerns readers. */
  async function complete(ending: Final): Promise<void> {
    const kept = [...stored.parts()].filter(([, part]) => part.messageId !== undefined || part.generation > 0);
    stored.replace(new Map(kept.map(([index, part]) => [index, { ...part, isFinal: part.messageId !== undefined }])));
    await stored.persist().catch((thrown: unknown) => log("warn", thrown, "A reply was shown but could not be stored"));
    if (final !== ending) return;
    final = undefined;
    ending.settle.resolve();
  }

  function endFinal(ending: Final, reason: unknown): void {
    if (final !== ending) return;
    final = undefined;
    ending.settle.reject(reason);
  }

  function finish(document: Document, signal: AbortSignal | undefined, drawn?: Drawn): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (isClosed || signal?.aborted === true) {
        reject(isClosed ? closedError() : signal?.reason);
        return;
      }
      const before = final;
      const ending: Final = {
        document,
        ...present({ drawn, rendered: drawn?.rendered }),
        sinceMs: clock.now(),
        signal,
        isPlain: false,
        notBeforeMs: Number.NEGATIVE_INFINITY,
        failures: 0,
        oddFailures: 0,
        fileFailures: 0,
        failingSinceMs: undefined,
        settle: {
          resolve: () => {
            signal?.removeEventListener("abort", onAbort);
            before?.settle.resolve();
            resolve();
          },
          reject: (reason) => {
            signal?.removeEventListener("abort", onAbort);
            before?.settle.reject(reason);
            reject(reason);
          },
        },
      };
      const onAbort = () => endFinal(ending, signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      final = ending;
      progressIsOver = true;
      if (drawn === undefined) draw(ending, document);
      wake();
    });
  }

  return {
    show: (document) => {
      if (isClosed || progressIsOver) return;
      const nowMs = clock.now();
      const sinceMs = progress?.sinceMs ?? nowMs;
      progress = { document, sinceMs, isSettled: progress?.isSettled === true || nowMs - sinceMs >= sameNewsMs };
      wake();
    },

    finish: (document, signal) => finish(document, signal),

    cutShort: async (document, end, signal) => {
      // The write that was in flight at the abort may have succeeded after all.
      await inFlight;
      const whole = await drawing.draw(document);
      const { payloads, hashes } = whole.rendered;
      const kept = standing(stored.parts(), hashes);
      const isWhole = kept === hashes.length;
      const cut = (): Drawn => ({
        fitted: { pages: [end] },
        rendered: rendered([...payloads.slice(0, kept), ...platform.render(end)]),
      });
      await finish(isWhole ? document : end, signal, isWhole ? whole : cut());
      return isWhole ? "whole" : "cut";
    },

    close: async () => {
      isClosed = true;
      scheduler.forget(candidate);
      cancelTimer?.();
      if (final !== undefined) endFinal(final, closedError());
      await inFlight;
    },

    current: () => stored.current(),
  };
}
