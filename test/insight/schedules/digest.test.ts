/** Digests as schedules: one for each due time, whatever dies, and none where Parley can't post any longer. */
import { expect, it, onTestFinished } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { NewSchedule } from "../../../src/insight/schedules/schedules.ts";
import { infoDocument } from "../../../src/presentation/drawing.ts";
import { admin, bob, general } from "../../doubles/people.ts";
import { openSchedules } from "./room.ts";

const digest: NewSchedule = {
  ...{ id: "digest0000000001", owner: admin, place: general, what: { kind: "digest" } },
  time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday at 9:00" },
};
const monday = "2027-01-18T09:00:10Z";

async function room() {
  const at = await openSchedules();
  onTestFinished(at.close);
  const ran: (number | undefined)[] = [];
  const faults: { before?: () => void; after?: () => void; isLost?: true } = {};
  /** Posts as the real one does: a notice with the key of its time. */
  at.postsDigests(async ({ schedule: { place }, eventKey: key, dueAtMs }) => {
    if (faults.isLost) return "lost";
    faults.before?.();
    ran.push(dueAtMs);
    await at.notices.post({ key, place, document: infoDocument("This week") });
    faults.after?.();
    return "posted";
  });
  const other = at.instance;
  const due = () => new Date(ran.at(-1) ?? 0).toISOString().slice(0, 16);
  return { at, ran, faults, other, due, posted: () => at.notices.kept.filter(({ key }) => key.includes("/schedule/")) };
}

const dies = () => {
  throw new ParleyError("state_unavailable");
};

it("a digest is posted once for its time, however many instances look at once", async () => {
  const { at, other, posted, due } = await room();
  await at.schedules.setUp(digest);
  const others = [other(), other()];
  await at.until(monday);
  await Promise.all([at, ...others].map(({ dueWork }) => dueWork.look()));
  await at.dueWork.look();
  expect(posted()).toHaveLength(1);
  expect(due()).toBe("2027-01-18T09:00");
});

it.each(["before", "after"] as const)(
  "a digest whose process dies right %s it is stored is posted once",
  async (when) => {
    const { at, faults, other, posted } = await room();
    await at.schedules.setUp(digest);
    await at.until(monday);
    faults[when] = dies;
    await at.dueWork.look();
    delete faults[when];
    await at.clock.advance(61_000);
    await other().dueWork.look();
    await other().dueWork.look();
    expect(posted()).toHaveLength(1);
    expect((await at.schedules.get(general, digest.id))?.dueAtMs).toBe(Date.parse("2027-01-25T09:00Z"));
  },
);

it("a digest whose next time could not be stored is posted once", async () => {
  const { at, other, posted } = await room();
  await at.schedules.setUp(digest);
  await at.until(monday);
  at.faults.rankings = { put: () => Promise.reject(new ParleyError("state_unavailable")) };
  await at.dueWork.look();
  delete at.faults.rankings;
  await at.clock.advance(61_000);
  await other().dueWork.look();
  expect(posted()).toHaveLength(1);
});

it("a digest that was paused or down over three of its times is posted once, for the newest", async () => {
  const { at, posted, due } = await room();
  await at.schedules.setUp(digest);
  const found = await at.schedules.get(general, digest.id);
  if (found === undefined) throw new Error("It is gone.");
  await at.schedules.pause(found);
  await at.until("2027-02-03T12:00:00Z");
  await at.dueWork.look();
  expect(posted()).toEqual([]);
  await at.schedules.resume(found);
  await at.dueWork.look();
  await at.dueWork.look();
  expect(posted()).toHaveLength(1);
  expect(due()).toBe("2027-02-01T09:00");
});

it("a digest that is set up again has the new time only, and belongs to its last editor", async () => {
  const { at, posted } = await room();
  await at.schedules.setUp(digest);
  await at.schedules.setUp({ ...digest, owner: bob, time: { ...digest.time, cron: "0 9 * * 3" } });
  expect(await at.schedules.ofPerson(general, admin)).toEqual([]);
  expect(await at.schedules.ofPerson(general, bob)).toHaveLength(1);
  expect(await at.schedules.inChannel(general)).toHaveLength(1);
  await at.until(monday);
  await at.dueWork.look();
  expect(posted()).toEqual([]);
  await at.until("2027-01-20T09:00:10Z");
  await at.dueWork.look();
  expect(posted()).toHaveLength(1);
});

it("a digest of a channel that is lost ends, and tells its owner once, also if the process dies meanwhile", async () => {
  const { at, faults, other } = await room();
  await at.schedules.setUp(digest);
  faults.isLost = true;
  await at.until(monday);
  at.faults.rankings = { put: () => Promise.reject(new ParleyError("state_unavailable")) };
  await at.dueWork.look();
  delete at.faults.rankings;
  await at.clock.advance(61_000);
  await other().dueWork.look();
  expect(at.notices.kept.map(({ place, document }) => [place.channel, document.summary])).toEqual([
    ["direct", "I switched off the digest of this channel."],
  ]);
  expect(await at.schedules.get(general, digest.id)).toBeUndefined();
});

it("a digest whose owner can't manage Parley any longer ends, and says who could set it up again", async () => {
  const { at, posted } = await room();
  await at.schedules.setUp(digest);
  at.may((_actor, action) => ({ allowed: false, why: "role", role: action === "manage" ? "manage" : "ask" }));
  await at.until(monday);
  await at.dueWork.look();
  expect(posted()).toEqual([]);
  expect(JSON.stringify(at.notices.kept[0]?.document)).toContain("Someone else who can manage me");
  expect(await at.schedules.get(general, digest.id)).toBeUndefined();
});
