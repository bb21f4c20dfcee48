/** Erasing a person while something of theirs runs, waits or is due: nothing comes back, and nobody else loses anything. */
import { expect, it } from "vitest";
import type { Job } from "../../../src/core/model/job.ts";
import { type Schedule, schedulesIn } from "../../../src/core/model/schedule.ts";
import { alice, bob, general } from "../../doubles/people.ts";
import { openParley } from "../schedules/whole-room.ts";
import { everythingOnSqlite } from "./whole-store.ts";

type Whole = Awaited<ReturnType<typeof openParley>>;

const person = { platform: "memory", workspace: "T1", id: alice.id };
const erased = { ...alice, name: "Alice Liddell" };
const trace = /Alice|"U1"|\/U1|SECRET/;

const stored = (at: Whole) => everythingOnSqlite(at.dataDir).join("\n");

async function erase(at: Whole, seconds = 60) {
  const erasing = at.privacy().erase(person);
  erasing.catch(() => undefined);
  for (let waited = 0; waited < seconds; waited += 1) await at.clock.advance(1_000);
  return erasing;
}

it("says that a question can't be erased yet which waits behind someone else's, and erases it later", async () => {
  const at = await openParley();
  const conversation = { ...general, thread: "shared" };
  await at.say("/ask Where is BOBS-QUESTION?", bob, { conversation });
  const run = await at.agents.run(0);
  run.send({ type: "started" });
  await at.say("/ask Where is SECRET-ONE?", erased, { conversation });

  const early = await erase(at);

  expect(early.isComplete).toBe(false);
  expect(early.stays.join("\n")).toMatch(/^1 question in a conversation where an answer is still running/m);
  expect(run.isAborted()).toBe(false);
  run.answer("ANSWER-0");
  await at.clock.advance(1_000);
  expect(await erase(at)).toMatchObject({ isComplete: true });
  expect(stored(at)).not.toMatch(trace);
  expect(stored(at)).toMatch(/ANSWER-0/);
  expect(at.agents.runs).toHaveLength(1);
});

it("erases a question that waits for approval", async () => {
  const at = await openParley();
  await at.say("/ask Where is SECRET-ONE?", erased);
  const run = await at.agents.run(0);
  const request = { id: "mcpr_1", tool: "send_mail", input: "SECRET-MAIL" };
  run.send({ type: "started" }, { type: "approval-requested", request });
  run.end();
  await at.clock.advance(2_000);
  expect((await at.state().turns.recent(1))[0]?.state).toBe("waiting");

  expect(await erase(at)).toMatchObject({ isComplete: true });

  await at.clock.advance(60_000);
  expect(stored(at)).not.toMatch(trace);
});

it("asks nothing for a schedule that is due while its owner is erased", async () => {
  const at = await openParley();
  const schedule: Schedule = {
    ...{ version: 1, id: "s1", owner: erased, place: general, state: "active", createdAtMs: 1 },
    dueAtMs: at.clock.now() + 1_000,
    time: { cron: "* * * * *", timeZone: "UTC", text: "every minute" },
    what: { kind: "question", question: "SECRET-SCHEDULE" },
  };
  await schedulesIn(at.state()).put("memory/T1/s1", schedule);
  await at.state().works.add("schedules", "memory/T1/s1", null, { dueAtMs: schedule.dueAtMs });

  expect(await erase(at, 180)).toMatchObject({ isComplete: true });

  expect(stored(at)).not.toMatch(trace);
  expect(stored(at)).not.toContain("memory/T1/s1");
});

it("cancels a job of theirs that a dead process left, and finishes it without the name", async () => {
  const at = await openParley();
  const items = [{ label: "https://x.example/", url: "https://x.example/", kind: "url", state: "waiting" }] as const;
  const job: Job = {
    ...{ version: 1, id: "j1", ref: "j1", eventKey: "memory/T1/j1", askedIn: general, actor: erased, items },
    ...{ project: "mindsdb", knowledgeBase: "docs", way: "parley", options: {}, state: "queued", fence: 0 },
    ...{ reply: { place: general, parts: [] }, createdAtMs: at.clock.now() },
  };
  await at.state().jobs.create(job, { asker: "memory/T1/U1", ofAsker: 5, all: 5 });

  expect(await erase(at)).toMatchObject({ isComplete: true });

  await at.clock.advance(60_000);
  expect(await at.state().jobs.get("j1")).toMatchObject({ state: "cancelled", actor: { id: "former-member" } });
  expect(stored(at)).not.toMatch(trace);
});

it("gives an erased question's event no second answer, and drops its empty record with RETENTION_DAYS", async () => {
  const at = await openParley();
  const event = { eventKey: "memory/T1/event" };
  await at.say("/ask Where is SECRET-ONE?", erased, event);
  await at.answer(0, "ANSWER-0");
  const [asked] = await at.state().turns.recent(1);
  await erase(at);

  await at.say("/ask Where is SECRET-ONE?", erased, event);

  expect(at.agents.runs).toHaveLength(1);
  expect(await at.state().turns.recent(9)).toMatchObject([{ id: asked?.id, isForgotten: true, question: "" }]);
  expect(await at.state().turns.prune((asked?.createdAtMs ?? 0) + 1)).toBe(1);
  expect(await at.state().turns.count()).toBe(0);
});
