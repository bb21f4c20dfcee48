/**
 * A new team's first hour in Slack: the invitation, the card, a knowledge base, three pages, an agent that looks in it, and
 * answers whose links open. The real process over the real Bolt and a strict local Slack.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { appToken, botToken, type FakeSlack, startFakeSlack } from "../../../fakes/slack/index.ts";
import type { StoredMessage, View } from "../../../fakes/slack/world.ts";
import { buttonsOf, shows, textOf, wordsOf } from "../parley.ts";

/** Parley isn't there yet. */
const channel = "C0NOBOT";

/** Where each link of a message leads. */
function linksOf(message: StoredMessage): readonly string[] {
  return JSON.stringify(message.blocks).match(/https?:[^\s"<>|)\\]+/g) ?? [];
}

describe("a new team in Slack", () => {
  let slack: FakeSlack;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  let publicUrl = "";
  beforeEach(async () => {
    slack = await startFakeSlack();
    site = await startLoopbackSite();
    parley = await createParleyProcess(({ port }) => {
      // Not as Parley itself writes its address, so that a link which nobody rewrote is noticed.
      publicUrl = `http://localhost:${port}`;
      return {
        ...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
        ...{ INGEST_ALLOW_PRIVATE: "true", PUBLIC_URL: publicUrl },
      };
    });
    await parley.start();
  });
  afterEach(async () => {
    await parley?.close();
    await slack?.stop();
    await site?.close();
  });

  const alice = () => slack.person("U0ALICE");
  const bob = () => slack.person("U0BOB");
  const said = () => [...slack.world.messages.values()].filter((one) => one.bot_id !== undefined);

  /** The newest message that shows these words: to everybody, or to that person alone. */
  async function message(words: RegExp | string, seenBy?: "U0ALICE" | "U0BOB"): Promise<StoredMessage> {
    const find = () => said().findLast((one) => one.visibleTo === seenBy && shows(one, words));
    await until(`a message with “${words}”`, () => find() !== undefined);
    return find() as StoredMessage;
  }

  async function modal(person: ReturnType<typeof alice>, title: string): Promise<View> {
    const find = () => (textOf(person.view()?.["title"]) === title ? person.view() : undefined);
    await until(`the modal ${title}`, () => find() !== undefined);
    return find() as View;
  }

  it("invites Parley, adds three pages, lets the agent look, and gets answers whose links open", async () => {
    await alice().invite(channel);
    const card = await message("Hi, I'm Parley.");
    expect(card.channel).toBe(channel);
    expect(buttonsOf(card).slice(-2)).toEqual(["Choose an agent", "Add pages"]);

    await alice().command("/kb", "create handbook", channel);
    await alice().submit(await modal(alice(), "New knowledge base"), { name: { value: "handbook" } });
    const made = await message("Created knowledge base handbook", "U0ALICE");
    await alice().click(made.ts, "Use it here");
    await message("this channel adds to handbook", "U0ALICE");

    await bob().click(card.ts, "Add pages");
    const pages = [...site.good, site.other];
    const form = await modal(bob(), "Add pages");
    await bob().submit(form, { urls: { value: pages.join("\n") } });
    const job = await message("Added to handbook · 3 of 3 done");
    expect(job.channel).toBe(channel);
    expect(buttonsOf(job)).toEqual(["Connect handbook to guide", "Ask about it"]);

    await bob().click(job.ts, "Connect handbook to guide");
    await message("Ask a workspace admin.", "U0BOB");
    await alice().click(job.ts, "Connect handbook to guide");
    await message("guide now uses handbook", "U0ALICE");
    await message("alice connected handbook to guide");

    await bob().click(job.ts, "Ask about it");
    await bob().submit(await modal(bob(), "Ask about it"), { question: { value: site.question } });
    const answer = await message(/\d sources? ·/);
    expect(answer.channel).toBe(channel);
    const links = linksOf(answer);
    expect(links).toEqual(expect.arrayContaining([...site.good]));
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);

    // Parley's own manual is not the team's knowledge.
    const asked = bob().mention(channel, "How do I connect Slack?");
    const isAnswered = (one: StoredMessage) =>
      one.thread_ts === asked.ts && wordsOf(one).includes("I found nothing about that");
    await until("that nothing was found", () => said().some(isAnswered));
    expect(JSON.stringify(said().filter(isAnswered))).not.toContain(`${publicUrl}/docs/`);

    expect(said().filter((one) => wordsOf(one).includes("Hi, I'm Parley."))).toHaveLength(1);
    expect(JSON.stringify(said())).not.toContain(parley.url);
    expect(slack.violations).toEqual([]);
  });
});
