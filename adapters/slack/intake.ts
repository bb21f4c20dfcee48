/**
 * Stands between Bolt and the socket or the request. Bolt acknowledges an event before any listener runs; here its
 * acknowledgement does nothing, and the real one is handed to the listener, which gives it away after journaling.
 * What no listener took is acknowledged at the end, else Slack would send it again for ever.
 */
import type { App, ReceiverEvent } from "@slack/bolt";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { KeyValue } from "../../src/bridge/ports/state.ts";
import type { Log } from "../../src/operations/log.ts";

export type Gate = {
  /** The event is taken: from now on it is acknowledged by `acknowledge` only, or never. */
  readonly take: () => void;
  /** Never rejects: when it does not reach Slack, the event comes again and is known by its key. */
  readonly acknowledge: (response?: Readonly<Record<string, unknown>>) => Promise<void>;
};

/** Requests are refused by Bolt when they are older than 5 minutes; for so long a copy of one is known. */
const replayWindowMs = 10 * 60_000;

export type Intake = {
  /** What the receiver is given instead of the App. */
  readonly guard: (app: App) => App;
  readonly stop: () => void;
};

export function createIntake(options: {
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly log: Log;
}): Intake {
  const { keyValue, clock, log } = options;
  const seen = new Map<string, number>();
  let isStopped = false;

  /** Byte-identical requests bear the same signature; Slack's own redeliveries bear a new one. */
  const isReplay = async (signature: string): Promise<boolean> => {
    const nowMs = clock.now();
    for (const [known, untilMs] of seen) {
      if (untilMs > nowMs) break;
      seen.delete(known);
    }
    if (seen.has(signature)) return true;
    seen.set(signature, nowMs + replayWindowMs);
    const key = `replay/${signature}`;
    const isKnown = (await keyValue.get(key).catch(() => undefined)) !== undefined;
    if (!isKnown) await keyValue.set(key, "1", replayWindowMs).catch(() => undefined);
    return isKnown;
  };

  const take = async (app: App, event: ReceiverEvent) => {
    // Left unacknowledged, so that another instance or the next process gets it.
    if (isStopped) return;
    const signature: unknown = event.customProperties?.["signature"];
    if (typeof signature === "string" && (await isReplay(signature))) {
      log.warn({}, "a copy of an earlier Slack request was ignored");
      await event.ack();
      return;
    }
    let isTaken = false;
    let isAcknowledged = false;
    const gate: Gate = {
      take: () => {
        isTaken = true;
      },
      acknowledge: async (response) => {
        if (isAcknowledged) return;
        isAcknowledged = true;
        try {
          await event.ack(response);
        } catch (thrown) {
          log.debug({ err: thrown }, "an acknowledgement did not reach Slack");
        }
      },
    };
    await app.processEvent({ ...event, ack: async () => undefined, customProperties: { gate } });
    if (!isTaken) await gate.acknowledge();
  };

  return {
    guard: (app) => Object.create(app, { processEvent: { value: (event: ReceiverEvent) => take(app, event) } }) as App,
    stop: () => {
      isStopped = true;
    },
  };
}

export function gateOf(context: Readonly<Record<string, unknown>>): Gate {
  return context["gate"] as Gate;
}
