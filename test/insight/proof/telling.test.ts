/** Who is notified of a better answer, whom nobody may notify, and what happens when processes die meanwhile. */

import { expect, it } from "vitest";
import type { Verdict } from "../../../src/core/access.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import { proofsIn } from "../../../src/insight/proof/proof.ts";
import { toldDocument } from "../../../src/presentation/drawing.ts";
import { documentText } from "../../../src/presentation/markdown.ts";
import { alice, bob } from "../../doubles/people.ts";
import { added, ana, better, createProofRoom, frontDesk, type ProofRoom } from "./proof-room.ts";

const handbook = { project: "mindsdb", name: "handbook" };
const dayMs = 86_400_000;
const person = (number: number): Actor => ({ ...alice, id: `U${100 + number}`, name: `Person ${number}` });

async function prove(room: ProofRoom, tellingMs = 5_000): Promise<void> {
  const gapId = (await room.gap())?.id ?? "";
  room.answers(better(gapId));
  await room.instance().proofs.begin(added(gapId));
  await room.clock.advance(tellingMs);
}

it("notifies nobody who has left, is not in the channel, or may no longer ask that agent there", async () => {
  const left = person(1);
  const removed = person(2);
  const refused = person(3);
  const onlyPrivately = person(4);
  const verdicts: Readonly<Record<string, Verdict>> = {
    [refused.id]: { allowed: false, why: "role", role: "ask" },
    [onlyPrivately.id]: { allowed: true, isPrivate: true },
  };
  const room = await createProofRoom({
    platform: {
      personNow: async (actor) => (actor.id === left.id ? "gone" : actor),
      isMember: async ({ id }) => id !== removed.id,
    },
    reach: { mayAgent: async ({ id }) => verdicts[id] ?? { allowed: true, isPrivate: false } },
  });
  for (const one of [left, removed, refused, onlyPrivately, bob]) await room.ask(one);
  await prove(room);
  for (const one of [left, removed, refused, onlyPrivately]) expect(room.toldTo(one)).toEqual([]);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("notifies nobody who asked 31 days ago, doesn't want it, gave the answer, or whose question is forgotten", async () => {
  const room = await createProofRoom();
  const [old, without, gone] = [person(1), person(2), person(3)];
  await room.ask(old);
  await room.clock.advance(31 * dayMs);
  const unwanted = await room.ask(without);
  await room.gapRoom.vote(room.parts, unwanted, "down", { tell: false });
  const forgotten = await room.ask(gone);
  await room.ask(ana);
  await room.ask(bob);
  await room.state.turns.transition(forgotten.id, ["answered"], "answered", { isForgotten: true });
  await prove(room);
  for (const one of [old, without, gone, ana]) expect(room.toldTo(one)).toEqual([]);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("notifies a person once in the thread of their newest question", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  await room.clock.advance(60_000);
  const later = { ...frontDesk, thread: "later" };
  await room.ask(bob, { conversation: later, reply: { place: later, parts: [] } });
  await prove(room);
  expect(room.toldTo(bob)).toEqual([]);
  expect(room.platform.thread(later)).toHaveLength(1);
});

it("notifies the others when one thread was deleted and one channel was archived", async () => {
  const room = await createProofRoom();
  for (const one of [alice, person(1), bob]) await room.ask(one);
  room.platform.fail({
    on: "post",
    error: "place_gone",
    when: ({ place }) => place.thread === `thread of ${alice.id}`,
  });
  room.platform.fail({
    ...{ on: "post", error: "not_permitted" },
    when: ({ place }) => place.thread === `thread of ${person(1).id}`,
  });
  await prove(room, 60_000);
  expect([alice, person(1), bob].map((one) => room.toldTo(one).length)).toEqual([0, 0, 1]);
  expect((await room.gap())?.state).toBe("answered");
});

it("looks a person up again when the platform doesn't say who they are now, and gives up after half an hour", async () => {
  let isKnown = false;
  const silent = person(1);
  const room = await createProofRoom({
    platform: { personNow: async (actor) => (isKnown && actor.id !== silent.id ? actor : undefined) },
  });
  await room.ask(bob);
  await room.ask(silent);
  await prove(room, 30_000);
  expect(room.toldTo(bob)).toEqual([]);
  isKnown = true;
  await room.clock.advance(120_000);
  expect(room.toldTo(bob)).toHaveLength(1);
  await room.clock.advance(40 * 60_000);
  const open: string[] = [];
  for await (const { id, record } of proofsIn(room.state).entries()) {
    if (record.isFinished !== true) open.push(id);
  }
  expect(open).toEqual([]);
  expect(room.toldTo(silent)).toEqual([]);
});

it("spaces notes to a hundred people: ten at once, then one a second, and holds up no other write", async () => {
  const room = await createProofRoom();
  for (let number = 0; number < 100; number += 1) await room.ask(person(number));
  // Ana's own message, because she doesn't wait for it here, is one of them.
  await prove(room, 2_500);
  const told = () => Array.from({ length: 100 }, (_, number) => room.toldTo(person(number)).length);
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  expect(sum(told()) + room.toAna().length).toBe(10);
  const elsewhere = await room.platform.post(
    { ...frontDesk, channel: "other" },
    { text: "An answer", tone: "done", actions: [], summary: "An answer" },
    { replyId: "answer", part: 0, generation: 0 },
    { urgency: "final" },
  );
  expect(elsewhere).toMatch(/^m/);
  await room.clock.advance(30_000);
  expect(sum(told()) + room.toAna().length).toBe(40);
  await room.clock.advance(70_000);
  expect(new Set(told())).toEqual(new Set([1]));
});

it("notifies each asker exactly once wherever the process dies, and shows the person what came of it", async () => {
  const askers = [alice, bob, person(1)];
  let writes = Number.POSITIVE_INFINITY;
  for (let diesAt = 1; diesAt <= writes; diesAt += 1) {
    const room = await createProofRoom();
    for (const asker of askers) await room.ask(asker);
    const gapId = (await room.gap())?.id ?? "";
    room.answers(better(gapId));
    const dying = room.instance(diesAt);
    const begun = dying.proofs.begin(added(gapId));
    await room.clock.advance(20_000);
    if (!dying.isDead()) writes = dying.writes();
    await dying.bury();
    const next = room.instance();
    // The Job that added the answer isn't done unless this was stored, so it says so again.
    await Promise.race([begun, next.proofs.begin(added(gapId))]);
    await room.clock.advance(30_000);
    const told = askers.map((asker) => room.toldTo(asker).length);
    expect([`killed at write ${diesAt}`, ...told]).toEqual([`killed at write ${diesAt}`, 1, 1, 1]);
    expect(room.toAna().length).toBeGreaterThanOrEqual(1);
    expect(room.asked.length).toBeLessThanOrEqual(2);
    expect((await room.gap())?.state).toBe("answered");
    expect(room.platform.violations.filter((violation) => violation.startsWith("a second"))).toEqual([]);
  }
  expect(writes).toBeGreaterThan(8);
});

it("asks at most three times when each process dies in the run, then says so", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gapId = (await room.gap())?.id ?? "";
  room.answers(() => new Promise(() => {}));
  for (let process = 0; process < 4; process += 1) {
    const dying = room.instance();
    await dying.proofs.begin(added(gapId));
    await room.clock.advance(5_000);
    await dying.bury();
  }
  expect(room.asked).toHaveLength(3);
  expect(room.toAna().join()).toContain("Parley stopped three times while it was asking.");
  expect(room.toldTo(bob)).toEqual([]);
});

it("notifies nobody of an answer that is removed while it is proved, and leaves the gap open", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gapId = (await room.gap())?.id ?? "";
  room.answers(async () => {
    await room.answerStore.delete(handbook, gapId);
    return better(gapId);
  });
  await room.instance().proofs.begin(added(gapId));
  await room.clock.advance(10_000);
  expect(room.toldTo(bob)).toEqual([]);
  expect(room.toAna().join()).toContain("removed meanwhile");
  expect((await room.gap())?.state).toBe("open");
});

it("notifies people once of an answer that is edited while it is proved: of the new one", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gapId = (await room.gap())?.id ?? "";
  const { proofs } = room.instance();
  const edited = { ...added(gapId).answer, atMs: added(gapId).answer.atMs + 1_000 };
  room.answers(async (number) => {
    if (number === 1) await room.answerStore.put(edited);
    return { ...better(gapId), answer: number === 1 ? "The earlier answer." : "The new answer." };
  });
  await proofs.begin(added(gapId));
  await room.clock.advance(5_000);
  expect(room.toldTo(bob)).toEqual([]);
  await proofs.begin(added(gapId, { answer: edited, jobId: "job2" }));
  await room.clock.advance(10_000);
  expect(room.toldTo(bob)).toHaveLength(1);
  expect(room.toldTo(bob).join()).toContain("The new answer.");
});

it("notifies nobody when the process died after the proof and the answer is removed before the next one starts", async () => {
  let isKnown = false;
  const room = await createProofRoom({ platform: { personNow: async (actor) => (isKnown ? actor : undefined) } });
  await room.ask(bob);
  const gapId = (await room.gap())?.id ?? "";
  room.answers(better(gapId));
  const dying = room.instance();
  await dying.proofs.begin(added(gapId));
  await room.clock.advance(5_000);
  await dying.bury();
  await room.answerStore.delete(handbook, gapId);
  isKnown = true;
  room.instance();
  await room.clock.advance(120_000);
  expect(room.toldTo(bob)).toEqual([]);
});

it("notifies nobody through the button of an older proof once its answer was removed", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gapId = (await room.gap())?.id ?? "";
  room.answers(better(gapId));
  const { proofs } = room.instance();
  await proofs.begin(added(gapId, { tell: false }));
  await room.clock.advance(5_000);
  await room.answerStore.delete(handbook, gapId);
  await expect(proofs.tell("job1", { actor: ana, place: frontDesk })).rejects.toThrow("removed meanwhile");
  await room.clock.advance(10_000);
  expect(room.toldTo(bob)).toEqual([]);
});

it("shows the person what came of it when the platform couldn't say where at first, and tells the others meanwhile", async () => {
  let isAway = true;
  const direct = { platform: "memory", workspace: "T1", channel: "D9" };
  const room = await createProofRoom({
    platform: {
      directPlace: async (actor) => {
        if (isAway) throw new ParleyError("platform_unreachable");
        return actor.id === ana.id ? direct : undefined;
      },
    },
  });
  await room.ask(bob);
  await prove(room, 10_000);
  expect(room.toldTo(bob)).toHaveLength(1);
  expect(room.toAna()).toEqual([]);
  isAway = false;
  await room.clock.advance(120_000);
  expect(room.toAna()).toHaveLength(1);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("writes to someone on the page without a name", () => {
  const note = { answer: "Yes, once.", sources: [] };
  expect(documentText(toldDocument(undefined, note, 0))).toMatch(/^There's a better answer to your question now:/);
  expect(documentText(toldDocument(ana, note, 0))).toMatch(/^Ana there's a better answer/);
});
