import { expect, it } from "vitest";
import { questionLogIn, questionQuery } from "../../src/insight/derived/question-log.ts";
import { openState } from "../../src/state/open-state.ts";
import { createRetention } from "../../src/state/retention.ts";
import { sampleEntry } from "../contracts/storage/overview/question-log.ts";
import { sampleJob, sampleTurn } from "../contracts/storage/sample-records.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const dayMs = 86_400_000;

it("deletes finished records after their retention time, and no others", async () => {
  const dataDir = await temporaryFolder("retention");
  const clock = createFakeClock();
  const state = await openState({ dataDir, clock, log: silentLog });
  const { turns, jobs, works, collection, close } = state;
  await turns.create(sampleTurn("answered", { state: "answered", createdAtMs: clock.now() }));
  await turns.create(sampleTurn("running", { state: "running", createdAtMs: clock.now() }));
  await turns.create(sampleTurn("later", { state: "answered", createdAtMs: clock.now() + dayMs }));
  const questionLog = questionLogIn({ collection });
  await questionLog.put("answered", sampleEntry("answered", { askedAtMs: clock.now() }));
  await questionLog.put("later", sampleEntry("later", { askedAtMs: clock.now() + dayMs }));
  await jobs.create(sampleJob("done", { state: "done", createdAtMs: clock.now() }));
  await createRetention({ ...state, retentionMs: 86_400_000, clock, log: silentLog })();
  await works.start();

  await clock.advance(3_600_000);
  expect(await turns.recent(10)).toHaveLength(3);
  expect((await questionLog.query(questionQuery({}), 10)).entries).toHaveLength(2);
  await clock.advance(dayMs);

  expect((await turns.recent(10)).map(({ id }) => id)).toEqual(["later", "running"]);
  expect(await jobs.recent(10)).toEqual([]);
  expect((await questionLog.query(questionQuery({}), 10)).entries.map(({ id }) => id)).toEqual(["later"]);
  expect(await works.counts()).toMatchObject([{ kind: "retention", delayed: 1 }]);
  await works.drain();
  await close();
  expect(clock.pending()).toBe(0);
});

it("continues after a failure", async () => {
  const dataDir = await temporaryFolder("retention");
  const clock = createFakeClock();
  const state = await openState({ dataDir, clock, log: silentLog });
  let calls = 0;
  const turns = {
    prune: async () => {
      calls += 1;
      throw new Error("storage is away");
    },
  };
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: unknown, message: string) => warnings.push(message) };
  await createRetention({ ...state, turns, retentionMs: 86_400_000, clock, log })();
  await state.works.start();

  await clock.advance(2 * 3_600_000);

  expect(calls).toBe(2);
  expect(warnings).toHaveLength(2);
  await state.works.drain();
  await state.close();
});

it("is continued by the next process when one dies while it deletes", async () => {
  const dataDir = await temporaryFolder("retention");
  const clock = createFakeClock();
  const dying = await openState({ dataDir, clock, log: silentLog });
  await dying.turns.create(sampleTurn("answered", { state: "answered", createdAtMs: clock.now() }));
  const never = { prune: () => new Promise<never>(() => {}) };
  await createRetention({ ...dying, turns: never, retentionMs: 1, clock, log: silentLog })();
  await dying.works.start();
  await clock.advance(60_000);
  expect(await dying.works.counts()).toMatchObject([{ active: 1 }]);
  await dying.close();

  const next = await openState({ dataDir, clock, log: silentLog });
  createRetention({ ...next, retentionMs: 1, clock, log: silentLog });
  await next.works.start();
  await clock.advance(1);

  expect(await next.turns.recent(10)).toEqual([]);
  await next.works.drain();
  await next.close();
});

it("stops between two steps when its process ends, and begins again in the next one", async () => {
  const dataDir = await temporaryFolder("retention");
  const clock = createFakeClock();
  const state = await openState({ dataDir, clock, log: silentLog });
  const reading = Promise.withResolvers<number>();
  const steps: string[] = [];
  const turns = {
    prune: () => {
      steps.push("turns");
      return reading.promise;
    },
  };
  const jobs = { prune: async () => steps.push("jobs") };
  const scrub = async () => void steps.push("scrub");
  await createRetention({ ...state, turns, jobs, scrub, retentionMs: dayMs, clock, log: silentLog })();
  await state.works.start();
  await clock.advance(60_000);

  const drained = state.works.drain();
  reading.resolve(0);
  await drained;
  expect(steps).toEqual(["turns"]);

  await state.works.start();
  await clock.advance(60_000);
  expect(steps).toEqual(["turns", "turns", "jobs", "scrub"]);
  await state.works.drain();
  await state.close();
});
