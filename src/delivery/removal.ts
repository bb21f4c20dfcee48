/** Removes messages that an end was posted beside, within a budget of removals; what can't be removed is replaced. */

import { toParleyError } from "../core/errors.ts";
import { type Place, workspaceKey } from "../core/model/place.ts";
import type { ChatPlatform, MessageRef } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Coordinator } from "../core/ports/state.ts";
import { budgetsOf } from "./budgets.ts";
import type { Limiter } from "./limiter.ts";
import type { Delivery } from "./types.ts";
import { backoffMs } from "./write-errors.ts";

export function createRemoval(options: {
  readonly platform: ChatPlatform;
  readonly limiter: Limiter;
  readonly coordinator: Pick<Coordinator, "takeToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
}): Delivery["removeSuperseded"] {
  const { platform, limiter, coordinator, clock, log } = options;
  const bucket = platform.limits.writes.removals;
  const keyOf = (place: Place) => `removals/${workspaceKey(place)}`;

  async function waitForToken(place: Place, signal: AbortSignal | undefined): Promise<void> {
    while (bucket !== undefined) {
      signal?.throwIfAborted();
      const token = await coordinator.takeToken(keyOf(place), bucket, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs, signal);
    }
  }

  return async ({ place, messageId, instead, signal }) => {
    await waitForToken(place, signal);
    try {
      await platform.remove({ place, messageId });
      return "done";
    } catch (thrown) {
      const { code, retryAfterMs } = toParleyError(thrown);
      if (code === "message_gone") return "done";
      log.info({ err: thrown, messageId, platform: platform.name }, `A message was not removed: ${code}`);
      if (code === "platform_unreachable") return "later";
      if (code === "platform_rate_limited") {
        await coordinator.penalise(keyOf(place), backoffMs(1, retryAfterMs)).catch(() => undefined);
        return "later";
      }
    }
    return replace({ place, messageId }, platform.render(instead)[0], signal);
  };

  async function replace(
    ref: MessageRef,
    payload: unknown,
    signal: AbortSignal | undefined,
  ): Promise<"done" | "later"> {
    const budgets = budgetsOf(platform.limits.writes, ref.place);
    if (payload === undefined || !(await limiter.spareEdit(() => budgets, { signal }))) return "later";
    try {
      await platform.edit(ref, payload, { urgency: "progress" });
      return "done";
    } catch (thrown) {
      const { code, retryAfterMs } = toParleyError(thrown);
      if (code === "message_gone") return "done";
      log.info(
        { err: thrown, messageId: ref.messageId, platform: platform.name },
        `A message was not replaced: ${code}`,
      );
      if (code === "platform_rate_limited") await limiter.penalise(budgets, "edit", backoffMs(1, retryAfterMs));
      return "later";
    }
  }
}
