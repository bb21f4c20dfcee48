/** A crowd asks in one channel, which has posts, and on Discord threads, for few of them at once. */
import { describe, expect, it } from "vitest";
import type { Agents } from "../../doubles/service/agents.ts";
import { until } from "../../doubles/until.ts";
import type { Message } from "../../fakes/discord/world.ts";
import { openParley, type ParleyOptions, shown } from "../../journeys/discord/parley.ts";
import { fastClock, openParley as openSlackParley, wordsOf } from "../../journeys/slack/parley.ts";

const openThread = "POST /channels/:c/messages/:m/threads";
const post = "POST /channels/:c/messages";
const minutes = 60;
/** Discord's five posts in 5 s, in a shorter time. */
const quickPosts = { [post]: { limit: 5, windowMs: 200 } };

/** Every question is answered at once. */
async function answerAll({ runs }: Pick<Agents, "runs">, isOver: () => boolean): Promise<void> {
  let answered = 0;
  const isAllOver = () => {
    for (const run of runs.slice(answered)) run.answer(`Answer to ${run.question}`);
    answered = runs.length;
    return isOver();
  };
  await until("the end of all questions", isAllOver, 60_000);
}

async function openCrowd(count: number, options: ParleyOptions = {}) {
  const parley = await openParley(options);
  const { discord, agents, general, own } = parley;
  /** Where a question is answered: in its thread, or as a reply in the channel. */
  const answersTo = ({ id }: Message) => [
    ...own(id).filter((message) => shown(message).startsWith("Answer")),
    ...own(general.id).filter(({ referenceId }) => referenceId === id),
  ];
  return {
    ...parley,
    answersTo,
    answerAll: (isOver: () => boolean) => answerAll(agents, isOver),
    /** All at once, each by another person. */
    ask: () =>
      Array.from({ length: count }, (_, index) => {
        const name = `Person ${index}`;
        const id = `5000000000000${String(index).padStart(5, "0")}`;
        discord.world.people.set(id, { id, name, isBot: false, roles: [], takesDirectMessages: true });
        return discord.human(name).mention(general, `${index}?`);
      }),
  };
}

describe("a hundred questions at once in one Discord channel", () => {
  it("have an answer each, in a thread while Discord opens threads, then in the channel", async () => {
    const { ask, answerAll, answersTo, discord, idle, own, general } = await openCrowd(100, { rules: quickPosts });

    const asked = ask();
    await answerAll(() => asked.every((question) => answersTo(question).length > 0));
    await idle();

    expect(asked.map((question) => answersTo(question).map(shown))).toEqual(
      asked.map((_, index) => [expect.stringContaining(`Answer to ${index}?`)]),
    );
    expect(asked.filter(({ id }) => own(id).length > 0).length).toBe(50);
    expect(own(general.id).length).toBe(50);
    // Discord says only with its first refusal how long no thread can be opened.
    expect(discord.violations.filter((violation) => !violation.includes("/threads"))).toEqual([]);
    expect(discord.callsTo(openThread).length).toBeLessThan(55);
  });
});

describe("questions in a Discord channel where threads", () => {
  it.each([
    ["are rate limited for ten minutes", "429"],
    ["are forbidden", "code:50013"],
    ["are more than the server may have", "code:160006"],
  ])("%s are answered there, once each", async (_, kind) => {
    const { ask, answerAll, answersTo, discord, idle, own, general } = await openCrowd(12, { rules: quickPosts });
    discord.fault(openThread, kind, 1_000, 10 * minutes);

    const asked = ask();
    await answerAll(() => asked.every((question) => answersTo(question).length > 0));
    await idle();

    expect(asked.map((question) => answersTo(question).map(shown))).toEqual(
      asked.map((_question, index) => [expect.stringContaining(`Answer to ${index}?`)]),
    );
    expect(own(general.id).length).toBe(12);
    if (kind === "429") expect(discord.callsTo(openThread).length).toBe(1);
  });
});

describe("answers in a Discord channel that takes no more posts for ten minutes", () => {
  it("wait, don't keep Parley from restarting, and are then posted once each", async () => {
    const rules = { [post]: { limit: 5, windowMs: 10 * minutes * 1_000 } };
    const { ask, answerAll, answersTo, discord, restart, idle, own, general } = await openCrowd(10, { rules });
    discord.fault(openThread, "code:50013", 1_000);

    const asked = ask();
    await answerAll(() => own(general.id).length === 5);
    await restart();
    expect(own(general.id).length).toBe(5);
    discord.advance(10 * minutes * 1_000);
    await answerAll(() => asked.every((question) => answersTo(question).length > 0));
    await idle();

    expect(asked.map((question) => answersTo(question).map(shown))).toEqual(
      asked.map((_, index) => [expect.stringContaining(`Answer to ${index}?`)]),
    );
  });
});

describe("a hundred questions at once in one Slack channel", () => {
  it("have an answer each, in their threads, as fast as Slack takes posts", async () => {
    const speed = 20;
    const { slack, agents, replies, idle } = await openSlackParley({ clock: fastClock(speed), slack: { speed } });

    const asked = Array.from({ length: 100 }, (_, index) => {
      const id = `U0CROWD${index}`;
      slack.world.users.set(id, { ...slack.world.users.get("U0BOB"), id });
      slack.world.channels.get("C0GENERAL")?.members.add(id);
      return slack.person(id).mention("C0GENERAL", `${index}?`);
    });
    await answerAll(agents, () => asked.every(({ ts }) => replies(ts).some((one) => wordsOf(one).includes("Answer"))));
    await idle();

    expect(asked.map(({ ts }) => replies(ts).map(wordsOf))).toEqual(
      asked.map((_, index) => [expect.stringContaining(`Answer to ${index}?`)]),
    );
  });
});
