/**
 * Delivery over one chat platform: one limiter for its budgets, one writer per Reply. Knows nothing of the platform but
 * its limits.
 */

import { refresh, removeSuperseded } from "./after-end.ts";
import { createDrawing } from "./drawing.ts";
import { createLimiter } from "./limiter.ts";
import { createReplyWriter, type DeliveryContext } from "./reply-writer.ts";
import type { Delivery } from "./types.ts";

export function createDelivery(options: Omit<DeliveryContext, "limiter" | "drawing">): Delivery {
  const { platform, clock } = options;
  const limiter = createLimiter({ ...options, limits: platform.limits.writes });
  const context: DeliveryContext = { ...options, limiter, drawing: createDrawing(platform, clock) };
  return {
    open: (opened) => createReplyWriter(context, opened),
    refresh: (input) => refresh(context, input),
    removeSuperseded: (input) => removeSuperseded(context, input),
  };
}
