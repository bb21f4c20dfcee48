/**
 * What may change once an end is shown: its last message, such as the counts below an answer, and progress that the end
 * was posted beside. Both have low priority: everything else goes first, unless someone waits for it, and they give up soon.
 */

import { toParleyError } from "../core/errors.ts";
import { workspaceKey } from "../core/model/place.ts";
import { filePart } from "../core/model/reply.ts";
import type { MessageRef } from "../core/ports/chat-platform.ts";
import { budgetsOf, createBudgetsOf } from "./budgets.ts";
import { messagesOf, perform, persist, type Rendered } from "./messages.ts";
import { asFinal, type Operation, type Parts } from "./reply-parts.ts";
import type { DeliveryContext } from "./reply-writer.ts";
import type { Delivery, Refreshed } from "./types.ts";
import { backoffMs } from "./write-errors.ts";

type Edit = Extract<Operation, { kind: "edit" }>;

export async function refresh(context: DeliveryContext, input: Parameters<Delivery["refresh"]>[0]): Promise<Refreshed> {
  const { platform, limiter, drawing, log } = context;
  const { replyId, reply, document, isWanted, isAwaited = false } = input;
  const messages = messagesOf({ ...context, ...input });
  const { rendered } = await drawing.draw(document);
  const edit = lastEdit(messages.parts, rendered);
  if (edit === "unfit" || edit === "same") return edit;
  // Before the last question, so that nothing changes while a picture is drawn.
  const isReady = (await platform.prepare?.(rendered.payloads[edit.index])) ?? true;
  // Only that is missing, and it can't be had.
  if (!isReady && messages.parts.get(edit.index)?.hash === rendered.hashes[edit.index]) return "same";
  const budgets = createBudgetsOf(platform, reply.place, replyId);
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

/** Removes a message within a budget of removals; one that can't be removed is replaced. */
export async function removeSuperseded(
  context: DeliveryContext,
  { place, messageId, instead, signal }: Parameters<Delivery["removeSuperseded"]>[0],
): Promise<"done" | "later"> {
  const { platform, limiter, coordinator } = context;
  const { writes } = platform.limits;
  const key = `removals/${workspaceKey(place)}`;
  await waitForRemoval(context, key, signal);
  const removed = await tried(context, { place, messageId }, "removed", () => platform.remove({ place, messageId }));
  if (removed === "done") return "done";
  if (removed.code === "platform_unreachable") return "later";
  if (removed.code === "platform_rate_limited") {
    await coordinator.penalise(key, backoffMs(1, removed.retryAfterMs)).catch(() => undefined);
    return "later";
  }
  const [payload] = platform.render(instead);
  const budgets = budgetsOf(writes, place);
  if (payload === undefined || !(await limiter.spareEdit(() => budgets, { signal }))) return "later";
  const replaced = await tried(context, { place, messageId }, "replaced", () =>
    platform.edit({ place, messageId }, payload, { urgency: "progress" }),
  );
  if (replaced === "done") return "done";
  const { code, retryAfterMs } = replaced;
  if (code === "platform_rate_limited") await limiter.penalise(budgets, "edit", backoffMs(1, retryAfterMs));
  return "later";
}

async function waitForRemoval(
  { platform, coordinator, clock }: DeliveryContext,
  key: string,
  signal: AbortSignal | undefined,
) {
  const bucket = platform.limits.writes.removals;
  while (bucket !== undefined) {
    signal?.throwIfAborted();
    const token = await coordinator.takeToken(key, bucket, 0);
    if (token.taken) return;
    await clock.sleep(token.waitMs, signal);
  }
}

/** A message that is gone needs nothing more. */
async function tried(
  { platform, log }: DeliveryContext,
  { messageId }: MessageRef,
  done: string,
  write: () => Promise<void>,
) {
  try {
    await write();
    return "done";
  } catch (thrown) {
    const error = toParleyError(thrown);
    if (error.code === "message_gone") return "done";
    log.info({ err: thrown, messageId, platform: platform.name }, `A message was not ${done}: ${error.code}`);
    return error;
  }
}
