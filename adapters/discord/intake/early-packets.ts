/**
 * What the gateway sends before it is known which servers are served. It waits, in its order. Discord may keep that from
 * Parley for long, and goes on sending all the while: only so much waits, and the oldest goes.
 */
import type { Log } from "../../../src/ports/log.ts";
import type { Packet } from "../connection/connection.ts";

/** Packets, mostly of about 1 kB. An interaction is dead after 3 s anyway. */
const maxWaiting = 1_000;

export function createEarlyPackets<Context>(options: {
  /** Rejects when Parley ends first. */
  readonly learn: (context: Context) => Promise<void>;
  readonly onPacket: (packet: Packet, context: Context) => void;
  readonly log: Log;
}): (packet: Packet, context: Context) => void {
  const { learn, onPacket, log } = options;
  let waiting: (readonly [Packet, Context])[] | "over" = [];
  let isLearning = false;
  let dropped = 0;

  async function handOn(context: Context): Promise<void> {
    try {
      await learn(context);
    } catch {
      isLearning = false;
      return;
    }
    const early = waiting === "over" ? [] : waiting;
    waiting = "over";
    for (const [packet, about] of early) onPacket(packet, about);
  }

  return (packet, context) => {
    if (waiting === "over") return onPacket(packet, context);
    waiting.push([packet, context]);
    if (waiting.length > maxWaiting) {
      waiting.shift();
      dropped += 1;
      if (dropped === 1)
        log.warn(
          { waiting: maxWaiting },
          "Discord sends more than can wait until its servers are known; the oldest goes",
        );
    }
    if (isLearning) return;
    isLearning = true;
    void handOn(context);
  };
}
