/**
 * What an answer is made of besides its words: what the agent is told, and what people can do with what it found.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../../src/core/model/agent-event.ts";
import type { Table } from "../../../../src/core/model/turn.ts";
import { only } from "../../../doubles/room-parts.ts";
import { until } from "../../../doubles/until.ts";
import { buttonsOf, openParley, textOf, wordsOf } from "../parley.ts";

const rows: Extract<AgentEvent, { type: "step-finished" }> & { table: Table } = {
  type: "step-finished",
  tool: "sql",
  input: "SELECT plan, price FROM plans",
  observation: "plan,price\nTeam,12",
  outcome: { kind: "rows", count: 2 },
  sources: [],
  table: {
    columns: ["plan", "price"],
    rows: [
      ["Team", "12"],
      ["Business", "=1+1"],
    ],
  },
};

async function answeredWithRows() {
  const parley = await openParley();
  const asked = parley.alice.mention("C0GENERAL", "which plans?");
  const run = await parley.agents.run(0);
  run.send({ type: "step-started", tool: "sql", input: "SELECT plan, price FROM plans" }, rows);
  run.answer("Two plans.");
  const answer = await parley.shows(asked.ts, "Two plans.");
  return { ...parley, asked, answer };
}

describe("an answer that is a table", () => {
  it("is shown as a table of Slack's own", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "which plans?");
    const run = await agents.run(0);
    run.send({ type: "answer", text: "Two plans:", table: rows.table });
    run.end();
    const answer = await shows(asked.ts, "Two plans:");

    expect(answer.blocks.map(({ type }) => type)).toEqual([
      "markdown",
      "data_table",
      "context",
      "context_actions",
      "actions",
    ]);
    expect(wordsOf(answer)).toContain("Business");
    expect(slack.violations).toEqual([]);
  });
});

describe("an answer about a trend", () => {
  const months = {
    columns: ["Month", "Bookings"],
    rows: ["May", "Jun", "Jul", "Aug"].map((month, at) => [month, `1,${at}40`]),
  };
  async function answeredWithChart() {
    const parley = await openParley();
    const asked = parley.alice.mention("C0GENERAL", "What's the trend in bookings?");
    const run = await parley.agents.run(0);
    run.send({ type: "answer", text: "Bookings rise.", table: months });
    run.end();
    const { ts } = await parley.shows(asked.ts, "Bookings rise.");
    await parley.recorded();
    return { ...parley, asked, ts };
  }

  it("is a chart of Slack's own, and two people switch to its table and back in the same message", async () => {
    const { slack, alice, bob, asked, ts } = await answeredWithChart();
    const answers = () =>
      slack.world.thread("C0GENERAL", asked.ts).filter((message) => wordsOf(message).includes("rise"));
    const kinds = () => answers().map(({ blocks }) => blocks.map(({ type }) => type));
    const isShown = (kind: string) => kinds().flat().includes(kind);
    expect(isShown("data_visualization")).toBe(true);

    await bob.click(ts, "Table");
    await until("the table", () => isShown("data_table"));
    expect(isShown("data_visualization")).toBe(false);
    await alice.click(ts, "👍");
    await bob.click(ts, "Chart");
    await until("the chart", () => isShown("data_visualization"));
    await until("the vote", () => answers().some((message) => wordsOf(message).includes("👍 1")));

    expect(isShown("data_table")).toBe(false);
    expect(answers()).toHaveLength(1);
    expect(slack.violations).toEqual([]);
  });

  it("shows its table to who pressed when Slack no longer lets it be edited", async () => {
    const { slack, bob, ts, seenOnlyBy } = await answeredWithChart();
    slack.fail("chat.update", "edit_window_closed");

    await bob.click(ts, "Table");
    await until("a private message", () => seenOnlyBy("U0BOB").length > 0);

    expect(only(seenOnlyBy("U0BOB"))).toContain("The answer itself can no longer be changed.");
    expect(slack.violations).toEqual([]);
  });
});

describe("rows that a tool returned", () => {
  it("have the query behind them two presses away", async () => {
    const { slack, alice, answer } = await answeredWithRows();

    await alice.click(answer.ts, "Show steps");
    const note = () => [...slack.world.messages.values()].find(({ visibleTo }) => visibleTo === "U0ALICE");
    await until("the steps", () => note() !== undefined);
    await alice.click(note()?.ts ?? "", "Raw");
    await until("a modal", () => alice.view() !== undefined);

    expect(textOf(alice.view()?.blocks)).toContain("SELECT plan, price FROM plans");
    expect(slack.violations).toEqual([]);
  });

  it("come as a file into the thread, as text that no spreadsheet reads as a formula", async () => {
    const { slack, bob, answer, asked } = await answeredWithRows();
    expect(buttonsOf(answer)).toContain("Get CSV");

    await bob.click(answer.ts, "Get CSV");
    const uploads = () => slack.world.thread("C0GENERAL", asked.ts).filter(({ files }) => files !== undefined);
    await until("the file", () => uploads().length === 1);

    const [file] = only(uploads()).files ?? [];
    const content = slack.world.files.get(String(file?.["id"]))?.content.toString() ?? "";
    expect(content.replace(/^\uFEFF/, "")).toMatch(/^plan,price\r\nTeam,12\r\nBusiness,.*'?=1\+1/);
    expect(content).not.toMatch(/,=1/);
  });

  it("that can't be uploaded are explained to the asker in one sentence", async () => {
    const { slack, bob, answer, seenOnlyBy } = await answeredWithRows();
    slack.fail("files.getUploadURLExternal", "missing_scope");

    await bob.click(answer.ts, "Get CSV");
    await until("a private message", () => seenOnlyBy("U0BOB").length > 0);

    expect(seenOnlyBy("U0BOB")).toHaveLength(1);
    expect(only(seenOnlyBy("U0BOB"))).toMatch(/isn't allowed to post/);
  });
});

describe("thumbs", () => {
  it("count once per person", async () => {
    const { alice, bob, answer, votes, seenOnlyBy } = await answeredWithRows();

    await alice.click(answer.ts, "👍");
    await bob.click(answer.ts, "👍");
    await until("two votes", async () => (await votes()).length === 2);
    await bob.click(answer.ts, "👎");

    const find = async () => Object.fromEntries((await votes()).map(({ voter, thumb }) => [voter, thumb]));
    await expect.poll(find).toEqual({ U0ALICE: "up", U0BOB: "down" });
    await expect.poll(() => seenOnlyBy("U0ALICE")).toEqual([expect.stringContaining("Your 👍 is saved.")]);
    await until("the form", () => textOf(bob.view()).includes("What was wrong?"));
  });
});

describe("an agent that is summoned", () => {
  it("in the middle of a thread has read it", async () => {
    const { slack, agents, alice, bob } = await openParley();
    const said = bob.say("C0GENERAL", "The invoice of March is wrong.");
    alice.say("C0GENERAL", "By how much?", { thread: said.ts });
    bob.say("C0GENERAL", "Seven euros.", { thread: said.ts });

    alice.mention("C0GENERAL", "who should correct it?", { thread: said.ts });
    const run = await agents.run(0);

    const at = (words: string) => run.question.indexOf(words);
    expect(at("bob: The invoice of March is wrong.")).toBeGreaterThan(-1);
    expect(at("alice: By how much?")).toBeGreaterThan(at("bob: The invoice"));
    expect(at("bob: Seven euros.")).toBeGreaterThan(at("By how much?"));
    expect(run.question.endsWith("who should correct it?")).toBe(true);
    expect(slack.violations).toEqual([]);
    run.answer("You.");
  });

  it("in a thread of several pages has read its end, oldest first, and knows that there was more", async () => {
    const { slack, agents, alice, bob } = await openParley();
    const said = bob.say("C0GENERAL", "word0");
    for (let count = 1; count < 450; count += 1) {
      slack.world.store({ channel: "C0GENERAL", user: "U0BOB", text: `word${count}`, blocks: [], thread_ts: said.ts });
    }

    alice.mention("C0GENERAL", "how many?", { thread: said.ts });
    const run = await agents.run(0);
    run.answer("450.");

    // Of 201 messages two are the mention and what stands under it.
    expect(run.question.match(/word\d+/g)).toEqual(Array.from({ length: 199 }, (_, count) => `word${251 + count}`));
    expect(run.question).toContain("(earlier messages left out)");
    expect(slack.callsTo("conversations.replies").length).toBeGreaterThan(2);
  });

  it("in a long thread gives the agent its end, and says that there was more", async () => {
    const { slack, agents, alice, bob } = await openParley();
    const said = bob.say("C0GENERAL", "word0");
    const filler = "and so on ".repeat(40);
    for (let count = 1; count < 150; count += 1) {
      const text = `word${count} ${filler}`;
      slack.world.store({ channel: "C0GENERAL", user: "U0BOB", text, blocks: [], thread_ts: said.ts });
    }

    alice.mention("C0GENERAL", "and?", { thread: said.ts });
    const run = await agents.run(0);
    run.answer("Yes.");

    expect(run.question).toContain("word149");
    expect(run.question).not.toContain("word0 ");
    expect(run.question).toMatch(/\(\d+ earlier messages left out\)/);
  });

  it("where Slack doesn't let Parley read the thread says so, and gets an answer anyway", async () => {
    const { slack, agents, alice, bob, shows } = await openParley();
    const said = bob.say("C0GENERAL", "The invoice of March is wrong.");
    slack.fail("conversations.replies", "missing_scope", { times: 10 });

    alice.mention("C0GENERAL", "who should correct it?", { thread: said.ts });
    const run = await agents.run(0);
    run.answer("You.");
    await shows(said.ts, "You.");

    expect(run.question).toMatch(/thread .*could not be read/);
  });
});

describe("a file beside a question", () => {
  const file = (slack: { readonly base: string }, more: Record<string, unknown> = {}) => ({
    id: "F1",
    name: "plans.csv",
    mimetype: "text/csv",
    size: 19,
    url_private_download: `${slack.base}/files/F1`,
    ...more,
  });

  it("that cannot be read is named, with why, and the question is answered", async () => {
    const scopes = ["app_mentions:read", "channels:history", "chat:write", "commands", "users:read"];
    const { slack, agents, alice } = await openParley({ slack: { scopes } });
    slack.world.files.set("F1", { name: "plans.csv", content: Buffer.from("plan,price\n"), type: "text/csv" });

    alice.mention("C0GENERAL", "what is in it?", { files: [file(slack)] });
    const run = await agents.run(0);
    run.answer("I cannot say.");

    expect(run.question).toMatch(/"plans.csv" \(text\/csv\), not read: \w/);
    expect(run.question).not.toContain("plan,price");
  });

  it("that is too long is named, with the limit", async () => {
    const { slack, agents, alice } = await openParley();
    const content = Buffer.from(`first line\n${"row,1\n".repeat(40_000)}last line\n`);
    slack.world.files.set("F1", { name: "plans.csv", content, type: "text/csv" });

    alice.mention("C0GENERAL", "what is in it?", { files: [file(slack, { size: content.length })] });
    const run = await agents.run(0);
    run.answer("Rows.");

    expect(run.question).toContain('"plans.csv" (text/csv), not read: it is larger than 97 kB');
    expect(run.question).not.toContain("row,1");
  });

  it("that is a picture is passed on by name and type", async () => {
    const { slack, agents, alice } = await openParley();

    alice.mention("C0GENERAL", "what is this?", { files: [file(slack, { name: "chart.png", mimetype: "image/png" })] });
    const run = await agents.run(0);
    run.answer("A chart.");

    expect(run.question).toContain("chart.png");
    expect(run.question).toContain("image/png");
  });
});

describe("a link to Parley's own documents", () => {
  const links: AgentEvent = {
    type: "step-finished",
    tool: "kb",
    input: "SELECT * FROM docs",
    observation: "",
    outcome: { kind: "passages", count: 1 },
    sources: [{ title: "Deploy", url: "http://127.0.0.1:3000/docs/deploy.md#proxy" }],
  };
  async function answered(publicUrl?: string) {
    const { slack, agents, alice, shows } = await openParley({ settings: { publicUrl } });
    const asked = alice.mention("C0GENERAL", "how do I deploy?");
    const run = await agents.run(0);
    run.send(links);
    run.answer("See [Deploy](http://127.0.0.1:3000/docs/deploy.md#proxy).");
    const answer = await shows(asked.ts, "Deploy");
    expect(slack.violations).toEqual([]);
    return JSON.stringify(answer.blocks);
  }

  it("is its words alone where nobody could open it", async () => {
    const shown = await answered();

    expect(shown).toContain("See Deploy.");
    expect(shown).not.toContain("127.0.0.1");
  });

  it("leads to PUBLIC_URL, in the answer and among its sources", async () => {
    const shown = await answered("https://parley.acme.com");

    expect(shown.match(/https:\/\/parley\.acme\.com\/docs\/deploy\.md#proxy/g)?.length).toBeGreaterThan(1);
    expect(shown).not.toContain("127.0.0.1");
  });
});
