/** Every admin page over a store in which agents, channels, knowledge bases and a whole platform are gone. */
import { beforeEach, expect, it } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import { schedulesIn } from "../../../src/core/model/schedule.ts";
import { newId } from "../../../src/core/tools/ids.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { entryOf, questionLogIn } from "../../../src/insight/derived/question-log.ts";
import { newGap, withAsker } from "../../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../../src/insight/gaps/gap-store.ts";
import { sampleJob, sampleTurn } from "../../contracts/storage/sample-records.ts";
import { alice } from "../../doubles/people.ts";
import { type ActingRoom, openActingRoom } from "./acting-room.ts";

const manage = { role: "manage" } as const;
const left = { project: "mindsdb", name: "left" };
const removed: Place = { platform: "memory", workspace: "T1", channel: "gone" };
const off: Place = { platform: "irc", workspace: "N1", channel: "ops" };

let room: ActingRoom;
beforeEach(async () => {
  room = await openActingRoom();
});

/** One of everything, asked there of an agent that was deleted since, about a knowledge base that was, too. */
async function leave(place: Place, id: string): Promise<string> {
  const { turns, jobs, collection } = room.state;
  const { platform, workspace } = place;
  const turnId = newId(clock.now());
  const turn = sampleTurn(turnId, {
    ...{ askedIn: place, conversation: { ...place, thread: "1" }, reply: { place, parts: [] }, eventKey: turnId },
    ...{ actor: alice, agent: left, question: "Who has the keys?", visibility: "public", state: "failed" },
    ...{ createdAtMs: clock.now(), endedAtMs: clock.now() },
  });
  await turns.create(turn);
  await questionLogIn({ collection }).put(turnId, entryOf({ turn, votes: { up: 0, down: 0 } }));
  const failed = { label: "Keys", kind: "rows", state: "failed", reason: "no such base" } as const;
  const job = { askedIn: place, actor: alice, eventKey: `j-${id}`, knowledgeBase: "lost", items: [failed] };
  await jobs.create(sampleJob(`j-${id}`, { ...job, reply: { place, parts: [] }, state: "failed" }));
  await schedulesIn({ collection }).put(`${platform}/${workspace}/s-${id}`, {
    ...{ version: 1, id: `s-${id}`, owner: alice, place, state: "active", dueAtMs: 9e12, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: "Who has the keys?", agent: left },
  });
  const store = createGapStore({ collection });
  const asker = { turnId, actor: { id: alice.id, name: alice.name }, question: "Who has the keys?", place };
  const gap = newGap({ id: `g-${id}`, platform, workspace, agent: left, nowMs: clock.now() });
  await store.put(withAsker(gap, { ...asker, visibility: "public", signals: ["nothing"], atMs: clock.now() }));
  await room.parley.bindings.setChannel(place, { project: "mindsdb", agent: "left", knowledgeBase: "lost" });
  return turnId;
}

const get = async (path: string) => {
  const { status, body } = await room.get(manage, `/api/admin/${path}`);
  expect(status, path).toBe(200);
  return body;
};

it("each page is read, and calls a channel gone, an agent and a knowledge base gone, and a platform off", async () => {
  const [inRemoved, inOff] = [await leave(removed, "1"), await leave(off, "2")];

  const { channels } = await get("agents");
  const { rows } = await get("questions");
  const { jobs } = await get("knowledge/jobs");
  const { schedules } = await get("schedules");
  const { gaps } = await get("gaps?state=open");
  for (const path of [
    "overview",
    "overview/status",
    "system",
    "knowledge",
    "audit",
    "audit/choices",
    "questions/choices",
  ])
    await get(path);
  const one = await get(`questions/${inRemoved}`);
  const other = await get(`questions/${inOff}`);
  const opened = await get(`gaps/one?key=${encodeURIComponent("irc/N1/g-2")}`);

  const gone = { name: "left", isGone: true };
  expect(channels).toEqual([
    expect.objectContaining({ place: off, isOff: true, agent: gone, knowledgeBase: { name: "lost", isGone: true } }),
    expect.objectContaining({ place: removed, isGone: true, agent: gone }),
  ]);
  expect(rows).toMatchObject([
    { askedIn: { platform: "irc", channel: "ops", isOff: true }, agent: gone },
    { askedIn: { platform: "memory", channel: "gone", isGone: true }, agent: gone },
  ]);
  expect(one.listed).toMatchObject({ askedIn: { isGone: true }, agent: gone });
  expect(other.listed).toMatchObject({ askedIn: { isOff: true }, agent: gone });
  expect(jobs.map(({ startedIn }: { startedIn: object }) => startedIn)).toEqual(
    expect.arrayContaining([
      { platform: "irc", isOff: true },
      { platform: "memory", isGone: true },
    ]),
  );
  // Nothing could be pressed there.
  expect(jobs.map(({ place }: { place?: Place }) => place?.platform)).toEqual(
    jobs.map(({ startedIn }: { startedIn: { isOff?: true } }) => (startedIn.isOff ? undefined : "memory")),
  );
  expect(schedules).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ place: off, isOff: true, agent: "left" }),
      expect.objectContaining({ place: removed, name: { isGone: true } }),
    ]),
  );
  expect(gaps.map(({ id }: { id: string }) => id).sort()).toEqual(["g-1", "g-2"]);
  expect(opened).toMatchObject({ id: "g-2", agent: "left", people: 1 });
});

it("what is set on a platform that is off can be removed, and nothing else can be done there", async () => {
  await leave(off, "2");
  const running = { askedIn: off, actor: alice, eventKey: "j-running", state: "running" } as const;
  await room.state.jobs.create(sampleJob("j-running", { ...running, reply: { place: off, parts: [] } }));
  const act = (request: object) => room.act(manage, { ...request, place: off });

  const used = await act({ kind: "command", path: "agent use", options: { name: "sales" } });
  const run = await act({ kind: "action", action: "schedule-run", value: "s-2" });
  const byOthers = await room.act(
    { role: "ingest" },
    { kind: "command", path: "agent clear", options: {}, place: off },
  );
  const cleared = await act({ kind: "command", path: "agent clear", options: {} });
  const deleted = await act({ kind: "action", action: "schedule-delete", value: "s-2" });
  const retried = await act({ kind: "action", action: "retry-job", value: "j-2" });
  const stopped = await act({ kind: "action", action: "cancel-job", value: "j-running" });

  expect([used.status, run.status, byOthers.status, cleared.status, deleted.status]).toEqual([404, 404, 403, 200, 200]);
  expect([retried.status, stopped.status]).toEqual([404, 200]);
  expect(await room.parley.bindings.own(off)).not.toHaveProperty("agent");
  expect((await get("schedules")).schedules).toEqual([]);
  expect(await room.audit()).toMatchObject([
    { action: "agent clear" },
    { action: "schedule delete" },
    { action: "kb cancel", about: { job: "j-running" } },
  ]);
  expect(room.memory.writes).toEqual([]);
});
