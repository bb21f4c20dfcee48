/** What every Coordinator must do, for one instance and between two. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coordinator, Lease, WaitOptions } from "../../src/bridge/ports/state.ts";

export type CoordinatorUnderTest = {
  /** Two instances that share everything; the same one where there is only one. */
  readonly a: Coordinator;
  readonly b: Coordinator;
  /** Lets that much time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** An entry that nobody acquires leaves its lane after this long. */
  readonly unattendedMs: number;
  readonly close: () => Promise<void>;
};

/** A wait that has demonstrably begun: it was told its first position. */
async function begin(acquire: (options: WaitOptions) => Promise<Lease>, signal?: AbortSignal) {
  const positions: number[] = [];
  const inLine = Promise.withResolvers<void>();
  const watchers = new Set<() => void>();
  const lease = acquire({
    ...(signal === undefined ? {} : { signal }),
    onPosition: (position) => {
      positions.push(position);
      inLine.resolve();
      for (const watch of watchers) watch();
    },
  });
  lease.catch(() => {});
  await Promise.race([inLine.promise, lease]);
  return {
    lease,
    positions,
    /** Resolves when that position was told. */
    at: (position: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (positions.at(-1) === position) resolve();
        };
        watchers.add(check);
        check();
      }),
  };
}

export function describeCoordinator(name: string, create: () => Promise<CoordinatorUnderTest>): void {
  describe(`Coordinator on ${name}`, () => {
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
      return `local/key ${names} __proto__`;
    }

    describe("lanes", () => {
      it("give a free lane at once, without a word of waiting", async () => {
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

      it("put an entry in line once, however often it is asked for", async () => {
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

      it("go on when a waiting entry is taken out of line", async () => {
        const lane = fresh();
        await a.lanes.enqueue(lane, "t1", "1");
        const next = await begin((options) => a.lanes.acquire(lane, "t2", "2", options));

        await b.lanes.remove(lane, "t1");

        await (await next.lease).release();
      });

      it("go on when an entry is taken out of line first and given up then", async () => {
        const lane = fresh();
        const holder = await a.lanes.acquire(lane, "t0", "0");
        const stop = new AbortController();
        const stopped = await begin((options) => a.lanes.acquire(lane, "t1", "1", options), stop.signal);
        const next = await begin((options) => b.lanes.acquire(lane, "t2", "2", options));
        await b.lanes.remove(lane, "t1");
        stop.abort(new Error("stopped"));
        await expect(stopped.lease).rejects.toThrow("stopped");

        await holder.release();

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

      it("tell everybody in line where he stands, on every change", async () => {
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

      it("forget an entry that nobody comes for", async () => {
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

    describe("permits", () => {
      it("are never more than n, on all instances together", async () => {
        const key = fresh();
        let holders = 0;
        let most = 0;

        await Promise.all(
          Array.from({ length: 15 }, async (_, index) => {
            const lease = await [a, b][index % 2]?.permit(key, 3, `w${index % 4}`);
            holders += 1;
            most = Math.max(most, holders);
            await b.takeToken(fresh(), { capacity: 1, refillPerMinute: 1 }, 0);
            holders -= 1;
            await lease?.release();
          }),
        );

        expect(most).toBeLessThanOrEqual(3);
        expect(most).toBeGreaterThan(1);
      });

      it("serve groups in turn, and within a group who came first", async () => {
        const key = fresh();
        const holder = await a.permit(key, 1, "other");
        const served: string[] = [];
        const runs: Promise<void>[] = [];
        for (const [group, label] of [
          ["busy", "b1"],
          ["busy", "b2"],
          ["busy", "b3"],
          ["calm", "c1"],
          ["calm", "c2"],
        ] as const) {
          const waiting = await begin((options) => (label < "b3" ? a : b).permit(key, 1, group, options));
          runs.push(
            waiting.lease.then(async (lease) => {
              served.push(label);
              await lease.release();
            }),
          );
        }

        await holder.release();
        await Promise.all(runs);

        expect(served).toEqual(["b1", "c1", "b2", "c2", "b3"]);
      });

      it("go first to the group that holds fewest", async () => {
        const key = fresh();
        const held = [await a.permit(key, 2, "busy"), await a.permit(key, 2, "busy")];
        const busy = await begin((options) => a.permit(key, 2, "busy", options));
        const calm = await begin((options) => b.permit(key, 2, "calm", options));
        await busy.at(2);
        await calm.at(1);

        await held[0]?.release();
        const calmLease = await calm.lease;
        await busy.at(1);
        await held[1]?.release();

        await calmLease.release();
        await (await busy.lease).release();
      });

      it("follow a changed n", async () => {
        const key = fresh();
        const first = await a.permit(key, 1, "w");
        const second = await begin((options) => a.permit(key, 1, "w", options));
        expect(second.positions).toEqual([1]);

        const third = b.permit(key, 3, "w");
        const [two, three] = await Promise.all([second.lease, third]);

        const fourth = await begin((options) => a.permit(key, 1, "w", options));
        await first.release();
        await two.release();
        expect(fourth.positions).toEqual([1]);
        await three.release();
        await (await fourth.lease).release();
      });

      it("go to the next when a waiting one gives up", async () => {
        const key = fresh();
        const holder = await a.permit(key, 1, "w");
        const stop = new AbortController();
        const leaving = await begin((options) => a.permit(key, 1, "w", options), stop.signal);
        const next = await begin((options) => b.permit(key, 1, "w", options));
        expect(next.positions).toEqual([2]);

        stop.abort(new Error("gone"));
        await expect(leaving.lease).rejects.toThrow("gone");
        await next.at(1);
        await holder.release();

        await (await next.lease).release();
      });

      it("come back once, however often they are released", async () => {
        const key = fresh();
        const first = await a.permit(key, 1, "w");
        await first.release();
        await first.release();
        const second = await a.permit(key, 1, "w");

        const third = await begin((options) => b.permit(key, 1, "w", options));

        expect(third.positions).toEqual([1]);
        await second.release();
        await (await third.lease).release();
      });
    });

    describe("leases", () => {
      it("are exclusive, waited for in order, and carry a growing fence", async () => {
        const key = fresh();
        const first = await a.lease(key);
        const second = await begin((options) => b.lease(key, options));
        const third = await begin((options) => a.lease(key, options));
        expect(second.positions).toEqual([1]);
        expect(third.positions).toEqual([2]);

        await first.release();
        const next = await second.lease;
        await third.at(1);
        await next.release();
        const last = await third.lease;

        expect(first.fence).toBeLessThan(next.fence);
        expect(next.fence).toBeLessThan(last.fence);
        expect(first.lost.aborted).toBe(false);
        await last.release();
      });
    });

    describe("tokens", () => {
      const bucket = { capacity: 3, refillPerMinute: 60 };

      it("are shared by all instances and run out", async () => {
        const key = fresh();
        const taken = [
          await a.takeToken(key, bucket, 0),
          await b.takeToken(key, bucket, 0),
          await a.takeToken(key, bucket, 0),
        ];

        const refused = await b.takeToken(key, bucket, 0);

        expect(taken).toEqual([{ taken: true }, { taken: true }, { taken: true }]);
        expect(refused.taken).toBe(false);
        if (!refused.taken) {
          expect(refused.waitMs).toBeGreaterThan(0);
          expect(refused.waitMs).toBeLessThanOrEqual(1_000);
        }
      });

      it("come back after the wait that was named", async () => {
        const key = fresh();
        const fast = { capacity: 1, refillPerMinute: 600 };
        await a.takeToken(key, fast, 0);
        const refused = await a.takeToken(key, fast, 0);
        if (refused.taken) throw new Error("There should be none left.");

        await subject.pass(refused.waitMs);

        expect(await b.takeToken(key, fast, 0)).toEqual({ taken: true });
      });

      it("are left where some are to be kept", async () => {
        const key = fresh();
        expect(await a.takeToken(key, bucket, 2)).toEqual({ taken: true });

        expect((await a.takeToken(key, bucket, 2)).taken).toBe(false);
        expect((await b.takeToken(key, bucket, 1)).taken).toBe(true);
      });

      it("can be had from a bucket smaller than what is to be kept", async () => {
        expect(await a.takeToken(fresh(), { capacity: 1, refillPerMinute: 60 }, 5)).toEqual({ taken: true });
      });

      it("stay away while a penalty lasts, then one comes at once", async () => {
        const key = fresh();
        await a.penalise(key, 400);
        const refused = await b.takeToken(key, bucket, 0);
        if (refused.taken) throw new Error("There should be none.");
        expect(refused.waitMs).toBeGreaterThan(100);
        expect(refused.waitMs).toBeLessThanOrEqual(401);

        await subject.pass(refused.waitMs + 2);

        expect((await a.takeToken(key, bucket, 0)).taken).toBe(true);
        expect((await a.takeToken(key, bucket, 0)).taken).toBe(false);
      });

      it("keep the longer of two penalties", async () => {
        const key = fresh();
        await a.penalise(key, 60_000);
        await b.penalise(key, 10);

        const refused = await a.takeToken(key, bucket, 0);

        expect(refused.taken === false && refused.waitMs > 30_000).toBe(true);
      });
    });

    describe("messages", () => {
      it("reach every subscriber on every instance, the own one included, in order", async () => {
        const topic = fresh();
        const heard = { a1: [] as string[], a2: [] as string[], b: [] as string[] };
        const last = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const listen = (list: string[], index: number) => (message: string) => {
          list.push(message);
          if (message === "last") last[index]?.resolve();
        };
        a.subscribe(topic, listen(heard.a1, 0));
        a.subscribe(topic, listen(heard.a2, 1));
        b.subscribe(topic, listen(heard.b, 2));

        await a.publish(topic, "first ü\n");
        await a.publish(topic, "last");
        await Promise.all(last.map(({ promise }) => promise));

        expect(heard).toEqual({ a1: ["first ü\n", "last"], a2: ["first ü\n", "last"], b: ["first ü\n", "last"] });
      });

      it("no longer reach who has unsubscribed, nor who listens to something else", async () => {
        const topic = fresh();
        const heard: string[] = [];
        const stop = b.subscribe(topic, (message) => heard.push(message));
        b.subscribe(fresh(), (message) => heard.push(message));
        stop();
        const other = Promise.withResolvers<void>();
        b.subscribe(topic, () => other.resolve());

        await a.publish(topic, "x");
        await other.promise;

        expect(heard).toEqual([]);
      });

      it("reach the others when one listener throws", async () => {
        const topic = fresh();
        const heard = Promise.withResolvers<string>();
        b.subscribe(topic, () => {
          throw new Error("a listener's own fault");
        });
        b.subscribe(topic, heard.resolve);

        await a.publish(topic, "x");

        expect(await heard.promise).toBe("x");
      });
    });
  });

  it(`Coordinator on ${name}: waiting ends when it is closed`, async () => {
    const { a, close } = await create();
    const held = await a.lease("k");
    const waits = [
      await begin((options) => a.lease("k", options)),
      await begin(async (options) => {
        await a.lanes.enqueue("l", "t1", "1");
        return await a.lanes.acquire("l", "t2", "2", options);
      }),
    ];

    await a.close();

    for (const { lease } of waits) await expect(lease).rejects.toMatchObject({ code: "state_unavailable" });
    await held.release();
    await close();
  });
}
