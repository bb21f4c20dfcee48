/**
 * A lock: a lease that its holder keeps through an outage of the store. An insert takes minutes and isn't interrupted
 * when Redis restarts, but its lease expires meanwhile, and the next in line would start a second insert beside it. So
 * an instance that gets a lease that nobody released asks first whether someone still works under it:
 *
 *   0:00  A holds the lease and starts an insert of two minutes; B waits for the lease.
 *   0:20  Redis goes down. A's insert continues, but its lease expires after 15 s.
 *   0:50  Redis is back and gives B the lease. Nobody announced "freed", so B asks "who works under it?".
 *   0:51  A answers "working". B releases the lease and pauses; A reacquires it; B queues behind A.
 *   2:00  A's insert ends. A announces "freed" and releases the lease; B gets it and starts its insert.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { Coordinator, Lease } from "../../core/ports/state.ts";
import { type KeptLease, keepLease } from "../../core/tools/keep-lease.ts";

export type Locks = ReturnType<typeof createLocks>;

/** Messages between instances; each carries the key. */
const askedTopic = "lease-asked";
const workingTopic = "lease-working";
const freedTopic = "lease-freed";
/** Long enough for every instance to reconnect after an outage, and to receive one of the questions. */
const answerMs = 3_000;
const askEveryMs = 500;
/** A holder that still works reacquires the lease as soon as the store is back. */
const yieldMs = 1_000;

export function createLocks(options: {
  readonly coordinator: Pick<Coordinator, "lease" | "publish" | "subscribe">;
  readonly clock: Clock;
}) {
  const { coordinator, clock } = options;
  const working = new Set<string>();
  /** Listeners of instances that wait or ask. */
  const onFreed = new Map<string, Set<() => void>>();
  const onWorking = new Map<string, Set<() => void>>();
  // A lost message counts as unheard: the fence protects the records in any case.
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

  /** Acquires the lease, and tells whether it had another holder before, and whether that one released it. */
  async function take(key: string, signal: AbortSignal) {
    let hasWaited = false;
    let isFreed = false;
    const stop = listen(onFreed, key, () => {
      isFreed = true;
    });
    // Called on every change in line: then another instance was next.
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
    /**
     * Waits for the lease; rejects with the signal's reason. `onRegained`: it was lost in an outage, and has been
     * reacquired.
     */
    acquire: async (
      key: string,
      { signal, onRegained }: { readonly signal: AbortSignal; readonly onRegained?: (fence: number) => void },
    ) => {
      const lease = await acquire(key, signal);
      working.add(key);
      let lostAtMs = Number.POSITIVE_INFINITY;
      const held: KeptLease = keepLease(lease, {
        onLost: () => {
          lostAtMs = clock.now();
        },
        regain: (until) => coordinator.lease(key, { signal: until }),
        onRegained: ({ fence }) => onRegained?.(fence),
      });
      let isReleased = false;
      return {
        /** At the time it was acquired. */
        fence: lease.fence,
        /** False while it is lost, or may be. */
        isCurrent: held.isCurrent,
        /** When it was last lost. Infinity: never. */
        lostAtMs: () => lostAtMs,
        /** Idempotent; never rejects. */
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
