/** Contract of every Coordinator, for one instance and between two. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../../src/core/ports/state.ts";
import { begin, type CoordinatorUnderTest } from "./begin-wait.ts";
import { describeLanes } from "./lanes.ts";
import { describePermits } from "./permits.ts";

export function describeCoordinator(name: string, create: () => Promise<CoordinatorUnderTest>): void {
  describeLanes(name, create);
  describePermits(name, create);

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

      it("are left where some are reserved", async () => {
        const key = fresh();
        expect(await a.takeToken(key, bucket, 2)).toEqual({ taken: true });

        expect((await a.takeToken(key, bucket, 2)).taken).toBe(false);
        expect((await b.takeToken(key, bucket, 1)).taken).toBe(true);
      });

      it("can be given back, though never more than the bucket holds, nor during a penalty", async () => {
        const key = fresh();
        const slow = { capacity: 2, refillPerMinute: 0.1 };
        await a.takeToken(key, slow, 0);
        await b.takeToken(key, slow, 0);
        await a.returnToken(key, slow);
        expect(await b.takeToken(key, slow, 0)).toEqual({ taken: true });
        expect((await a.takeToken(key, slow, 0)).taken).toBe(false);

        for (let count = 0; count < 5; count += 1) await b.returnToken(key, slow);
        const taken = [await a.takeToken(key, slow, 0), await b.takeToken(key, slow, 0)];
        expect(taken).toEqual([{ taken: true }, { taken: true }]);
        expect((await a.takeToken(key, slow, 0)).taken).toBe(false);

        await a.penalise(key, 60_000);
        await b.returnToken(key, slow);
        expect((await a.takeToken(key, slow, 0)).taken).toBe(false);
      });

      it("can be taken from a bucket that is smaller than the reserve", async () => {
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

      it("are fewer after a penalty, however many come at once", async () => {
        const [once, often, never] = [fresh(), fresh(), fresh()];
        const slow = { capacity: 1, refillPerMinute: 1 };
        await a.penalise(once, 20);
        for (let count = 0; count < 5; count += 1) await (count % 2 === 0 ? a : b).penalise(often, 20);
        await subject.pass(30);

        for (const key of [once, often, never]) {
          expect(await b.takeToken(key, slow, 0)).toEqual({ taken: true });
          const refused = await a.takeToken(key, slow, 0);
          // At seven tenths of the rate; a busy machine may take seconds to get here.
          const atMost = key === never ? 60_000 : 60_000 / 0.7 + 1;
          expect(refused.taken === false && refused.waitMs <= atMost && refused.waitMs > atMost - 20_000).toBe(true);
        }
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

      it("don't reach listeners that have unsubscribed or listen to something else", async () => {
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
