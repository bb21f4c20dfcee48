/** Schedules: once for each time over all instances, as their owner, whatever dies in between. */
import { describe, expect, it, onTestFinished } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Visibility } from "../../../src/core/model/place.ts";
import { bob, general } from "../../doubles/people.ts";
import { openSchedules, question } from "./room.ts";

async function room() {
  const opened = await openSchedules();
  onTestFinished(opened.close);
  return opened;
}

const schedule = async (at: Awaited<ReturnType<typeof room>>, changes: Partial<typeof question> = {}) => {
  const created = await at.schedules.create({ ...question, ...changes });
  if (typeof created === "string") throw new Error(created);
  return created;
};
const now = async ({ schedules }: Awaited<ReturnType<typeof room>>) => {
  const found = await schedules.get(general, question.id);
  if (found === undefined) throw new Error("It is gone.");
  return found;
};
const dies = () => {
  throw new ParleyError("state_unavailable");
};
const refused = () => ({ allowed: false, why: "role", role: "ask" }) as const;

describe("a schedule", () => {
  it("asks at its times, and not before", async () => {
    const at = await room();
    await schedule(at);
    await at.look();
    expect(at.asked).toEqual([]);
    for (const day of ["15", "16", "17"]) {
      await at.until(`2027-01-${day}T09:00:10Z`);
      await at.look();
      await at.look();
    }
    expect(at.times()).toEqual(["01-15T09:00", "01-16T09:00", "01-17T09:00"]);
  });

  it("asks once for a time, however many instances look at once", async () => {
    const at = await room();
    await schedule(at);
    const others = [at.instance(), at.instance(), at.instance()];
    await at.until("2027-01-15T09:00:10Z");
    await Promise.all([at, ...others].map(({ look }) => look()));
    expect(at.times()).toEqual(["01-15T09:00"]);
    expect((await now(at)).dueAtMs).toBe(Date.parse("2027-01-16T09:00Z"));
  });

  it("asks once after Parley was down over three times", async () => {
    const at = await room();
    await schedule(at);
    await at.until("2027-01-18T12:00:00Z");
    await at.look();
    await at.look();
    expect(at.times()).toEqual(["01-15T09:00"]);
    expect((await now(at)).dueAtMs).toBe(Date.parse("2027-01-19T09:00Z"));
  });

  it("that was paused over two times asks once when it is resumed", async () => {
    const at = await room();
    await at.schedules.pause(await schedule(at));
    await at.until("2027-01-16T12:00:00Z");
    await at.look();
    expect(at.asked).toEqual([]);
    await at.schedules.resume(await now(at));
    await at.look();
    expect(at.times()).toEqual(["01-15T09:00"]);
    expect((await now(at)).dueAtMs).toBe(Date.parse("2027-01-17T09:00Z"));
  });

  it("that was paused and resumed in time misses nothing", async () => {
    const at = await room();
    await at.schedules.pause(await schedule(at));
    await at.schedules.resume(await now(at));
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.times()).toEqual(["01-15T09:00"]);
  });

  it("that is resumed while an instance finds it paused keeps its place among what is due", async () => {
    const at = await room();
    await at.schedules.pause(await schedule(at));
    // As a process that died while pausing left it.
    await at.state.works.add("schedules", `memory/T1/${question.id}`, null, { dueAtMs: (await now(at)).dueAtMs });
    await at.until("2027-01-15T09:00:10Z");
    await Promise.all([at.look(), at.schedules.resume(await now(at))]);
    await at.clock.advance(61_000);
    await at.look();
    expect(at.times()).toEqual(["01-15T09:00"]);
  });

  it("asks nothing after it was deleted, and is listed nowhere", async () => {
    const at = await room();
    const created = await schedule(at);
    expect(await at.schedules.ofPerson(general, created.owner)).toHaveLength(1);
    expect(await at.schedules.inChannel(general)).toHaveLength(1);
    await at.schedules.delete(created);
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked).toEqual([]);
    expect(await at.schedules.ofPerson(general, created.owner)).toEqual([]);
    expect(await at.schedules.inChannel(general)).toEqual([]);
    expect(await at.schedules.delete(created)).toBe("gone");
    expect(await at.state.works.list("schedules", "delayed", 10)).toEqual([]);
  });

  it("is created once, however often its button is pressed", async () => {
    const at = await room();
    const results = await Promise.all([1, 2, 3].map(() => at.schedules.create(question)));
    expect(results.filter((result) => result === "known")).toHaveLength(2);
    expect(await at.schedules.ofPerson(general, question.owner)).toHaveLength(1);
  });

  it("runs now besides its times, also while it is paused", async () => {
    const at = await room();
    const created = await schedule(at);
    await at.schedules.pause(created);
    expect(await at.schedules.runNow(created, "press1")).toBe("done");
    await at.schedules.runNow(created, "press1");
    expect(at.asked.map(({ eventKey }) => eventKey)).toEqual([`memory/T1/schedule/${question.id}/now/press1`]);
    expect((await now(at)).dueAtMs).toBe(created.dueAtMs);
  });

  it("beyond a hundred of one person is refused", async () => {
    const at = await room();
    for (let index = 0; index < 100; index += 1) await schedule(at, { id: `s${index}` });
    expect(await at.schedules.create(question)).toBe("too-many");
    expect(await at.schedules.create({ ...question, owner: bob })).toMatchObject({ owner: bob });
  });
});

describe("a schedule whose owner", () => {
  it("has other rights now asks with those", async () => {
    const at = await room();
    await schedule(at);
    const promoted = { ...question.owner, isAdmin: true };
    at.person(promoted);
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked[0]?.actor).toEqual(promoted);
  });

  it("can't be looked up skips that time only", async () => {
    const at = await room();
    await schedule(at);
    at.person(undefined);
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked).toEqual([]);
    at.person(question.owner);
    await at.until("2027-01-16T09:00:10Z");
    await at.look();
    expect(at.times()).toEqual(["01-16T09:00"]);
  });

  it.each<readonly [string, (at: Awaited<ReturnType<typeof room>>) => void]>([
    ["has left", (at) => at.person("gone")],
    ["belongs to another organisation now", (at) => at.person({ ...question.owner, isExternal: true })],
    ["has lost the role", (at) => at.may(refused)],
    ["was removed from its private channel", (at) => at.channel("private", false)],
  ])("%s is deleted, and its owner gets one message", async (_why, lose) => {
    const at = await room();
    await schedule(at);
    lose(at);
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked).toEqual([]);
    expect(await at.schedules.get(general, question.id)).toBeUndefined();
    const dueAtMs = Date.parse("2027-01-15T09:00Z");
    expect(at.notices.kept.map(({ key, place }) => [key, place.channel])).toEqual([
      [`schedule-ended/${question.id}/${dueAtMs}`, "direct"],
    ]);
    expect(at.notices.kept[0]?.document.summary).toBe("I deleted your schedule How many orders?.");
  });

  it("has left, and can't be reached at that moment, gets the message a minute later", async () => {
    const at = await room();
    await schedule(at);
    at.person("gone");
    at.faults.direct = () => {
      throw new ParleyError("platform_unreachable");
    };
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.notices.kept).toEqual([]);
    delete at.faults.direct;
    await at.until("2027-01-15T09:01:30Z");
    await at.look();
    expect(at.notices.kept).toHaveLength(1);
    expect(await at.schedules.get(general, question.id)).toBeUndefined();
  });

  it("has left, and can't be reached for half an hour, is deleted without a message", async () => {
    const at = await room();
    await schedule(at);
    at.person("gone");
    at.faults.direct = () => {
      throw new ParleyError("platform_unreachable");
    };
    await at.until("2027-01-15T09:31:00Z");
    await at.look();
    expect(at.notices.kept).toEqual([]);
    expect(await at.schedules.get(general, question.id)).toBeUndefined();
  });

  it.each<readonly [string, Visibility | undefined, boolean | undefined]>([
    ["isn't in its public channel", "public", false],
    ["is perhaps no longer in its private channel", "private", undefined],
    ["has left a channel of which nobody knows who reads it", undefined, false],
  ])("%s is asked for as before", async (_what, visibility, isMember) => {
    const at = await room();
    await schedule(at);
    at.channel(visibility, isMember);
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked).toHaveLength(1);
  });

  it("is in a workspace that isn't served now skips that time, because it may be a mistake", async () => {
    const at = await room();
    await schedule(at);
    at.may(() => ({ allowed: false, why: "not-served" }));
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked).toEqual([]);
    expect((await now(at)).dueAtMs).toBe(Date.parse("2027-01-16T09:00Z"));
  });
});

describe("a process that dies", () => {
  it("before it has journaled the question: another one asks it within a minute", async () => {
    const at = await room();
    await schedule(at);
    await at.until("2027-01-15T09:00:10Z");
    at.faults.ask = async () => dies();
    await at.look();
    expect(at.asked).toEqual([]);
    delete at.faults.ask;
    await at.clock.advance(61_000);
    await at.instance().look();
    expect(at.times()).toEqual(["01-15T09:00"]);
  });

  it("after it has journaled the question: another one asks nothing, and moves the time", async () => {
    const at = await room();
    await schedule(at);
    await at.until("2027-01-15T09:00:10Z");
    // The time could not be stored.
    at.faults.end = dies;
    await at.look();
    delete at.faults.end;
    await at.clock.advance(61_000);
    await at.instance().look();
    expect(at.times()).toEqual(["01-15T09:00"]);
    const [due] = await at.state.works.list("schedules", "delayed", 10);
    expect(due?.dueAtMs).toBe(Date.parse("2027-01-16T09:00Z"));
  });
});

describe("many schedules", () => {
  it("due at once are all asked, each once, by two instances", async () => {
    const at = await room();
    for (let index = 0; index < 500; index += 1) {
      const owner = { ...question.owner, id: `U${index % 50}` };
      await schedule(at, { id: `s${String(index).padStart(15, "0")}`, owner });
    }
    const other = at.instance();
    await at.until("2027-01-15T09:00:10Z");
    await Promise.all([at.look(), other.look()]);
    await at.look();
    expect(at.asked).toHaveLength(500);
    expect(new Set(at.asked.map(({ schedule: { id } }) => id)).size).toBe(500);
  });

  it("of one person who has too many questions waiting don't hold up those of others", async () => {
    const at = await room();
    for (let index = 0; index < 60; index += 1) await schedule(at, { id: `a${index}` });
    await schedule(at, { id: "z1", owner: bob });
    let isFull = true;
    at.faults.ask = async ({ schedule: { owner } }) => {
      if (isFull && owner.id !== bob.id) throw new ParleyError("too_many_questions");
    };
    await at.until("2027-01-15T09:00:10Z");
    await at.look();
    expect(at.asked.map(({ schedule: { id } }) => id)).toEqual(["z1"]);
    isFull = false;
    await at.clock.advance(61_000);
    await at.look();
    expect(at.asked).toHaveLength(61);
  });
});
