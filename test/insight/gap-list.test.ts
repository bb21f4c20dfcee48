/** The list of gaps over the real store: questions as they were asked, and who finds them. */
import { expect, it, onTestFinished } from "vitest";
import type { Actor, Place } from "../../src/core/model/place.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import type { Site } from "../../src/delivery/types.ts";
import { createGapList } from "../../src/insight/gaps/gap-list.ts";
import { createGapSight } from "../../src/insight/gaps/gap-sight.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { admin, alice, bob } from "../doubles/people.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { createGapRoom } from "./gaps/gap-room.ts";

const agent = { project: "mindsdb", name: "support" };
const place = (channel: string): Place => ({ platform: "memory", workspace: "T1", channel });
const general = place("general");
const hr = place("hr");

async function open() {
  const state = await openState({ dataDir: await temporaryFolder("gap-list"), clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const room = createGapRoom({ ...state, coordinators: [state.coordinator, state.coordinator] });
  const parts = room.instance();
  const platform = {
    visibility: async ({ channel }: Place) =>
      channel === "general" ? "public" : channel === "hr" ? "private" : "direct",
    isMember: async ({ id }: Actor) => id === admin.id,
  } as unknown as Site["platform"];
  const yes = { allowed: true, isPrivate: false } as const;
  const sight = createGapSight(
    appOf({ reach: { may: () => yes, mayAgent: async () => yes }, siteOf: () => ({ platform }), clock: systemClock }),
  );
  const list = createGapList({ gaps: parts.gaps, sight });
  const questions = async (actor: Actor, from: Place) => {
    const { gaps, hidden } = await list.page({ kind: "person", actor, place: from }, [agent], 1);
    return { questions: gaps.map(({ seen }) => seen.question), hidden };
  };
  return { state, room, parts, list, questions };
}

it("finds a question where it was asked, for those who may read it, and counts the others", async () => {
  const { room, parts, list, questions } = await open();
  const inHr = { askedIn: hr, conversation: hr };
  const toParley = { ...place("D2") };
  await room.ask(parts, { question: "How do I print the city tax on an invoice?" });
  await room.ask(parts, { question: "What does the director earn?", ...inHr, visibility: "private" });
  await room.ask(parts, {
    ...{ question: "Can I take unpaid leave in winter?", actor: bob },
    ...{ askedIn: toParley, conversation: toParley, visibility: "direct" },
  });

  const tax = "How do I print the city tax on an invoice?";
  expect(await questions(admin, general)).toEqual({ questions: [tax], hidden: 2 });
  expect((await questions(admin, hr)).questions.toSorted()).toEqual([tax, "What does the director earn?"]);
  expect(await questions({ ...alice, id: "U7" }, hr)).toEqual({ questions: [tax], hidden: 2 });
  expect((await questions(bob, general)).questions.toSorted()).toEqual(["Can I take unpaid leave in winter?", tax]);
  expect(await list.count(admin, general, [agent])).toBe(1);
});

it("lists a question of a place that nobody knew about to the members of that channel only", async () => {
  const { state, room, parts, questions } = await open();
  const { visibility: _unknown, ...turn } = room.turnOf({
    ...{ question: "What does the director earn?", askedIn: hr, conversation: hr },
  });
  await state.turns.create(turn);
  await room.end(parts, turn);

  expect(await questions(admin, general)).toEqual({ questions: [], hidden: 1 });
  expect(await questions(admin, hr)).toEqual({ questions: ["What does the director earn?"], hidden: 0 });
  expect(await questions({ ...alice, id: "U7" }, hr)).toEqual({ questions: [], hidden: 1 });
});

it("puts the same question of two people in two channels on the list once, in the public words", async () => {
  const { room, parts, questions } = await open();
  await room.ask(parts, { question: "How do I reset the wifi password?" });
  await room.ask(parts, {
    ...{ question: "how do i reset the wifi password", actor: bob },
    ...{ askedIn: hr, conversation: hr, visibility: "private" },
  });

  expect(await questions(admin, general)).toEqual({ questions: ["How do I reset the wifi password?"], hidden: 0 });
  expect(await questions(admin, hr)).toEqual({ questions: ["how do i reset the wifi password"], hidden: 0 });
});
