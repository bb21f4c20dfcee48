/**
 * Skips Discord packets that discord.js or Parley can't read, and logs each kind once.
 * discord.js's handlers trust every field and throw if one is null, which would end the process; Parley needs them only
 * for their caches. The same malformed packet can arrive a thousand times.
 */

import type { Client } from "discord.js";
import { LRUCache } from "lru-cache";
import type { Log } from "../../../src/core/ports/log.ts";

export type MalformedPackets = ReturnType<typeof createMalformedPackets>;

/** Kinds come from outside, so their number is limited. */
const maxKinds = 500;

export function createMalformedPackets(log: Log) {
  const logged = new LRUCache<string, true>({ max: maxKinds });
  const once = (key: string, write: () => void) => {
    if (logged.has(key)) return;
    logged.set(key, true);
    write();
  };
  return {
    /** discord.js or Parley threw on it. */
    skipped: (kind: string, thrown: unknown): void =>
      once(`skipped ${kind}`, () =>
        log.warn({ err: thrown, kind }, "A packet of Discord's could not be used: skipped"),
      ),
    /** It does not match Parley's schema; `path` is the mismatching field. */
    unread: (kind: string, path: string): void =>
      once(`unread ${kind} ${path}`, () => log.debug({ kind, path }, "An event of Discord's does not fit: skipped")),
  };
}

type Packet = { readonly t?: string } | undefined;
/** Not part of discord.js's types. Every packet passes here, also those queued until the client is ready. */
type Handler = { handlePacket: (packet?: Packet, shard?: { readonly id: number }) => unknown };

/** `onUnusable` is called for a skipped READY: without it the client does not know its own user. */
export function skipMalformedPackets(
  client: Client,
  malformed: MalformedPackets,
  onUnusable: (shard: number) => void,
): void {
  const handler = client.ws as unknown as Handler;
  const handle = handler.handlePacket.bind(handler);
  handler.handlePacket = (packet, shard) => {
    try {
      return handle(packet, shard);
    } catch (thrown) {
      malformed.skipped(packet?.t ?? "unknown", thrown);
      if (packet?.t === "READY" && shard !== undefined) onUnusable(shard.id);
      return false;
    }
  };
}
