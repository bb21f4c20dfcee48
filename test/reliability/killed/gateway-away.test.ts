/**
 * SIGKILL of the real process, and the next one gets no session at Discord's gateway while Discord answers requests.
 * What the dead process posted is found all the same.
 */
import { afterEach, describe, expect, it } from "vitest";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { type Move, pause } from "../../doubles/service/scripted-moves.ts";
import type { Run } from "../../doubles/service/scripted-service.ts";
import { type DiscordTown, openDiscordTown, wordsOf } from "../towns/discord-town.ts";
import { until } from "../towns/slack-town.ts";

let town: DiscordTown;
afterEach(() => town.close());

const answer = "At two o'clock.";
const slow = (run: Run): readonly Move[] => answers25({ question: run.question, answer, between: [pause(200)] });

/** It dies at its next post, which `moment` lets arrive or not. */
async function dieAtPost(moment: "before" | "after", begin: () => unknown): Promise<void> {
  const [parley] = town.processes;
  const held = town.way.hold({ path: "/messages", moment });
  await begin();
  await held.reached;
  await parley?.kill();
  // What had not arrived never does; what had is only not heard of.
  if (moment === "after") held.release();
}

async function expectAlone(channelId: string, words: RegExp): Promise<void> {
  await until("the end", () => town.own(channelId).some((message) => words.test(wordsOf(message))));
  await until("nothing else", () => town.own(channelId).length === 1);
  expect(town.discord.gateway.isOnline()).toBe(false);
  expect(town.discord.violations).toEqual([]);
}

describe("killed, and the gateway refuses the next process", () => {
  it.for(["503", "silent"] as const)("(%s): progress that was posted becomes the answer", async (refusal) => {
    town = await openDiscordTown({ script: slow });
    const parley = await town.parley();
    let asked = "";
    await dieAtPost("after", () => {
      asked = town.alice.mention(town.general, "When?").id;
    });
    const [progress] = town.own(asked);
    town.discord.gateway.refuse(refusal);

    await parley.start("/healthz");

    await expectAlone(asked, /At two o'clock/);
    expect(town.own(asked)[0]?.id).toBe(progress?.id);
    expect(town.own(town.general.id)).toEqual([]);
  });

  it("for the third time: progress that was posted becomes the sentence that it was given up", async () => {
    town = await openDiscordTown({ script: slow });
    const parley = await town.parley();
    let asked = "";
    await dieAtPost("before", () => {
      asked = town.alice.mention(town.general, "When?").id;
    });
    await dieAtPost("before", () => parley.start("/healthz"));
    await dieAtPost("after", () => parley.start("/healthz"));
    town.discord.gateway.refuse("503");

    await parley.start("/healthz");

    await expectAlone(asked, /interrupted three times/);
  });
});
