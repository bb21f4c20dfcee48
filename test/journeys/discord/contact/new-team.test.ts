/**
 * A new team's first hour in Discord: the bot is added to the server, the card, a knowledge base, three pages, an agent
 * that looks in it, and answers whose links open. The real process over the real libraries of discord.js and a strict local Discord.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../../fakes/discord/index.ts";
import type { Result } from "../../../fakes/discord/interactions.ts";
import { botId, guildId, type Json, type Message, type Server, textOf } from "../../../fakes/discord/world.ts";
import { labelsOf } from "../parley.ts";

/** Where each link of a message leads. */
function linksOf(message: Message): readonly string[] {
  return textOf(message).match(/https?:[^\s"<>|)\\]+/g) ?? [];
}

describe("a new team in Discord", () => {
  let discord: FakeDiscord;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  let publicUrl = "";
  beforeEach(async () => {
    discord = await startFakeDiscord();
    site = await startLoopbackSite();
    parley = await createParleyProcess(({ port }) => {
      // Not as Parley itself writes its address, so that a link which nobody rewrote is noticed.
      publicUrl = `http://localhost:${port}`;
      return {
        ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId },
        ...{ INGEST_ALLOW_PRIVATE: "true", PUBLIC_URL: publicUrl },
      };
    });
    await parley.start();
    await until("the registration of the commands", () => discord.registrations.length > 0);
  });
  afterEach(async () => {
    await parley?.close();
    await discord?.stop();
    await site?.close();
  });

  const alice = () => discord.human("Alice");
  const bob = () => discord.human("Bob");
  const general = () => discord.world.channel("general");
  const said = () => [...discord.world.messages.values()].filter(({ authorId }) => authorId === botId);

  /** The newest message that shows these words: to everybody, or to that person alone. */
  async function message(words: string, seenBy?: ReturnType<typeof alice>): Promise<Message> {
    const find = () =>
      said().findLast((one) => one.seenBy === seenBy?.person.id && textOf(one).includes(words) && !one.isDeleted);
    await until(`a message with “${words}”`, () => find() !== undefined);
    return find() as Message;
  }

  async function modal(result: Result): Promise<readonly string[]> {
    await until("a modal", () => result.modal !== undefined);
    const rows = result.modal?.["components"] as readonly { readonly component: Json }[];
    return rows.map(({ component }) => String(component["custom_id"]));
  }

  it("adds Parley, adds three pages, lets the agent look, and gets answers whose links open", async () => {
    const server = discord.world.servers.get(guildId) as Server;
    discord.removed(server);
    discord.added(server);
    const card = await message("Hi, I'm Parley.");
    expect(card.channelId).toBe(general().id);
    expect(labelsOf(card).slice(-2)).toEqual(["Choose an agent", "Add pages"]);

    const base = alice().command(general(), "kb create", { name: "handbook" });
    await modal(base);
    alice().submit(base, {});
    alice().press(await message("Created knowledge base **handbook**.", alice()), "Use it here");
    await message("this channel adds to **handbook**", alice());

    const form = bob().press(card, "Add pages");
    await modal(form);
    const pages = [...site.good, site.other];
    bob().submit(form, { urls: pages.join("\n") });
    await message("Added to");
    const job = await message("3 of 3 done");
    expect(job.channelId).toBe(general().id);
    expect(labelsOf(job)).toEqual(["Connect handbook to guide", "Ask about it"]);

    bob().press(job, "Connect handbook to guide");
    await message("Ask a workspace admin.", bob());
    alice().press(job, "Connect handbook to guide");
    await message("**guide** now uses **handbook**", alice());
    await message("Alice connected **handbook** to **guide**");

    const about = bob().press(job, "Ask about it");
    await modal(about);
    bob().submit(about, { question: site.question });
    const links = linksOf(await message("Sources"));
    expect(links).toEqual(expect.arrayContaining([...site.good]));
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);

    // Parley's own manual is not the team's knowledge.
    const asked = bob().mention(general(), "How do I connect Discord?");
    const isAnswered = (one: Message) =>
      one.channelId === asked.id && textOf(one).includes("I found nothing about that");
    await until("that nothing was found", () => said().some(isAnswered));
    expect(JSON.stringify(said().filter(isAnswered))).not.toContain(`${publicUrl}/docs/`);

    expect(said().filter((one) => textOf(one).includes("Hi, I'm Parley."))).toHaveLength(1);
    expect(JSON.stringify(said())).not.toContain(parley.url);
    expect(discord.violations).toEqual([]);
  });
});
