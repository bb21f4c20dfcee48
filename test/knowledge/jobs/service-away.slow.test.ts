/** Jobs while the agent service is away: they wait for it, say so, and give up only after long. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { JobItem } from "../../../src/core/model/job.ts";
import type { Payload } from "../../../src/knowledge/jobs/payload.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";
import { project } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { openRoom, type Room } from "../room.ts";

const says = "The agent service is unreachable. This will resume automatically.";

let clock: FakeClock;
let room: Room;
let isAway: boolean;
/** Addresses or the query of each insert that was tried. */
let tried: string[];

beforeEach(async () => {
  clock = createFakeClock();
  room = await openRoom({ clock });
  isAway = true;
  tried = [];
  const whenThere = async () => {
    if (isAway) throw new ParleyError("service_unreachable");
  };
  const { status } = room.client;
  room.faults.insert = async (_project, _base, { urls = [], query = "" }) => {
    tried.push(...urls, ...(query === "" ? [] : [query]));
    await whenThere();
  };
  room.faults.status = async () => {
    await whenThere();
    return status();
  };
});

afterEach(() => room.close());

/** Lets time pass while what runs meanwhile is done, too. */
async function pass(ms: number, stepMs = 1_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const url = (index: number) => `http://127.0.0.1:9/page${index}`;

function begin(items: readonly { readonly item: JobItem; readonly payload: Payload }[]) {
  return room.parts().knowledge.jobs.begin({
    ...{ context: room.context(), project, knowledgeBase: "docs", way: "service", action: "kb ingest" },
    items,
    limits: { limit: 1, depth: 0, domains: [] },
  });
}

const beginUrls = (count: number) =>
  begin(
    Array.from({ length: count }, (_, index) => ({
      item: { label: url(index), kind: "url", state: "waiting", url: url(index) },
      payload: { kind: "url" },
    })),
  );

const states = async () => (await room.newest()).items.map(({ state }) => state);
const isOver = async () => (await room.newest()).endedAtMs !== undefined;

it("resumes automatically when the service is back, and says that it waits until then", async () => {
  await beginUrls(3);
  await untilAdvanced(clock, "an attempt", () => tried.length === 1, 1);
  await pass(60_000);
  const meanwhile = room.shown()[0];
  isAway = false;
  await pass(15_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(meanwhile).toContain(says);
  expect(tried).toEqual([url(0), url(0), url(1), url(2)]);
  expect(await states()).toEqual(["done", "done", "done"]);
  expect(room.shown()[0]).not.toContain(says);
});

it("gives up after ten minutes, once for all that is left, and can be tried again", async () => {
  await beginUrls(3);
  await untilAdvanced(clock, "an attempt", () => tried.length === 1, 1);
  await pass(590_000);
  const justBefore = await states();
  await pass(30_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);
  const given = await room.newest();
  isAway = false;
  await room.press("retry-job", given.id);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(justBefore).toEqual(["running", "waiting", "waiting"]);
  expect(given.items.map(({ state, reason }) => [state, reason])).toEqual(
    Array.from({ length: 3 }, () => ["failed", "The agent service can't be reached."]),
  );
  expect(await states()).toEqual(["done", "done", "done"]);
});

it("waits again in another outage", async () => {
  await beginUrls(1);
  await untilAdvanced(clock, "an attempt", () => tried.length === 1, 1);
  await pass(620_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);
  await pass(61_000);
  await beginUrls(1);
  await untilAdvanced(clock, "2 attempts", () => tried.length === 2, 1);
  await pass(60_000);
  isAway = false;
  await pass(15_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(await states()).toEqual(["done"]);
});

it("is cancelled at once while it waits", async () => {
  await beginUrls(2);
  await untilAdvanced(clock, "an attempt", () => tried.length === 1, 1);
  await pass(5_000);
  await room.parts().knowledge.jobs.cancel(await room.newest(), "U1");
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(await states()).toEqual(["cancelled", "cancelled"]);
});

it("waits on after a restart", async () => {
  await beginUrls(2);
  await untilAdvanced(clock, "an attempt", () => tried.length === 1, 1);
  await pass(30_000);
  await room.restart();
  await untilAdvanced(clock, "2 attempts", () => tried.length === 2, 1);
  isAway = false;
  await pass(15_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(await states()).toEqual(["done", "done"]);
});

it("tries three times what breaks off although the service is up, then continues with the next", async () => {
  room.faults.status = room.client.status;
  room.faults.insert = async (_project, _base, { urls: [first = ""] = [] }) => {
    tried.push(first);
    if (first === url(0)) throw new ParleyError("service_unreachable");
  };
  await beginUrls(2);
  await pass(10_000);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(tried).toEqual([url(0), url(0), url(0), url(1)]);
  expect(await states()).toEqual(["failed", "done"]);
});

it("does not run a query again that may have run", async () => {
  const sql = "SELECT * FROM crm.faq";
  await begin([{ item: { label: sql, kind: "query", state: "waiting" }, payload: { kind: "query", sql } }]);
  await untilAdvanced(clock, "the end of the job", isOver, 1);

  expect(tried).toEqual([sql]);
  expect(await states()).toEqual(["failed"]);
});
