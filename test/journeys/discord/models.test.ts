/** A server whose agents are models, in Discord: the model is chosen, looks in pages that Parley keeps, and answers from them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { until } from "../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, guildId, type Message, textOf } from "../../fakes/discord/world.ts";
import { type ModelServer, startModelServer } from "../../fakes/model-server/index.ts";

let discord: FakeDiscord;
let parley: ParleyProcess;
let site: LoopbackSite;
let models: ModelServer;
beforeEach(async () => {
  discord = await startFakeDiscord();
  site = await startLoopbackSite();
  models = await startModelServer({
    as: "litellm",
    models: ["fast", "careful"],
    script: ({ question }) => ({
      text: question.includes("\n> ") ? "@everyone @here <@&1> It is lit at dusk." : "Nobody told me.",
    }),
  });
  parley = await createParleyProcess({
    ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId },
    ...{ AGENT_SERVICE_URL: models.root, AGENT_SERVICE_TOKEN: models.key },
    INGEST_ALLOW_PRIVATE: "true",
  });
  await parley.start();
  await until("the registration of the commands", () => discord.registrations.length > 0);
});
afterEach(async () => {
  await parley?.close();
  await models?.close();
  await discord?.stop();
  await site?.close();
});

async function message(words: string, seenBy?: string): Promise<Message> {
  const find = () =>
    [...discord.world.messages.values()].findLast(
      (one) => one.authorId === botId && one.seenBy === seenBy && textOf(one).includes(words),
    );
  await until(`a message with “${words}”`, () => find() !== undefined);
  return find() as Message;
}

it("chooses a model, lets it look in pages after they were added, and gets an answer with its source that calls nobody", async () => {
  const alice = discord.human("Alice");
  const { id } = alice.person;
  const general = discord.world.channel("general");
  alice.command(general, "agent use", { name: "fast" });
  await message("now answers in this channel", id);
  const refused = alice.command(general, "agent create");
  await message("none can be created from here", id);
  expect(refused.modal).toBeUndefined();

  const base = alice.command(general, "kb create", { name: "lights" });
  await until("the form of a knowledge base", () => base.modal !== undefined);
  alice.submit(base, {});
  await message("Created knowledge base **lights**.", id);
  alice.command(general, "kb ingest", { urls: site.good.join(" "), into: "lights" });
  const job = await message("2 of 2 done");
  alice.press(job, "Connect lights to fast");
  await message("**fast** now uses **lights**", id);

  alice.mention(general, "When is the lamp of the lighthouse lit?");
  const answer = await message("Sources");
  expect(textOf(answer)).toContain("It is lit at dusk.");
  expect(textOf(answer)).toContain(site.good[0]);
  expect(discord.violations).toEqual([]);
});
