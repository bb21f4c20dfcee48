/** `/kb gaps`: what is listed to whom, and what its buttons do. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandParts } from "../../../src/commands/app.ts";
import type { AddedAnswer, Asker, Feedback, Gap } from "../../../src/core/model/insight.ts";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { questionLogIn } from "../../../src/insight/derived/question-log.ts";
import { createGapList } from "../../../src/insight/gaps/gap-list.ts";
import { createGapSight } from "../../../src/insight/gaps/gap-sight.ts";
import { createVotes } from "../../../src/insight/votes.ts";
import { createMemoryGaps } from "../../doubles/gaps.ts";
import { admin, bob, project } from "../../doubles/people.ts";
import { turnOf } from "../../overview/questions/room.ts";
import { filled, openRoom, type Room } from "../room.ts";

const place = (channel: string): Place => ({ platform: "slack", workspace: "T1", channel });
const general = place("C1");
const hr = place("G1");
const bobsMessages = place("D2");
const ben: Actor = { ...admin, id: "U3", name: "Ben" };

let room: Room;
let gaps: ReturnType<typeof createMemoryGaps>;
let now: Record<string, Visibility>;
let members: readonly string[];
let unowned: readonly AddedAnswer[];

beforeEach(async () => {
  gaps = createMemoryGaps();
  now = { C1: "public", G1: "private", D2: "direct" };
  members = ["U1"];
  unowned = [];
  const platform: Partial<ChatPlatform> = {
    permalink: async () => "https://slack.example/thread",
    visibility: async ({ channel }: Place) => now[channel],
    isMember: async ({ id }: Actor) => members.includes(id),
  };
  room = await openRoom({
    platform,
    over: (given) => {
      const sight = createGapSight(given);
      const notes = { noteSignal: async () => () => {}, withdrawSignal: async () => () => {} };
      return {
        ...{ gaps, sight, gapList: createGapList({ gaps, sight }), voting: createVotes(given, { notes }) },
        answering: { byId: async () => undefined } as unknown as CommandParts["answering"],
        reviews: {
          unowned: async () => ({ count: unowned.length, answers: unowned }),
        } as unknown as CommandParts["reviews"],
      };
    },
  });
  await room.client.createKnowledgeBase(project, { name: "docs" });
  await room.submit("agent create", filled);
});
afterEach(() => room.close());

function gapFrom(id: string, askers: readonly Partial<Asker>[], changes: Partial<Gap> = {}): Gap {
  const gap: Gap = {
    version: 1,
    id,
    platform: "slack",
    workspace: "T1",
    agent: { project, name: "sales" },
    askers: askers.map((asker, index) => ({
      turnId: `turn-${id}-${index}`,
      actor: { id: "U9", name: "Someone" },
      question: `${id}?`,
      place: general,
      visibility: "public",
      signals: ["nothing"],
      atMs: room.clock.now() + index,
      ...asker,
    })),
    askerCount: askers.length,
    state: "open",
    createdAtMs: 0,
    lastAtMs: room.clock.now(),
    ...changes,
  };
  gaps.put(gap);
  return gap;
}

const inHr = { place: hr, visibility: "private" } as const;
const direct = { place: bobsMessages, visibility: "direct", actor: { id: bob.id, name: bob.name } } as const;

describe("/kb gaps", () => {
  it("lists open gaps, those with most people first, with their buttons", async () => {
    gapFrom("refunds", [{ signals: ["thumbs-down"] }, { signals: ["thumbs-down", "nothing"] }], { askerCount: 4 });
    gapFrom("city tax", [{}]);
    gapFrom("parking", [{}], { state: "dismissed" });
    for (const at of [0, 1]) {
      await room.state.keyValue<Feedback>("feedback").set(`slack/T1/turn-refunds-${at}/U9`, {
        ...{ version: 1, turnId: `turn-refunds-${at}`, voter: "U9", actor: { id: "U9", name: "Someone" }, atMs: 1 },
        thumb: "down",
      });
    }

    const { text } = await room.say("kb gaps sales");

    expect(text).toContain("2 open gaps · sales");
    expect(text.indexOf("refunds?")).toBeLessThan(text.indexOf("city tax?"));
    expect(text).toContain("4 people · 👎 2 · last asked a moment ago");
    expect(text).toContain("1 person · no answer · last asked a moment ago");
    expect(text).toContain('"id":"gap-show","label":"Show","value":"refunds"');
    expect(text).toContain('"id":"gap-dismiss","label":"Dismiss","value":"refunds"');
    expect(text).not.toContain("parking");
  });

  it("lists apart what was asked in the channel, of nobody in particular, and had no answer", async () => {
    await room.bindings.setChannel(general, { agent: "sales" });
    const entry = {
      ref: "abcd",
      askedAtMs: room.clock.now(),
      place: general,
      hasSource: false,
      up: 0,
      down: 0,
      asker: "x",
    };
    const ask = async (id: string, place: Place, why: "nothing" | "limit") => {
      const visibility = place === general ? ("public" as const) : ("private" as const);
      await room.state.turns.create(turnOf(id, { question: `${id}?`, askedIn: place, visibility }));
      await questionLogIn(room.state).put(id, { ...entry, id, place, outcome: "not-shown", why });
    };
    await ask("where are the boats", general, "nothing");
    await ask("who has the key", general, "limit");
    await ask("where is the lake", hr, "nothing");

    const { text } = await room.say("kb gaps");
    const stranger = await room.say("kb gaps", { place: hr, actor: ben });

    expect(text).toContain("No open gaps");
    expect(text).toContain("Asked in this channel, not of me");
    expect(text).toContain("where are the boats?");
    expect(text).not.toContain("who has the key?");
    expect(text).not.toContain("lake");
    expect(stranger.text).not.toContain("lake");
  });

  it("counts what was asked in a private channel, and lists it in that channel to its members only", async () => {
    gapFrom("in public", [{}]);
    gapFrom("salaries", [inHr, inHr]);

    const outside = await room.say("kb gaps");
    const inside = await room.say("kb gaps", { place: hr });
    const stranger = await room.say("kb gaps", { place: hr, actor: ben });

    expect(outside.text).toContain("1 open gap");
    expect(outside.text).toContain("+1 in private channels you're not in, or in direct messages.");
    expect(outside.text).not.toContain("salaries");
    expect(inside.text).toContain("salaries?");
    expect(inside.text).toContain("2 open gaps");
    expect(stranger.text).not.toContain("salaries");
  });

  it("lists a direct message to its asker, and to others only the wording that was shared", async () => {
    gapFrom("asked alone", [direct]);
    gapFrom("shared", [{ ...direct, isShared: true }]);

    const others = await room.say("kb gaps");
    const own = await room.say("kb gaps", { place: bobsMessages, actor: { ...bob, isAdmin: true } });

    expect(others.text).not.toContain("asked alone");
    expect(others.text).toContain("shared?");
    expect(own.text).toContain("asked alone?");
    const details = await room.press("gap-show", "shared");
    expect(details.text).not.toContain("slack.example");
    expect(details.text).not.toContain("Bob");
  });

  it("uses the words of a public asker for a gap that was first asked in private", async () => {
    gapFrom("both", [
      { ...inHr, question: "What does the director earn?" },
      { question: "What are the salary bands?", atMs: 1 },
    ]);

    const { text } = await room.say("kb gaps");

    expect(text).toContain("What are the salary bands?");
    expect(text).not.toContain("director");
    expect((await room.press("gap-show", "both")).text).not.toContain("director");
  });

  it("hides what was asked in a channel that is private by now, or of which nothing is known", async () => {
    gapFrom("in public", [{}]);
    now = { C1: "private" };
    expect((await room.say("kb gaps", { place: hr })).text).not.toContain("in public?");
    now = {};
    expect((await room.say("kb gaps", { place: hr })).text).not.toContain("in public?");
  });

  it("tells people who manage about answers whose authors have left", async () => {
    const answer = { version: 1, id: "a1", project, knowledgeBase: "docs", question: "Who?", answer: "Ana.", urls: [] };
    const by = { key: "slack/T1/U9", name: "Ana" };
    unowned = [{ ...answer, version: 1, by, origin: { kind: "gap", gapId: "a1" }, atMs: 1 }];

    expect((await room.say("kb gaps")).text).toContain(
      "The author of 1 added answer has left: check it with /kb show docs.",
    );
    gapFrom("refunds", [{}]);
    expect((await room.say("kb gaps")).text).toContain("check it with /kb show docs");
    expect((await room.say("kb gaps", { actor: bob })).text).not.toContain("has left");
  });

  it("says so when nobody was left without an answer, and when there is nothing to read here", async () => {
    expect((await room.say("kb gaps")).text).toContain("No open gaps");
    gapFrom("salaries", [inHr]);
    expect((await room.say("kb gaps")).text).toContain("no open gaps that you can read here");
  });

  it("has four on a page, and buttons for the others", async () => {
    for (let index = 1; index <= 12; index += 1) gapFrom(`question ${index}`, [{}], { askerCount: 100 - index });

    const first = await room.say("kb gaps sales");
    const last = await room.press("gap-page", "3 sales");

    expect(first.text).toContain("12 open gaps");
    expect(first.text).toContain("page 1 of 3");
    expect(first.text).toContain("question 4?");
    expect(first.text).not.toContain("question 5?");
    expect(first.text).toContain("[More: gap-page 2 sales]");
    expect(last.text).toContain("question 12?");
    expect(last.text).toContain("[Back: gap-page 2 sales]");
    expect((await room.say("kb gaps page:4")).text).toContain("only 3 pages");
  });
});

it("counts everyone's 👎 on an answer in /kb gaps, not only its asker's", async () => {
  gapFrom("refunds", [{ signals: ["thumbs-down"] }, { signals: ["nothing"] }]);
  const store = room.state.keyValue<Feedback>("feedback");
  for (const voter of ["U7", "U8", "U9", "U10"]) {
    await store.set(`slack/T1/turn-refunds-0/${voter}`, {
      ...{ version: 1, turnId: "turn-refunds-0", voter, actor: { id: voter, name: voter }, atMs: 1 },
      thumb: voter === "U7" ? "up" : "down",
    });
  }

  expect((await room.say("kb gaps")).text).toContain("👎 3 · last asked a moment ago");
});

describe("the buttons of a gap", () => {
  it("show what was said of it, with a link to where it was asked", async () => {
    gapFrom("refunds", [{ signals: ["thumbs-down"] }]);
    await room.state.keyValue<Feedback>("feedback").set("slack/T1/turn-refunds-0/U9", {
      ...{ version: 1, turnId: "turn-refunds-0", voter: "U9", actor: { id: "U9", name: "Someone" }, thumb: "down" },
      ...{ reason: "outdated", comment: "From <!channel> 2019", atMs: 1 },
    });

    const { text } = await room.press("gap-show", "refunds");

    expect(text).toContain("refunds?");
    expect(text).toContain("a moment ago · 👎 · outdated · “From");
    expect(text).not.toContain("Someone");
  });

  it("show and dismiss nothing to people who may not read it, whatever id they know", async () => {
    gapFrom("salaries", [inHr]);
    const gone = "This question is no longer in the list";

    for (const action of ["gap-show", "gap-dismiss", "gap-reopen"]) {
      await expect(room.press(action, "salaries")).rejects.toThrow(gone);
      await expect(room.press(action, "salaries", { place: { ...hr, workspace: "T2" } })).rejects.toThrow(gone);
      await expect(room.press(action, "nothing")).rejects.toThrow(gone);
      expect(room.commands.planAction(action, "salaries").role).toBe("ingest");
    }
    expect((await gaps.get(general, "salaries"))?.state).toBe("open");
  });

  it("dismiss it, undo that, and are in the audit log", async () => {
    gapFrom("refunds", [{}], { askerCount: 7 });

    const dismissed = await room.press("gap-dismiss", "refunds");
    expect(dismissed.text).toContain("It comes back when 3 more people ask.");
    expect(await gaps.get(general, "refunds")).toMatchObject({ state: "dismissed", dismissedBy: { askerCount: 7 } });
    expect((await room.say("kb gaps")).text).toContain("No open gaps");

    const undone = await room.press("gap-reopen", "refunds");
    expect(undone.text).toContain("Open again: refunds?");
    expect(await gaps.get(general, "refunds")).not.toHaveProperty("dismissedBy");
    expect((await room.say("kb gaps")).text).toContain("refunds?");
    expect(
      (await room.audit())
        .filter(({ action }) => action.startsWith("gap"))
        .map(({ action, about }) => `${action} ${about["gap"]}`)
        .sort(),
    ).toEqual(["gap dismiss refunds", "gap reopen refunds"]);
  });

  it("leave a gap alone that was answered meanwhile", async () => {
    gapFrom("refunds", [{}], { state: "answered" });

    expect((await room.press("gap-dismiss", "refunds")).text).toContain("has an answer now");
    expect((await gaps.get(general, "refunds"))?.state).toBe("answered");
  });
});

describe("Merge", () => {
  it("offers the other open gaps of the same agent that the person may read, and merges with one press", async () => {
    gapFrom("refunds", [{}], { askerCount: 3 });
    gapFrom("money back", [{}]);
    gapFrom("parking", [{}], { state: "dismissed" });
    gapFrom("salaries", [inHr]);

    const form = await room.opened("gap-merge", "money back");
    const merged = await room.submit("kb merge", { into: "refunds" }, "money back");
    const again = await room.submit("kb merge", { into: "refunds" }, "money back");

    expect(form?.fields[0]).toMatchObject({ name: "into", choices: [{ value: "refunds", label: "refunds?" }] });
    expect(merged.text).toContain("Merged into refunds?: 4 people asked that.");
    expect(merged.text).toContain("[Undo: gap-split refunds money back]");
    expect(again.text).toContain("Merged into");
    expect((await room.say("kb gaps")).text).toContain("1 open gap");
  });

  it("is undone by one press", async () => {
    gapFrom("refunds", [{}]);
    gapFrom("money", [{}]);
    await room.submit("kb merge", { into: "refunds" }, "money");

    const { text } = await room.press("gap-split", "refunds money");

    expect(text).toContain("They are two gaps again.");
    expect((await room.say("kb gaps")).text).toContain("2 open gaps");
    await expect(room.press("gap-split", "refunds money")).rejects.toThrow("no longer in the list");
  });

  it("tells nothing of a gap that isn't the person's to read, neither as the one nor as the other", async () => {
    gapFrom("refunds", [{}]);
    gapFrom("salaries", [{ ...inHr, actor: { id: "U9", name: "Someone" } }]);
    members = [];

    await expect(room.opened("gap-merge", "salaries")).rejects.toThrow("No form");
    await expect(room.press("gap-merge", "salaries")).rejects.toThrow("no longer in the list");
    await expect(room.submit("kb merge", { into: "salaries" }, "refunds")).rejects.toThrow("no longer in the list");
    await expect(room.submit("kb merge", { into: "refunds" }, "salaries")).rejects.toThrow("no longer in the list");
    expect((await room.press("gap-merge", "refunds")).text).toContain("There is no other open gap of sales");
  });
});
