/** A server whose agents are models, in Slack: the model is chosen, looks in pages that Parley keeps, and answers from them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { until } from "../../doubles/until.ts";
import { type ModelServer, startModelServer } from "../../fakes/model-server/index.ts";
import { appToken, botToken, type FakeSlack, startFakeSlack } from "../../fakes/slack/index.ts";
import type { StoredMessage } from "../../fakes/slack/world.ts";
import { shows, textOf, wordsOf } from "./parley.ts";

const channel = "C0GENERAL";

let slack: FakeSlack;
let parley: ParleyProcess;
let site: LoopbackSite;
let models: ModelServer;
beforeEach(async () => {
  slack = await startFakeSlack();
  site = await startLoopbackSite();
  models = await startModelServer({
    as: "litellm",
    models: ["fast", "careful"],
    script: ({ question }) => ({
      text: question.includes("\n> ") ? "@everyone <!channel> <@U0BOB> It is lit at dusk [1]." : "Nobody told me.",
    }),
  });
  parley = await createParleyProcess({
    ...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
    ...{ AGENT_SERVICE_URL: models.root, AGENT_SERVICE_TOKEN: models.key },
    INGEST_ALLOW_PRIVATE: "true",
  });
  await parley.start();
});
afterEach(async () => {
  await parley?.close();
  await models?.close();
  await slack?.stop();
  await site?.close();
});

async function message(words: RegExp | string, seenBy?: "U0ALICE"): Promise<StoredMessage> {
  const find = () =>
    [...slack.world.messages.values()].findLast(
      (one) => one.bot_id !== undefined && one.visibleTo === seenBy && shows(one, words),
    );
  await until(`a message with “${words}”`, () => find() !== undefined);
  return find() as StoredMessage;
}

it("chooses a model, lets it look in pages after they were added, and gets an answer with its source that calls nobody", async () => {
  const alice = slack.person("U0ALICE");
  const { calls } = models;
  const name = "fast";
  await alice.command("/agent", `use ${name}`, channel);
  await message("now answers in this channel", "U0ALICE");
  await alice.command("/agent", "create", channel);
  await message("none can be created from here", "U0ALICE");
  expect(alice.view()).toBeUndefined();

  await alice.command("/kb", "create lights", channel);
  await until("the form of a knowledge base", () => textOf(alice.view()?.["title"]) === "New knowledge base");
  await alice.submit(alice.view() as NonNullable<ReturnType<typeof alice.view>>, { name: { value: "lights" } });
  await message("Created knowledge base lights", "U0ALICE");
  await alice.command("/kb", `ingest ${site.good.join(" ")} into lights`, channel);
  const job = await message("2 of 2 done");
  await alice.click(job.ts, `Connect lights to ${name}`);
  await message(`${name} now uses lights`, "U0ALICE");

  alice.mention(channel, "When is the lamp of the lighthouse lit?");
  const answer = await message("It is lit at dusk [1].");
  await until("its source", () => wordsOf(answer).includes("source"));
  expect(JSON.stringify(answer.blocks)).toContain(site.good[0]);
  expect(calls.findLast((call) => call.asked !== undefined)?.asked?.question).toContain("> The lamp of the lighthouse");
  expect(wordsOf(answer)).toContain("@everyone");
  const posted = [...slack.world.messages.values()].filter((one) => one.bot_id !== undefined);
  expect(JSON.stringify(posted)).not.toMatch(/<!channel>|<@U0BOB>|"broadcast"|"user_id":"U0BOB"/);
  expect(slack.violations).toEqual([]);
});
