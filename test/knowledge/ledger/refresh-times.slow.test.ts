/** A knowledge base is read again at fixed times, and its channel hears of what changed. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { look } from "../../doubles/look.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { bob, general, project } from "../../doubles/people.ts";
import { openRoom, type Room } from "../room.ts";

const weekMs = 7 * 86_400_000;
const docs = { project, name: "docs" };

let room: Room;
let site: Site;
let passedMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + passedMs };

beforeEach(async () => {
  passedMs = 0;
  room = await openRoom({ clock });
  await room.makeBase("docs");
  await room.client.createAgent(project, { name: "sales", knowledgeBases: ["docs"] });
  await room.parts().names.refresh();
  site = await startSite({
    "/a": article("Refunds", "Refunds take five days."),
    "/b": article("Shipping", "Parcels leave at noon."),
    "/c": article("Warranty", "Warranty lasts two years."),
  });
  await room.say(`/kb ingest ${["/a", "/b", "/c"].map((path) => site.url + path).join(" ")} into docs by parley`);
  await room.over();
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
  await site.close();
});

const titles = async () =>
  (await room.parts().knowledge.ledger.page(docs, 0, 100)).documents.map(({ title }) => title).sort();

/** A week passes, and what is due is done. */
async function nextWeek(): Promise<void> {
  passedMs += weekMs;
  await look(room.parts().state.works, ["schedules"]);
  await room.over();
}

it("says in one message what changed and what is gone, and removes what is gone", async () => {
  const begun = await room.say("/kb refresh docs every monday 9:00");
  expect(begun.text).toMatch(/I'll read the pages of docs again every Monday at 9:00 \(UTC\)\. Next: Mon/);
  const before = room.shown().length;
  site.set("/a", article("Refunds", "Refunds take nine days."));
  site.set("/c", { status: 410, body: "gone" });
  await nextWeek();

  expect(room.shown()).toHaveLength(before + 1);
  const said = room.shown().at(-1) ?? "";
  expect(said).toContain("Refreshed docs · 1 updated, 1 unchanged, 1 gone and removed");
  expect(said).toContain("Refunds");
  expect(said).toContain("Warranty");
  expect(said).not.toContain("Shipping");
  expect(await titles()).toEqual(["Refunds", "Shipping"]);
  expect((await room.passages("docs", "warranty years")).map(({ content }) => content).join()).not.toContain(
    "Warranty",
  );
});

it("says nothing in a week in which nothing changed, and writes nothing into the base", async () => {
  await room.say("/kb refresh docs every monday");
  const before = room.shown().length;
  let writes = 0;
  room.faults.insert = async (...args) => {
    writes += 1;
    return room.client.insert(...args);
  };
  await nextWeek();

  expect((await room.newest()).items.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "unchanged"]);
  expect(room.shown()).toHaveLength(before);
  expect(writes).toBe(0);
});

it("keeps a page that fails otherwise, and says so each time", async () => {
  await room.say("/kb refresh docs every monday");
  site.set("/b", { status: 500 });
  await nextWeek();

  expect(room.shown().at(-1)).toContain("2 unchanged, 1 failed");
  expect(room.shown().at(-1)).toContain("the server returned an error (500)");
  expect(await titles()).toContain("Shipping");
});

it("ends with stop, and with its base", async () => {
  await room.say("/kb refresh docs every monday");
  expect((await room.say("/schedule list")).text).toContain("Refresh docs");
  expect((await room.say("/kb refresh docs stop")).text).toContain("I no longer read docs at fixed times.");
  expect((await room.say("/kb refresh docs stop")).text).toContain("docs isn't read at fixed times.");
  expect((await room.say("/schedule list")).text).toContain("You have no schedules.");

  await room.say("/kb refresh docs every monday");
  await room.client.deleteKnowledgeBase(project, "docs");
  await room.parts().names.refresh();
  await nextWeek();
  expect((await room.say("/schedule list")).text).toContain("You have no schedules.");
});

it("is changed by who set it up and by managers, and has one time for each base", async () => {
  await room.say("/kb refresh docs every monday");
  expect((await room.say("/kb refresh docs every hour", { actor: bob })).text).toContain(
    "Alice set this up, so a manager has to change it.",
  );
  await room.say("/kb refresh docs every friday 16:00");
  const { schedules } = room.parts();
  expect((await schedules.inChannel(general)).map(({ time }) => time.text)).toEqual(["every Friday at 16:00"]);
});

it("reads once for a time, also if two instances find it due or one dies right after it began", async () => {
  await room.say("/kb refresh docs every monday");
  const [schedule] = await room.parts().schedules.inChannel(general);
  if (schedule?.what.kind !== "knowledge") throw new Error("A schedule of a knowledge base was expected.");
  const run = { schedule, what: schedule.what, actor: schedule.owner, eventKey: "memory/T1/schedule/s1/1" };
  await Promise.all([room.parts().commands.readAgain(run), room.parts().commands.readAgain(run)]);
  const { id } = await room.over();
  await room.parts().commands.readAgain(run);

  expect((await room.over()).id).toBe(id);
  expect(
    (await room.parts().knowledge.jobs.recent(general, 10)).filter((job) => job.options["scheduled"] === "yes"),
  ).toHaveLength(1);
});

it.each([
  ["every blue moon", "I can't read that time. Try: /kb refresh docs every monday 9:00"],
  ["every minute", "Schedules have to be at least 15 minutes apart."],
  ["every 7 hours", "I can ask every 15, 20 or 30 minutes"],
])("refuses %j in one sentence", async (words, said) => {
  expect((await room.say(`/kb refresh docs ${words}`)).text).toContain(said);
  expect(await room.parts().schedules.inChannel(general)).toEqual([]);
});
