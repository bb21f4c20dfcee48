/** What a person is on each platform: one id in all of Discord, and one in each workspace of Slack. */
import { expect, it } from "vitest";
import { auditEntriesIn } from "../../../src/core/audit.ts";
import type { Person } from "../../../src/core/content/privacy.ts";
import { type Actor, type Place, personKey } from "../../../src/core/model/place.ts";
import { type Schedule, schedulesIn } from "../../../src/core/model/schedule.ts";
import { newId } from "../../../src/core/tools/ids.ts";
import { answersIn } from "../../../src/insight/answers/answer-store.ts";
import { withoutPerson } from "../../../src/insight/privacy/mentions.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { alice } from "../../doubles/people.ts";
import { openParley } from "../schedules/whole-room.ts";

type Whole = Awaited<ReturnType<typeof openParley>>;

/** The whole id of the first is in the others'. */
const ids = { own: "100000000000000001", longer: "1100000000000000011", other: "100000000000000002" };

async function asks(at: Whole, question: string, place: Place, actor: Actor): Promise<void> {
  const id = newId(at.clock.now());
  const turn = sampleTurn(id, {
    ...{ ref: id.slice(-4), question, askedIn: place, conversation: { ...place, thread: id }, actor },
    ...{ state: "answered", reply: { place, parts: [] }, createdAtMs: at.clock.now(), endedAtMs: at.clock.now() },
    outcome: {
      ...{ turnId: id, ref: id, state: "answered", agent: "guide", question, answer: `${question}-ANSWER`, steps: [] },
      ...{ tables: [], sources: [], isPartial: false, isResumed: false },
    },
  });
  await at.state().turns.create(turn);
}

/** One of each in that place. */
async function leavesTraces(at: Whole, word: string, place: Place, id: string): Promise<void> {
  const { keyValue } = at.state();
  const actor: Actor = { ...alice, id, workspace: place.workspace, name: `${word}-NAME` };
  const { platform, workspace } = place;
  await asks(at, `${word}-QUESTION`, place, actor);
  const vote = { version: 1, turnId: "t", voter: id, thumb: "up", actor: { id, name: actor.name }, place, atMs: 1 };
  await keyValue("feedback").set(`${platform}/${workspace}/t-${word}/${id}`, { ...vote, comment: `${word}-COMMENT` });
  const by = { key: personKey(place, actor), name: actor.name };
  const answer = { id: `a-${word}`, question: "Pets?", answer: "KEPT", by };
  await answersIn(at.state()).put(`p/docs/a-${word}`, answer as never);
  const schedule: Schedule = {
    ...{ version: 1, id: `s-${word}`, owner: actor, place, state: "active", dueAtMs: 9e12, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: `${word}-SCHEDULE` },
  };
  await schedulesIn(at.state()).put(`${platform}/${workspace}/s-${word}`, schedule);
  const entry = {
    version: 1,
    atMs: 1,
    actor: { id, name: actor.name },
    place,
    role: "manage",
    action: "agent use",
    outcome: "done",
  } as const;
  await auditEntriesIn(at.state()).put(`${platform}/${workspace}/1-${word}`, { ...entry, about: {} });
}

async function exported(at: Whole, person: Person): Promise<string> {
  const records: unknown[] = [];
  for await (const record of at.privacy().export(person)) records.push(record);
  return JSON.stringify(records);
}

async function erase(at: Whole, person: Person) {
  const erasing = at.privacy().erase(person);
  erasing.catch(() => undefined);
  for (let waited = 0; waited < 30; waited += 1) await at.clock.advance(1_000);
  return erasing;
}

/** The words that are left of those who left traces. */
async function wordsLeft(at: Whole): Promise<ReadonlySet<string>> {
  const { keyValue, collection, turns } = at.state();
  const found: unknown[] = [...(await turns.recent(50))];
  for await (const [key, record] of keyValue<object>("feedback").entries("")) found.push(key, record);
  for await (const entry of answersIn({ collection }).entries()) found.push(entry);
  for await (const entry of schedulesIn({ collection }).entries()) found.push(entry);
  for await (const entry of auditEntriesIn({ collection }).entries()) found.push(entry);
  return wordsIn(JSON.stringify(found));
}

const parts = ["QUESTION", "QUESTION-ANSWER", "COMMENT", "NAME", "SCHEDULE"];
const wordsIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(/\b[A-Z]+-(?:QUESTION-ANSWER|QUESTION|COMMENT|NAME|SCHEDULE)\b/g) ?? []).sort());
const allOf = (...words: readonly string[]) =>
  new Set(words.flatMap((word) => parts.map((part) => `${word}-${part}`)).sort());

const server = (workspace: string): Place => ({ platform: "discord", workspace, channel: "general" });
const direct: Place = { platform: "discord", workspace: "dm", channel: "D1" };
const team = (workspace: string): Place => ({ platform: "slack", workspace, channel: "C1" });

it.each(["G1", "G2", "dm"])(
  "a Discord person is found in every server and in direct messages, named by %s",
  async (workspace) => {
    const at = await openParley();
    await leavesTraces(at, "FIRST", server("G1"), ids.own);
    await leavesTraces(at, "SECOND", server("G2"), ids.own);
    await leavesTraces(at, "DIRECT", direct, ids.own);
    await leavesTraces(at, "LONGER", server("G1"), ids.longer);
    await leavesTraces(at, "OTHER", direct, ids.other);
    await leavesTraces(at, "SLACK", team("G1"), ids.own);
    const person = { platform: "discord", workspace, id: ids.own };

    const found = wordsIn(await exported(at, person));
    const report = await erase(at, person);

    expect(found).toEqual(allOf("FIRST", "SECOND", "DIRECT"));
    expect(report).toMatchObject({ isComplete: true });
    expect(await wordsLeft(at)).toEqual(allOf("LONGER", "OTHER", "SLACK"));
    expect(await exported(at, person)).toBe("[]");
  },
);

it("a Slack person is one of a workspace: the same id in another one is someone else, and so is a longer id", async () => {
  const at = await openParley();
  await leavesTraces(at, "FIRST", team("T1"), "U123");
  await leavesTraces(at, "DIRECT", { ...team("T1"), channel: "D123" }, "U123");
  await leavesTraces(at, "SECOND", team("T2"), "U123");
  await leavesTraces(at, "LONGER", team("T1"), "U1234");
  await leavesTraces(at, "SHORTER", team("T1"), "U12");
  await leavesTraces(at, "LONGTEAM", team("T12"), "U123");
  const person = { platform: "slack", workspace: "T1", id: "U123" };

  const found = wordsIn(await exported(at, person));
  await erase(at, person);

  expect(found).toEqual(allOf("FIRST", "DIRECT"));
  expect(await wordsLeft(at)).toEqual(allOf("SECOND", "LONGER", "SHORTER", "LONGTEAM"));
  await erase(at, { ...person, workspace: "T2" });
  expect(await wordsLeft(at)).toEqual(allOf("LONGER", "SHORTER", "LONGTEAM"));
});

it("a person whose name begins another one's is replaced in titles, and the other person is not", () => {
  const record = ["Message from Al", "[Message from Al](https://a.example), Message from Alice, Message from Al Green"];

  const left = withoutPerson(record, { platform: "slack", workspace: "T1", id: "U1" }, new Set(["Al"]));

  expect(left).toEqual([
    "Message from A former member",
    "[Message from A former member](https://a.example), Message from Alice, Message from Al Green",
  ]);
});
