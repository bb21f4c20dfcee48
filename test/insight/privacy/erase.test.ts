/** Erasing a person over every store: nothing of theirs is left, and everything of others is. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { auditEntriesIn } from "../../../src/core/audit.ts";
import { type Schedule, schedulesIn } from "../../../src/core/model/schedule.ts";
import { answersIn } from "../../../src/insight/answers/answer-store.ts";
import type { StoredGap } from "../../../src/insight/gaps/gap-record.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { admin, alice, bob, general } from "../../doubles/people.ts";
import { openParley } from "../schedules/whole-room.ts";
import { everythingOnSqlite } from "./whole-store.ts";

type Whole = Awaited<ReturnType<typeof openParley>>;

const person = { platform: "memory", workspace: "T1", id: alice.id };
const erased = { ...alice, name: "Alice Liddell" };

/** All that is stored, as text. */
const stored = async (at: Whole): Promise<string> => everythingOnSqlite(at.dataDir).join("\n");

/** Waits in the time of the test. */
async function erase(at: Whole) {
  const erasing = at.privacy().erase(person);
  erasing.catch(() => undefined);
  for (let waited = 0; waited < 30; waited += 1) await at.clock.advance(1_000);
  return erasing;
}

async function ask(at: Whole, index: number, text: string, who = erased): Promise<void> {
  await at.say(`/ask ${text}`, who);
  await at.answer(index, `ANSWER-${index}`);
}

it("removes a person's questions, answers, votes, drafts and schedules, and keeps what others asked", async () => {
  const at = await openParley();
  await ask(at, 0, "Where is SECRET-ONE?");
  await ask(at, 1, "Where is BOBS-QUESTION?", bob);
  const [turn] = await at.state().turns.recent(1);
  await at.act("thumb-up", turn?.id ?? "", erased);
  await at.say("/schedule list", erased);
  const schedule: Schedule = {
    ...{ version: 1, id: "s1", owner: erased, place: general, state: "active", dueAtMs: 9e12, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: "SECRET-SCHEDULE" },
  };
  await schedulesIn(at.state()).put("memory/T1/s1", schedule);
  expect(await stored(at)).toMatch(/SECRET-ONE.*SECRET-SCHEDULE/s);

  const report = await erase(at);

  expect(report).toMatchObject({ isComplete: true });
  expect(report.kinds).toContainEqual({ kind: "questions", removed: 1, renamed: 0 });
  const left = await stored(at);
  expect(left).not.toMatch(/SECRET|ANSWER-0|Alice|"U1"|\/U1/);
  expect(left).toMatch(/BOBS-QUESTION.*ANSWER-1/s);
  expect(await erase(at)).toMatchObject({ kinds: [], isComplete: true });
});

it("removes a person's schedules from every list that names them", async () => {
  const at = await openParley();
  const { collection, works } = at.state();
  const schedules = schedulesIn({ collection });
  const schedule: Schedule = {
    ...{ version: 1, id: "s1", owner: erased, place: general, state: "active", dueAtMs: 9e12, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: "SECRET-SCHEDULE" },
  };
  await schedules.put("memory/T1/s1", schedule);
  await works.add("schedules", "memory/T1/s1", null, { dueAtMs: 9e12 });

  const report = await erase(at);

  expect(report.kinds).toContainEqual({ kind: "schedules", removed: 1, renamed: 0 });
  for (const by of ["owner", "channel"] as const)
    expect(await schedules.groups({ by: [by], order: "createdAtMs" })).toEqual([]);
  expect(await works.list("schedules", "delayed", 10)).toEqual([]);
});

it("stops a question of theirs that is being answered, and answers the one behind it", async () => {
  const at = await openParley();
  await at.say("/ask Where is SECRET-RUNNING?", erased);
  const run = await at.agents.run(0);
  run.send({ type: "started" });
  await at.say("/ask Where is BOBS-QUESTION?", bob);

  const report = await erase(at);
  await at.answer(1, "ANSWER-1");

  expect(run.isAborted()).toBe(true);
  expect(report).toMatchObject({ isComplete: true });
  const left = await stored(at);
  expect(left).not.toMatch(/SECRET|Alice/);
  expect(left).toContain("ANSWER-1");
});

it("keeps added answers, documents and the audit log, without the name", async () => {
  const at = await openParley();
  const { keyValue } = at.state();
  const by = { key: "memory/T1/U1", name: erased.name };
  await keyValue("ledger").set("mindsdb/docs/d1", { title: "Prices", knowledgeBase: "docs", by });
  const answer = { id: "a1", question: "Pets?", answer: "KEPT", by, previous: { by } };
  await answersIn(at.state()).put("mindsdb/docs/a1", answer as never);
  await at.say("/parley mode mention", { ...erased, isAdmin: true });
  expect(await stored(at)).toContain("Alice");

  const report = await erase(at);

  const left = await stored(at);
  expect(left).not.toMatch(/Alice|"U1"|T1\/U1/);
  expect(left).toMatch(/KEPT/);
  expect(left).toMatch(/parley mode/);
  expect(left).toContain("A former member");
  expect(report.stays.join("\n")).toContain("Prices (docs)");
});

it("takes a person's name out of others' questions", async () => {
  const at = await openParley();
  await at.say("/ask Where is BOBS-QUESTION?", bob);
  const run = await at.agents.run(0);
  run.send({ type: "started" });
  const [turn] = await at.state().turns.recent(1);
  await at.act("stop", turn?.id ?? "", { ...erased, isAdmin: true });
  await at.clock.advance(1_000);
  await ask(at, 1, "Who am I?");
  expect(await stored(at)).toContain("stopRequestedBy");

  await erase(at);

  const left = await stored(at);
  expect(left).not.toMatch(/Alice|"U1"/);
  expect(left).toContain("BOBS-QUESTION");
});

it("removes a person from gaps whose questions have expired", async () => {
  const at = await openParley();
  const asker = (actor: typeof alice, question: string) => ({
    ...{ turnId: `t-${actor.id}`, actor: { id: actor.id, name: actor.name }, question, place: general },
    ...{ visibility: "public", signals: ["nothing"], atMs: 1 },
  });
  const gap = {
    ...{ version: 1, id: "g1", platform: "memory", workspace: "T1", agent: { project: "mindsdb", name: "support" } },
    askers: [asker(erased, "Where is SECRET-GAP?"), asker(bob, "Where are BOBS-DOGS?")],
    ...{ askerCount: 2, state: "open", createdAtMs: 1, lastAtMs: 1, forms: [] },
  };
  await gapsIn(at.state()).put("memory/T1/g1", gap as unknown as StoredGap);

  await erase(at);

  const left = await stored(at);
  expect(left).not.toMatch(/SECRET|Alice/);
  expect(left).toContain("BOBS-DOGS");
});

it("leaves a person of another workspace with the same id alone", async () => {
  const at = await openParley();
  const elsewhere = { ...general, workspace: "T2" };
  await at.say("/ask Where is OTHERS-QUESTION?", { ...erased, workspace: "T2" }, { place: elsewhere });
  await at.answer(0, "ANSWER-0");
  await at
    .state()
    .keyValue("feedback")
    .set("memory/T2/general/x/t1/U1", { voter: "U1", actor: { id: "U1", name: "Other" } });

  await erase(at);

  expect(await stored(at)).toMatch(/OTHERS-QUESTION.*"voter":"U1"/s);
});

it("keeps refusals in the audit log, under no name and no id", async () => {
  const at = await openParley();
  await at.say("/agent use support", erased);
  expect(await stored(at)).toContain("/refused/");

  await erase(at);

  const left = await stored(at);
  expect(left).toMatch(/"outcome":"refused"/);
  expect(left).not.toMatch(/Alice|U1\b/);
});

it("finds a person of the page in places of other platforms, and their files", async () => {
  const at = await openParley();
  const { keyValue, collection } = at.state();
  const place = { platform: "memory", workspace: "T1", channel: "general" };
  const ana = { platform: "console", workspace: "local", id: "ana@x.example" };
  const actor = { id: "console:ana@x.example", name: "Ana" };
  const file = createHash("sha256").update(ana.id).digest("hex").slice(0, 32);
  const entry = { version: 1, actor, place, role: "manage", action: "agent use", outcome: "done", atMs: 1 } as const;
  await auditEntriesIn({ collection }).put("memory/T1/a1", { ...entry, about: {} });
  await keyValue("contributions").set("memory/T1/console%3Aana%40x.example/mindsdb/docs", { atMs: 1 });
  await keyValue("console-uploads").set(`local/${file}.1`, { id: `${file}.1`, name: "plan.txt" });
  await keyValue("console-messages").set("local/general/t/m", { author: "parley", channel: "general" });

  await at.privacy().erase(ana);

  const left = await stored(at);
  expect(left).not.toMatch(/ana(@|%40)|Ana|plan\.txt/);
  expect(left).toMatch(/agent use/);
  expect(left).toMatch(/"author":"parley"/);
});

it("exports everything about a person, and nothing that others wrote", async () => {
  const at = await openParley();
  await ask(at, 0, "Where is MY-QUESTION?");
  await ask(at, 1, "Where is BOBS-QUESTION?", bob);
  await at.say("/parley mode mention", { ...admin, name: erased.name });

  const records = [];
  for await (const record of at.privacy().export(person)) records.push(record);

  const kinds = records.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["questions", "audit"]));
  expect(JSON.stringify(records)).toMatch(/MY-QUESTION.*ANSWER-0/s);
  expect(JSON.stringify(records)).not.toMatch(/BOBS|Bob/);
});
