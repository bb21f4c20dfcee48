/** Erasing a person from records that are someone else's: names, ids and words of theirs go, the rest stays. */
import { expect, it } from "vitest";
import { type AuditEntry, auditEntriesIn } from "../../../src/core/audit.ts";
import type { Job } from "../../../src/core/model/job.ts";
import type { Collection } from "../../../src/core/ports/collection.ts";
import { changeRecord } from "../../../src/core/tools/change-record.ts";
import { questionLogIn, questionQuery } from "../../../src/insight/derived/question-log.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { formerMember } from "../../../src/insight/privacy/person.ts";
import { proofsIn } from "../../../src/insight/proof/proof.ts";
import { alice, bob, general } from "../../doubles/people.ts";
import { openParley } from "../schedules/whole-room.ts";
import { everythingOnSqlite } from "./whole-store.ts";

type Whole = Awaited<ReturnType<typeof openParley>>;

const person = { platform: "memory", workspace: "T1", id: alice.id };
const erased = { ...alice, name: "Alice Liddell" };
const trace = /Alice|"U1"|\/U1|SECRET/;

const stored = (at: Whole) => everythingOnSqlite(at.dataDir).join("\n");

async function erase(at: Whole) {
  const erasing = at.privacy().erase(person);
  erasing.catch(() => undefined);
  for (let waited = 0; waited < 30; waited += 1) await at.clock.advance(1_000);
  return erasing;
}

/** Something of hers that says what she is called. */
async function speak(at: Whole): Promise<void> {
  await at.say("/parley mode mention", { ...erased, isAdmin: true });
}

const jobOf = (id: string, changes: Partial<Job>): Job => ({
  ...{ version: 1, id, ref: id, eventKey: `memory/T1/${id}`, askedIn: general, actor: bob, project: "mindsdb" },
  ...{ knowledgeBase: "docs", way: "parley", options: {}, items: [], state: "done", fence: 0 },
  ...{ reply: { place: general, parts: [] }, createdAtMs: 1 },
  ...changes,
});

it("takes a name out of gaps that the person dismissed", async () => {
  const at = await openParley();
  await speak(at);
  const asker = { turnId: "t9", actor: { id: bob.id, name: bob.name }, question: "BOBS-GAP?", place: general };
  const gap = {
    ...{ version: 1, platform: "memory", workspace: "T1", agent: { project: "mindsdb", name: "support" } },
    ...{ askers: [{ ...asker, signals: ["nothing"], atMs: 1 }], askerCount: 1, state: "dismissed" },
    ...{ createdAtMs: 1, lastAtMs: 1, forms: [] },
  };
  const by = { id: erased.id, name: erased.name, atMs: 1, askerCount: 1 };
  const gaps: Collection<object> = gapsIn(at.state()) as never;
  await gaps.put("memory/T1/g1", { ...gap, id: "g1", dismissedBy: by });
  await gaps.put("memory/T1/g2", { ...gap, id: "g2", dismissedBy: { ...by, name: "Alice" } });
  await gaps.put("memory/T1/g3", { ...gap, id: "g3", dismissedBy: { ...by, id: bob.id, name: "Bob" } });

  await erase(at);

  expect(stored(at)).not.toMatch(trace);
  expect((await gaps.get("memory/T1/g1"))?.record).toMatchObject({ dismissedBy: { name: formerMember.name } });
  expect((await gaps.get("memory/T1/g3"))?.record).toMatchObject({ dismissedBy: { name: "Bob" } });
});

it("takes a name out of sources that say who added them", async () => {
  const at = await openParley();
  await speak(at);
  await at.say("/ask Where is BOBS-QUESTION?", bob);
  const run = await at.agents.run(0);
  run.answer("ANSWER-0");
  await at.clock.advance(1_000);
  const [turn] = await at.state().turns.recent(1);
  const source = { title: "Pets", addedBy: { name: erased.name, atMs: 1 } };
  await changeRecord(at.state().turns, turn?.id ?? "", ({ outcome }) =>
    outcome === undefined ? undefined : { outcome: { ...outcome, sources: [source] } },
  );
  const proof = {
    ...{ platform: "memory", workspace: "T1", id: "j1", question: "Pets?" },
    answer: { question: "Pets?" },
  };
  const after = { answer: "No.", sources: [source] };
  const result = { kind: "used", after, note: after };
  await proofsIn(at.state()).put("memory/T1/j1", { ...proof, result } as never);

  await erase(at);

  expect(stored(at)).not.toMatch(trace);
  expect(stored(at)).toMatch(/"addedBy":\{"name":"A former member","atMs":1\}/);
});

it("takes a person out of what others did about them: schedules, jobs, saved messages", async () => {
  const at = await openParley();
  await speak(at);
  const { keyValue, collection, jobs } = at.state();
  const title = `Message from ${erased.name}`;
  const actor = { id: bob.id, name: bob.name };
  const entry = { version: 1, actor, place: general, role: "manage", outcome: "done", atMs: 1 } as const;
  const audited: readonly AuditEntry[] = [
    { ...entry, action: "schedule delete", about: { schedule: "s1", owner: alice.id } },
    { ...entry, action: "kb save", about: { items: `${title} https://x.example` } },
  ];
  const log = auditEntriesIn({ collection });
  for (const [at, one] of audited.entries()) await log.put(`memory/T1/a${at}`, one);
  await keyValue("ledger").set("mindsdb/docs/d1", {
    ...{ title, knowledgeBase: "docs", project: "mindsdb", origin: { kind: "thread", place: general } },
    by: { key: "memory/T1/U2", name: bob.name },
  });
  const said = { authorName: erased.name, text: "SECRET-WORDS" };
  const payload = { kind: "thread", place: general, messageId: "7", scope: "message", rowId: "r", title, said };
  const items = [{ label: title, kind: "thread", state: "done" }] as const;
  await jobs.create(jobOf("j1", { options: { cancelledBy: alice.id } }));
  await jobs.create(jobOf("j2", { options: { payloads: [JSON.stringify(payload)] }, items }));
  const by = { key: "memory/T1/U1", name: erased.name };
  const answer = { kind: "answer", tell: true, answer: { id: "a1", question: "Pets?", answer: "KEPT", by } };
  await jobs.create(jobOf("j3", { actor: erased, options: { payloads: [JSON.stringify(answer)] } }));

  const report = await erase(at);

  expect(stored(at)).not.toMatch(trace);
  expect(report.stays.join("\n")).toContain(`${title} (docs)`);
  expect(await jobs.get("j2")).toMatchObject({ actor: bob, items: [{ label: "Message from A former member" }] });
  expect((await jobs.get("j3"))?.options["payloads"]).toEqual([expect.stringContaining("KEPT")]);
});

it("takes a person out of the audit log of their own export", async () => {
  const at = await openParley();
  const about = { person: `memory:T1/${alice.id}` };
  const other = { person: `memory:T1/${bob.id}` };
  const by = { id: bob.id, name: bob.name };
  const entry = { version: 1, actor: by, role: "manage", outcome: "done", atMs: 1 } as const;
  const place = { platform: "console", workspace: "local", channel: "admin" };
  const audit = auditEntriesIn(at.state());
  await audit.put("console/local/a1", { ...entry, place, action: "person export", about });
  await audit.put("console/local/a2", { ...entry, place, action: "person export", about: other });

  await erase(at);

  expect(stored(at)).not.toContain(about.person);
  expect(stored(at)).toMatch(/"person":"former-member"/);
  expect(stored(at)).toContain(other.person);
});

it("forgets the question of an erased person that someone else asked another agent", async () => {
  const at = await openParley();
  await at.say("/ask Where is SECRET-ONE?", erased);
  await at.answer(0, "ANSWER-0");
  const [first] = await at.state().turns.recent(1);
  if (first === undefined) throw new Error("Nobody asked.");
  const second = { ...first, id: `${first.id}2`, eventKey: `${first.eventKey}/ask-another`, actor: bob };
  await at.state().turns.create({ ...second, repeats: first.id });

  await erase(at);

  expect(stored(at)).not.toMatch(/Alice|Bob|SECRET|ANSWER/);
});

it("takes a question of theirs out of proofs and checks, which are others'", async () => {
  const at = await openParley();
  await at.say("/ask Where is SECRET-ONE?", erased);
  await at.answer(0, "ANSWER-0");
  const asked = { platform: "memory", workspace: "T1", id: "j1", gapId: "g1", answer: { question: "KEPT-PETS?" } };
  const proofs = proofsIn(at.state());
  await proofs.put("memory/T1/j1", { ...asked, question: "Where is SECRET-ONE?" } as never);
  const check = { label: "g1", kind: "check", state: "done", title: "Where is SECRET-ONE?" } as const;
  await at.state().jobs.create(jobOf("j2", { items: [check], options: { check: "support" } }));

  await erase(at);

  expect(stored(at)).not.toMatch(trace);
  expect((await proofs.get("memory/T1/j1"))?.record).toMatchObject({ question: "KEPT-PETS?" });
});

it("counts no vote of an erased person any longer, so that no list leads to one", async () => {
  const at = await openParley();
  await at.say("/ask Where is BOBS-QUESTION?", bob);
  await at.answer(0, "ANSWER-0");
  const [turn] = await at.state().turns.recent(1);
  await at.act("thumb-down", turn?.id ?? "", erased);
  await at.clock.advance(1_000);
  const questionLog = questionLogIn(at.state());
  expect(await questionLog.count(questionQuery({ feedback: "down" }), 10)).toMatchObject({ count: 1 });

  await erase(at);

  expect(await questionLog.count(questionQuery({ feedback: "down" }), 10)).toMatchObject({ count: 0 });
  expect(await questionLog.count(questionQuery({}), 10)).toMatchObject({ count: 1 });
});
