/**
 * Queue of one-time changes to a line that Redis hasn't received yet: releases, leaves, kept places and removals.
 * Releases and leaves are sent again after a failure, but no longer than Redis would remember what they give up.
 */
import type { Clock } from "../../../ports/clock.ts";

export type Place = { readonly entry: string; readonly order: string };

type Errand<T> = { readonly what: T; readonly untilMs: number; readonly told: PromiseWithResolvers<void> };

export type ErrandBatch = {
  readonly released: readonly string[];
  readonly left: readonly string[];
  readonly enqueued: readonly Place[];
  readonly removed: readonly string[];
  readonly succeed: () => void;
  readonly fail: (reason: unknown) => void;
};

export type LineErrands = {
  /** Each resolves when Redis has received it, and rejects if the first attempt fails. */
  readonly release: (id: string) => Promise<void>;
  readonly leave: (id: string) => Promise<void>;
  readonly enqueue: (place: Place) => Promise<void>;
  readonly remove: (entry: string) => Promise<void>;
  /** Whether this lease or ticket was given up and Redis hasn't received that yet. */
  readonly isGivenUp: (id: string) => boolean;
  readonly isEmpty: () => boolean;
  /** Takes the changes for the next request out of the queue. */
  readonly take: (max: number) => ErrandBatch;
};

export function createLineErrands(clock: Clock, keptMs: number): LineErrands {
  const released: Errand<string>[] = [];
  const left: Errand<string>[] = [];
  const enqueued: Errand<Place>[] = [];
  const removed: Errand<string>[] = [];
  const givenUp = new Set<string>();

  function add<T>(to: Errand<T>[], what: T): Promise<void> {
    const told = Promise.withResolvers<void>();
    // Some callers don't wait for the outcome.
    told.promise.catch(() => {});
    to.push({ what, untilMs: clock.now() + keptMs, told });
    return told.promise;
  }

  function giveUp(to: Errand<string>[], id: string): Promise<void> {
    givenUp.add(id);
    return add(to, id);
  }

  /** Puts the ones that Redis still remembers back to the front of their queue. */
  function putBack(to: Errand<string>[], errands: readonly Errand<string>[]): void {
    const nowMs = clock.now();
    const kept = errands.filter(({ untilMs }) => untilMs > nowMs);
    to.unshift(...kept);
    for (const { what } of kept) givenUp.add(what);
  }

  return {
    release: (id) => giveUp(released, id),
    leave: (id) => giveUp(left, id),
    enqueue: (place) => add(enqueued, place),
    remove: (entry) => add(removed, entry),
    isGivenUp: (id) => givenUp.has(id),
    isEmpty: () => released.length + left.length + enqueued.length + removed.length === 0,

    take: (max) => {
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
          for (const { told } of all) told.resolve();
        },
        fail: (reason) => {
          putBack(released, batch.released);
          putBack(left, batch.left);
          for (const { told } of all) told.reject(reason);
        },
      };
    },
  };
}
