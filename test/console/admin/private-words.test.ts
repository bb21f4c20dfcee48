/**
 * Every way at /admin that hands out words, tried on what was said in a private channel and in a direct message: without
 * LOG_PRIVATE none has them, with it those that are meant for it do.
 */
import { describe, expect, it } from "vitest";
import { type Place, personKey, type Visibility } from "../../../src/core/model/place.ts";
import { type Schedule, schedulesIn } from "../../../src/core/model/schedule.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { entryOf, questionLogIn } from "../../../src/insight/derived/question-log.ts";
import { newGap, withAsker } from "../../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../../src/insight/gaps/gap-store.ts";
import { sampleJob, sampleTurn } from "../../contracts/storage/sample-records.ts";
import { alice } from "../../doubles/people.ts";
import { type ActingRoom, openActingRoom } from "./acting-room.ts";

const at = (channel: string, platform = "memory") => ({ platform, workspace: "T1", channel });
const manage = { role: "manage", name: "Ana" } as const;
const nowMs = clock.now();
const person = `memory:T1/${alice.id}`;

const places = [
  ["helpdesk", "public"],
  ["G1", "private"],
  ["D7", "direct"],
] as const;

/** All that Alice left behind in a channel, each thing with words of its own. */
async function leaveWords({ state }: ActingRoom, channel: string, visibility: Visibility): Promise<void> {
  const { keyValue, turns, jobs, collection } = state;
  const word = (what: string) => `${what}-${channel}`;
  const place = at(channel);
  const turn = sampleTurn(`turn-of-${channel}`, {
    ...{
      askedIn: place,
      conversation: place,
      actor: alice,
      visibility,
      state: "answered",
      endedAtMs: nowMs,
      createdAtMs: nowMs,
    },
    ...{ question: word("QUESTION"), reply: { place, parts: [] } },
    attachments: [{ id: "f", name: word("FILE"), mediaType: "text/plain", sizeBytes: 1, reference: word("REFERENCE") }],
    outcome: {
      ...{ turnId: `turn-of-${channel}`, ref: `turn-of-${channel}`, state: "answered", agent: "sales" },
      ...{ steps: [], tables: [], isPartial: false, isResumed: false },
      ...{ question: word("QUESTION"), answer: word("ANSWER"), sources: [{ title: word("SOURCE") }] },
    },
  });
  await turns.create(turn);
  await questionLogIn({ collection }).put(turn.id, entryOf({ turn, votes: { up: 0, down: 1 } }));
  const vote = { version: 1, turnId: turn.id, voter: alice.id, actor: alice, thumb: "down", comment: word("COMMENT") };
  await keyValue("feedback").set(`memory/T1/${turn.id}/${alice.id}`, { ...vote, atMs: nowMs });
  const ended = {
    askedIn: place,
    actor: alice,
    state: "done",
    createdAtMs: nowMs,
    reply: { place, parts: [] },
  } as const;
  for (const [kind, action] of [
    ["rows", "kb answer"],
    ["thread", "kb save"],
  ] as const) {
    const said = JSON.stringify({ kind, text: word("PAYLOAD") });
    await jobs.create(
      sampleJob(`${kind}-${channel}`, {
        ...ended,
        options: { action, payloads: [said] },
        items: [{ label: word(`LABEL-${kind}`), title: word(`TITLE-${kind}`), kind, state: "done" }],
      }),
    );
  }
  const schedule: Schedule = {
    ...{ version: 1, id: `s-${channel}`, owner: alice, place, state: "active", dueAtMs: 9e12, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: word("SCHEDULED") },
  };
  await schedulesIn({ collection }).put(`memory/T1/s-${channel}`, schedule);
  await keyValue("typed").set(`memory/T1/${channel}/1`, { text: word("TYPED"), actorId: alice.id, attachments: [] });
  await keyValue("recent-questions").set(`memory/T1/${alice.id}/${channel}`, {
    actor: alice,
    question: word("RECENT"),
  });
  await leaveGap(state, place, visibility);
}

/** A gap of one question that the agent didn't answer. */
async function leaveGap({ collection }: ActingRoom["state"], place: Place, visibility: Visibility): Promise<void> {
  const { platform, workspace, channel } = place;
  const store = createGapStore({ collection });
  const scope = { platform, workspace, agent: { project: "mindsdb", name: "sales" } };
  const asker = {
    turnId: `turn-of-${channel}`,
    actor: alice,
    question: `GAP-${channel}`,
    place,
    atMs: 4,
    signals: ["nothing"] as const,
  };
  await store.put(withAsker(newGap({ id: `g-${channel}`, ...scope, nowMs }), { ...asker, visibility }));
}

async function openRoom(logPrivate: boolean): Promise<ActingRoom> {
  const room = await openActingRoom({ logPrivate });
  for (const [channel, visibility] of places) await leaveWords(room, channel, visibility);
  return room;
}

/** Reads all of it, however long. */
async function read(room: ActingRoom, path: string, visitor: object = manage): Promise<string> {
  const response = await room.pagesFor(visitor).request(path);
  expect(response.status, path).toBe(200);
  return response.text();
}

const ways = [
  "/api/admin/overview",
  "/api/admin/questions",
  "/api/admin/questions?ref=turn-of-G1",
  "/api/admin/questions/turn-of-helpdesk",
  "/api/admin/questions/turn-of-G1",
  "/api/admin/questions/turn-of-D7",
  "/api/admin/questions/choices",
  "/api/admin/questions.csv",
  "/api/admin/gaps",
  "/api/admin/gaps/one?key=memory/T1/g-G1",
  "/api/admin/gaps/choices",
  "/api/admin/knowledge",
  "/api/admin/knowledge/jobs",
  "/api/admin/agents",
  "/api/admin/schedules",
  "/api/admin/audit",
  "/api/admin/audit.csv",
  "/api/admin/system",
  `/api/admin/people/export?person=${person}`,
] as const;

/** What a text has of the words of private places. */
const privateWords = (text: string) => [...new Set(text.match(/[A-Z]+(?:-[a-z]+)?-(?:G1|D7)\b/g) ?? [])].sort();

describe("words of private places", () => {
  it.each(ways)("aren't at %s without LOG_PRIVATE", async (path) => {
    const room = await openRoom(false);

    expect(privateWords(await read(room, path))).toEqual([]);
  });

  it("aren't in what a manager's command shows at /admin", async () => {
    const room = await openRoom(false);

    for (const path of ["kb gaps", "kb jobs", "schedule list"]) {
      const options = path === "kb gaps" ? { agent: "sales" } : {};
      for (const channel of ["G1", "helpdesk", ""]) {
        const { text } = await room.act(manage, { kind: "command", path, options, place: at(channel) });
        expect(privateWords(text), `${path} in ${channel}`).toEqual([]);
      }
    }
  });

  it("are exported with LOG_PRIVATE, all of them", async () => {
    const room = await openRoom(true);

    const found = privateWords(await read(room, `/api/admin/people/export?person=${person}`));

    for (const what of ["QUESTION", "ANSWER", "FILE", "GAP", "SCHEDULED", "TYPED", "RECENT", "COMMENT", "PAYLOAD"]) {
      expect(found).toContain(`${what}-G1`);
      expect(found).toContain(`${what}-D7`);
    }
  });
});

describe("words of private places, with LOG_PRIVATE", () => {
  it("are in lists, details and gaps", async () => {
    const room = await openRoom(true);

    const list = privateWords(await read(room, "/api/admin/questions"));
    expect(list).toEqual(["QUESTION-D7", "QUESTION-G1"]);
    expect(privateWords(await read(room, "/api/admin/gaps"))).toEqual(["GAP-D7", "GAP-G1"]);
    for (const channel of ["G1", "D7"]) {
      const question = privateWords(await read(room, `/api/admin/questions/turn-of-${channel}`));
      expect(question).toEqual(expect.arrayContaining([`ANSWER-${channel}`, `QUESTION-${channel}`]));
      const gap = await read(room, `/api/admin/gaps/one?key=memory/T1/g-${channel}`);
      expect(privateWords(gap)).toEqual(expect.arrayContaining([`ANSWER-${channel}`, `GAP-${channel}`]));
      expect(JSON.parse(gap)).toMatchObject({ hidden: 0, place: at("") });
    }
  });

  it("are in gaps of a platform that is off too, without buttons", async () => {
    const room = await openRoom(true);
    await leaveGap(room.state, at("G2", "away"), "private");

    const { gaps } = JSON.parse(await read(room, "/api/admin/gaps"));

    const shown = new Map(gaps.map((gap: { id: string }) => [gap.id, gap]));
    expect(shown.get("g-G2")).toMatchObject({ question: "GAP-G2" });
    expect(shown.get("g-G2")).not.toHaveProperty("place");
  });

  it("aren't in gaps of a platform that is off, without LOG_PRIVATE or for who doesn't manage", async () => {
    for (const [logPrivate, visitor] of [
      [false, manage],
      [true, { ...manage, role: "ingest" }],
    ] as const) {
      const room = await openRoom(logPrivate);
      await leaveGap(room.state, at("G2", "away"), "public");

      expect(await read(room, "/api/admin/gaps", visitor)).not.toContain("GAP-G");
    }
  });
});

describe("the export of a person", () => {
  it("has all that was said in public, and of the rest when and where, and says that words are left out", async () => {
    const room = await openRoom(false);

    const { records } = JSON.parse(await read(room, `/api/admin/people/export?person=${person}`));

    const questions = records.filter(({ kind }: { kind: string }) => kind === "questions");
    const [open, secret] = ["turn-of-helpdesk", "turn-of-G1"].map(
      (id) => questions.find(({ record }: { record: Turn }) => record.id === id)?.record,
    );
    expect(open).toMatchObject({ question: "QUESTION-helpdesk", outcome: { answer: "ANSWER-helpdesk" } });
    expect(secret).toMatchObject({ id: "turn-of-G1", askedIn: at("G1"), state: "answered", wordsLeftOut: true });
    const all = JSON.stringify(records);
    for (const what of ["GAP", "SCHEDULED", "COMMENT", "PAYLOAD"]) expect(all).toContain(`${what}-helpdesk`);
  });

  it("leaves out what was said in a channel that is private by now, or that nobody knows any longer", async () => {
    const room = await openRoom(false);
    const turn = { actor: alice, question: "QUESTION-G1", conversation: at("G2") } as const;
    await room.state.turns.create(sampleTurn("then-public", { ...turn, askedIn: at("G2"), visibility: "public" }));
    await room.state.turns.create(sampleTurn("unknown", { ...turn, askedIn: at("helpdesk"), eventKey: "e" }));

    expect(privateWords(await read(room, `/api/admin/people/export?person=${person}`))).toEqual([]);
  });

  it("has everything for the person themselves", async () => {
    const room = await openRoom(false);
    const own = { platform: "console", workspace: "local", channel: "direct" };
    const ana = { ...alice, id: "ana", workspace: "local" };
    await room.state.turns.create(
      sampleTurn("own", { askedIn: own, conversation: own, actor: ana, question: "OWN-D7", visibility: "direct" }),
    );

    expect(personKey(own, ana)).toBe("console/local/ana");
    expect(await read(room, "/api/admin/people/export?person=console:local/ana")).toContain("OWN-D7");
    const other = { ...manage, id: "bea" };
    expect(await read(room, "/api/admin/people/export?person=console:local/ana", other)).not.toContain("OWN-D7");
  });

  it("is in the audit log with the person, and with who did it", async () => {
    const room = await openRoom(false);

    await read(room, `/api/admin/people/export?person=${person}`);

    expect(await room.audit()).toMatchObject([
      { action: "person export", about: { person }, actor: { id: "ana", name: "Ana" }, outcome: "done" },
    ]);
  });
});
