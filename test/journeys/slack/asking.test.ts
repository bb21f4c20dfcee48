/**
 * Questions that are not said in a message: by command, and about a message by its shortcut.
 */
import { describe, expect, it } from "vitest";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import type { View } from "../../fakes/slack/world.ts";
import { openParley, saidBy, wordsOf } from "./parley.ts";

describe("/ask", () => {
  it("says who asked what, and answers under it", async () => {
    const { slack, agents, bob, replies, shows } = await openParley();

    await bob.command("/ask", "how many users?", "C0GENERAL");
    (await agents.run(0)).answer("42.");
    const root = () => [...slack.world.messages.values()].find((one) => wordsOf(one).includes("how many users?"));
    await until("the first message", () => root() !== undefined);
    const { ts = "" } = root() ?? {};
    const answer = await shows(ts, "42.");

    expect(wordsOf(root() ?? { blocks: [] })).toBe("*bob* asked: how many users?");
    expect(replies(ts).map((message) => message.ts)).toEqual([ts, answer.ts]);
  });

  it("says privately what to do where Parley isn't a member, and asks no agent", async () => {
    const { slack, agents, bob, seenOnlyBy, idle } = await openParley();

    await bob.command("/ask", "anybody?", "C0NOBOT");
    await until("a private message or a run", () => seenOnlyBy("U0BOB").length > 0 || agents.runs.length > 0);
    await idle();

    expect(agents.runs).toEqual([]);
    expect(only(seenOnlyBy("U0BOB"))).toContain("/invite");
    expect(saidBy(slack)).toEqual([]);
  });

  it("between two people, where Parley can't be invited, says where to ask instead", async () => {
    const { slack, bob, seenOnlyBy, idle } = await openParley();
    slack.world.addChannel("D0BOBGUS", ["U0BOB", "U0GUEST"]);

    await bob.command("/ask", "anybody?", "D0BOBGUS");
    await until("a private message", () => seenOnlyBy("U0BOB").length > 0);
    await idle();

    expect(only(seenOnlyBy("U0BOB"))).not.toContain("/invite");
    expect(only(seenOnlyBy("U0BOB"))).toContain("direct message");
  });

  it("is stopped by Slack's own Stop as well", async () => {
    const { slack, agents, bob, shows } = await openParley();
    await bob.command("/ask", "long?", "C0GENERAL");
    const run = await agents.run(0);
    await until("the agent session", () => slack.world.sessions.size === 1);
    const [thread = ""] = [...slack.world.sessions.keys()].map((key) => key.split("/")[1] ?? "");

    await bob.stopAgent("C0GENERAL", thread);

    await shows(thread, "Stopped");
    await until("the end of the run", () => run.isOver());
  });
});

describe("the shortcut Ask about this", () => {
  it("asks about a message in its thread, with the message as context", async () => {
    const { agents, alice, bob, shows } = await openParley();
    const said = bob.say("C0GENERAL", "The invoice of March is wrong.");
    await said.delivered;

    await alice.shortcut("ask_about", said.ts);
    await until("a modal", () => alice.view() !== undefined);
    const view = alice.view();
    if (view === undefined) throw new Error("no form");
    await alice.submit(view, { question: { value: "Which one does it mean?" } });
    const run = await agents.run(0);
    run.answer("Number 7.");
    const answer = await shows(said.ts, "Number 7.");

    expect(wordsOf(answer)).toContain("alice asked: Which one does it mean?");
    expect(run.question).toMatch(/bob \([^)]* UTC\): The invoice of March is wrong\./);
    expect(run.question.endsWith("Which one does it mean?")).toBe(true);
  });

  it("asks once when its form is sent twice", async () => {
    const { slack, agents, alice, bob, shows } = await openParley();
    const said = bob.say("C0GENERAL", "The invoice of March is wrong.");
    await said.delivered;

    await alice.shortcut("ask_about", said.ts);
    await until("a modal", () => alice.view() !== undefined);
    const view = alice.view() as View;
    const sent = () => alice.submit(view, { question: { value: "Which one?" } });
    await Promise.all([sent(), sent()]);
    (await agents.run(0)).answer("Number 7.");
    await shows(said.ts, "Number 7.");
    await sent();

    expect(saidBy(slack)).toHaveLength(1);
    expect(agents.runs).toHaveLength(1);
  });

  it.each(["the first message of a thread", "a reply in it"])("brings its thread along, from %s", async (which) => {
    const { agents, alice, bob, shows } = await openParley();
    const root = bob.say("C0GENERAL", "The invoice of March is wrong.");
    const reply = alice.say("C0GENERAL", "By seven euros.", { thread: root.ts });
    await Promise.all([root.delivered, reply.delivered]);

    await alice.shortcut("ask_about", which === "a reply in it" ? reply.ts : root.ts);
    await until("a modal", () => alice.view() !== undefined);
    await alice.submit(alice.view() as View, { question: { value: "Who should correct it?" } });
    const run = await agents.run(0);
    run.answer("You.");
    await shows(root.ts, "You.");

    const [question, about] = [run.question.replaceAll(/ \([^)]* UTC\)/g, ""), which === "a reply in it"];
    expect(question).toContain(
      `${about ? "" : "→ "}bob: The invoice of March is wrong.\n${about ? "→ " : ""}alice: By`,
    );
  });
});
