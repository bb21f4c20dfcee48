/**
 * Packets that are not as documented. discord.js's own handlers trust each field and throw where one is null, which would
 * end the process; Parley needs them for its caches only. What throws is skipped, and each kind is logged once: the same
 * packet comes a thousand times.
 */
import type { Client } from "discord.js";
import type { Log } from "../../../src/ports/log.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";

export type MalformedPackets = {
  /** discord.js, or Parley, could make nothing of it. */
  readonly skipped: (kind: string, thrown: unknown) => void;
  /** It does not fit Parley's schema; `path` is the field that does not. */
  readonly unread: (kind: string, path: string) => void;
};

/** Kinds are Discord's, so their number is not Parley's to trust. */
const maxKinds = 500;

export function createMalformedPackets(log: Log): MalformedPackets {
  const said = new Set<string>();
  const once = (key: string, say: () => void) => {
    if (said.has(key)) return;
    said.add(key);
    keepNewest(said, maxKinds);
    say();
  };
  return {
    skipped: (kind, thrown) =>
      once(`skipped ${kind}`, () =>
        log.warn({ err: thrown, kind }, "A packet of Discord's could not be used: skipped"),
      ),
    unread: (kind, path) =>
      once(`unread ${kind} ${path}`, () => log.debug({ kind, path }, "An event of Discord's does not fit: skipped")),
  };
}

type Packet = { readonly t?: string } | undefined;
/** Not among discord.js's types: every packet passes here, also the ones that waited for the client to be ready. */
type Handler = { handlePacket: (packet?: Packet, shard?: { readonly id: number }) => unknown };

/** `onUseless`: without its READY the client does not even know who it is. */
export function skipMalformedPackets(
  client: Client,
  malformed: MalformedPackets,
  onUseless: (shard: number) => void,
): void {
  const handler = client.ws as unknown as Handler;
  const handle = handler.handlePacket.bind(handler);
  handler.handlePacket = (packet, shard) => {
    try {
      return handle(packet, shard);
    } catch (thrown) {
      malformed.skipped(packet?.t ?? "unknown", thrown);
      if (packet?.t === "READY" && shard !== undefined) onUseless(shard.id);
      return false;
    }
  };
}
