/**
 * Delivery over one chat platform: signatures first.
 */
import type { ChatPlatform } from "../bridge/ports/chat-platform.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Delivery } from "../bridge/ports/delivery.ts";
import type { Coordinator } from "../bridge/ports/state.ts";
import type { Log } from "../operations/log.ts";
import type { DeliveryMetrics } from "./metrics.ts";

export type DeliveryOptions = {
  readonly platform: ChatPlatform;
  readonly coordinator: Pick<Coordinator, "takeToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: DeliveryMetrics;
};

export function createDelivery(_options: DeliveryOptions): Delivery {
  throw new Error("being written");
}
