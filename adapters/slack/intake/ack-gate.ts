/**
 * Stands between Bolt and the socket or the request. Bolt acknowledges an event before any listener runs; here its
 * acknowledgement does nothing, and the real one is handed to the listener, which gives it away after journaling.
 * What no listener took is acknowledged at the end, else Slack would send it again for ever.
 */
import type { App, ReceiverEvent } from "@slack/bolt";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Log } from "../../../src/ports/log.ts";

export type EventAck = {
  /** The event is taken: from now on it is acknowledged by `acknowledge` only, or never. */
  readonly claim: () => void;
  /** Never rejects: when it does not reach Slack, the event comes again and is known by its key. */
  readonly acknowledge: (response?: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

/** Bolt refuses requests that are older than 5 minutes; a copy of a younger one is known by its signature. */
const replayWindowMs = 10 * 60_000;

export type AckGate = {
  /** What the receiver is given instead of the App. */
  readonly guard: (app: App) => App;
  readonly stop: () => void;
};

export function createAckGate(options: { readonly clock: Clock; readonly log: Log }): AckGate {
  const { clock, log } = options;
  /**
   * Signatures of requests that were acknowledged. What was not may be sent again within the same second, and then bears
   * the same one; copies that reach another instance are known to the bridge by their event's key.
   */
  const acknowledged = new Map<string, number>();
  let isStopped = false;

  const remember = (signature: string) => {
    const nowMs = clock.now();
    acknowledged.set(signature, nowMs + replayWindowMs);
    for (const [known, untilMs] of acknowledged) {
      if (untilMs > nowMs) break;
      acknowledged.delete(known);
    }
  };

  const handle = async (app: App, event: ReceiverEvent) => {
    // One frame of the socket may bring a hundred events.
    await clock.loopTurn("events");
    // Left unacknowledged, so that another instance or the next process gets it.
    if (isStopped) return;
    const signature = event.customProperties?.["signature"] as string | undefined;
    if (signature !== undefined && acknowledged.has(signature)) {
      log.warn({}, "a copy of an earlier Slack request was ignored");
      await event.ack();
      return;
    }
    let isClaimed = false;
    let isAcknowledged = false;
    const eventAck: EventAck = {
      claim: () => {
        isClaimed = true;
      },
      isAcknowledged: () => isAcknowledged,
      acknowledge: async (response) => {
        if (isAcknowledged) return;
        isAcknowledged = true;
        if (signature !== undefined) remember(signature);
        try {
          await event.ack(response);
        } catch (thrown) {
          log.debug({ err: thrown }, "an acknowledgement did not reach Slack");
        }
      },
    };
    await app.processEvent({ ...event, ack: async () => undefined, customProperties: { eventAck } });
    if (!isClaimed) await eventAck.acknowledge();
  };

  return {
    guard: (app) =>
      Object.create(app, { processEvent: { value: (event: ReceiverEvent) => handle(app, event) } }) as App,
    stop: () => {
      isStopped = true;
    },
  };
}

export function eventAckOf(context: Readonly<Record<string, unknown>>): EventAck {
  return context["eventAck"] as EventAck;
}

/** For what nobody waits to hear of: a message that was read, and not sent. */
export function localAck(): EventAck {
  let isAcknowledged = false;
  return {
    claim: () => undefined,
    acknowledge: async () => {
      isAcknowledged = true;
    },
    isAcknowledged: () => isAcknowledged,
  };
}
