/** A whole Parley with a channel that gets a digest: set up, posted, changed, switched off. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import { admin, alice, bob, general } from "../../doubles/people.ts";
import { openParley } from "../schedules/whole-room.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const hr: Place = { ...general, channel: "hr" };
const direct: Place = { ...general, channel: "direct" };

let at: Awaited<ReturnType<typeof openParley>>;
let isIn: boolean;
let asked: number;

beforeEach(async () => {
  isIn = true;
  asked = 0;
  at = await openParley({
    isIn: async () => isIn,
    isDirect: ({ channel }) => channel === "direct",
    visibility: async ({ channel }) => (channel === "hr" ? "private" : channel === "direct" ? "direct" : "public"),
    isMember: async () => true,
  });
  at.agents.set({ agents: [{ name: "guide", knowledgeBases: ["docs"] }], knowledgeBases: ["docs"] });
  // Names are cached for a minute.
  await at.clock.advance(61_000);
});

/** Asked there, and answered without any source. */
async function ask(question: string, actor = alice, place: Place = general): Promise<void> {
  await at.say(`/ask ${question}`, actor, { place });
  await at.answer(asked, "I don't know.");
  asked += 1;
}

/** From Friday 9:00 in Berlin to Monday 9:01 there. */
const untilMonday = () => at.restart(3 * dayMs).then(() => at.clock.advance(60_000));
const digests = (place: Place = general) => at.shown(place).filter((text) => text.includes("This week in"));

describe("/parley digest", () => {
  it("posts what happened in the week before, with open questions and without names of people who asked", async () => {
    const on = at.textOf(await at.say("/parley digest on", admin));
    expect(on).toContain("every Monday at 9:00 (Europe/Berlin). Next: Mon 18 Jan, 9:00.");
    expect(at.shown().join()).toContain("Alice set up a digest of this channel");
    await ask("How do I print the city tax on an invoice?", { ...alice, name: "Zoe" });
    await ask("How do I print the city tax on an invoice?", bob);
    await ask("Is there a limit on API calls for each hotel?");
    await untilMonday();
    const [digest = "", ...others] = digests();
    expect(others).toEqual([]);
    expect(digest).toContain("3 questions · 0 with a source (0%)");
    expect(digest).toContain("0 👍 · 0 👎");
    expect(digest).toMatch(/Still open[\s\S]*city tax on an invoice\?[\s\S]*2 people · no answer/);
    expect(digest).toContain("11 to 17 Jan · every Monday at 9:00");
    expect(digest).not.toMatch(/Zoe|Bob|Alice/);
    const message = at.memory.thread(general).find(({ payload }) => payload.text.includes("This week in"));
    const labels = message?.payload.actions.map(({ label }) => label);
    expect(labels).toEqual(["Add the answer", "Show", "Add the answer", "Show"]);
    const show = message?.payload.actions.find(({ id, value }) => id === "gap-show" && value !== "");
    expect(at.textOf(await at.act("gap-show", show?.value ?? "", admin))).toContain("Asked");
    await at.clock.advance(hourMs);
    expect(digests()).toHaveLength(1);
  });

  it("leaves a question of a private channel out of a public one's digest, and has it in that channel's own", async () => {
    await at.say("/parley digest on", admin);
    await at.say("/parley digest on", admin, { place: hr });
    await ask("How do I print the city tax on an invoice?");
    await ask("What does the managing director earn?", alice, hr);
    await ask("Can I take unpaid leave in winter?", alice, direct);
    await untilMonday();
    expect(digests()[0]).toContain("1 question ·");
    expect(digests()[0]).toContain("city tax");
    expect(digests()[0]).not.toMatch(/director|unpaid/);
    expect(digests(hr)[0]).toContain("managing director earn");
    expect(digests(hr)[0]).not.toContain("unpaid");
  });

  it("posts nothing about a week in which nobody asked, and says so when it is asked for now", async () => {
    await at.say("/parley digest on", admin);
    await untilMonday();
    expect(digests()).toEqual([]);
    expect(at.textOf(await at.say("/parley digest now", admin))).toContain("Nobody asked anything here");
    await ask("How do I print the city tax on an invoice?");
    expect(at.textOf(await at.say("/parley digest now", admin))).toContain("The digest is in the channel now.");
    await at.clock.advance(5_000);
    expect(digests()).toHaveLength(1);
    expect(digests()[0]).toContain("12 to 18 Jan");
    expect(digests()[0]).not.toContain("every Monday");
  });

  it("says which days it is about: what is asked on its own day is in the next one", async () => {
    const said = at.textOf(await at.say("/parley digest on friday 9:02", admin));
    expect(said).toContain("Next: Fri 15 Jan, 9:02.");
    expect(said).toContain("covers the seven days before its day: what's asked on that day is in the next one");
    expect(at.textOf(await at.say("/parley digest", admin))).toContain("covers the seven days before its day");
    await ask("How do I print the city tax on an invoice?");

    await at.clock.advance(hourMs);
    expect(digests()).toEqual([]);
    await at.restart(7 * dayMs);
    await at.clock.advance(hourMs);

    expect(digests()).toHaveLength(1);
    expect(digests()[0]).toContain("1 question ·");
  });

  it("on twice changes its time, and its channel still has one", async () => {
    await at.say("/parley digest on", admin);
    const changed = await at.say("/parley digest on friday 4:30pm", admin);
    expect(at.textOf(changed)).toContain("every Friday at 16:30");
    expect(at.textOf(await at.say("/parley digest", admin))).toContain("every Friday at 16:30 (Europe/Berlin)");
    expect(at.textOf(await at.say("/schedule list", admin))).toMatch(/1 schedule[\s\S]*Digest/);
  });

  it("of another manager makes it theirs", async () => {
    await at.say("/parley digest on", admin);
    const mona = { ...admin, id: "U9", name: "Mona" };
    await at.say("/parley digest on tuesday 10:00", mona);
    expect(at.textOf(await at.say("/parley digest", admin))).toContain("set up by Mona");
    expect(at.textOf(await at.say("/schedule list", { ...admin, isAdmin: false }))).toContain("You have no schedules.");
  });

  it("off ends it, and says what is so if there is none", async () => {
    expect(at.textOf(await at.say("/parley digest off", admin))).toContain("This channel has no digest.");
    await at.say("/parley digest on", admin);
    expect(at.textOf(await at.say("/parley digest off", admin))).toContain("gets no digest any longer");
    await ask("How do I print the city tax on an invoice?");
    await untilMonday();
    expect(digests()).toEqual([]);
    expect(at.textOf(await at.say("/parley digest", admin))).toContain(
      "To get one every Monday at 9:00: /parley digest on",
    );
  });

  it.each([
    ["/parley digest on monday 25:00", "isn't a time that I understand"],
    ["/parley digest on monday soon", "isn't a time that I understand"],
  ])("%s is refused with a sentence", async (typed, sentence) => {
    expect(at.textOf(await at.say(typed, admin))).toContain(sentence);
    expect(at.textOf(await at.say("/parley digest", admin))).toContain("This channel has no digest.");
  });

  it("is refused in a direct message with a sentence, and for people who don't manage", async () => {
    expect(at.textOf(await at.say("/parley digest on", admin, { place: direct }))).toContain(
      "A digest is about a channel.",
    );
    expect(at.textOf(await at.say("/parley digest on", bob))).toContain("manage");
    expect(at.textOf(await at.say("/schedule list", bob))).toContain("You have no schedules.");
  });

  it("ends when Parley was removed from the channel, and tells the person who set it up", async () => {
    await at.say("/parley digest on", admin);
    isIn = false;
    await untilMonday();
    await at.clock.advance(5_000);
    expect(digests()).toEqual([]);
    expect(at.shown(direct).join()).toMatch(/I switched off the digest of[\s\S]*I was removed from the channel/);
    expect(at.textOf(await at.say("/parley digest", admin))).toContain("This channel has no digest.");
    expect(at.textOf(await at.say("/parley digest now", admin))).toContain("I can't post in this channel.");
  });

  it("is posted once by two instances, and once after both were down over two of its times", async () => {
    await at.say("/parley digest on", admin);
    await ask("How do I print the city tax on an invoice?");
    await at.restart(3 * dayMs - hourMs / 2);
    await at.second();
    await at.clock.advance(hourMs);
    expect(digests()).toHaveLength(1);
  });

  it("paused over two of its times is posted once, about the newest week", async () => {
    await at.say("/parley digest on", admin);
    await at.press(await at.say("/schedule list", admin), "Pause", admin);
    await ask("Where do visitors park their cars?");
    await at.restart(9 * dayMs);
    await ask("How do I print the city tax on an invoice?");
    await ask("How do I print the city tax on an invoice?", bob);
    await at.restart(2 * dayMs);
    expect(at.textOf(await at.press(await at.say("/schedule list", admin), "Resume", admin))).toContain("Resumed.");
    await at.clock.advance(61_000);
    expect(digests()).toHaveLength(1);
    expect(digests()[0]).toContain("2 questions");
    expect(digests()[0]).toContain("18 to 24 Jan");
  });

  it("counts votes on the week's answers, also one that changes", async () => {
    await ask("How do I print the city tax on an invoice?");
    await ask("Where do visitors park their cars?");
    const ids = at.memory.writes.flatMap(({ payload }) => payload?.actions ?? []).filter(({ id }) => id === "thumb-up");
    const [first = "", second = ""] = [...new Set(ids.map(({ value }) => value))];
    await at.act("thumb-up", first);
    await at.act("thumb-up", first, bob);
    await at.act("thumb-down", second, bob);
    await at.act("thumb-up", second, bob);
    await at.act("thumb-down", second, alice);
    await at.say("/parley digest now", admin);
    await at.clock.advance(5_000);
    expect(digests()[0]).toContain("3 👍 · 1 👎");
  });
});

it.each([
  ["a channel that all read", "public", /1 question · 0 with a source[\s\S]*city tax/],
  // What one person asked in private is in no list of gaps.
  ["an own channel", "direct", /1 question · 0 with a source/],
] as const)("/parley digest in %s of the page posts into the conversation that it was set up in", async (...row) => {
  const [, visibility, expected] = row;
  const page = await openParley({ isOwnPage: true, isDirect: () => true, visibility: async () => visibility });
  page.agents.set({ agents: [{ name: "guide", knowledgeBases: ["docs"] }], knowledgeBases: ["docs"] });
  await page.clock.advance(61_000);
  const place = { ...general, thread: "t1" };
  await page.say("/ask How do I print the city tax on an invoice?", admin, { place, conversation: place });
  await page.answer(0, "I don't know.");
  expect(page.textOf(await page.say("/parley digest on", admin, { place }))).toContain("every Monday at 9:00");
  await page.restart(3 * dayMs);
  await page.clock.advance(60_000);
  const [digest = "", ...others] = page.shown(place).filter((text) => text.includes("This week"));
  expect(others).toEqual([]);
  expect(digest).toMatch(expected);
  expect(digest).toContain("This week in #general");
});
