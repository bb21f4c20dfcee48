/** The lists of gaps, knowledge, agents, channels and schedules, of all workspaces, and who sees what of them. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Asker } from "../../../src/core/model/insight.ts";
import { type Schedule, schedulesIn } from "../../../src/core/model/schedule.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { newGap, type StoredGap, withAsker } from "../../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../../src/insight/gaps/gap-store.ts";
import { sampleJob, sampleTurn } from "../../contracts/storage/sample-records.ts";
import { alice } from "../../doubles/people.ts";
import { type ActingRoom, openActingRoom } from "./acting-room.ts";

const at = (channel: string, workspace = "T1") => ({ platform: "memory", workspace, channel });
const manage = { role: "manage" } as const;
const ingest = { role: "ingest" } as const;

let room: ActingRoom;
beforeEach(async () => {
  room = await openActingRoom();
});

type Asked = Partial<Asker> & { readonly question: string };

async function gap(id: string, askers: readonly Asked[], workspace = "T1", agent = "sales"): Promise<void> {
  const { collection } = room.state;
  const store = createGapStore({ collection });
  const scope = { platform: "memory", workspace, agent: { project: "mindsdb", name: agent } };
  const filled = askers.reduce<StoredGap>(
    (sum, asker, index) =>
      withAsker(sum, {
        turnId: `${id}-${index}`,
        actor: { id: `U${index}`, name: `Person ${index}` },
        place: at("helpdesk", workspace),
        visibility: "public",
        signals: ["nothing"],
        atMs: 1_000 + index,
        ...asker,
      }),
    newGap({ id, ...scope, nowMs: 1_000 }),
  );
  await store.put(filled);
}

const gapsOf = async (visitor: { readonly role: "manage" | "ingest" }, query = "") =>
  (await room.get(visitor, `/api/admin/gaps${query}`)).body;

describe("the list of gaps", () => {
  it("holds those of all workspaces, heaviest first, with what the visitor may read", async () => {
    await gap("one", [{ question: "How do I reset the wifi?" }]);
    await gap("two", [{ question: "Where do visitors park?" }, { question: "Can guests park?" }], "T2");
    await gap("hr", [{ question: "What does the director earn?", place: at("G1"), visibility: "private" }]);

    const all = await gapsOf(manage);
    const theirs = await gapsOf(ingest);

    expect(all.gaps.map(({ id }: { id: string }) => id)).toEqual(["two", "hr", "one"].sort(byWeight));
    expect(all.total).toBe(3);
    expect(JSON.stringify(all)).not.toContain("director");
    expect(theirs.gaps.map(({ id }: { id: string }) => id)).toEqual(["two", "one"]);
    expect((await room.get(manage, "/api/admin/me")).body.pages).toContainEqual({ name: "gaps", count: 3 });
  });

  it("counts for each visitor the gaps that they see, in the list and in the sidebar", async () => {
    await gap("one", [{ question: "How do I reset the wifi?" }]);
    await gap("two", [{ question: "Where do visitors park?" }]);
    // It was asked where everyone could read it, and the channel is private by now.
    await gap("hr", [{ question: "What does the director earn?", place: at("G1") }]);
    const countFor = async (visitor: typeof manage | typeof ingest) => [
      (await gapsOf(visitor)).total,
      (await room.get(visitor, "/api/admin/me")).body.pages.find(({ name }: { name: string }) => name === "gaps").count,
    ];

    expect(await countFor(manage)).toEqual([3, 3]);
    // On a busy machine the sidebar's number may come with its next reading.
    await expect.poll(() => countFor(ingest), { timeout: 10_000 }).toEqual([2, 2]);
  });

  it("has no count for someone who doesn't manage, if it would have to look at more than 200 gaps", async () => {
    for (let number = 0; number < 201; number += 1) await gap(`wifi-${number}`, [{ question: "How?" }]);

    const { gaps, next, total } = await gapsOf(ingest);

    expect(gaps).toHaveLength(25);
    const more = (await gapsOf(ingest, `?cursor=${encodeURIComponent(next)}`)).gaps;
    expect(new Set([...gaps, ...more].map(({ id }: { id: string }) => id)).size).toBe(50);
    expect(total).toBeUndefined();
    expect((await gapsOf(manage)).total).toBe(201);
  });

  it("is filtered by agent, workspace, signal and state", async () => {
    await gap("one", [{ question: "How do I reset the wifi?", signals: ["thumbs-down"] }]);
    await gap("two", [{ question: "Where do visitors park?" }], "T2");

    const idsOf = async (query: string) => (await gapsOf(manage, query)).gaps.map(({ id }: { id: string }) => id);

    expect(await idsOf("?workspace=memory/T2")).toEqual(["two"]);
    expect(await idsOf("?signal=thumbs-down")).toEqual(["one"]);
    expect(await idsOf("?agent=support")).toEqual([]);
    expect(await idsOf("?state=dismissed")).toEqual([]);
    expect((await room.get(manage, "/api/admin/gaps?state=nonsense")).status).toBe(400);
  });

  it("has filters that offer what occurs on any page, and to each visitor only what they may see", async () => {
    const asked = Array.from({ length: 2 }, () => ({ question: "How do I reset the wifi?" }));
    for (let number = 0; number < 60; number += 1) await gap(`wifi-${number}`, asked);
    await gap("light", [{ question: "Where do visitors park?" }], "T2", "support");
    await gap("hr", [{ question: "Who earns most?", place: at("G1"), visibility: "private" }], "T1", "hr");
    const choicesOf = async (visitor: { readonly role: "manage" | "ingest" }, query = "") =>
      (await room.get(visitor, `/api/admin/gaps/choices${query}`)).body;
    const [one, two] = ["T1", "T2"].map((workspace) => ({ platform: "memory", workspace }));

    expect(await choicesOf(manage)).toEqual({ agents: ["hr", "sales", "support"], workspaces: [one, two] });
    expect(await choicesOf(ingest)).toEqual({ agents: ["sales", "support"], workspaces: [one, two] });
    expect(await choicesOf(manage, "?state=answered")).toEqual({ agents: [], workspaces: [] });
    expect((await room.get(manage, "/api/admin/gaps/choices?state=nonsense")).status).toBe(400);
  });

  it("opens one: wordings, people and places, and nothing of what only others may read", async () => {
    await gap("one", [
      { question: "How do I reset the wifi?" },
      { question: "wifi reset in the boardroom?", place: at("G1"), visibility: "private", atMs: 900 },
    ]);
    const [{ key }] = (await gapsOf(manage)).gaps;

    const { body } = await room.get(manage, `/api/admin/gaps/one?key=${encodeURIComponent(key)}`);

    expect(body).toMatchObject({ hidden: 1, people: 2, place: { channel: "" } });
    expect(body.asked).toMatchObject([{ by: "Person 0", place: { name: "helpdesk-named" } }]);
    expect(JSON.stringify(body)).not.toContain("boardroom");
    expect((await room.get(manage, "/api/admin/gaps/one?key=memory/T1/none")).status).toBe(404);
  });

  it("is shown beside each question that it was asked with, and dismissed from there", async () => {
    await gap("one", [{ question: "How do I reset the wifi?", turnId: "turn-1" }]);
    const asked = { askedIn: at("helpdesk"), conversation: { ...at("helpdesk"), thread: "1" }, actor: alice };
    await room.state.turns.create(sampleTurn("turn-1", { ...asked, state: "answered", visibility: "public" }));

    const { body } = await room.get(manage, "/api/admin/questions/turn-1");
    expect(body).toMatchObject({ gap: { id: "one", state: "open", people: 1, place: at(""), merged: [] } });
    expect(body.texts.person).toBe(`memory:T1/${alice.id}`);
    const { place } = body.gap;
    await room.act(manage, { place, kind: "action", action: "gap-dismiss", value: body.gap.id });

    expect((await room.get(manage, "/api/admin/questions/turn-1")).body.gap.state).toBe("dismissed");
  });

  it("lets a person act where they may read it, and the gap is dismissed for everyone", async () => {
    await gap("one", [{ question: "How do I reset the wifi?" }]);
    for (const visitor of [ingest, manage]) {
      const [action, state] = visitor === ingest ? ["gap-dismiss", "open"] : ["gap-reopen", "dismissed"];
      const [{ place }] = (await gapsOf(visitor, `?state=${state}`)).gaps;

      const { text } = await room.act(visitor, { kind: "action", action, value: "one", place });

      expect(text).toContain("How do I reset the wifi?");
      expect((await gapsOf(manage, "?state=dismissed")).gaps).toHaveLength(visitor === ingest ? 1 : 0);
    }
  });
});

/** Two people weigh more than one; of equal ones the newer. */
function byWeight(one: string, other: string): number {
  const order = ["two", "one", "hr"];
  return order.indexOf(one) - order.indexOf(other);
}

describe("the list of channels and agents", () => {
  it("names channels as their platform does, and what is gone as gone", async () => {
    await room.parley.bindings.setChannel(at("helpdesk"), { project: "mindsdb", agent: "sales", mode: "every" });
    await room.parley.bindings.setChannel(at("gone"), { project: "mindsdb", agent: "left", knowledgeBase: "lost" });
    await room.parley.bindings.setWorkspace(at(""), { project: "mindsdb", agent: "support" });

    const { body } = await room.get(manage, "/api/admin/agents");

    expect(body.channels).toMatchObject([
      { place: at(""), agent: { name: "support" }, from: "workspace" },
      { place: at("helpdesk"), name: "helpdesk-named", agent: { name: "sales" }, from: "channel", mode: "every" },
      { place: at("gone"), isGone: true, agent: { name: "left", isGone: true }, knowledgeBase: { isGone: true } },
    ]);
    expect(body.agents).toMatchObject([
      { name: "sales", knowledgeBases: [{ name: "handbook" }], places: 1 },
      { name: "support", places: 1 },
    ]);
  });

  it("says that Parley answers every message in a direct message, whatever its mode", async () => {
    await room.parley.bindings.setChannel(at("D1"), { project: "mindsdb", agent: "sales", mode: "mention" });

    const { body } = await room.get(manage, "/api/admin/agents");

    expect(body.channels).toMatchObject([{ place: at("D1"), isDirect: true, mode: "every" }]);
  });

  it("is read while the service is down, and says so", async () => {
    await room.parley.bindings.setChannel(at("helpdesk"), { project: "mindsdb", agent: "sales" });
    room.agents.set({ agents: ["sales"], isDown: true } as never);

    const { status, body } = await room.get(manage, "/api/admin/agents");

    expect(status).toBe(200);
    expect(body.channels[0]).toMatchObject({ agent: { name: "sales" } });
    expect((await room.get(ingest, "/api/admin/agents")).status).toBe(403);
  });
});

describe("the list of jobs", () => {
  it("holds everyone's for people who manage, and their own for others", async () => {
    const { jobs } = room.state;
    const stood = { askedIn: at("helpdesk"), actor: alice } as const;
    await jobs.create(sampleJob("j1", { ...stood, eventKey: "a", state: "failed", createdAtMs: 1 }));
    await jobs.create(sampleJob("j2", { ...stood, eventKey: "b", state: "done", createdAtMs: 2 }));
    const own = { ...alice, id: "console:ana" };
    await jobs.create(sampleJob("j3", { ...stood, actor: own, eventKey: "c", state: "cancelled", createdAtMs: 3 }));

    const idsOf = async (visitor: typeof manage | typeof ingest, query = "") =>
      (await room.get(visitor, `/api/admin/knowledge/jobs${query}`)).body.jobs.map(({ id }: { id: string }) => id);

    expect(await idsOf(manage)).toEqual(["j3", "j2", "j1"]);
    expect(await idsOf(manage, "?status=failed")).toContain("j1");
    expect(await idsOf(ingest)).toEqual(["j3"]);
  });

  it("is read page by page", async () => {
    for (let index = 0; index < 60; index += 1) {
      const id = `j${String(index).padStart(2, "0")}`;
      const job = sampleJob(id, { askedIn: at("helpdesk"), eventKey: id, state: "done", createdAtMs: 1_000 + index });
      await room.state.jobs.create(job);
    }
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await room.get(manage, `/api/admin/knowledge/jobs?cursor=${cursor}`);
      found.push(...body.jobs.map(({ id }: { id: string }) => id));
      if (body.next === undefined) break;
      cursor = body.next;
    }

    expect(found).toHaveLength(60);
    expect(new Set(found).size).toBe(60);
  });

  it("is retried and cancelled from the workspace as a whole, and its channel is told nothing", async () => {
    const job = sampleJob("j1", { askedIn: at("helpdesk"), actor: alice, eventKey: "a", state: "failed" });
    await room.state.jobs.create(job);
    const [{ place }] = (await room.get(manage, "/api/admin/knowledge/jobs")).body.jobs;

    const { text } = await room.act(manage, { kind: "action", action: "cancel-job", value: "j1", place });

    expect(place).toEqual(at(""));
    expect(text).toContain("already");
  });
});

describe("the list of schedules", () => {
  it("holds those of all places by their next time, and no question of a private place", async () => {
    const schedules = schedulesIn(room.state);
    const schedule = (id: string, channel: string, dueAtMs: number, more: Partial<Schedule> = {}): Schedule => ({
      version: 1,
      id,
      owner: alice,
      place: at(channel),
      time: { cron: "0 9 * * 1", timeZone: "Europe/Berlin", text: "every Monday at 9:00" },
      what: { kind: "question", question: `What is new in ${channel}?` },
      state: "active",
      dueAtMs,
      createdAtMs: 1,
      ...more,
    });
    await schedules.put("memory/T1/s1", schedule("s1", "helpdesk", 300));
    await schedules.put("memory/T1/s2", schedule("s2", "G1", 200));
    await schedules.put("memory/T1/s3", schedule("s3", "D7", 100, { state: "paused" }));

    const { body } = await room.get(manage, "/api/admin/schedules");

    expect(body.schedules).toMatchObject([{ id: "s2" }, { id: "s1" }, { id: "s3", isPaused: true, isDirect: true }]);
    expect(body.schedules[1].question).toBe("What is new in helpdesk?");
    expect(JSON.stringify(body)).not.toMatch(/new in (?:G1|D7)/);
    expect((await room.get(ingest, "/api/admin/schedules")).status).toBe(403);
  });

  it("lets a person who manages pause one of another person, in its channel", async () => {
    const place = at("helpdesk");
    const made = schedulesIn(room.state);
    await made.put("memory/T1/s1", {
      version: 1,
      id: "s1",
      owner: alice,
      place,
      time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday at 9:00" },
      what: { kind: "question", question: "What is new?" },
      state: "active",
      dueAtMs: clock.now() + 1e8,
      createdAtMs: 1,
    });

    await room.act(manage, { kind: "action", action: "schedule-pause", value: "s1", place });

    expect(await made.get("memory/T1/s1")).toMatchObject({ record: { state: "paused" } });
    expect(await room.audit()).toMatchObject([{ action: "schedule pause", actor: { id: "console:ana" } }]);
  });
});
