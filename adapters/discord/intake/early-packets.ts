/**
 * Queues gateway packets until the served servers are known, then passes them on in order.
 * That lookup can take long while Discord keeps sending, so the queue is bounded and drops the oldest packets.
 */
import type { Log } from "../../../src/core/ports/log.ts";
import type { Packet } from "./events.ts";

/** Packets, mostly of about 1 kB. An interaction expires after 3 s anyway. */
const maxWaiting = 1_000;

export function createEarlyPackets<Context>(options: {
  /** Rejects if Parley ends first. */
  readonly learn: (context: Context) => Promise<void>;
  readonly onPacket: (packet: Packet, context: Context) => void;
  readonly log: Log;
}): (packet: Packet, context: Context) => void {
  const { learn, onPacket, log } = options;
  let waiting: (readonly [Packet, Context])[] | "done" = [];
  let isLearning = false;
  let dropped = 0;

  async function passOn(context: Context): Promise<void> {
    try {
      await learn(context);
    } catch {
      isLearning = false;
      return;
    }
    const early = waiting === "done" ? [] : waiting;
    waiting = "done";
    for (const [packet, about] of early) onPacket(packet, about);
  }

  return (packet, context) => {
    if (waiting === "done") return onPacket(packet, context);
    waiting.push([packet, context]);
    if (waiting.length > maxWaiting) {
      waiting.shift();
      dropped += 1;
      if (dropped === 1)
        log.warn({ waiting: maxWaiting }, "Too many Discord packets before the servers are known; dropping the oldest");
    }
    if (isLearning) return;
    isLearning = true;
    void passOn(context);
  };
}
