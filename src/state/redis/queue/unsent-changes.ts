/**
 * Queue of one-time changes to a queue that Redis hasn't received yet: releases, leaves, kept places and removals.
 * Releases and leaves are sent again after a failure, but no longer than Redis would remember what they give up.
 */
import type { Clock } from "../../../core/ports/clock.ts";

/** An entry of a lane, at its place by `order`. */
export type LaneEntry = { readonly entry: string; readonly order: string };

type Change<T> = { readonly what: T; readonly untilMs: number; readonly sent: PromiseWithResolvers<void> };

export type ChangeBatch = {
  readonly released: readonly string[];
  readonly left: readonly string[];
  readonly enqueued: readonly LaneEntry[];
  readonly removed: readonly string[];
  readonly succeed: () => void;
  readonly fail: (reason: unknown) => void;
};

export type UnsentChanges = ReturnType<typeof createUnsentChanges>;

/** Every change resolves when Redis has received it, and rejects if the first attempt fails. */
export function createUnsentChanges(clock: Clock, keptMs: number) {
  const released: Change<string>[] = [];
  const left: Change<string>[] = [];
  const enqueued: Change<LaneEntry>[] = [];
  const removed: Change<string>[] = [];
  const givenUp = new Set<string>();

  function add<T>(to: Change<T>[], what: T): Promise<void> {
    const sent = Promise.withResolvers<void>();
    // Some callers don't wait for the outcome.
    sent.promise.catch(() => {});
    to.push({ what, untilMs: clock.now() + keptMs, sent });
    return sent.promise;
  }

  function addGivenUp(to: Change<string>[], id: string): Promise<void> {
    givenUp.add(id);
    return add(to, id);
  }

  /** Puts the ones that Redis still remembers back to the front of their queue. */
  function putBack(to: Change<string>[], changes: readonly Change<string>[]): void {
    const nowMs = clock.now();
    const kept = changes.filter(({ untilMs }) => untilMs > nowMs);
    to.unshift(...kept);
    for (const { what } of kept) givenUp.add(what);
  }

  return {
    release: (id: string) => addGivenUp(released, id),
    leave: (id: string) => addGivenUp(left, id),
    enqueue: (entry: LaneEntry) => add(enqueued, entry),
    remove: (entry: string) => add(removed, entry),
    /** Whether this lease or ticket was given up and Redis hasn't received that yet. */
    isGivenUp: (id: string) => givenUp.has(id),
    isEmpty: () => released.length + left.length + enqueued.length + removed.length === 0,

    /** Takes the changes for the next request out of the queue. */
    take: (max: number): ChangeBatch => {
      const batch = {
        released: released.splice(0, max),
        left: left.splice(0, max),
        enqueued: enqueued.splice(0, max),
        removed: removed.splice(0, max),
      };
      for (const { what } of [...batch.released, ...batch.left]) givenUp.delete(what);
      const all = Object.values(batch).flat();
      return {
        released: batch.released.map(({ what }) => what),
        left: batch.left.map(({ what }) => what),
        enqueued: batch.enqueued.map(({ what }) => what),
        removed: batch.removed.map(({ what }) => what),
        succeed: () => {
          for (const { sent } of all) sent.resolve();
        },
        fail: (reason) => {
          putBack(released, batch.released);
          putBack(left, batch.left);
          for (const { sent } of all) sent.reject(reason);
        },
      };
    },
  };
}
