/**
 * Contract of works on a backend: each is done once, at its time, by any instance, and what fails is retried and then
 * listed. What dies in between is in test/state/works-killed.slow.test.ts.
 */
import { describe, expect, it } from "vitest";
import type { Work, WorkDefinition, WorkState, Works } from "../../../src/core/ports/storage/works.ts";
import { until } from "../../doubles/until.ts";

export type OpenedWorks = {
  /** One for each instance. */
  readonly instances: readonly Works[];
  readonly now: () => number;
  /** Lets that time pass. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const kind = "letters";
const states: readonly WorkState[] = ["waiting", "delayed", "active", "failed"];
/** Longer than any test. */
const never = () => new Promise<undefined>(() => {});

type Letter = { readonly text: string };
type Run = WorkDefinition<Letter>["run"];

/** `open` gives a store that nothing is in. */
export function describeWorks(name: string, open: () => Promise<OpenedWorks>): void {
  async function withRoom(work: (room: ReturnType<typeof roomOver>) => Promise<void>): Promise<void> {
    const opened = await open();
    const room = roomOver(opened);
    try {
      await work(room);
    } finally {
      await opened.close();
    }
  }

  describe(`works on ${name}`, () => {
    it("are done and forgotten", () =>
      withRoom(async ({ begin, works, now, listed }) => {
        const seen: Work<Letter>[] = [];
        const beforeMs = now();
        await begin(async (work) => {
          seen.push(work);
          return undefined;
        });

        expect(await works.add<Letter>(kind, "T1/a b%c:d", { text: "Héllo" })).toBe(true);

        await until("its end", async () => seen.length === 1 && (await listed()) === 0);
        expect(seen).toMatchObject([{ key: "T1/a b%c:d", payload: { text: "Héllo" }, begun: 1 }]);
        expect(seen[0]?.dueAtMs).toBeGreaterThanOrEqual(beforeMs);
        expect(await works.add<Letter>(kind, "T1/a b%c:d", { text: "Again" })).toBe(true);
        await until("the next one", async () => seen.length === 2 && (await listed()) === 0);
      }));

    it("wait until they are begun, one for each key with the newest payload", () =>
      withRoom(async ({ begin, works, listed, list }) => {
        const texts: string[] = [];
        expect(await works.add<Letter>(kind, "a", { text: "first" })).toBe(true);
        expect(await works.add<Letter>(kind, "a", { text: "second" })).toBe(false);
        expect(await works.add<Letter>("other-kind", "a", { text: "other" })).toBe(true);
        expect(await list("waiting")).toEqual(["a"]);

        await begin(async ({ payload }) => {
          texts.push(payload.text);
          return undefined;
        });

        await until("its end", async () => (await listed()) === 0);
        expect(texts).toEqual(["second"]);
      }));

    it("of a kind that nobody does stay stored", () =>
      withRoom(async ({ begin, works, pass }) => {
        await begin(async () => undefined);
        await works.add("unknown-kind", "a", {});
        await pass(300);
        expect((await works.list("unknown-kind", "waiting", 10)).map(({ key }) => key)).toEqual(["a"]);
      }));

    it("run once more when their key is added while they are active", () =>
      withRoom(async ({ begin, works, listed }) => {
        const texts: string[] = [];
        let atOnce = 0;
        const held = Promise.withResolvers<void>();
        await begin(async ({ payload }) => {
          atOnce += 1;
          expect(atOnce).toBe(1);
          texts.push(payload.text);
          await held.promise;
          atOnce -= 1;
          return undefined;
        });
        await works.add<Letter>(kind, "a", { text: "first" });
        await until("the first run", () => texts.length === 1);

        for (const text of ["second", "third"]) expect(await works.add<Letter>(kind, "a", { text })).toBe(false);
        held.resolve();

        await until("the end of both", async () => texts.length > 1 && (await listed()) === 0);
        expect(texts).toEqual(["first", "third"]);
      }));

    it("wait for their time, and a new time replaces it", () =>
      withRoom(async ({ begin, works, now, pass, listed, list }) => {
        const done: { readonly key: string; readonly atMs: number; readonly dueAtMs: number }[] = [];
        await begin(async ({ key, dueAtMs }) => {
          done.push({ key, dueAtMs, atMs: now() });
          return undefined;
        });
        const startMs = now();
        const keys = () => done.map(({ key }) => key);

        await works.add<Letter>(kind, "later", { text: "" }, { dueAtMs: startMs + 2_600 });
        await works.add<Letter>(kind, "sooner", { text: "" }, { dueAtMs: startMs + 3_600_000 });
        await works.add<Letter>(kind, "sooner", { text: "" }, { dueAtMs: startMs + 2_000 });
        await works.add<Letter>(kind, "never", { text: "" }, { dueAtMs: startMs + 2_000 });
        await works.add<Letter>(kind, "never", { text: "" }, { dueAtMs: startMs + 3_600_000 });
        await works.add<Letter>(kind, "overdue", { text: "" }, { dueAtMs: startMs - 86_400_000 });
        await until("the overdue one", () => done.length === 1);
        expect(await list("delayed")).toEqual(["sooner", "later", "never"]);
        for (let step = 0; step < 30; step += 1) await pass(100);

        await until("those that are due", () => done.length === 3);
        expect(keys()).toEqual(["overdue", "sooner", "later"]);
        for (const { atMs, dueAtMs } of done) expect(atMs).toBeGreaterThanOrEqual(dueAtMs);
        expect(done[0]?.dueAtMs).toBe(startMs - 86_400_000);
        expect(await list("delayed")).toEqual(["never"]);
        expect(await listed()).toBe(1);
      }));

    it("are due again when their run says so", () =>
      withRoom(async ({ begin, works, now, pass, listed }) => {
        const due: number[] = [];
        const startMs = now();
        await begin(async ({ dueAtMs, begun }) => {
          due.push(dueAtMs - startMs);
          expect(begun).toBe(1);
          return due.length < 3 ? dueAtMs + 300 : undefined;
        });
        await works.add<Letter>(kind, "a", { text: "" }, { dueAtMs: startMs });
        for (let step = 0; step < 10; step += 1) await pass(100);
        await until("three rounds", async () => (await listed()) === 0);
        expect(due).toEqual([0, 300, 600]);
      }));

    it("are deleted when they are cancelled, and one that runs is stopped", () =>
      withRoom(async ({ begin, works, other, now, listed }) => {
        const begun: string[] = [];
        const reasons: unknown[] = [];
        await works.add<Letter>(kind, "waiting", { text: "" });
        await works.cancel(kind, "waiting");
        await begin(async ({ key }, signal) => {
          begun.push(key);
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          reasons.push(signal.reason);
          throw new Error("Stopped.");
        });
        await works.add<Letter>(kind, "delayed", { text: "" }, { dueAtMs: now() + 400 });
        await works.add<Letter>(kind, "active", { text: "" });
        await until("the run", () => begun.length === 1);

        await other.cancel(kind, "delayed");
        // Of the two one doesn't run it.
        await other.cancel(kind, "active");
        await works.cancel(kind, "active");
        await works.cancel(kind, "unknown");

        await until("its end", async () => (await listed()) === 0);
        expect(reasons).toMatchObject([{ code: "stopped" }]);
        expect(begun).toEqual(["active"]);
      }));

    it("that are cancelled while they run can be added again, and run when that has ended", () =>
      withRoom(async ({ begin, works, listed }) => {
        const texts: string[] = [];
        const held = Promise.withResolvers<void>();
        await begin(async ({ payload }) => {
          texts.push(payload.text);
          if (texts.length === 1) await held.promise;
          return undefined;
        });
        await works.add<Letter>(kind, "a", { text: "first" });
        await until("the run", () => texts.length === 1);

        await works.cancel(kind, "a");
        await works.add<Letter>(kind, "a", { text: "second" });
        expect(texts).toEqual(["first"]);
        held.resolve();

        await until("its end", async () => (await listed()) === 0);
        expect(texts).toEqual(["first", "second"]);
      }));

    it("that fail are retried with backoff, then given up, told, listed and retried by hand", () =>
      withRoom(async ({ begin, works, now, pass, listed, list }) => {
        const attempts: { readonly begun: number; readonly atMs: number }[] = [];
        const givenUp: unknown[] = [];
        let isBroken = true;
        await begin(
          async ({ begun }) => {
            attempts.push({ begun, atMs: now() });
            if (isBroken) throw new Error("No paper");
            return undefined;
          },
          {
            ...{ attempts: 3, backoff: (attempt) => attempt * 200 },
            onGivenUp: async ({ key, payload }, error) => void givenUp.push([key, payload, error]),
          },
        );
        await works.add<Letter>(kind, "a", { text: "x" });
        for (let step = 0; step < 10; step += 1) await pass(100);

        await until("the end", async () => (await list("failed")).length === 1);
        expect(attempts.map(({ begun }) => begun)).toEqual([1, 2, 3]);
        const [first = 0, second = 0, third = 0] = attempts.map(({ atMs }) => atMs);
        expect(second - first).toBeGreaterThanOrEqual(200);
        expect(third - second).toBeGreaterThanOrEqual(400);
        expect(givenUp).toEqual([["a", { text: "x" }, new Error("No paper")]]);
        expect(await works.list(kind, "failed", 10)).toMatchObject([{ key: "a", attempts: 3, error: "No paper" }]);
        expect(await works.counts()).toEqual([{ kind, waiting: 0, active: 0, delayed: 0, failed: 1 }]);

        expect(await works.retry(kind, "unknown")).toBe(false);
        isBroken = false;
        expect(await works.retry(kind, "a")).toBe(true);
        await until("its success", async () => (await listed()) === 0);
        expect(attempts.map(({ begun }) => begun)).toEqual([1, 2, 3, 4]);
        expect(await works.retry(kind, "a")).toBe(false);
      }));

    it("can be read and counted by kind, whatever their state, and those that failed long ago are deleted", () =>
      withRoom(async ({ begin, works, now, list, pass }) => {
        await begin(
          async ({ key }) => {
            if (key === "failed") throw new Error("No paper");
            return await never();
          },
          { attempts: 1 },
        );
        for (const key of ["failed", "active"]) await works.add<Letter>(kind, key, { text: key });
        await works.add<Letter>(kind, "delayed", { text: "delayed" }, { dueAtMs: now() + 3_600_000 });
        await until("the failure", async () => (await list("failed")).length === 1);

        const found: unknown[] = [];
        for await (const entry of works.entries(kind)) found.push(entry);
        expect(found.toSorted()).toEqual(["active", "delayed", "failed"].map((text) => [text, { text }]));
        await works.add("uncounted-kind", "a", {});
        expect(await works.counts()).toEqual([{ kind, waiting: 0, active: 1, delayed: 1, failed: 1 }]);
        for await (const entry of works.entries("unknown-kind")) expect(entry).toBeUndefined();

        await works.prune(now() - 1_000);
        expect(await list("failed")).toEqual(["failed"]);
        await pass(10);
        await works.prune(now());
        expect(await list("failed")).toEqual([]);
        expect(await list("delayed")).toEqual(["delayed"]);
        await works.cancel(kind, "active");
      }));

    it("that failed begin anew when they are added again", () =>
      withRoom(async ({ begin, works, listed, list }) => {
        let runs = 0;
        await begin(
          async () => {
            runs += 1;
            if (runs === 1) throw new Error("No paper");
            return undefined;
          },
          { attempts: 1 },
        );
        await works.add<Letter>(kind, "a", { text: "" });
        await until("the failure", async () => (await list("failed")).length === 1);
        expect(await works.add<Letter>(kind, "a", { text: "" })).toBe(false);
        await until("its success", async () => runs === 2 && (await listed()) === 0);
      }));

    it("are given up after their time, however many attempts are left", () =>
      withRoom(async ({ begin, works, pass, list }) => {
        let runs = 0;
        await begin(
          async () => {
            runs += 1;
            throw new Error("No paper");
          },
          { attempts: 1_000, backoff: () => 400, giveUpAfterMs: 2_000 },
        );
        await works.add<Letter>(kind, "a", { text: "" });
        for (let step = 0; step < 25; step += 1) await pass(100);
        await until("the failure", async () => (await list("failed")).length === 1);
        expect(runs).toBeGreaterThan(1);
        expect(runs).toBeLessThan(6);
      }));

    it("that never end hold up no others, are told to stop after their time, and lose their place", () =>
      withRoom(async ({ begin, works, pass, list }) => {
        const done: string[] = [];
        const told: string[] = [];
        await begin(
          async ({ key }, signal) => {
            signal.addEventListener("abort", () => told.push(String(signal.reason)));
            if (key === "endless") return await never();
            done.push(key);
            return undefined;
          },
          { concurrency: 2, attempts: 5, giveUpAfterMs: 500 },
        );
        await works.add<Letter>(kind, "endless", { text: "" });
        await until("it", async () => (await list("active")).length === 1);
        for (const key of ["1", "2", "3", "4"]) await works.add<Letter>(kind, key, { text: "" });
        await until("the others", () => done.length === 4);
        expect(told).toEqual([]);
        for (let step = 0; step < 60; step += 1) await pass(100);
        await until("its end", async () => (await list("failed")).length === 1);
        expect(told).toEqual(["Error: It took too long."]);
      }));

    it("run as many at the same time as their kind allows for each instance", () =>
      withRoom(async ({ begin, works, instances, listed }) => {
        let atOnce = 0;
        let most = 0;
        const runs: string[] = [];
        const held = Promise.withResolvers<void>();
        await begin(
          async ({ key }) => {
            atOnce += 1;
            most = Math.max(most, atOnce);
            runs.push(key);
            await held.promise;
            atOnce -= 1;
            return undefined;
          },
          { concurrency: 3 },
        );
        const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
        for (const key of keys) await works.add<Letter>(kind, key, { text: "" });
        await until("all places", () => atOnce === 3 * instances.length);
        held.resolve();
        await until("the end", async () => (await listed()) === 0);
        expect(most).toBe(3 * instances.length);
        expect(runs.toSorted()).toEqual(keys.toSorted());
      }));

    it("of one kind that always fail hold up no other kind", () =>
      withRoom(async ({ instances, works, pass }) => {
        const done: string[] = [];
        for (const one of instances) {
          one.define("broken", {
            ...{ concurrency: 1, attempts: 1_000, backoff: () => 100, giveUpAfterMs: 3_600_000 },
            run: async () => {
              throw new Error("Always.");
            },
          });
          one.define<Letter>(kind, {
            ...{ concurrency: 1, attempts: 3, backoff: () => 100, giveUpAfterMs: 3_600_000 },
            run: async ({ key }) => void done.push(key),
          });
          await one.start();
        }
        for (let index = 0; index < 20; index += 1) await works.add("broken", `b${index}`, {});
        await works.add<Letter>(kind, "a", { text: "" });
        await until("the other", () => done.length === 1);
        await pass(300);
        expect((await works.list("broken", "failed", 50)).length).toBe(0);
      }));

    it("of 5 MB are refused, and nothing stops", () =>
      withRoom(async ({ begin, works, listed }) => {
        const done: string[] = [];
        await begin(async ({ key }) => void done.push(key));
        await expect(works.add<Letter>(kind, "large", { text: "x".repeat(5_000_000) })).rejects.toMatchObject({
          code: "internal",
          what: expect.stringContaining("is too large: 5000011 bytes"),
        });
        await works.add<Letter>(kind, "small", { text: "é".repeat(400_000) });
        await until("the other", async () => (await listed()) === 0);
        expect(done).toEqual(["small"]);
      }));

    it("with a time that is no number are refused, and given up when their run says it", () =>
      withRoom(async ({ begin, works, list }) => {
        await begin(async () => Number.NaN, { attempts: 1 });
        const refused = works.add<Letter>(kind, "never", { text: "" }, { dueAtMs: Number.NaN });
        await expect(refused).rejects.toMatchObject({ code: "internal" });

        await works.add<Letter>(kind, "a", { text: "" });

        await until("its failure", async () => (await list("failed")).length === 1);
        expect(await list("active")).toEqual([]);
        expect(await list("waiting")).toEqual([]);
      }));

    it("are all read although they are begun and end meanwhile", () =>
      withRoom(async ({ begin, works, now, pass }) => {
        const keys = Array.from({ length: 20 }, (_, at) => `a${at}`);
        let isMoving = true;
        await begin(async () => (isMoving ? now() + 1 : undefined), { concurrency: 20 });
        for (const key of keys) await works.add<Letter>(kind, key, { text: key });

        for (let round = 0; round < 50; round += 1) {
          const found = new Set<string>();
          for await (const [key] of works.entries(kind)) found.add(key);
          expect([...found].sort()).toEqual([...keys].sort());
          await pass(2);
        }

        isMoving = false;
        await pass(100);
      }));

    it("that run at the end of the process are stopped, and continued by the next one", () =>
      withRoom(async ({ begin, works, other, listed, list }) => {
        const begun: number[] = [];
        let isEnding = false;
        await begin(async (work, signal) => {
          begun.push(work.begun);
          if (work.begun > 1) return undefined;
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          isEnding = true;
          throw signal.reason;
        });
        await works.add<Letter>(kind, "a", { text: "" });
        await until("the run", () => begun.length === 1);

        await works.drain();
        await other.drain();

        expect(isEnding).toBe(true);
        await works.add<Letter>(kind, "b", { text: "" });
        if (begun.length === 1) expect(await works.list(kind, "waiting", 10)).toMatchObject([{ attempts: 0 }, {}]);
        // On Redis the other instance may have done it before it ended.
        expect(await listed()).toBe(begun.length === 1 ? 2 : 1);
        expect(await list("active")).toEqual([]);
      }));
  });
}

function roomOver({ instances, now, pass }: OpenedWorks) {
  const [works, other = works] = instances;
  if (works === undefined || other === undefined) throw new Error("An instance was expected.");
  const list = async (state: WorkState) => (await works.list(kind, state, 100)).map(({ key }) => key);
  return {
    ...{ instances, works, other, now, pass, list },
    /** On all instances. */
    begin: async (run: Run, limits: Partial<WorkDefinition<Letter>> = {}) => {
      const definition = { run, concurrency: 10, attempts: 5, backoff: () => 100, giveUpAfterMs: 3_600_000, ...limits };
      for (const one of instances) {
        one.define(kind, definition);
        await one.start();
      }
    },
    /** How many there are. */
    listed: async () => (await Promise.all(states.map(list))).flat().length,
  };
}
