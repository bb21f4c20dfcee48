/** A lease that lapsed although its holder lives: who gets it, and when. */
import { expect, it } from "vitest";
import type { Coordinator, Lease, WaitOptions } from "../../../src/core/ports/state.ts";
import { createLocks } from "../../../src/knowledge/jobs/lock.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";

const patient = new AbortController().signal;

/** Instances over one coordinator, as over one Redis; `lapse` is what an outage does to whatever an instance holds. */
function instances(clock: FakeClock) {
  const shared = createMemoryCoordinator({ clock });
  const instance = () => {
    const held = new Set<{ readonly lose: () => void; readonly lease: Lease }>();
    let isDead = false;
    const coordinator: Pick<Coordinator, "lease" | "publish" | "subscribe"> = {
      publish: async (topic, message) => (isDead ? undefined : shared.publish(topic, message)),
      subscribe: (topic, listener) => shared.subscribe(topic, (message) => (isDead ? undefined : listener(message))),
      lease: async (key: string, wait?: WaitOptions) => {
        const lease = await shared.lease(key, wait);
        const lost = new AbortController();
        const entry = { lease, lose: () => lost.abort() };
        held.add(entry);
        const release = async () => {
          if (held.delete(entry)) await lease.release();
        };
        return { ...lease, lost: lost.signal, release };
      },
    };
    return {
      locks: createLocks({ coordinator, clock }),
      /** Its leases are free for others, and it hears of it a bit later. */
      lapse: async () => {
        for (const entry of [...held]) {
          held.delete(entry);
          await entry.lease.release();
          clock.after(2_500, () => (isDead ? undefined : entry.lose()));
        }
      },
      die: () => {
        isDead = true;
      },
    };
  };
  return { instance };
}

function acquired(locks: ReturnType<typeof createLocks>) {
  const seen = { fence: 0, release: async () => {} };
  void locks.acquire("docs", { signal: patient }).then((lease) => Object.assign(seen, lease));
  return seen;
}

it("goes back to the one that still works under it, and to the next when that one releases it", async () => {
  const clock = createFakeClock();
  const { instance } = instances(clock);
  const [one, two] = [instance(), instance()];
  const regained: number[] = [];
  const first = await one.locks.acquire("docs", { signal: patient, onRegained: (fence) => regained.push(fence) });
  const second = acquired(two.locks);
  await clock.advance(0);

  await one.lapse();
  await clock.advance(60_000);
  const during = second.fence;
  await first.release();
  await clock.advance(60_000);

  expect(during).toBe(0);
  expect(regained).toHaveLength(1);
  expect(regained[0]).toBeGreaterThan(first.fence);
  expect(second.fence).toBeGreaterThan(regained[0] ?? 0);
});

it("goes back also when it was released once before, to the one that works now", async () => {
  const clock = createFakeClock();
  const { instance } = instances(clock);
  const [one, two, three] = [instance(), instance(), instance()];
  const first = await one.locks.acquire("docs", { signal: patient });
  const second = acquired(two.locks);
  const third = acquired(three.locks);
  await clock.advance(0);
  await first.release();
  await clock.advance(0);

  await two.lapse();
  await clock.advance(60_000);

  expect(second.fence).toBeGreaterThan(0);
  expect(third.fence).toBe(0);
});

it("goes to the next one within seconds when its holder is dead", async () => {
  const clock = createFakeClock();
  const { instance } = instances(clock);
  const [one, two] = [instance(), instance()];
  await one.locks.acquire("docs", { signal: patient });
  const second = acquired(two.locks);
  await clock.advance(0);

  one.die();
  await one.lapse();
  await clock.advance(3_000);

  expect(second.fence).toBeGreaterThan(0);
});

it("goes from one to the next immediately when it is released, also within one instance", async () => {
  const clock = createFakeClock();
  const { instance } = instances(clock);
  const [one, two] = [instance(), instance()];
  const first = await one.locks.acquire("docs", { signal: patient });
  const others = [acquired(one.locks), acquired(two.locks)] as const;
  await clock.advance(0);

  await first.release();
  await clock.advance(0);
  const afterFirst = others.map(({ fence }) => fence > 0);
  await others[0].release();
  await clock.advance(0);

  expect(afterFirst).toEqual([true, false]);
  expect(others[1].fence).toBeGreaterThan(0);
});
