/**
 * From a bad answer to a good one in Slack: a guest is let down, a colleague adds the answer, Parley proves it and tells
 * the guest, and the next person reads who said so. The real process over the real Bolt and a strict local Slack.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../../../doubles/processes/parley-process.ts";
import { until } from "../../../doubles/until.ts";
import { appToken, botToken, type FakeSlack, startFakeSlack } from "../../../fakes/slack/index.ts";
import type { StoredMessage, View } from "../../../fakes/slack/world.ts";
import { buttonsOf, textOf, wordsOf } from "../parley.ts";

const channel = "C0GENERAL";
const question = "Can a guest move a non-refundable booking to new dates?";
const asksAgain = "Is it possible to move a non-refundable booking to other dates?";
const answer = "Yes, once, up to 48 hours before check-in. Open **Bookings** and choose Change dates.";

describe("a question without an answer in Slack", () => {
  let slack: FakeSlack;
  let parley: ParleyProcess;
  beforeEach(async () => {
    slack = await startFakeSlack();
    parley = await createParleyProcess({
      ...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
    });
    await parley.start();
  });
  afterEach(async () => {
    await parley?.close();
    await slack?.stop();
  });

  const alice = () => slack.person("U0ALICE");
  const bob = () => slack.person("U0BOB");
  const gus = () => slack.person("U0GUEST");
  const said = () => [...slack.world.messages.values()].filter((one) => one.bot_id !== undefined);
  const having = (words: string, seenBy?: string) =>
    said().filter((one) => one.visibleTo === seenBy && wordsOf(one).includes(words));

  /** The newest one, to everybody or to that person alone. */
  async function message(words: string, seenBy?: string): Promise<StoredMessage> {
    await until(`a message with “${words}”`, () => having(words, seenBy).length > 0);
    return having(words, seenBy).at(-1) as StoredMessage;
  }

  async function modal(person: ReturnType<typeof alice>, title: string): Promise<View> {
    const find = () => (textOf(person.view()?.["title"]) === title ? person.view() : undefined);
    await until(`the modal ${title}`, () => find() !== undefined);
    return find() as View;
  }

  async function answered(thread: string): Promise<StoredMessage> {
    const find = () => said().findLast((one) => one.thread_ts === thread && buttonsOf(one).includes("Try again"));
    await until("an answer", () => find() !== undefined);
    return find() as StoredMessage;
  }

  /** What a person does; then, in the second round, the process dies and comes back. */
  const steps = (isKilled: boolean) => async (act: () => unknown) => {
    await act();
    if (!isKilled) return;
    await parley.kill();
    await parley.start();
  };

  it("gets one from a colleague, who sees that it works, and the person who asked is told once", () =>
    play("form", false));

  it("gets it once, and the person is told once, though Parley is killed after each step", () => play("form", true));

  it("gets it from a colleague's reply, though Parley is killed after each step", () => play("reply", true));

  async function play(way: "form" | "reply", isKilled: boolean): Promise<void> {
    const step = steps(isKilled);
    // These steps are the same for both ways, and the round with the form dies after each of them.
    const commonStep = steps(isKilled && way === "form");
    await alice().command("/kb", "create handbook", channel);
    await alice().submit(await modal(alice(), "New knowledge base"), { name: { value: "handbook" } });
    await message("Created knowledge base handbook", "U0ALICE");
    await alice().command("/kb", "add The reception is open from seven. into handbook", channel);
    const job = await message("Connect handbook to guide");
    await alice().click(job.ts, "Connect handbook to guide");
    await message("guide now uses handbook", "U0ALICE");

    slack.world.mayBePinged.add("U0GUEST");
    const asked = gus().mention(channel, question);
    await commonStep(() => asked.delivered);
    const bad = await answered(asked.ts);
    expect(wordsOf(bad)).toContain("no sources");

    const opens = async (person: ReturnType<typeof alice>, ts: string, label: string, title: string) => {
      await commonStep(async () => {
        await person.click(ts, label);
        await modal(person, title);
      });
      return modal(person, title);
    };
    const why = await opens(gus(), bad.ts, "👎", "What was wrong?");
    await commonStep(() => gus().submit(why, { reason: { selected_option: { value: "incomplete" } } }));

    let lastMs = 0;
    const listed = async () => {
      // A person presses it now and then, and thirty times a minute at most.
      if (performance.now() - lastMs < 3_000) return false;
      lastMs = performance.now();
      await bob().command("/kb", "gaps", channel);
      return having("1 person · 👎 1 · last asked", "U0BOB").length > 0;
    };
    await until("the gap in the list", listed);
    const gaps = await message(question, "U0BOB");

    const byForm = () => opens(bob(), gaps.ts, "Add the answer", "Add the answer");
    const byReply = async () => {
      const reply = bob().say(channel, answer, { thread: asked.ts });
      await step(() => reply.delivered);
      await step(async () => {
        await bob().shortcut("use_as_answer", reply.ts);
        await modal(bob(), "Add the answer");
      });
      return modal(bob(), "Add the answer");
    };
    const add = way === "form" ? await byForm() : await byReply();
    const written: Record<string, { value: string }> = way === "form" ? { answer: { value: answer } } : {};
    await step(() => bob().submit(add, { ...written, base: { selected_option: { value: "handbook" } } }));
    // What was private below the form can only come as a direct message once Parley was restarted.
    const isProof = (one: StoredMessage) => wordsOf(one).includes("It works.");
    await until("the proof", () => said().some(isProof));
    const [proof, ...more] = said().filter(isProof) as [StoredMessage, ...StoredMessage[]];
    expect([proof.visibleTo ?? proof.channel, more]).toEqual([isKilled ? "D0BOB" : "U0BOB", []]);
    expect(wordsOf(proof)).toContain("I found nothing about that");
    expect(wordsOf(proof)).toContain("up to 48 hours before check-in");
    expect(wordsOf(proof)).toContain("telling the person who asked");

    const told = await message("there's a better answer");
    expect(told.thread_ts).toBe(asked.ts);
    expect(JSON.stringify(told.blocks)).toContain('{"type":"user","user_id":"U0GUEST"}');
    expect(wordsOf(told)).toContain("from bob");

    const again = alice().mention(channel, asksAgain);
    await commonStep(() => again.delivered);
    const good = await answered(again.ts);
    expect(wordsOf(good)).toContain("up to 48 hours before check-in");
    expect(wordsOf(good)).toMatch(/\d sources? ·.*Can a guest move.*from bob, \d+ /s);

    expect(having("there's a better answer")).toHaveLength(1);
    expect(slack.world.pinged).toEqual(["U0GUEST"]);
    await bob().command("/kb", "show handbook", channel);
    const shown = await message("answer by bob", "U0BOB");
    expect(wordsOf(shown).match(/answer by bob/g)).toHaveLength(1);
    await bob().command("/kb", "gaps", channel);
    await message("No open gaps", "U0BOB");
    expect(slack.violations).toEqual([]);
  }
});
