/**
 * Hands each event of Slack's to Bolt, and acknowledges it when Parley has stored it: what both of Parley's own
 * receivers, for Socket Mode and for HTTP, have in common.
 * Bolt acknowledges an event before any listener runs. So Bolt gets an acknowledgement that does nothing, and a listener
 * finds the real one in its context. An event that no listener claims is acknowledged at the end; otherwise Slack would
 * resend it.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import type { SlackParts } from "../parts.ts";

/** A way to receive Slack's events. `start` resolves when connected, and rejects when refused. */
export type SlackReceiver = Receiver & {
  /** Resolves when the connection is lost. */
  readonly lost: () => Promise<void>;
};

/** One event, or one request, as a listener sees it. */
export type Delivery = {
  /** A listener handles the event: from now on only `acknowledge` acknowledges it. */
  readonly claim: () => void;
  /** Never rejects: if it does not reach Slack, the event comes again and is deduplicated by its key. */
  readonly acknowledge: (response?: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

/** Bolt refuses requests older than 5 minutes; copies of younger ones are recognised by their signature. */
const replayWindowMs = 10 * 60_000;

export function createDeliveries({ clock, log }: SlackParts) {
  /**
   * Signatures of acknowledged requests, with their expiry in ms. An unacknowledged request can be resent within the
   * same second with the same signature. Copies that reach another instance are deduplicated by the bridge.
   */
  const acknowledged = new Map<string, number>();
  let app: App | undefined;
  let isStopped = false;

  const remember = (signature: string) => {
    const nowMs = clock.now();
    acknowledged.set(signature, nowMs + replayWindowMs);
    for (const [known, untilMs] of acknowledged) {
      if (untilMs > nowMs) break;
      acknowledged.delete(known);
    }
  };

  return {
    /** For `Receiver.init`. */
    init: (handler: App): void => {
      app = handler;
    },
    /** Never rejects. `signature`: of a request. */
    deliver: async (event: ReceiverEvent, signature?: string): Promise<void> => {
      // One socket frame can bring a hundred events.
      await nextTurn();
      // Not acknowledged, so that another instance or the next process gets it.
      if (isStopped || app === undefined) return;
      if (signature !== undefined && acknowledged.has(signature)) {
        log.warn({}, "Ignored a copy of an earlier Slack request");
        await event.ack();
        return;
      }
      let isClaimed = false;
      const local = localDelivery();
      const delivery: Delivery = {
        claim: () => {
          isClaimed = true;
        },
        isAcknowledged: local.isAcknowledged,
        acknowledge: async (response) => {
          if (local.isAcknowledged()) return;
          await local.acknowledge();
          if (signature !== undefined) remember(signature);
          try {
            await event.ack(response);
          } catch (thrown) {
            log.debug({ err: thrown }, "An acknowledgement did not reach Slack");
          }
        },
      };
      try {
        await app.processEvent({ ...event, ack: async () => undefined, customProperties: { delivery } });
      } catch (thrown) {
        // Bolt can't read it, the next time neither.
        log.error({ err: thrown }, "A Slack event could not be handled");
      }
      if (!isClaimed) await delivery.acknowledge();
    },
    /** What still arrives stays unacknowledged. */
    stop: (): void => {
      isStopped = true;
    },
  };
}

export function deliveryIn(context: Readonly<Record<string, unknown>>): Delivery {
  return context["delivery"] as Delivery;
}

/** For messages that Parley fetched itself: Slack expects no acknowledgement for them. */
export function localDelivery(): Delivery {
  let isAcknowledged = false;
  return {
    claim: () => undefined,
    acknowledge: async () => {
      isAcknowledged = true;
    },
    isAcknowledged: () => isAcknowledged,
  };
}
