/**
 * From nothing to an answer out of one's own pages, in Discord: the real process over the real libraries of discord.js and a strict
 * local Discord. The form of an agent leaves out what the built-in service ignores, so one modal holds it.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../../fakes/discord/index.ts";
import type { Result } from "../../../fakes/discord/interactions.ts";
import { botId, buttonsOf, guildId, type Json, type Message, textOf } from "../../../fakes/discord/world.ts";

describe("agents and knowledge in Discord", () => {
  let discord: FakeDiscord;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  beforeEach(async () => {
    discord = await startFakeDiscord();
    site = await startLoopbackSite();
    parley = await createParleyProcess({
      ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId },
      INGEST_ALLOW_PRIVATE: "true",
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
  const general = () => discord.world.channel("general");

  /** The newest message that shows these words: to everybody, or to Alice alone. */
  async function message(words: string, isPrivate: "private" | "public"): Promise<Message> {
    const seenBy = isPrivate === "private" ? alice().person.id : undefined;
    const find = () =>
      [...discord.world.messages.values()].findLast(
        (one) => one.authorId === botId && one.seenBy === seenBy && textOf(one).includes(words),
      );
    await until(`a message with “${words}”`, () => find() !== undefined);
    return find() as Message;
  }

  async function modal(result: Result): Promise<readonly string[]> {
    await until("a modal", () => result.modal !== undefined);
    const rows = result.modal?.["components"] as readonly { readonly component: Json }[];
    return rows.map(({ component }) => String(component["custom_id"]));
  }

  it("creates an agent by its form, feeds it two pages of three, and answers from both", async () => {
    const base = alice().command(general(), "kb create", { name: "lights" });
    await modal(base);
    alice().submit(base, {});
    await message("Created knowledge base **lights**.", "private");

    const first = alice().command(general(), "agent create");
    expect(await modal(first)).toEqual(["name", "knowledgeBases", "knowledgeBases+"]);
    alice().submit(first, { name: "Light Keeper", knowledgeBases: ["lights"] });
    const wrong = await message("Some fields need another look.", "private");
    expect(textOf(wrong)).toContain("light\\_keeper");
    const corrected = alice().press(wrong, "Edit and retry");
    await modal(corrected);
    alice().submit(corrected, { name: "keeper" });
    alice().press(await message("Should it answer in this channel?", "private"), "Use it here");
    await message("**keeper** now answers in this channel.", "private");

    const urls = [...site.good, site.bad].join(" ");
    alice().command(general(), "kb ingest", { urls, into: "lights" });
    await message("Added to", "public");
    const job = await message("2 of 3 done, 1 failed", "public");
    for (const address of site.good) expect(textOf(job)).toContain(`(<${address}>)`);
    expect(textOf(job)).toContain("page not found (404)");
    expect(buttonsOf(job.components).map((button) => button["label"])).toEqual(["Retry failed", "Ask about it"]);

    const asked = alice().mention(general(), site.question);
    const answer = await message("Sources", "public");
    expect(answer.channelId).toBe(asked.id);
    expect(textOf(answer)).toContain("keeper");
    const sources = textOf(answer)
      .split("\n")
      .filter((line) => line.includes("Sources"));
    for (const address of site.good) expect(sources.join()).toContain(address);

    const about = alice().press(job, "Ask about it");
    expect(await modal(about)).toEqual(["question"]);
    expect(JSON.stringify(about.modal)).toContain("About what was added to lights");
    alice().submit(about, { question: "What is sounded in mist?" });
    await until(
      "the second answer",
      () => [...discord.world.messages.values()].filter((one) => textOf(one).includes("Sources")).length > 1,
    );

    expect(discord.violations).toEqual([]);
  });

  it("adds a file and pages by the form of /kb add, and an answer names the file", async () => {
    const base = alice().command(general(), "kb create", { name: "menu" });
    await modal(base);
    alice().submit(base, {});
    await message("Created knowledge base **menu**.", "private");

    const form = alice().command(general(), "kb add");
    expect(await modal(form)).toEqual(["files", "text", "into"]);
    expect(JSON.stringify(form.modal)).toContain('"value":"menu","label":"menu","default":true');
    const content = "id,content\n1,Tea is 3 euros.\n2,Soup is 4 euros.";
    const url = discord.apiUrl.replace("/api", `/files/${encodeURIComponent(content)}`);
    const file = { id: "7", filename: "prices.csv", content_type: "text/csv", size: content.length, url };
    alice().submit(form, { text: site.good.join("\n") }, [file]);
    const job = await message("3 of 3 done", "public");
    expect(textOf(job)).toContain("prices.csv · 2 rows");

    alice().press(job, "Connect menu to guide");
    await message("**guide** now uses **menu**", "private");
    const about = alice().press(job, "Ask about it");
    await modal(about);
    alice().submit(about, { question: "How much is tea?" });
    expect(textOf(await message("Sources", "public"))).toContain("Sources [1] prices.csv, row 1");

    alice().command(general(), "kb show", { name: "menu" });
    const shown = await message("**menu** · 3 documents", "private");
    expect(textOf(shown)).toContain("prices.csv · added by Alice");
    expect(textOf(shown)).toContain("2 rows");
    expect(discord.violations).toEqual([]);
  });
});
