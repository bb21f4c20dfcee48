/**
 * From nothing to an answer out of one's own pages, in Slack: the real process over the real Bolt and a strict local
 * Slack, with modals, buttons in messages that one person sees, and the one message of a Job.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { appToken, botToken, type FakeSlack, startFakeSlack } from "../../../fakes/slack/index.ts";
import type { StoredMessage, View } from "../../../fakes/slack/world.ts";
import { buttonsOf, shows, textOf, wordsOf } from "../parley.ts";

const channel = "C0GENERAL";

describe("agents and knowledge in Slack", () => {
  let slack: FakeSlack;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  beforeEach(async () => {
    slack = await startFakeSlack();
    site = await startLoopbackSite();
    parley = await createParleyProcess({
      ...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
      INGEST_ALLOW_PRIVATE: "true",
    });
    await parley.start();
  });
  afterEach(async () => {
    await parley?.close();
    await slack?.stop();
    await site?.close();
  });

  const alice = () => slack.person("U0ALICE");
  const field = (value: string) => ({ value });

  /** The newest message that shows these words: to everybody, or to Alice alone. */
  async function message(words: RegExp | string, seenBy?: "U0ALICE"): Promise<StoredMessage> {
    const find = () =>
      [...slack.world.messages.values()].findLast(
        (one) => one.bot_id !== undefined && one.visibleTo === seenBy && shows(one, words),
      );
    await until(`a message with “${words}”`, () => find() !== undefined);
    return find() as StoredMessage;
  }

  async function modal(title: string): Promise<View> {
    const find = () => (textOf(alice().view()?.["title"]) === title ? alice().view() : undefined);
    await until(`the modal ${title}`, () => find() !== undefined);
    return find() as View;
  }

  it("creates an agent by its form, feeds it two pages of three, lets it look, and answers from both", async () => {
    await alice().command("/kb", "create lights", channel);
    await alice().submit(await modal("New knowledge base"), { name: field("lights") });
    await message("Created knowledge base lights", "U0ALICE");

    await alice().command("/agent", "create", channel);
    const form = await modal("New agent");
    const fields = form.blocks.map((block) => block["block_id"]);
    expect(fields).toEqual(["name", "knowledgeBases", "knowledgeBases+"]);
    expect(form.blocks[1]?.["element"]).toMatchObject({
      type: "checkboxes",
      initial_options: [{ value: "lights" }],
    });
    const knowledgeBases = { selected_options: [{ value: "lights" }] };
    const refused = await alice().submit(form, { name: field("Light Keeper"), knowledgeBases });
    expect(refused.answer?.["errors"]).toEqual({ name: expect.stringContaining("light_keeper") });
    // The form proposes the knowledge base that she just created, and Slack sends what nobody touched.
    await alice().submit(form, { name: field("keeper"), knowledgeBases: { selected_options: [] } });
    const made = await message("Should it answer in this channel?", "U0ALICE");
    await alice().click(made.ts, "Use it here");
    await message("keeper now answers in this channel.", "U0ALICE");

    await alice().command("/kb", `ingest ${site.good.join(" ")} ${site.bad} into lights`, channel);
    const job = await message("Added to lights · 2 of 3 done, 1 failed");
    for (const address of site.good) expect(JSON.stringify(job.blocks)).toContain(`"url":"${address}"`);
    expect(wordsOf(job)).toContain("page not found (404)");
    expect(buttonsOf(job)).toEqual(["Retry failed", "Connect lights to keeper", "Ask about it"]);
    expect(wordsOf(job)).not.toMatch(/waiting|running/);

    await alice().click(job.ts, "Connect lights to keeper");
    await message("keeper now uses lights", "U0ALICE");
    await message("alice connected lights to keeper");

    const asked = alice().mention(channel, site.question);
    const sources = await message(/\d sources? ·/);
    expect(sources.thread_ts).toBe(asked.ts);
    expect(wordsOf(sources)).toContain("keeper");
    const named = sources.blocks.filter(({ type }) => type === "container");
    for (const address of site.good) expect(JSON.stringify(named)).toContain(address);

    await alice().click(job.ts, "Ask about it");
    const question = await modal("Ask about it");
    expect(JSON.stringify(question.blocks)).toContain("About what was added to lights");
    await alice().submit(question, { question: field("What is sounded in mist?") });
    await until(
      "the second answer",
      () => [...slack.world.messages.values()].filter((one) => shows(one, /\d sources? ·/)).length > 1,
    );

    expect(slack.violations).toEqual([]);
  });
});
