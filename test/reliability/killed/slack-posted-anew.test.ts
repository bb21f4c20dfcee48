/**
 * The real process, a strict Slack that takes no edits for 20 s, and SIGKILL while an end is posted beside its
 * progress: one answer is there in the end.
 */
import { afterEach, describe, expect, it } from "vitest";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate, type Move } from "../../doubles/service/scripted-moves.ts";
import type { Run } from "../../doubles/service/scripted-service.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

const answer = "At two o'clock.";

/** The first run shows a step, and its answer comes when the gate is opened; the others are answered. */
const stepFirst = ({ number, question }: Run): readonly Move[] => {
  const answered = answers25({ question, answer });
  if (number > 1) return answered;
  const action = { tool: "kb_list_tool", tool_input: "", log: "Thought: look" };
  return [
    chunk({ type: "start", prompt: question, trace_id: "" }),
    chunk({ actions: [action], messages: [], trace_id: "" }),
    gate("answer"),
    ...answered,
  ];
};

let town: Town;
afterEach(async () => {
  expect(town.slack.violations).toEqual([]);
  await town.close();
});

/** A question with its progress shown; no edit is possible from then on. */
async function asked(settings: Readonly<Record<string, string>> = {}) {
  town = await openTown({ script: stepFirst, settings });
  const parley = await town.parley();
  const { ts } = town.slack.person("U0ALICE").mention(general, "When?");
  await until("its step", () => wordsOf(town.replies(ts)[0]).includes("knowledge bases"));
  town.slack.fail("chat.update", "ratelimited", { retryAfterS: 20 });
  return { parley, ts };
}

async function expectOneAnswer(ts: string): Promise<void> {
  const words = () => town.replies(ts).map(wordsOf);
  await until("the answer", () => words().some((said) => said.includes(answer) && said.includes("Show steps")));
  await until("its progress to be gone", () => words().length === 1);
  expect(words()[0]).toContain(answer);
  expect(town.service.runs.started).toBe(1);
}

describe("killed while an end is posted beside its progress", () => {
  it.each([
    ["before the answer was posted", "chat.postMessage", "before"],
    ["when the answer was posted, before that was recorded", "chat.postMessage", "after"],
    ["before the progress was removed", "chat.delete", "before"],
    ["when the progress was removed, before that was recorded", "chat.delete", "after"],
  ] as const)("%s: one answer is there", async (_when, path, moment) => {
    const { parley, ts } = await asked();
    const held = town.way.hold({ path, moment });
    town.service.release("answer");
    await held.reached;
    await parley.kill();
    held.release();

    await parley.start();

    await expectOneAnswer(ts);
  });

  it.skipIf(!hasRedisServer())("when the answer was posted: another instance removes the progress", async () => {
    const redis = await startRedisServer();
    try {
      const { parley, ts } = await asked({ REDIS_URL: redis.url });
      await town.parley();
      const held = town.way.hold({ path: "chat.postMessage", moment: "after" });
      town.service.release("answer");
      await held.reached;
      await parley.kill();
      held.release();

      await expectOneAnswer(ts);
    } finally {
      await redis.stop();
    }
  });

  it.skipIf(!hasRedisServer())("frozen between the two: another instance shows the answer once", async () => {
    const redis = await startRedisServer();
    try {
      const { parley, ts } = await asked({ REDIS_URL: redis.url });
      await town.parley();
      const held = town.way.hold({ path: "chat.delete", moment: "before" });
      town.service.release("answer");
      await held.reached;
      parley.freeze();
      held.release();
      await expectOneAnswer(ts);
      parley.thaw();

      await expectOneAnswer(ts);
    } finally {
      await redis.stop();
    }
  });
});
