/** An added answer is proved: the question is asked again, the person who added it sees it, and those who asked are told. */
import { expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { workspaceKey } from "../../../src/core/model/place.ts";
import type { TurnView } from "../../../src/core/model/turn.ts";
import { alice, bob } from "../../doubles/people.ts";
import { added, ana, better, createProofRoom, type ProofRoom, question, said } from "./proof-room.ts";

const yes = { allowed: true, isPrivate: false } as const;
const down: Partial<TurnView> = {
  state: "failed",
  error: { code: "service_unreachable", what: "The agent service can't be reached.", hint: "Try again in a minute." },
};

async function gapOf(room: ProofRoom) {
  const gap = await room.gap();
  if (gap === undefined) throw new Error("There is no gap.");
  return gap;
}

/** Alice and Bob asked, and the agent now uses what Ana adds. */
async function askedByTwo() {
  const room = await createProofRoom();
  await room.ask(alice);
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  return { room, gap, proofs: room.instance().proofs };
}

const actions = (document: { readonly actions: readonly { readonly id: string }[] }) =>
  document.actions.map(({ id }) => id);

it("shows before and after to the person who added the answer, and tells each asker once in their thread", async () => {
  const { room, gap, proofs } = await askedByTwo();
  await proofs.begin(added(gap.id));
  const proved = await proofs.watch("job1", gap);
  expect(said(proved?.progress as never)).toBe("Asking again…");
  await room.clock.advance(5_000);
  const proof = await proved?.end;
  expect(proof).toBeDefined();
  const text = said(proof as never);
  expect(text).toContain("It works.");
  expect(text).toMatch(/Before[\s\S]*I found nothing about moving one[\s\S]*After[\s\S]*Yes, once/);
  expect(text).toContain("Moving a non-refundable booking · from Ana");
  expect(text).toContain("telling the 2 people who asked");
  expect(actions(proof as never)).toEqual(["edit-answer"]);
  expect(room.asked.map((one) => one.question)).toEqual([question]);

  for (const [person, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const [note = "", ...more] = room.toldTo(person);
    expect(more).toEqual([]);
    expect(note).toContain(`${person.name} there's a better answer to your question now:`);
    expect(note).toContain("Yes, once");
    expect(note).toContain("from Ana");
    expect(note).not.toContain(other.name);
  }
  expect(room.toAna()).toEqual([]);
  const told = await gapOf(room);
  expect(told.state).toBe("answered");
  expect(told.answeredBy?.answerId).toBe(gap.id);
  expect(told.askers.every(({ toldAtMs }) => toldAtMs !== undefined)).toBe(true);
});

it("takes a press while its result is shown, and while it takes long to find out whom to tell", async () => {
  let isSilent = false;
  const isMember = async ({ id }: { readonly id: string }) =>
    isSilent && id !== ana.id ? new Promise<never>(() => {}) : true;
  const room = await createProofRoom({ platform: { isMember } });
  for (const id of ["U11", "U12", "U13", "U14", "U15"]) await room.ask({ ...bob, id });
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  const viewer = { actor: ana, place: gapPlace(gap) };
  const press = async () => {
    const left = proofs.tell("job1", viewer);
    await room.clock.advance(100);
    return await Promise.race([left, "waits"]);
  };
  isSilent = true;
  await proofs.begin(added(gap.id, { tell: false }));
  await room.clock.advance(500);

  expect(await press()).toBe(5);
  await room.clock.advance(4_000);
  expect(await press()).toBe(5);

  // The platform answers again.
  isSilent = false;
  await room.clock.advance(120_000);
  expect((await gapOf(room)).askers.every(({ toldAtMs }) => toldAtMs !== undefined)).toBe(true);
  for (const id of ["U11", "U15"]) expect(room.toldTo({ id })).toHaveLength(1);
  expect(room.toAna()).toHaveLength(1);
});

it("still says who is told when the result is shown again after that", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  await room.clock.advance(5_000);
  expect(room.toldTo(bob)).toHaveLength(1);

  const again = await proofs.again("job1", { actor: ana, place: gapPlace(gap) });

  expect(said((await again.end) as never)).toContain("telling the person who asked");
  await room.clock.advance(60_000);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("says whose answer is used when two people answered at the same time", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  // Another proof of the workspace runs first.
  const lease = await room.state.coordinator.lease(`proofs/${workspaceKey(gap)}`);
  const anas = added(gap.id);
  await proofs.begin(anas);
  const proved = await proofs.watch("job1", gap);
  const by = { key: "memory/T1/U7", name: "Dave" };
  await room.answerStore.put({ ...anas.answer, question: "Moving it", by, atMs: anas.answer.atMs + 1 });
  await lease.release();
  await room.clock.advance(5_000);
  const proof = said((await proved?.end) as never);
  expect(proof).toContain("It works. I asked again and the answer now uses Dave's.");
  expect(proof).toContain("Moving it · from Dave");
});

it("opens the gap again when someone is let down after that, and tells only the new asker of the next answer", async () => {
  const room = await createProofRoom();
  await room.ask(alice);
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  await room.clock.advance(5_000);
  expect((await gapOf(room)).state).toBe("answered");
  await room.clock.advance(60_000);
  await room.ask(bob);
  expect((await gapOf(room)).state).toBe("open");

  await proofs.begin(added(gap.id, { jobId: "job2" }));
  await room.clock.advance(5_000);
  expect((await gapOf(room)).state).toBe("answered");
  expect(room.toldTo(alice)).toHaveLength(1);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("shows which passages ranked higher when the answer isn't used, tells nobody, and leaves the gap open", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers({ answer: "They can't be refunded [1].", sources: [{ title: "Refunds" }] });
  room.finds(
    { title: "Invoices and receipts", url: "https://docs.example.com/invoices", relevance: 0.84 },
    { title: "Tax settings", relevance: 0.79 },
    { title: "x", rowId: `answer-${gap.id}`, relevance: 0.61 },
    { title: "Never shown", relevance: 0.4 },
  );
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  const proved = await proofs.watch("job1", gap);
  await room.clock.advance(5_000);
  const proof = (await proved?.end) as never;
  expect(said(proof)).toContain(`Not yet. I asked “${question}” again, but your answer wasn't used.`);
  expect(said(proof)).toMatch(
    /1\. .*Invoices and receipts.* · 84%[\s\S]*2\. Tax settings · 79%[\s\S]*Your answer.* · 61%/,
  );
  expect(said(proof)).toContain("Nobody has been told.");
  expect(said(proof)).not.toContain("Never shown");
  expect(actions(proof)).toEqual(["edit-answer", "gap-dismiss"]);
  expect(room.toldTo(bob)).toEqual([]);
  expect((await gapOf(room)).state).toBe("open");
});

it("counts an answer without any source as not used, and opens a gap again that the same answer had closed", async () => {
  const room = await createProofRoom({ reach: { mayBase: async () => ({ allowed: false, why: "knowledge" }) } });
  await room.ask(bob);
  const gap = await gapOf(room);
  room.finds({ title: "What only others may read", relevance: 0.9 });
  const { proofs } = room.instance();
  room.answers(better(gap.id));
  await proofs.begin(added(gap.id));
  await room.clock.advance(5_000);
  expect((await gapOf(room)).state).toBe("answered");

  room.answers({ answer: "I don't know.", sources: [] });
  await proofs.begin(added(gap.id, { jobId: "job2" }));
  const proved = await proofs.watch("job2", gap);
  await room.clock.advance(5_000);
  const text = said((await proved?.end) as never);
  expect(text).toContain("Not yet.");
  expect(text).not.toContain("What only others may read");
  expect((await gapOf(room)).state).toBe("open");
});

it("asks again until the service is back, and says in time that the result will follow as a message", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  const backAtMs = room.clock.now() + 120_000;
  room.answers(async () => (room.clock.now() < backAtMs ? down : better(gap.id)));
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  const proved = await proofs.watch("job1", gap);
  await room.clock.advance(100_000);
  expect(said((await proved?.end) as never)).toContain("I'll keep trying for half an hour");
  expect(room.toldTo(bob)).toEqual([]);
  await room.clock.advance(90_000);
  expect(room.toAna().join()).toContain("It works.");
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("says after half an hour that it could not ask again, and asks once more when the person presses Ask again", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(down);
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  await room.clock.advance(33 * 60_000);
  const [message = ""] = room.toAna();
  expect(message).toContain("I couldn't ask again. The agent service can't be reached.");
  expect(
    room.platform.thread({ platform: "memory", workspace: "T1", channel: "D9" })[0]?.payload.actions,
  ).toMatchObject([{ id: "prove-again", value: "job1" }, { id: "edit-answer" }]);
  expect(room.toldTo(bob)).toEqual([]);

  await expect(proofs.again("job1", { actor: bob, place: gapPlace(gap) })).rejects.toMatchObject({ code: "turn_gone" });
  room.answers(better(gap.id));
  const again = await proofs.again("job1", { actor: ana, place: gapPlace(gap) });
  await room.clock.advance(5_000);
  expect(said(await again.end)).toContain("It works.");
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("tells nobody until the person presses the button, and each asker once when it is pressed twice", async () => {
  const { room, gap, proofs } = await askedByTwo();
  await proofs.begin(added(gap.id, { tell: false }));
  const proved = await proofs.watch("job1", gap);
  await room.clock.advance(5_000);
  const proof = (await proved?.end) as never;
  expect(said(proof)).toContain("nobody told yet");
  expect(actions(proof)).toEqual(["tell-askers", "edit-answer"]);
  expect(room.toldTo(bob)).toEqual([]);

  await expect(proofs.tell("job1", { actor: alice, place: gapPlace(gap) })).rejects.toThrow(ParleyError);
  expect(await proofs.tell("job1", { actor: ana, place: gapPlace(gap) })).toBe(2);
  await proofs.tell("job1", { actor: ana, place: gapPlace(gap) });
  await room.clock.advance(5_000);
  expect([room.toldTo(alice).length, room.toldTo(bob).length]).toEqual([1, 1]);
  expect(await proofs.tell("job1", { actor: ana, place: gapPlace(gap) })).toBe(0);
});

it("asks one question of a workspace at a time", async () => {
  const room = await createProofRoom();
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(async () => {
    await room.clock.sleep(3_000);
    return better(gap.id);
  });
  const { proofs } = room.instance();
  for (const jobId of ["job1", "job2", "job3"]) await proofs.begin(added(gap.id, { jobId }));
  await room.clock.advance(60_000);
  expect(room.asked).toHaveLength(3);
  expect(room.most()).toBe(1);
  expect(room.toldTo(bob)).toHaveLength(1);
});

it("never shows the person who added the answer a question or an answer that they may not read", async () => {
  const hr = { platform: "memory", workspace: "T1", channel: "hr" };
  const room = await createProofRoom({ platform: { isMember: async ({ id }) => id !== ana.id } });
  await room.ask(bob, { askedIn: hr, visibility: "private", question: `${question} For the director?` });
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  const proved = await proofs.watch("job1", gap);
  await room.clock.advance(5_000);
  const text = said((await proved?.end) as never);
  expect(text).toContain("It works.");
  expect(text).not.toMatch(/director|Before|I found nothing/);
  expect(room.asked.map((one) => one.question)).toEqual(["Moving a non-refundable booking"]);
  expect(room.toldTo(bob, hr)).toHaveLength(1);
});

function gapPlace({ platform, workspace }: { readonly platform: string; readonly workspace: string }) {
  return { platform, workspace, channel: "front-desk" };
}

it("doesn't ask an agent again that the person who added the answer can't ask there", async () => {
  const room = await createProofRoom({ reach: { mayAgent: async () => ({ allowed: false, why: "scope" }) } });
  await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(better(gap.id));
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  await room.clock.advance(5_000);
  expect(await proofs.watch("job1", gap)).toBeUndefined();
  expect(room.asked).toEqual([]);
  expect(room.toAna()).toEqual([]);
  expect(room.toldTo(bob)).toEqual([]);
});

it("asks nothing more, and shows no answer, when the person has left or lost the agent since", async () => {
  for (const lost of ["agent", "person"] as const) {
    let isLost = false;
    const room = await createProofRoom({
      reach: {
        mayAgent: async () => (isLost && lost === "agent" ? { allowed: false, why: "scope" } : yes),
      },
      platform: { personNow: async (actor) => (isLost && lost === "person" ? "gone" : actor) },
    });
    await room.ask(bob);
    const gap = await gapOf(room);
    room.answers(down);
    const { proofs } = room.instance();
    await proofs.begin(added(gap.id));
    await room.clock.advance(5_000);
    const times = room.asked.length;
    expect(times).toBeGreaterThan(0);
    room.answers(better(gap.id));
    isLost = true;
    await room.clock.advance(10 * 60_000);
    expect(room.asked).toHaveLength(times);
    expect(room.toAna().join("\n")).not.toContain("48 hours");
    expect(room.toldTo(bob)).toEqual([]);
  }
});

it("asks in the words of the added answer once the question was forgotten, and shows the forgotten one no more", async () => {
  const room = await createProofRoom();
  const turn = await room.ask(bob);
  const gap = await gapOf(room);
  room.answers(down);
  const { proofs } = room.instance();
  await proofs.begin(added(gap.id));
  await room.clock.advance(3_000);
  const forget = await room.parts.notes.noteForgotten([turn]);
  await room.state.turns.transition(turn.id, ["answered"], "answered", { isForgotten: true, question: "" });
  await forget();
  room.answers({ answer: "They can't be refunded [1].", sources: [{ title: "Refunds" }] });
  await room.clock.advance(10 * 60_000);
  expect(room.asked.at(-1)?.question).toBe("Moving a non-refundable booking");
  expect(room.toAna().join("\n")).toContain("Moving a non-refundable booking");
  expect(room.toAna().join("\n")).not.toContain(question);
});
