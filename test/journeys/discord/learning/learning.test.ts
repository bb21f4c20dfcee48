/**
 * From a bad answer to a good one in Discord: somebody is let down, a colleague adds the answer, Parley proves it and
 * tells who asked, and the next person reads who said so. The real process over the real libraries of discord.js and a strict local
 * Discord.
 */
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../../fakes/discord/index.ts";
import type { Result } from "../../../fakes/discord/interactions.ts";
import { botId, type Channel, guildId, type Message, textOf } from "../../../fakes/discord/world.ts";
import { labelsOf } from "../parley.ts";

const question = "Can a guest move a non-refundable booking to new dates?";
const asksAgain = "Is it possible to move a non-refundable booking to other dates?";
const answer = "Yes, once, up to 48 hours before check-in. Open **Bookings** and choose Change dates.";

describe("a question without an answer in Discord", () => {
  let discord: FakeDiscord;
  let parley: ParleyProcess;
  beforeEach(async () => {
    discord = await startFakeDiscord({ identifyIntervalMs: 0 });
    const carl = discord.world.addPerson("Carl");
    discord.world.servers.get(guildId)?.members.add(carl.id);
    parley = await createParleyProcess({
      ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId },
    });
    await parley.start();
    await until("the registration of the commands", () => discord.registrations.length > 0);
  });
  afterEach(async () => {
    await parley?.close();
    await discord?.stop();
  });

  const alice = () => discord.human("Alice");
  const bob = () => discord.human("Bob");
  const carl = () => discord.human("Carl");
  const general = () => discord.world.channel("general");
  const said = () => [...discord.world.messages.values()].filter((one) => one.authorId === botId && !one.isDeleted);
  const having = (words: string, seenBy?: string) =>
    said().filter((one) => one.seenBy === seenBy && textOf(one).includes(words));

  /** The newest one, to everybody or to that person alone. */
  async function message(words: string, seenBy?: ReturnType<typeof alice>): Promise<Message> {
    await until(`a message with “${words}”`, () => having(words, seenBy?.person.id).length > 0);
    return having(words, seenBy?.person.id).at(-1) as Message;
  }

  async function answered(thread: string): Promise<Message> {
    const find = () => said().findLast((one) => one.channelId === thread && labelsOf(one).includes("Try again"));
    await until("an answer", () => find() !== undefined);
    return find() as Message;
  }

  const acknowledged = async (result: Result): Promise<Result> => {
    await until("an acknowledgement", () => result.type !== undefined);
    return result;
  };

  /** What a person does; then, in the second round, the process dies and comes back. */
  const steps =
    (isKilled: boolean) =>
    async <T>(act: () => T | Promise<T>): Promise<T> => {
      const done = await act();
      if (!isKilled) return done;
      await parley.kill();
      await parley.start();
      // Each start reads the channels; started each second, it would read more than Discord allows.
      await setTimeout(1_500);
      return done;
    };

  /** A base that the built-in agent looks in. */
  async function withHandbook(): Promise<void> {
    const base = await acknowledged(alice().command(general(), "kb create", { name: "handbook" }));
    alice().submit(base, {});
    await message("Created knowledge base **handbook**", alice());
    const add = await acknowledged(alice().command(general(), "kb add"));
    alice().submit(add, { text: "The reception is open from seven.", into: ["handbook"] });
    const job = await message("1 of 1 done");
    // The last row is counted before the job has ended.
    await until("the offer", () => labelsOf(job).includes("Connect handbook to guide"));
    alice().press(job, "Connect handbook to guide");
    await message("**guide** now uses **handbook**", alice());
  }

  it("gets one from a colleague, who sees that it works, and the person who asked is told once", () =>
    play("form", false));

  it("gets it once, and the person is told once, though Parley is killed after each step", () => play("form", true));

  it("gets it from a colleague's reply, though Parley is killed after each step", () => play("reply", true));

  async function play(way: "form" | "reply", isKilled: boolean): Promise<void> {
    const step = steps(isKilled);
    // These steps are the same for both ways, and the round with the form dies after each of them.
    const commonStep = steps(isKilled && way === "form");
    await withHandbook();

    discord.world.mayBePinged.add(bob().person.id);
    const asked = await commonStep(() => bob().mention(general(), question));
    const bad = await answered(asked.id);
    expect(textOf(bad)).toContain("no sources");

    const why = await commonStep(() => acknowledged(bob().press(bad, "👎")));
    expect(why.modal?.["title"]).toBe("What was wrong?");
    await commonStep(() => acknowledged(bob().submit(why, { reason: ["incomplete"] })));

    let lastMs = 0;
    const listed = () => {
      // A person presses it now and then, and thirty times a minute at most.
      if (performance.now() - lastMs >= 3_000) {
        lastMs = performance.now();
        alice().command(general(), "kb gaps");
      }
      return having("1 person · 👎 1 · last asked", alice().person.id).length > 0;
    };
    await until("the gap in the list", listed);
    const gaps = await message(question, alice());

    const written: Record<string, string> = way === "form" ? { answer } : {};
    const add = await step(async () => {
      if (way === "form") return acknowledged(alice().press(gaps, "Add the answer"));
      const thread = discord.world.channels.get(asked.id) as Channel;
      return acknowledged(alice().menu(thread, "Use as answer", alice().say(thread, answer)));
    });
    expect(JSON.stringify(add.modal)).toContain(question);
    await step(() => acknowledged(alice().submit(add, written)));
    const isProof = (one: Message) => textOf(one).includes("It works.");
    await until("the proof", () => said().some(isProof));
    const [proof, ...more] = said().filter(isProof) as [Message, ...Message[]];
    const direct = discord.world.direct(alice().person.id).id;
    expect([isKilled ? proof.channelId : proof.seenBy, more]).toEqual([isKilled ? direct : alice().person.id, []]);
    expect(textOf(proof)).toContain("I found nothing about that");
    expect(textOf(proof)).toContain("up to 48 hours before check-in");
    expect(textOf(proof)).toContain("telling the person who asked");

    const told = await message("there's a better answer");
    expect(told.channelId).toBe(asked.id);
    expect(textOf(told)).toContain(`<@${bob().person.id}>`);
    expect(textOf(told)).toContain("from Alice");

    const again = await commonStep(() => carl().mention(general(), asksAgain));
    const good = await answered(again.id);
    expect(textOf(good)).toContain("up to 48 hours before check-in");
    expect(textOf(good)).toMatch(/Sources.*Can a guest move.*from Alice,\*\* <t:\d+:D>/s);

    expect(having("there's a better answer")).toHaveLength(1);
    expect(discord.world.pinged).toEqual([bob().person.id]);
    alice().command(general(), "kb show", { name: "handbook" });
    const shown = await message("answer by Alice", alice());
    expect(textOf(shown).match(/answer by Alice/g)).toHaveLength(1);
    alice().command(general(), "kb gaps");
    await message("No open gaps", alice());
    expect(discord.violations).toEqual([]);
  }
});
