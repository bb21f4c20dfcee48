/**
 * Edits the last message of an end that is shown, such as the counts below an answer. Such an edit has low priority: it
 * gives up soon, and everything else goes first, unless someone waits for it.
 */

import { toParleyError } from "../core/errors.ts";
import type { DeliveryMetrics } from "../core/metrics.ts";
import { filePart } from "../core/model/reply.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { createBudgetsOf } from "./budgets.ts";
import type { Drawing } from "./drawing.ts";
import type { Limiter } from "./limiter.ts";
import { messagesOf, perform, persist, type Rendered } from "./messages.ts";
import { asFinal, type Operation, type Parts } from "./reply-parts.ts";
import type { Delivery, Refreshed } from "./types.ts";
import { backoffMs } from "./write-errors.ts";

type Edit = Extract<Operation, { kind: "edit" }>;

export function createRefresh(options: {
  readonly platform: ChatPlatform;
  readonly limiter: Limiter;
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics | undefined;
}): Delivery["refresh"] {
  const { platform, limiter, drawing, log } = options;

  return async ({ replyId, reply, save, document, isWanted, isAwaited = false }): Promise<Refreshed> => {
    const { place } = reply;
    const messages = messagesOf({ ...options, replyId, reply, save });
    const { rendered } = await drawing.draw(document);
    const edit = lastEdit(messages.parts, rendered);
    if (edit === "unfit" || edit === "same") return edit;
    // Before the last question, so that nothing changes while a picture is drawn.
    const isReady = (await platform.prepare?.(rendered.payloads[edit.index])) ?? true;
    // Only that is missing, and it can't be had.
    if (!isReady && messages.parts.get(edit.index)?.hash === rendered.hashes[edit.index]) return "same";
    const budgets = createBudgetsOf(platform, place, replyId);
    if (!(await limiter.spareEdit(budgets, { isAwaited }))) return "busy";
    if (!(await isWanted())) return "unfit";
    try {
      await perform(messages, edit, rendered, { urgency: "progress" });
      return "shown";
    } catch (thrown) {
      const { code, retryAfterMs } = toParleyError(thrown);
      log.info({ err: thrown, replyId, platform: platform.name }, `A low-priority edit was refused: ${code}`);
      if (code !== "platform_rate_limited") return code === "platform_unreachable" ? "busy" : "unfit";
      await limiter.penalise(budgets(), "edit", backoffMs(1, retryAfterMs));
      return "busy";
    } finally {
      messages.parts = asFinal(messages.parts);
      // Asked again meanwhile: the new attempt edits the message anyway.
      await persist(messages).catch((thrown: unknown) => log.info({ err: thrown, replyId }, "An edit was not stored"));
    }
  };
}

/**
 * "unfit": more than the last message would change, so another version drew it, or it is not shown as it was drawn. An
 * edit must never repeat or lose a part of an answer.
 */
function lastEdit(parts: Parts, { hashes, file }: Rendered): Edit | "same" | "unfit" {
  const last = hashes.length - 1;
  const messages = [...parts].filter(([index, { messageId }]) => index !== filePart && messageId !== undefined);
  const hasFile = parts.get(filePart)?.messageId !== undefined;
  const isSameBefore = hashes.slice(0, last).every((hash, index) => parts.get(index)?.hash === hash);
  const part = parts.get(last);
  if (messages.length !== hashes.length || !isSameBefore || hasFile !== (file !== undefined)) return "unfit";
  if (part?.messageId === undefined) return "unfit";
  const isSame = part.hash === hashes[last] && part.lacks !== true;
  return isSame ? "same" : { kind: "edit", index: last, messageId: part.messageId };
}
