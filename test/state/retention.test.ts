import { expect, it } from "vitest";
import { questionLogIn, questionQuery } from "../../src/core/overview/question-log.ts";
import { openState } from "../../src/state/open-state.ts";
import { startRetention } from "../../src/state/retention.ts";
import { sampleEntry } from "../contracts/storage/overview/question-log.ts";
import { sampleJob, sampleTurn } from "../contracts/storage/sample-records.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const dayMs = 86_400_000;

it("deletes finished records after their retention time, and no others", async () => {
  const dataDir = await temporaryFolder("retention");
  const clock = createFakeClock();
  const { turns, jobs, collection, collections, close } = await openState({ dataDir, clock, log: silentLog });
  await turns.create(sampleTurn("answered", { state: "answered", createdAtMs: clock.now() }));
  await turns.create(sampleTurn("running", { state: "running", createdAtMs: clock.now() }));
  await turns.create(sampleTurn("later", { state: "answered", createdAtMs: clock.now() + dayMs }));
  const questionLog = questionLogIn({ collection });
  await questionLog.put("answered", sampleEntry("answered", { askedAtMs: clock.now() }));
  await questionLog.put("later", sampleEntry("later", { askedAtMs: clock.now() + dayMs }));
  await jobs.create(sampleJob("done", { state: "done", createdAtMs: clock.now() }));
  const stop = startRetention({ turns, jobs, collections, retentionMs: 86_400_000, clock, log: silentLog });

  await clock.advance(3_600_000);
  expect(await turns.recent(10)).toHaveLength(3);
  expect((await questionLog.query(questionQuery({}), 10)).entries).toHaveLength(2);
  await clock.advance(dayMs);

  expect((await turns.recent(10)).map(({ id }) => id)).toEqual(["later", "running"]);
  expect(await jobs.recent(10)).toEqual([]);
  expect((await questionLog.query(questionQuery({}), 10)).entries.map(({ id }) => id)).toEqual(["later"]);
  stop();
  await close();
  expect(clock.pending()).toBe(0);
});

it("continues after a failure", async () => {
  const clock = createFakeClock();
  let calls = 0;
  const turns = {
    prune: async () => {
      calls += 1;
      throw new Error("storage is away");
    },
  };
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: unknown, message: string) => warnings.push(message) };
  const stop = startRetention({ turns, jobs: turns, retentionMs: 86_400_000, clock, log });

  await clock.advance(2 * 3_600_000);

  expect(calls).toBe(2);
  expect(warnings).toHaveLength(2);
  stop();
});
