/** A whole Parley that runs checks: over two instances, across a restart, and only in words that the channel may read. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Place, Visibility } from "../../src/core/model/place.ts";
import { createAnswerStore } from "../../src/insight/answers/answer-store.ts";
import { newGap, withAsker } from "../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../src/insight/gaps/gap-store.ts";
import { admin, bob, general, project } from "../doubles/people.ts";
import { openParley } from "./schedules/whole-room.ts";

const hr: Place = { ...general, channel: "hr" };
const agent = { project, name: "support" };
let at: Awaited<ReturnType<typeof openParley>>;

beforeEach(async () => {
  at = await openParley({
    visibility: async ({ channel }: Place): Promise<Visibility> => (channel === hr.channel ? "private" : "public"),
    isMember: async () => true,
  });
});

/** As after a proof that used the added answer. */
async function answered(id: string, place: Place = general): Promise<void> {
  const { collection } = at.state();
  const store = createGapStore({ collection });
  const { platform, workspace } = general;
  const nowMs = at.clock.now();
  const visibility = place === hr ? "private" : "public";
  const asker = { turnId: `turn-${id}`, actor: { id: bob.id, name: bob.name }, question: `What is ${id}?`, place };
  const gap = withAsker(newGap({ id, platform, workspace, agent, nowMs }), {
    ...{ ...asker, visibility, signals: ["nothing"], atMs: nowMs },
  });
  await store.put({ ...gap, state: "answered", answeredBy: { answerId: id, atMs: nowMs } });
  await createAnswerStore({ collection }).put({
    ...{ version: 1, id, project, knowledgeBase: "handbook", question: `What is ${id}?`, answer: "Yes.", urls: [] },
    ...{ by: { key: "k", name: "Ana" }, origin: { kind: "gap", gapId: id }, atMs: nowMs },
  });
}

async function answer(index: number, isFromRow: boolean): Promise<string> {
  const run = await at.agents.run(index);
  const sources = isFromRow ? [{ title: run.question }] : [];
  run.send(
    { type: "step-started", tool: "search", input: "SELECT 1" },
    {
      ...{ type: "step-finished", tool: "search", observation: "one" },
      ...{ outcome: { kind: "passages", count: sources.length }, sources },
    },
  );
  run.answer("Yes.");
  await at.clock.advance(5_000);
  return run.question;
}

const last = () => String(at.shown().at(-1));

describe("/agent check in a whole Parley", () => {
  it("finds what changed since the last time, over two instances, and names nothing of a private channel", async () => {
    await answered("a");
    await answered("b");
    await answered("c", hr);
    await at.second();

    expect(at.textOf(await at.say("/agent check support", admin))).toContain("Asking 3 questions");
    for (const index of [0, 1, 2]) await answer(index, true);
    expect(last()).toContain("3 of 3 still answered from the right source");
    expect(at.agents.runs).toHaveLength(3);

    await at.clock.advance(60_000);
    await at.say("/agent check support", admin);
    const asked = [await answer(3, false), await answer(4, false), await answer(5, false)];
    expect(asked.sort()).toEqual(["What is a?", "What is b?", "What is c?"]);
    expect(last()).toContain("0 of 3 still answered");
    expect(last()).toContain("What is a? · no source · held when checked");
    expect(last()).not.toContain("What is c?");
    expect(last()).toContain("+1 more that can't be shown here");
    expect(at.memory.violations).toEqual([]);
  });

  it("continues after a restart in the middle, in the same message", async () => {
    for (const id of ["a", "b", "c"]) await answered(id);
    await at.say("/agent check support", admin);
    await answer(0, true);
    await at.agents.run(1);
    await at.restart();
    await at.clock.advance(20_000);
    const done = at.agents.runs.length;
    await answer(done - 1, true);
    await answer(done, true);
    expect(last()).toContain("3 of 3 still answered");
    expect(at.shown()).toHaveLength(1);
  });

  it("is for people who manage, and says when there is nothing to check", async () => {
    expect(at.textOf(await at.say("/agent check support", bob))).toContain("You can't");
    expect(at.textOf(await at.say("/agent check support", admin))).toContain("There is nothing to check yet");
    expect(at.agents.runs).toEqual([]);
  });
});
