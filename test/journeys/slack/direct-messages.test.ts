/**
 * Direct messages in Slack: every answer is in its message's thread, and they continue one history until a person starts
 * a new topic.
 */
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { until } from "../../doubles/until.ts";
import { buttonsOf, openParley, type Parley, type ParleyOptions } from "./parley.ts";

const direct = "D0ALICE";

async function room(options: ParleyOptions = {}) {
  const parley = await openParley(options);
  let runs = 0;
  return {
    ...parley,
    /** Answers the newest question in the thread of that message; gives what the agent was sent. */
    answered: async ({ ts }: { readonly ts: string }, answer: string, thread = ts, channel = direct) => {
      const run = await parley.agents.run(runs);
      runs += 1;
      run.answer(answer);
      await parley.shows(thread, answer, channel);
      await parley.idle();
      return run.messages.map(({ question }) => question);
    },
  };
}

/** Time that a test can move on; pauses are real. */
function movedClock(): { readonly clock: Clock; readonly move: (ms: number) => void } {
  let moved = 0;
  return {
    clock: { ...systemClock, now: () => Date.now() + moved },
    move: (ms) => {
      moved += ms;
    },
  };
}

const lastOf = ({ replies }: Pick<Parley, "replies">, ts: string) =>
  replies(ts, direct).at(-1) ?? { ts: "", blocks: [] };

describe("direct messages in Slack", () => {
  it("know what was asked before: “and Tuesday?”", async () => {
    const { alice, answered, replies } = await room();

    const first = alice.say(direct, "Who is on call on Monday?");
    await answered(first, "Alice is.");
    const second = alice.say(direct, "and Tuesday?");

    expect(await answered(second, "Bob is.")).toEqual(["Who is on call on Monday?", "and Tuesday?"]);
    expect(replies(second.ts, direct)).toHaveLength(1);
    const third = alice.say(direct, "why Bob?", { thread: second.ts });
    expect(await answered(third, "He offered.", second.ts)).toHaveLength(3);
  });

  it("are answered in order when two come in a row, the second knowing the first", async () => {
    const { alice, agents, shows } = await room();

    const first = alice.say(direct, "Who is on call on Monday?");
    const second = alice.say(direct, "and Tuesday?");
    await Promise.all([first.delivered, second.delivered]);
    const run = await agents.run(0);
    expect(agents.runs).toHaveLength(1);
    run.answer("Alice is.");
    await shows(first.ts, "Alice is.", direct);
    const next = await agents.run(1);
    next.answer("Bob is.");
    await shows(second.ts, "Bob is.", direct);

    expect(run.question).toBe("Who is on call on Monday?");
    expect(next.messages).toEqual([
      { question: "Who is on call on Monday?", answer: "Alice is.", turnId: expect.any(String) },
      { question: "and Tuesday?", answer: "", turnId: expect.any(String) },
    ]);
  });

  it("start afresh after New topic, which tells the person alone", async () => {
    const parley = await room();
    const { alice, answered, seenOnlyBy } = parley;
    const first = alice.say(direct, "Who is on call on Monday?");
    await answered(first, "Alice is.");
    expect(buttonsOf(lastOf(parley, first.ts))).toContain("New topic");

    await alice.click(lastOf(parley, first.ts).ts, "New topic");
    await until("the sentence", () => seenOnlyBy("U0ALICE").length > 0);
    expect(seenOnlyBy("U0ALICE").join()).toContain("Your next question starts a new topic.");

    const second = alice.say(direct, "Who wrote the handbook?");
    expect(await answered(second, "Bob did.")).toEqual(["Who wrote the handbook?"]);
  });

  it("start afresh after twelve hours", async () => {
    const { clock, move } = movedClock();
    const { alice, answered } = await room({ clock });
    await answered(alice.say(direct, "Who is on call on Monday?"), "Alice is.");

    move(12 * 60 * 60_000);

    expect(await answered(alice.say(direct, "and Tuesday?"), "Bob is.")).toEqual(["and Tuesday?"]);
  });

  it("continue a question that was asked there by command, and what follows in its thread", async () => {
    const { slack, alice, agents, shows, answered, idle } = await room();
    await alice.command("/ask", "Who is on call on Monday?", direct);
    const run = await agents.run(0);
    const root = [...slack.world.messages.values()].find(({ channel }) => channel === direct)?.ts ?? "";
    const asked = answered({ ts: root }, "Alice is.");
    await shows(root, "Alice is.", direct);
    await asked;
    expect(run.messages).toHaveLength(1);

    expect(await answered(alice.say(direct, "and Tuesday?"), "Bob is.")).toHaveLength(2);
    const inThread = alice.say(direct, "why?", { thread: root });
    expect(await answered(inThread, "Because.", root)).toHaveLength(3);
    await idle();
  });

  it("are forgotten together by /parley forget", async () => {
    const { alice, answered, seenOnlyBy } = await room();
    await answered(alice.say(direct, "Who is on call on Monday?"), "Alice is.");
    await answered(alice.say(direct, "and Tuesday?"), "Bob is.");

    await alice.command("/parley", "forget", direct);
    await until("the result", () => seenOnlyBy("U0ALICE").some((text) => text.includes("Forgot 2 earlier questions")));

    expect(await answered(alice.say(direct, "and Wednesday?"), "Carol is.")).toEqual(["and Wednesday?"]);
  });

  it("of several people, a group direct message, have a history for each thread, as in a channel", async () => {
    const parley = await room();
    const { alice, bob, answered } = parley;
    const first = alice.mention("C0TRIO", "Who is on call on Monday?");
    await answered(first, "Alice is.", first.ts, "C0TRIO");

    const second = bob.mention("C0TRIO", "and Tuesday?");

    expect(await answered(second, "Bob is.", second.ts, "C0TRIO")).toEqual(["and Tuesday?"]);
    const shown = parley.replies(second.ts, "C0TRIO").flatMap(buttonsOf);
    expect(shown).not.toContain("New topic");
  });
});
