/**
 * Threads that Parley opened: whoever writes there is heard from the first moment, in the order of their messages.
 */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { openParley, shown } from "./parley.ts";

const followUps = ["and one?", "and two?", "and three?"];

/** The last line of what each run was asked: before it stands what the thread said. */
const asked = (runs: readonly { readonly question: string }[]) =>
  runs.map(({ question }) => question.split("\n").at(-1));

describe("three messages typed at once into a thread that was just opened", () => {
  it.each(["mention", "command"] as const)("are answered in order, exactly once, after a %s", async (way) => {
    const { discord, agents, alice, general, own, idle } = await openParley();
    const threads = () => [...discord.world.channels.values()].filter(({ type }) => type === 11);

    if (way === "mention") alice.mention(general, "first?");
    else alice.command(general, "ask", { question: "first?" });
    // At once: Parley may not even have heard that its thread is there.
    await until("the thread", () => threads().length === 1);
    const [thread] = threads();
    if (thread === undefined) throw new Error("no thread");
    const said = followUps.map((text) => alice.say(thread, text));
    for (const index of [0, 1, 2, 3]) (await agents.run(index)).answer(`Answer ${index}.`);
    await until(
      "4 answers",
      () => own(thread.id).filter((message) => shown(message).startsWith("Answer")).length === 4,
    );
    await idle();

    expect(asked(agents.runs)).toEqual(["first?", ...followUps]);
    // The messages that say "yours is next" take the places, and come as Discord lets them: each answers its question.
    expect(own(thread.id).length).toBe(4);
    // An answer that comes right behind its question needs no reference to it.
    const all = discord.world.inChannel(thread.id);
    const answerTo = (id: string) =>
      all.find(({ referenceId }) => referenceId === id) ?? all[all.findIndex((message) => message.id === id) + 1];
    const answers = said.map(({ id }) => shown(answerTo(id)).split("\n")[0]);
    expect(answers).toEqual(["Answer 1.", "Answer 2.", "Answer 3."]);
  });

  it("reach two instances, and are answered once", async () => {
    const { discord, agents, alice, general, own, idle, another } = await openParley();
    await another();
    await until("2 sessions", () => discord.gateway.live() === 2);

    const question = alice.mention(general, "first?");
    await until("the thread", () => discord.world.channels.has(question.id));
    const thread = discord.world.channels.get(question.id);
    if (thread === undefined) throw new Error("no thread");
    for (const text of followUps) alice.say(thread, text);
    for (const index of [0, 1, 2, 3]) (await agents.run(index)).answer(`Answer ${index}.`);
    await until(
      "4 answers",
      () => own(thread.id).filter((message) => shown(message).startsWith("Answer")).length === 4,
    );
    await idle();

    expect(asked(agents.runs)).toEqual(["first?", ...followUps]);
    expect(own(thread.id).length).toBe(4);
  });
});

describe("a thread that a person opened", () => {
  it("is not Parley's: what is said there without a mention gets no answer", async () => {
    const { discord, agents, alice, own, idle } = await openParley();

    const { thread } = alice.forumPost(discord.world.channel("help"), "a post", "its words");
    alice.say(thread, "anybody?");
    alice.mention(thread, "and you?");
    (await agents.run(0)).answer("Me.");
    await until("the message from Parley", () => own(thread.id).some((message) => shown(message).startsWith("Me.")));
    await idle();

    expect(agents.runs.length).toBe(1);
  });
});
