/**
 * What one exchange with the queue script carries: the request of an instance, and the reply.
 */
import type { HeldLeases } from "./held-leases.ts";
import type { QueueOptions, Wish } from "./queue-options.ts";
import { queueTtlMs } from "./script.ts";
import type { ChangeBatch } from "./unsent-changes.ts";

export function queueRequest(
  { owner, keepsPlace, isCounted, times }: QueueOptions,
  sent: {
    /** Number of permits. */
    readonly n: number;
    readonly joined: readonly (readonly [id: string, wish: Wish])[];
    readonly held: HeldLeases;
    readonly batch: ChangeBatch;
    /** Tickets whose positions are requested. */
    readonly asked: readonly string[];
  },
): string {
  const { released, left, enqueued, removed } = sent.batch;
  return JSON.stringify({
    owner,
    keepsPlace,
    isCounted,
    leaseMs: times.leaseMs,
    unattendedMs: times.unattendedMs,
    ttlMs: queueTtlMs(times),
    n: sent.n,
    joined: sent.joined.map(([id, { entry, order, group }]) => ({ id, entry, order, group })),
    held: [...sent.held].map(([id, { entry, order, group, fence }]) => ({ id, entry, order, group, fence })),
    released,
    left,
    enqueued,
    removed,
    asked: sent.asked,
  });
}

/** Parses the script's reply: flat lists of pairs, and numbers. */
export function parseReply(reply: unknown) {
  const [grants, positions, lost, expiryMs, ownTickets, waiting] = reply as [
    string[],
    string[],
    string[],
    number,
    number,
    number,
  ];
  return { grants: pairsOf(grants), positions: pairsOf(positions), lost, expiryMs, ownTickets, waiting };
}

function pairsOf(flat: readonly string[]): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let index = 0; index < flat.length; index += 2) pairs.set(flat[index] as string, Number(flat[index + 1]));
  return pairs;
}
