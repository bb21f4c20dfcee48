import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rolesOf } from "../../src/access/roles.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { conversationKey } from "../../src/core/model/place.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { admin, alice, project } from "../doubles/people.ts";
import { general, openRoom, type Room, type Shown } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(async () => {
  await room.close();
});

describe("which agent answers", () => {
  it("is the only one there is", async () => {
    await room.client.createAgent(project, { name: "sales" });
    const alone = { ...general, channel: "D1" };

    expect((await room.say("/agent which")).text).toContain("It's the only agent.\nI answer when mentioned");
    expect((await room.say("/agent which", { place: alone })).text).toContain("I answer every message here");
  });

  it("is none, with how to create one", async () => {
    expect((await room.say("/agent which")).text).toContain("/agent create");
    expect((await room.say("/agent list")).text).toContain("There are no agents yet.");
  });

  it("is to be chosen among several, then the channel's, then the workspace's", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.client.createAgent(project, { name: "support" });

    expect((await room.say("/agent which")).text).toContain("which of the 2 should answer");
    await room.say("/agent use support workspace");
    expect((await room.say("/agent which")).text).toContain("It's the workspace default");
    await room.say("/agent use sales");
    expect((await room.say("/agent which")).text).toContain("sales answers here.\nIt was chosen for this channel.");
    expect((await room.say("/agent clear")).text).toContain("This channel no longer has an agent of its own.");
    expect((await room.say("/agent which")).text).toContain("support answers here.");
    expect((await room.say("/agent clear")).text).toContain("This channel already had no agent of its own.");
    expect((await room.audit()).map(({ action }) => action).sort()).toEqual(["agent clear", "agent use", "agent use"]);
  });

  it("is in a thread the one that was named there", async () => {
    await room.client.createAgent(project, { name: "sales" });
    const conversation = { ...general, thread: "1" };
    await room.conversations.update(conversation, (before) => ({ ...before, agent: { project, name: "other" } }));

    expect((await room.say("/agent which", { conversation })).text).toContain("other was picked for this thread");
  });

  it("cannot be one that does not exist; the nearest is named", async () => {
    await room.client.createAgent(project, { name: "sales" });

    await expect(room.say("/agent use slaes")).rejects.toMatchObject({
      code: "agent_not_found",
      what: "There is no agent called slaes.",
      hint: "Did you mean sales?",
    });
    expect(await room.bindings.own(general)).toBeUndefined();
  });

  it("can be chosen while the service is down, if it existed before", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.names.refresh();
    room.faults.getAgent = async () => {
      throw new ParleyError("service_unreachable");
    };

    expect((await room.say("/agent use sales")).text).toContain("sales now answers in this channel");
  });

  it("is shown when no other is named, or why none is", async () => {
    await room.client.createAgent(project, { name: "sales", promptTemplate: "Sell." });
    expect((await room.say("/agent show")).text).toContain("Sell.");

    await room.client.createAgent(project, { name: "support" });
    expect((await room.say("/agent show")).text).toContain("which of the 2 should answer");
  });

  it("is in a list that counts what it can't show", async () => {
    room.faults.listAgents = async () =>
      Array.from({ length: 60 }, (_, index) => ({ name: `a${index}`, project, tables: [], knowledgeBases: [] }));

    const { text, document } = await room.say("/agent list");

    expect(text).toContain("60 agents");
    expect(text).toContain("10 more agents");
    expect(document.blocks.flatMap((block) => (block.kind === "list" ? block.items : []))).toHaveLength(50);
  });

  it("is listed with its channels", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.say("/agent use sales");

    const { text, document } = await room.say("/agent list");

    expect(text).toContain("1 agent");
    expect(text).toContain("answers in C1");
    expect(JSON.stringify(document)).toContain('"channelId":"C1"');
    // Other channels are for managers only.
    expect(document.isForEveryone).toBeUndefined();
  });
});

describe("a list, where nothing can be private", () => {
  const member = { ...admin, isAdmin: false };

  it("is for everyone if every member sees what it names, also for an admin", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.names.refresh();

    for (const actor of [admin, member]) {
      expect((await room.say("/agent list", { actor })).document.isForEveryone).toBe(true);
    }
  });

  it("is not for everyone if it names what only managers see", async () => {
    await room.client.createKnowledgeBase(project, { name: "salaries" });
    await room.names.refresh();

    const { text, document } = await room.say("/kb list");

    expect(text).toContain("salaries");
    expect(document.isForEveryone).toBeUndefined();
    expect((await room.say("/kb list", { actor: member })).text).not.toContain("salaries");
  });
});

describe("knowledge bases", () => {
  beforeEach(async () => {
    await room.client.createKnowledgeBase(project, { name: "docs" });
    await room.client.insert(project, "docs", {
      rows: [
        { id: "1", content: "Refunds are paid within 14 days.", url: "https://example.com/refunds", title: "Refunds" },
      ],
    });
  });

  it("are listed, with the one this channel adds to", async () => {
    await room.say("/kb use docs");

    expect((await room.say("/kb list")).text).toContain("docs · no agent reads it · default for this channel");
  });

  it("are chosen for the channel and removed from it again, and its other settings stay", async () => {
    await room.say("/parley mode mention");
    await room.say("/kb use docs");

    expect((await room.say("/kb clear")).text).toContain("no longer has a knowledge base of its own");
    expect((await room.say("/kb clear")).text).toContain("had no knowledge base of its own");

    expect((await room.say("/kb list")).text).not.toContain("default for this channel");
    expect((await room.say("/parley mode")).text).toContain("mention");
    expect((await room.audit()).filter(({ action }) => action === "kb clear")).toHaveLength(1);
  });

  it("are searched for passages with their sources", async () => {
    const { text, document } = await room.say("/kb search refunds in:docs");

    expect(text).toContain("1 passage in docs");
    expect(text).toContain("Refunds are paid within 14 days.");
    expect(JSON.stringify(document)).toContain("https://example.com/refunds");
    expect(text).not.toMatch(/relevance/i);
  });

  it("are shown in two lines of plain words", async () => {
    await room.client.insert(project, "docs", {
      rows: [
        {
          id: "2",
          title: "Trips",
          content: `# Trips\n\n**Trains** are [paid](https://x.test). ${"word ".repeat(200)}`,
        },
      ],
    });

    const { text } = await room.say("/kb search trains in:docs");

    expect(text).toContain("“Trains are paid. word");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(185);
  });

  it("are searched in the channel's one when none is named", async () => {
    await room.client.createKnowledgeBase(project, { name: "aaa" });
    await room.say("/kb use docs");

    expect((await room.say("/kb search refunds")).text).toContain("1 passage in docs");
  });

  it("are searched in the agent's first when the channel has none", async () => {
    await room.client.createKnowledgeBase(project, { name: "aaa" });
    await room.client.createAgent(project, { name: "sales", knowledgeBases: ["docs"] });

    expect((await room.say("/kb search refunds")).text).toContain("1 passage in docs");
  });

  it("say when nothing was found, and when there is no such one", async () => {
    expect((await room.say("/kb search zebra in:docs")).text).toBe("Nothing found in docs.");
    await expect(room.say("/kb search zebra in:dosc")).rejects.toMatchObject({ hint: "Did you mean docs?" });
  });

  it("are created by a form and put to use by a button", async () => {
    expect(room.formOf("/kb create Handbuch 2").fields[0]).toMatchObject({ initial: "handbuch_2" });
    expect(await room.check("kb create", { name: "Hand Buch" })).toMatchObject({
      name: expect.stringContaining("hand_buch"),
    });
    expect(await room.check("kb create", { name: "handbuch", embedding: "nonsense" })).toHaveProperty("embedding");

    const { text } = await room.submit("kb create", { name: "handbuch" });
    const used = await room.press("confirm", "kb-use handbuch");

    expect(text).toContain("Created knowledge base handbuch.");
    expect(used.text).toContain("this channel adds to handbuch");
    expect(room.names.knowledgeBases().map(({ name }) => name)).toContain("handbuch");
  });

  it("are created once by a form that is submitted twice", async () => {
    const [first, second] = await Promise.all([
      room.submit("kb create", { name: "handbuch" }),
      room.submit("kb create", { name: "handbuch" }),
    ]);

    expect(first?.text).toContain("Created knowledge base handbuch.");
    expect(second?.text).toBe(first?.text);
    expect(room.calls.filter((call) => call === "createKnowledgeBase")).toHaveLength(1);
  });

  it("say when the name is taken", async () => {
    expect((await room.submit("kb create", { name: "docs" })).text).toContain(
      "There is already a knowledge base called docs.",
    );
  });
});

describe("/parley", () => {
  it("helps with a line a group that names every command that the asker may use, and details of each", async () => {
    const overview = await room.say("/parley help");
    const guest = rolesOf({ ...admin, isAdmin: false, isGuest: true }, general, { trustedPlatforms: [] });
    const forGuests = await room.say("/parley help", { roles: guest });

    const { definitions } = room.commands.registry;
    // The built-in service has no SQL.
    const [there, lacking] = [definitions.filter(({ offer }) => offer !== "sql"), /kb .*query/];
    const lines = overview.text.split("\n");
    for (const { path } of there) {
      const [group = "", name = ""] = path.split(" ");
      expect(lines.find((line) => line.includes(`/${group}  `))).toMatch(new RegExp(`\\b${name}\\b`));
    }
    expect(lines.length).toBeLessThan(15);
    expect(overview.text).not.toMatch(lacking);
    expect(forGuests.text).not.toMatch(/agent .*delete/);
    expect((await room.say("/parley help kb")).text).toContain("/kb search refund policy in:docs");
    expect((await room.say("/parley help agent use")).text).toContain("scope");
    expect((await room.say("/parley help agnt use")).text).toContain("Did you mean /agent use?");
  });

  it("says whether everything works", async () => {
    await room.client.createAgent(project, { name: "sales" });

    const { text } = await room.say("/parley status");

    expect(text).toContain("done Agent service: OK (built-in)");
    expect(text).toContain("sales answers here.");
    expect(text).toContain("Running 2 · waiting 1");
    expect(text).toContain("Parley 1.2.3");
  });

  it("says so when the service is down", async () => {
    const away = async () => {
      throw new ParleyError("service_unreachable");
    };
    room.faults.status = away;
    room.faults.listAgents = away;

    expect((await room.say("/parley status")).text).toContain("failed The agent service can't be reached.");
  });

  it("shows and sets the mode of the channel", async () => {
    expect((await room.say("/parley mode")).text).toContain("follow-ups in threads");
    expect((await room.say("/parley mode mention")).text).toBe("I answer only when mentioned.");
    expect(await room.bindings.modeOf(general)).toBe("mention");
    expect(await room.audit()).toMatchObject([{ action: "parley mode", about: { mode: "mention" } }]);
  });

  it("tells the channel once when the mode really changed, and names who changed it", async () => {
    await room.say("/parley mode every");
    await room.say("/parley mode every");
    await room.say("/parley mode thread", { place: { ...general, channel: "D1" } });

    expect(room.notices).toMatchObject([{ place: general, document: { blocks: [{ kind: "text" }] } }]);
    const [block] = room.notices[0]?.document.blocks ?? [];
    expect(block?.kind === "text" ? block.text.map(({ text }) => text).join("") : "").toBe(
      "Alice changed when I speak here. I answer every message in this channel.",
    );
    expect((await room.say("/parley mode")).text).toContain("I answer every message in this channel.");
  });

  it("tells only people who may change the mode how to", async () => {
    expect((await room.say("/parley mode")).text).toContain("Change it with /parley mode mention");
    expect((await room.say("/parley mode", { actor: alice })).text).not.toContain("Change it");
  });

  it("names no mention where only Parley and one person read", async () => {
    const place = { ...general, channel: "D1" };

    expect((await room.say("/parley mode", { place })).text).toBe("I answer every message here, whatever the mode.");
    expect((await room.say("/parley mode mention", { place })).text).not.toContain("mentioned");
    expect((await room.say("/parley help", { place })).text).toContain("Write a question, or use a command:");
    expect((await room.say("/parley help")).text).toContain("Mention Parley with a question");
  });

  it("forgets a conversation, and says when there was nothing", async () => {
    const conversation = { ...general, thread: "1" };
    const entry = { turnId: "t", question: "q", answer: "a" };
    await room.conversations.update(conversation, (before) => ({ ...before, entries: [entry] }));

    expect((await room.say("/parley forget", { conversation })).text).toContain("Forgot 1 earlier question");
    expect((await room.conversations.get(conversation)).entries).toEqual([]);
    expect((await room.say("/parley forget", { conversation })).text).toContain("Nothing to forget here");
  });

  it("forgets a conversation only when the answer that is on its way there is done", async () => {
    const conversation = { ...general, thread: "1" };
    const lane = await room.state.coordinator.lanes.acquire(conversationKey(conversation), "turn", "1");
    const { turns } = room.state;
    await turns.create({ ...sampleTurn("t", { state: "running" }), conversation, actor: admin });
    const shown: Shown[] = [];
    const result = await room.commands.run({ kind: "typed", text: "/parley forget" }, room.context({ conversation }));
    const ended = room.end(result, shown);

    await room.clock.advance(1_000);
    expect(shown.map(({ text }) => text)).toEqual([expect.stringContaining("Stopping what's running")]);
    // What a question does at its end.
    const entry = { turnId: "t", question: "q", answer: "a" };
    await room.conversations.update(conversation, (before) => ({ ...before, entries: [entry] }));
    await turns.transition("t", ["running"], "stopped");
    await lane.release();
    await room.clock.advance(1_000);

    expect((await ended).text).toContain("Forgot 1 earlier question");
    expect((await room.conversations.get(conversation)).entries).toEqual([]);
  });

  it("lets only managers forget a conversation in which others asked, and everyone their own", async () => {
    const conversation = { ...general, thread: "1" };
    const member = { ...admin, isAdmin: false };
    const bob = { ...member, id: "U9", name: "Bob" };
    const { turns } = room.state;
    await turns.create({ ...sampleTurn("a", { state: "answered" }), conversation, actor: member });
    const asked = (actor: typeof admin) =>
      room.say("/parley forget", { conversation, actor, roles: rolesOf(actor, general, { trustedPlatforms: [] }) });

    expect((await asked(bob)).text).toContain("Other people have asked here too");
    expect((await turns.get("a"))?.question).not.toBe("");
    await turns.create({ ...sampleTurn("b", { state: "answered" }), conversation, actor: bob });
    expect((await asked(member)).text).toContain("Other people have asked here too");
    expect((await asked(admin)).text).toContain("Forgot 2 earlier questions");

    await turns.create({ ...sampleTurn("c", { state: "answered" }), conversation, actor: bob });
    expect((await asked(bob)).text).toContain("Forgot 1 earlier question");
  });

  it("forgets everything in a direct message, also what others wrote", async () => {
    const conversation = { ...general, channel: "D1" };
    const member = { ...admin, isAdmin: false };
    const entry = { turnId: "pruned", question: "q", answer: "a" };
    await room.conversations.update(conversation, (before) => ({ ...before, entries: [entry] }));
    const roles = rolesOf(member, conversation, { trustedPlatforms: [] });

    const { text } = await room.say("/parley forget", { conversation, place: conversation, actor: member, roles });
    expect(text).toContain("Forgot 1 earlier question");
    expect(text).toContain("I can't remove messages from the chat app");
  });

  it("says what the asker can do, and why", async () => {
    const roles = rolesOf({ ...admin, isAdmin: false }, general, { trustedPlatforms: [] });

    const { text } = await room.say("/parley roles", { roles });

    expect(text).toContain("done You can ask");
    expect(text).toContain("done You can add to knowledge bases: full members can");
    expect(text).toContain("failed You can't manage agents and settings: only workspace admins can");
  });
});
