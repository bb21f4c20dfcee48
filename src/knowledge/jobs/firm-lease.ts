/**
 * A lease for what goes on although the storage is away: an insert of minutes is not broken off because Redis restarts.
 * The trap: the lease has lapsed by then, and whoever waited for it gets it, although its holder lives and works. So
 * whoever was handed a lease that nobody gave back asks first whether somebody still works under it, and lets him have
 * it again.
 */

import type { Clock } from "../../ports/clock.ts";
import type { Coordinator, Lease } from "../../ports/state.ts";
import { type Held, keepLease } from "../../ports/tools/held-lease.ts";

export type FirmLease = {
  /** Of the moment when it was taken. */
  readonly fence: number;
  /** Idempotent; never rejects. */
  readonly release: () => Promise<void>;
};

export type FirmLeases = {
  /** Waits for it; rejects with the signal's reason. `onRegained`: it was lost in an outage, and is held again. */
  readonly acquire: (
    key: string,
    options: { readonly signal: AbortSignal; readonly onRegained?: (fence: number) => void },
  ) => Promise<FirmLease>;
};

/** What instances tell each other: the key. */
const askedTopic = "lease-asked";
const workingTopic = "lease-working";
const freedTopic = "lease-freed";
/** After an outage everybody has connected again by then, and has heard one of the questions. */
const answerMs = 3_000;
const askEveryMs = 500;
/** Whoever still works under it asks for it as soon as the storage is back. */
const yieldMs = 1_000;

export function createFirmLeases(options: {
  readonly coordinator: Pick<Coordinator, "lease" | "publish" | "subscribe">;
  readonly clock: Clock;
}): FirmLeases {
  const { coordinator, clock } = options;
  const working = new Set<string>();
  /** What those who wait or ask want to hear of. */
  const onFreed = new Map<string, Set<() => void>>();
  const onWorking = new Map<string, Set<() => void>>();
  // What is not told is as if nobody had heard it: the fence keeps the records right in any case.
  const tell = (topic: string, key: string) => coordinator.publish(topic, key).catch(() => undefined);

  coordinator.subscribe(askedTopic, (key) => {
    if (working.has(key)) void tell(workingTopic, key);
  });
  coordinator.subscribe(freedTopic, (key) => {
    for (const listener of onFreed.get(key) ?? []) listener();
  });
  coordinator.subscribe(workingTopic, (key) => {
    for (const listener of onWorking.get(key) ?? []) listener();
  });

  /** Whether somebody had it before, and whether he has given it back. */
  async function take(key: string, signal: AbortSignal) {
    let hasWaited = false;
    let isFreed = false;
    const stop = listen(onFreed, key, () => {
      isFreed = true;
    });
    // Called on every change in line: then somebody else was the next to have it.
    const onPosition = () => {
      hasWaited = true;
      isFreed = false;
    };
    const lease = await coordinator.lease(key, { signal, onPosition }).finally(stop);
    return { lease, hasWaited, isFreed };
  }

  async function isWorkedUnder(key: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = listen(onWorking, key, () => resolve(true));
    const cancelEnd = clock.after(answerMs, () => resolve(false));
    let cancelNext = () => {};
    const ask = () => {
      void tell(askedTopic, key);
      cancelNext = clock.after(askEveryMs, ask);
    };
    ask();
    return promise.finally(() => {
      stop();
      cancelEnd();
      cancelNext();
    });
  }

  async function acquire(key: string, signal: AbortSignal): Promise<Lease> {
    for (let hasYielded = false; ; hasYielded = true) {
      const { lease, hasWaited, isFreed } = await take(key, signal);
      const isInOrder = isFreed || !(hasWaited || hasYielded);
      if (isInOrder || !(await isWorkedUnder(key))) return lease;
      await lease.release();
      await clock.sleep(yieldMs, signal);
    }
  }

  return {
    acquire: async (key, { signal, onRegained }) => {
      const lease = await acquire(key, signal);
      working.add(key);
      const held: Held = keepLease(lease, {
        regain: (until) => coordinator.lease(key, { signal: until }),
        onRegained: ({ fence }) => onRegained?.(fence),
      });
      let isReleased = false;
      return {
        fence: lease.fence,
        release: async () => {
          if (isReleased) return;
          isReleased = true;
          working.delete(key);
          await tell(freedTopic, key);
          await held.release();
        },
      };
    },
  };
}

function listen(listeners: Map<string, Set<() => void>>, key: string, listener: () => void): () => void {
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => {
    all.delete(listener);
    if (all.size === 0) listeners.delete(key);
  };
}
