/** Contract of permits and leases of every Coordinator, for one instance and between two. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coordinator, Lease } from "../../../../src/core/ports/state.ts";
import { runs } from "../../../properties.ts";
import { begin, type CoordinatorUnderTest } from "./begin-wait.ts";
import { createPermitModel, type PermitModel } from "./permit-model.ts";

type RealPermit = { position: number; lease: Lease | undefined; readonly leave: () => void };

function join(coordinator: Coordinator, key: string, n: number, group: string): RealPermit {
  const stop = new AbortController();
  const permit: RealPermit = { position: 0, lease: undefined, leave: () => stop.abort(new Error("left")) };
  coordinator
    .permit(key, n, group, {
      signal: stop.signal,
      onPosition: (position) => {
        permit.position = position;
      },
    })
    .then(
      (lease) => {
        permit.lease = lease;
      },
      () => {},
    );
  return permit;
}

async function untilSame(model: PermitModel, real: ReadonlyMap<number, RealPermit>): Promise<void> {
  const seen = () => ({
    held: model.held().filter((id) => real.get(id)?.lease !== undefined),
    order: [...model.waiting()].sort((x, y) => (real.get(x)?.position ?? 0) - (real.get(y)?.position ?? 0)),
    positions: model.waiting().map((id) => real.get(id)?.position),
  });
  const wanted = {
    held: model.held(),
    order: model.waiting(),
    positions: model.waiting().map((_, index) => index + 1),
  };
  for (const endMs = Date.now() + 15_000; Date.now() < endMs; await new Promise((go) => setTimeout(go, 1))) {
    if (isDeepStrictEqual(seen(), wanted)) return;
  }
  expect(seen()).toEqual(wanted);
}

export function describePermits(name: string, create: () => Promise<CoordinatorUnderTest>): void {
  describe(`Permits and leases on ${name}`, () => {
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
      return `local/permit ${names} __proto__`;
    }

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

      it("go to the group with the oldest request of those who still wait", async () => {
        const key = fresh();
        const holder = await a.permit(key, 1, "other");
        const stop = new AbortController();
        const leaving = await begin((options) => a.permit(key, 1, "one", options), stop.signal);
        const older = await begin((options) => b.permit(key, 1, "two", options));
        const newer = await begin((options) => a.permit(key, 1, "one", options));

        stop.abort(new Error("gone"));
        await expect(leaving.lease).rejects.toThrow("gone");
        await older.at(1);
        await newer.at(2);
        await holder.release();

        await (await older.lease).release();
        await (await newer.lease).release();
      });

      it("are granted in the reported order, also when others have joined, left and rejoined", async () => {
        const moves = fc.record({
          kind: fc.nat(3),
          pick: fc.nat(1_000),
          group: fc.constantFrom("w1", "w2", "w3", "w4"),
        });
        await fc.assert(
          fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(moves, { maxLength: 25 }), async (n, script) => {
            const key = fresh();
            const model = createPermitModel(n);
            const real = new Map<number, RealPermit>();
            for (const [id, { kind, pick, group }] of script.entries()) {
              const one = pick % 2 === 0 ? a : b;
              const [held, waiting] = [model.held(), model.waiting()];
              if (kind === 0 && held.length > 0) {
                const released = held[pick % held.length] ?? 0;
                model.release(released);
                await real.get(released)?.lease?.release();
              } else if (kind === 1 && waiting.length > 0) {
                const left = waiting[pick % waiting.length] ?? 0;
                model.leave(left);
                real.get(left)?.leave();
              } else {
                model.join(id, group);
                real.set(id, join(one, key, n, group));
              }
              await untilSame(model, real);
            }
            for (const permit of real.values()) permit.leave();
            for (const id of model.held()) await real.get(id)?.lease?.release();
          }),
          { numRuns: runs(15) },
        );
      });

      it("leave one free for people, and go to them first, where nobody waits for the work", async () => {
        const key = fresh();
        const spare = (one: Coordinator) => {
          const waiting = { lease: undefined as Lease | undefined, granted: Promise.resolve() };
          const granted = one.permit(key, 3, "w", { isSpare: true });
          waiting.granted = granted.then((lease) => {
            waiting.lease = lease;
          });
          return waiting;
        };
        /** A round through both instances, so that what can be granted is. */
        const settle = async () => {
          const probe = await begin((options) => b.permit(key, 3, "probe", options), AbortSignal.timeout(5_000));
          const lease = await probe.lease;
          await lease.release();
        };
        const first = spare(a);
        await first.granted;
        const second = spare(b);
        await second.granted;
        const third = spare(a);
        await settle();
        expect(third.lease).toBeUndefined();

        const person = await b.permit(key, 3, "w");
        const next = await begin((options) => a.permit(key, 3, "w", options));
        expect(next.positions).toEqual([1]);
        await first.lease?.release();
        const nextLease = await next.lease;
        expect(third.lease).toBeUndefined();

        await person.release();
        await settle();
        expect(third.lease).toBeUndefined();
        await nextLease.release();
        await third.granted;
        await second.lease?.release();
        await third.lease?.release();
      });

      it("are given to such work only while nobody waits, where there is a single one", async () => {
        const key = fresh();
        const holder = await a.permit(key, 1, "w");
        const served: string[] = [];
        const run = async (label: string, lease: Promise<Lease>) => {
          await (await lease.finally(() => served.push(label))).release();
        };
        const spare = run("spare", b.permit(key, 1, "w", { isSpare: true }));
        const one = await begin((options) => a.permit(key, 1, "w", options));
        const two = await begin((options) => b.permit(key, 1, "w", options));
        const runs = [spare, run("one", one.lease), run("two", two.lease)];

        await holder.release();
        await Promise.all(runs);

        expect(one.positions[0]).toBe(1);
        expect(served).toEqual(["one", "two", "spare"]);
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
  });
}
