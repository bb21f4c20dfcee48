/**
 * The real process, the real libraries of discord.js, a strict Discord, and SIGKILL at the moments that people would notice.
 */
import { describe, expect, it } from "vitest";
import type { ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate, type Move, pause } from "../../doubles/service/scripted-moves.ts";
import type { Run, Script } from "../../doubles/service/scripted-service.ts";
import { type DiscordTown, openDiscordTown, wordsOf } from "../towns/discord-town.ts";
import { shareTown } from "../towns/shared-town.ts";
import { until } from "../towns/slack-town.ts";

let town: DiscordTown;
const shared = shareTown({
  open: (script) => openDiscordTown({ script }),
  instances: 1,
  check: ({ discord }) => expect(discord.violations).toEqual([]),
});
async function open(script: Script): Promise<ParleyProcess> {
  town = await shared(script);
  const [parley] = town.processes;
  if (parley === undefined) throw new Error("There is no Parley.");
  return parley;
}

const answer = "At two o'clock.";

/** The first run never ends, all later ones are answered. */
const stuck = (run: Run): readonly Move[] => {
  if (run.number > 1) return answers25({ question: run.question, answer });
  const look = { tool: "kb_list_tool", tool_input: "", log: "Thought: look" };
  return [
    chunk({ type: "start", prompt: run.question, trace_id: "" }),
    chunk({ actions: [look], messages: [], trace_id: "" }),
    gate("never"),
  ];
};
const slow = (run: Run) => answers25({ question: run.question, answer, between: [pause(200)] });
const quick = (run: Run) => answers25({ question: run.question, answer });

async function expectOneAnswer(channelId: string): Promise<void> {
  await until("the answer", () => wordsOf(town.own(channelId)[0]).includes(answer));
  await until("its end", () => JSON.stringify(town.own(channelId).at(-1)?.components).includes("Show steps"));
  expect(town.own(channelId)).toHaveLength(1);
  expect(wordsOf(town.own(channelId)[0])).not.toContain("is looking it up");
}

describe("killed", () => {
  it("in the middle of the stream: it asks again, in the same message", async () => {
    const parley = await open(stuck);
    const asked = town.alice.mention(town.general, "When?");
    await until("its step", () => wordsOf(town.own(asked.id)[0]).includes("knowledge bases"));
    const [before] = town.own(asked.id);
    await parley.kill();

    await parley.start();

    await expectOneAnswer(asked.id);
    expect(town.own(asked.id)[0]?.id).toBe(before?.id);
    expect(town.service.runs.started).toBe(2);
    expect(town.own(town.general.id)).toEqual([]);
  });

  it.for(["before", "after"] as const)(
    "%s its thread was opened: there is one thread, with one answer",
    async (moment) => {
      const parley = await open(quick);
      const held = town.way.hold({ path: "/threads", moment });
      const asked = town.alice.mention(town.general, "When?");
      await held.reached;
      await parley.kill();
      held.release();

      await parley.start();

      await expectOneAnswer(asked.id);
      expect(town.own(town.general.id)).toEqual([]);
    },
  );

  it.for(["before", "after"] as const)("%s its first message was posted: it is posted once", async (moment) => {
    const parley = await open(slow);
    const held = town.way.hold({ path: "/messages", moment });
    const asked = town.alice.mention(town.general, "When?");
    await held.reached;
    await parley.kill();
    // What had not arrived never does; what had is only not heard of.
    if (moment === "after") held.release();

    await parley.start();

    await expectOneAnswer(asked.id);
  });

  it.for(["before", "after"] as const)(
    "%s the answer was shown: it is shown, and the agent isn't asked again",
    async (moment) => {
      const parley = await open(quick);
      const held = town.way.hold({ path: "", containing: answer, moment });
      const asked = town.alice.mention(town.general, "When?");
      await held.reached;
      await parley.kill();

      await parley.start();

      await expectOneAnswer(asked.id);
      expect(town.service.runs.started).toBe(1);
    },
  );

  it.for(["before", "after"] as const)(
    "%s the second message of a long answer was posted: everything is there once, in order",
    async (moment) => {
      const long = Array.from({ length: 1_200 }, (_, index) => `word${index}.`).join(" ");
      const parley = await open(({ question }) => answers25({ question, answer: long }));
      const asked = town.alice.mention(town.general, "When?");
      const held = town.way.hold({ path: "/messages", containing: "word700.", moment });
      await held.reached;
      await parley.kill();
      if (moment === "after") held.release();

      await parley.start();
      await until("the last part", () => JSON.stringify(town.own(asked.id).at(-1)?.components).includes("Show steps"));

      expect(
        town
          .own(asked.id)
          .map(wordsOf)
          .join(" ")
          .match(/word\d+\./g),
      ).toEqual(long.split(" "));
      expect(town.service.runs.started).toBe(1);
    },
  );

  it("after /ask was acknowledged: its question is shown, and answered in its thread", async () => {
    const parley = await open(quick);
    const held = town.way.hold({ path: "/callback", moment: "after" });
    const command = town.alice.command(town.general, "ask", { question: "When?" });
    await held.reached;
    await parley.kill();

    await parley.start();
    await until("the thread", () => town.discord.world.channels.has(command.answer?.id ?? ""));

    await expectOneAnswer(command.answer?.id ?? "");
    expect(wordsOf(command.answer)).toBe("**Alice** asked: When?");
    expect(town.own(town.general.id)).toEqual([command.answer]);
  });

  it("in the middle of an answer to /ask where there can be no thread: it continues in that message", async () => {
    const parley = await open(stuck);
    const voice = town.discord.world.channel("voice");
    const command = town.alice.command(voice, "ask", { question: "When?" });
    await until("its step", () => wordsOf(command.answer).includes("knowledge bases"));
    await parley.kill();

    await parley.start();

    await expectOneAnswer(voice.id);
    expect(town.own(voice.id)[0]?.id).toBe(command.answer?.id);
    expect(wordsOf(command.answer)).toContain("**Alice** asked: When?");
  });
});
