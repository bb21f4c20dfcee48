/** Contract of the lanes of every Coordinator, for one instance and between two. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coordinator, Lease } from "../../../../src/core/ports/state.ts";
import { begin, type CoordinatorUnderTest } from "./begin-wait.ts";

export function describeLanes(name: string, create: () => Promise<CoordinatorUnderTest>): void {
  describe(`Lanes on ${name}`, () => {
    let subject: CoordinatorUnderTest;
    let a: Coordinator;
    let b: Coordinator;
    let names = 0;
    beforeAll(async () => {
      subject = await create();
      ({ a, b } = subject);
    });
    afterAll(() => subject?.close());

    function fresh(): string {
      names += 1;
      return `local/lane ${names} __proto__`;
    }

    it("grant a free lane immediately, without reporting a wait", async () => {
      const wait = await begin((options) => a.lanes.acquire(fresh(), "t1", "1", options));

      await (await wait.lease).release();

      expect(wait.positions).toEqual([]);
    });

    it("go by the platform's order, whichever instance an entry came to and when", async () => {
      const lane = fresh();
      const holder = await a.lanes.acquire(lane, "t0", "0");
      const order: string[] = [];
      const run = async (lease: Promise<Lease>, entry: string) => {
        const held = await lease;
        order.push(entry);
        await held.release();
      };
      const third = await begin((options) => b.lanes.acquire(lane, "t3", "3", options));
      const first = await begin((options) => a.lanes.acquire(lane, "t1", "1", options));
      const second = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));

      await holder.release();
      await Promise.all([run(third.lease, "t3"), run(first.lease, "t1"), run(second.lease, "t2")]);

      expect(order).toEqual(["t1", "t2", "t3"]);
    });

    it("are held by one at a time, and every entry gets its turn", async () => {
      const lane = fresh();
      let holders = 0;
      let most = 0;
      const fences: number[] = [];

      await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const lease = await [a, b][index % 2]?.lanes.acquire(lane, `t${index}`, `${index % 5}`);
          holders += 1;
          most = Math.max(most, holders);
          fences.push(lease?.fence ?? 0);
          await a.takeToken(fresh(), { capacity: 1, refillPerMinute: 1 }, 0);
          holders -= 1;
          await lease?.release();
        }),
      );

      expect(most).toBe(1);
      expect(fences).toHaveLength(12);
      expect(fences).toEqual([...fences].sort((x, y) => x - y));
      expect(new Set(fences).size).toBe(12);
    });

    it("keep the place of an entry that was put in line before it is acquired", async () => {
      const lane = fresh();
      await a.lanes.enqueue(lane, "t1", "1");
      const later = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));

      const earlier = await a.lanes.acquire(lane, "t1", "1");

      expect(later.positions).toEqual([1]);
      await earlier.release();
      await (await later.lease).release();
    });

    it("put an entry in line once, however often it is requested", async () => {
      const lane = fresh();
      await a.lanes.enqueue(lane, "t1", "1");
      await b.lanes.enqueue(lane, "t1", "1");
      const lease = await a.lanes.acquire(lane, "t1", "1");
      await b.lanes.enqueue(lane, "t1", "1");
      await lease.release();

      const next = await b.lanes.acquire(lane, "t2", "2");

      await next.release();
      expect(next.fence).toBeGreaterThan(lease.fence);
    });

    it("let an entry in again after its release", async () => {
      const lane = fresh();
      const first = await a.lanes.acquire(lane, "t1", "1");
      await first.release();

      const again = await b.lanes.acquire(lane, "t1", "1");

      expect(again.fence).toBeGreaterThan(first.fence);
      await again.release();
    });

    it("continue when a waiting entry is removed from the line", async () => {
      const lane = fresh();
      await a.lanes.enqueue(lane, "t1", "1");
      const next = await begin((options) => a.lanes.acquire(lane, "t2", "2", options));

      await b.lanes.remove(lane, "t1");

      await (await next.lease).release();
    });

    it("continue when an entry is removed from the line and then given up", async () => {
      const lane = fresh();
      const holder = await a.lanes.acquire(lane, "t0", "0");
      const stop = new AbortController();
      const stopped = await begin((options) => a.lanes.acquire(lane, "t1", "1", options), stop.signal);
      const next = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));
      await b.lanes.remove(lane, "t1");
      stop.abort(new Error("stopped"));
      await expect(stopped.lease).rejects.toThrow("stopped");

      // Long before it would have been forgotten.
      const moved = next.at(1).then(() => "moved up");
      expect(await Promise.race([moved, subject.pass(subject.unattendedMs / 2)])).toBe("moved up");
      await holder.release();
      await (await next.lease).release();
    });

    it("continue when an entry is removed that one caller holds, and another then gives up", async () => {
      const lane = fresh();
      const holder = await a.lanes.acquire(lane, "t1", "1");
      const stop = new AbortController();
      const stopped = await begin((options) => b.lanes.acquire(lane, "t1", "1", options), stop.signal);
      const earlier = await begin((options) => a.lanes.acquire(lane, "t0", "0", options));
      const next = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));
      await a.lanes.remove(lane, "t1");
      await holder.release();
      const held = await earlier.lease;
      stop.abort(new Error("stopped"));
      await expect(stopped.lease).rejects.toThrow("stopped");

      // Long before its place would have been forgotten.
      const moved = next.at(1).then(() => "moved up");
      expect(await Promise.race([moved, subject.pass(subject.unattendedMs / 2)])).toBe("moved up");
      await held.release();
      await (await next.lease).release();
    });

    it("keep the place of a wait that was given up", async () => {
      const lane = fresh();
      const holder = await a.lanes.acquire(lane, "t0", "0");
      const stop = new AbortController();
      const waiting = await begin((options) => a.lanes.acquire(lane, "t1", "1", options), stop.signal);
      const next = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));

      stop.abort(new Error("gone"));
      await expect(waiting.lease).rejects.toThrow("gone");
      await holder.release();
      await next.at(1);
      const again = await b.lanes.acquire(lane, "t1", "1");

      expect(next.positions).toEqual([2, 1]);
      await again.release();
      await (await next.lease).release();
    });

    it("reject at once when the signal has aborted before", async () => {
      const signal = AbortSignal.abort(new Error("too late"));

      await expect(a.lanes.acquire(fresh(), "t1", "1", { signal })).rejects.toThrow("too late");
    });

    it("report everyone's place in line on every change", async () => {
      const lane = fresh();
      const holder = await a.lanes.acquire(lane, "t0", "0");
      const first = await begin((options) => a.lanes.acquire(lane, "t1", "1", options));
      const third = await begin((options) => b.lanes.acquire(lane, "t3", "3", options));
      const second = await begin((options) => a.lanes.acquire(lane, "t2", "2", options));
      await third.at(3);

      await holder.release();
      await third.at(2);
      await (await first.lease).release();
      await third.at(1);
      await (await second.lease).release();
      await (await third.lease).release();

      expect(first.positions).toEqual([1]);
      expect(second.positions).toEqual([2, 1]);
      expect(third.positions).toEqual([2, 3, 2, 1]);
    });

    it("give the same entry to two who ask for it, one after the other", async () => {
      const lane = fresh();
      const one = await a.lanes.acquire(lane, "t1", "1");
      const two = await begin((options) => b.lanes.acquire(lane, "t1", "1", options));
      expect(two.positions).toEqual([1]);

      await one.release();

      expect((await two.lease).fence).toBeGreaterThan(one.fence);
      await (await two.lease).release();
    });

    it("forget an entry that nobody claims", async () => {
      const lane = fresh();
      await a.lanes.enqueue(lane, "t1", "1");
      const next = await begin((options) => a.lanes.acquire(lane, "t2", "2", options));

      await subject.pass(subject.unattendedMs + 50);

      await (await next.lease).release();
      expect(next.positions).toEqual([1]);
    });

    it("are independent of each other", async () => {
      const held = await a.lanes.acquire(fresh(), "t1", "1");
      const other = await b.lanes.acquire(fresh(), "t1", "1");

      await held.release();
      await other.release();
    });

    it("survive a release that comes twice", async () => {
      const lane = fresh();
      const first = await a.lanes.acquire(lane, "t1", "1");
      const second = await begin((options) => a.lanes.acquire(lane, "t2", "2", options));
      await first.release();
      const lease = await second.lease;
      const third = await begin((options) => b.lanes.acquire(lane, "t3", "3", options));

      await first.release();

      expect(third.positions).toEqual([1]);
      await lease.release();
      await (await third.lease).release();
    });
  });
}
