/**
 * Two real processes over one real Redis and one Discord, which tells both of everything: each thing happens once.
 */
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate, type Move } from "../../doubles/service/scripted-moves.ts";
import type { Run, Script } from "../../doubles/service/scripted-service.ts";
import { type DiscordTown, openDiscordTown, wordsOf } from "../towns/discord-town.ts";
import { shareTown } from "../towns/shared-town.ts";
import { until } from "../towns/slack-town.ts";

const answer = ({ question }: Run) => answers25({ question, answer: `Answer to ${question}` });
/** The first run never ends. */
const stuck = (run: Run): readonly Move[] => {
  if (run.number > 1) return answer(run);
  const look = { tool: "kb_list_tool", tool_input: "", log: "Thought: look" };
  return [
    chunk({ type: "start", prompt: run.question, trace_id: "" }),
    chunk({ actions: [look], messages: [], trace_id: "" }),
    gate("never"),
  ];
};

describe.skipIf(!hasRedisServer())("two instances over one Redis", () => {
  let town: DiscordTown;
  /** What stood in #general before the test. */
  let before: ReadonlySet<string>;

  async function openOverRedis(script: Script): Promise<DiscordTown> {
    const redis = await startRedisServer();
    const opened = await openDiscordTown({ script, settings: { REDIS_URL: redis.url, AGENT_MAX_RUNS: "8" } });
    return {
      ...opened,
      close: async () => {
        await opened.close();
        await redis.stop();
      },
    };
  }
  function check({ discord, processes }: DiscordTown): void {
    expect(discord.violations).toEqual([]);
    for (const parley of processes) expect(parley.output()).not.toMatch(/unhandled|Unhandled/);
  }
  const shared = shareTown({ open: openOverRedis, instances: 2, check });
  afterEach(() => check(town));
  async function open(script: Script): Promise<void> {
    town = await shared(script);
    before = new Set(town.discord.world.inChannel(town.general.id).map(({ id }) => id));
  }
  const isNew = ({ id }: { readonly id: string }) => !before.has(id);
  const ownInGeneral = () => town.own(town.general.id).filter(isNew);
  const text = (channelId: string) => wordsOf(town.own(channelId)[0]);
  const isOver = (channelId: string) =>
    JSON.stringify(town.own(channelId).at(-1)?.components ?? "").includes("Show steps");
  /** Long enough for a second answer to have come, had there been one. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 500));

  it("answer each mention once, in one thread, also when Discord repeats it", async () => {
    await open(answer);
    const threads = () => town.discord.callsTo("POST /channels/:c/messages/:m/threads").length;
    const threadsBefore = threads();

    const asked = Array.from({ length: 6 }, (_, index) => town.alice.mention(town.general, `Q${index}?`));
    town.discord.gateway.repeatLast("MESSAGE_CREATE");
    for (const { id, content } of asked) await until(`the answer to ${content}`, () => isOver(id));
    await settled();

    for (const [index, { id }] of asked.entries()) {
      expect(town.own(id)).toHaveLength(1);
      expect(text(id)).toContain(`Answer to Q${index}?`);
    }
    expect(ownInGeneral()).toEqual([]);
    expect(town.service.runs.started).toBe(6);
    expect(threads() - threadsBefore).toBe(6);
  });

  it("answer /ask once, also when Discord repeats the interaction", async () => {
    await open(answer);

    const command = town.alice.command(town.general, "ask", { question: "When?" });
    town.discord.gateway.repeatLast("INTERACTION_CREATE");
    await until("the answer", () => isOver(command.answer?.id ?? ""));
    await settled();

    expect(wordsOf(command.answer)).toBe("**Alice** asked: When?");
    expect(command.followUps).toEqual([]);
    expect(ownInGeneral()).toEqual([command.answer]);
    expect(town.own(command.answer?.id ?? "")).toHaveLength(1);
    expect(town.service.runs.started).toBe(1);
  });

  it("carry a command out once, and answer it once", async () => {
    await open(answer);

    const command = town.alice.command(town.general, "agent use", { name: "support" });
    await until("its answer", () => wordsOf(command.answer).includes("support"));
    await settled();

    const inGeneral = town.discord.world.inChannel(town.general.id).filter(isNew);
    const said = inGeneral.filter(({ authorId }) => authorId !== command.personId);
    const announced = said.filter((message) => message !== command.answer);
    expect(said).toContain(command.answer);
    expect(announced.map(wordsOf)).toEqual([`<@${command.personId}> set **support** to answer here.`]);
    expect(command.followUps).toEqual([]);
  });

  it("show the steps once to the person who wants them, and send one file", async () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    await open(({ question }) => answers25({ question, answer: table }));
    const asked = town.alice.mention(town.general, "When?");
    await until("the answer", () => isOver(asked.id));
    const [shown] = town.own(asked.id);
    if (shown === undefined) throw new Error("nothing was answered");

    const steps = town.bob.press(shown, "Show steps");
    town.bob.press(shown, "Get CSV");
    await until("the steps", () => wordsOf(steps.answer).includes("'s steps"));
    await until("the file", () => town.own(asked.id).some(({ attachments }) => attachments.length > 0));
    await settled();

    expect(steps.followUps).toEqual([]);
    expect(town.own(asked.id).filter(({ attachments }) => attachments.length > 0)).toHaveLength(1);
  });

  it("end an answer by Stop, whichever of them receives it first", async () => {
    await open(stuck);
    const asked = town.alice.mention(town.general, "When?");
    await until("its step", () => text(asked.id).includes("knowledge bases"));
    const [shown] = town.own(asked.id);
    if (shown === undefined) throw new Error("nothing is shown");

    town.bob.press(shown, "Stop");
    await until("its end", () => text(asked.id).includes("Stopped"));

    expect(town.own(asked.id)).toHaveLength(1);
  });

  it("continue in the same message when the one that answers is killed", async () => {
    // A town of its own: the one that answers has to be the one that is killed.
    town = await openOverRedis(stuck);
    onTestFinished(town.close);
    const first = await town.parley();
    const asked = town.alice.mention(town.general, "When?");
    await until("its step", () => text(asked.id).includes("knowledge bases"));
    const [shown] = town.own(asked.id);
    await town.parley();

    await first.kill();
    await until("the answer", () => isOver(asked.id));

    expect(town.own(asked.id).map(({ id }) => id)).toEqual([shown?.id]);
    expect(text(asked.id)).toContain("Answer to When?");
  });
});
