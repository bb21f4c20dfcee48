/**
 * Delivery over one chat platform: one limiter for its budget, one writer per Reply. Knows nothing of the platform
 * but its limits.
 */

import type { DeliveryMetrics } from "../core/metrics.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Coordinator } from "../core/ports/state.ts";
import { createDrawing } from "./drawing.ts";
import { createLimiter } from "./limiter.ts";
import { createRefresh } from "./refresh.ts";
import { createRemoval } from "./removal.ts";
import { createReplyWriter } from "./reply-writer.ts";
import type { Delivery } from "./types.ts";

type DeliveryOptions = {
  readonly platform: ChatPlatform;
  readonly coordinator: Pick<Coordinator, "takeToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics;
};

export function createDelivery(options: DeliveryOptions): Delivery {
  const { platform, coordinator, clock, log, metrics } = options;
  const limiter = createLimiter({ limits: platform.limits.writes, coordinator, clock, log, metrics });
  const drawing = createDrawing(platform, clock);
  return {
    open: (opened) => createReplyWriter({ platform, limiter, drawing, clock, log, metrics, ...opened }),
    refresh: createRefresh({ ...options, limiter, drawing }),
    removeSuperseded: createRemoval({ ...options, limiter }),
  };
}
