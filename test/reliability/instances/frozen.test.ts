/**
 * An instance that stands still for longer than a lease (a suspended machine, a long pause) and comes back believing that
 * nothing has happened.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate } from "../../doubles/service/scripted-moves.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

describe.skipIf(!hasRedisServer())("an instance that was frozen for longer than a lease", () => {
  let redis: RedisServer;
  let town: Town;
  beforeEach(async () => {
    redis = await startRedisServer();
  });
  afterEach(async () => {
    expect(town.slack.violations).toEqual([]);
    await town.close();
    await redis.stop();
  });

  it("leaves the question to the instance that took it over, also when its own answer comes then", async () => {
    const slow = (question: string) => [
      chunk({ type: "start", prompt: question, trace_id: "" }),
      chunk({ actions: [{ tool: "kb_list_tool", tool_input: "", log: "Thought: look" }], messages: [], trace_id: "" }),
      gate("old"),
    ];
    town = await openTown({
      script: (run) =>
        run.number === 1
          ? [...slow(run.question), ...answers25({ question: run.question, answer: "The old answer." })]
          : answers25({ question: run.question, answer: "The new answer." }),
      settings: { REDIS_URL: redis.url },
    });
    const one = await town.parley();
    const { ts } = town.slack.person("U0ALICE").mention(general, "When?");
    const text = () => wordsOf(town.replies(ts)[0]);
    await until("its step", () => text().includes("knowledge bases"));
    await town.parley();

    one.freeze();
    await until("the new answer", () => text().includes("The new answer.") && text().includes("Show steps"));
    one.thaw();
    town.service.release("old");
    await town.service.idle();
    const later = town.slack.person("U0ALICE").mention(general, "And then?", { thread: ts });
    await until("the next answer", () => wordsOf(town.replies(ts)[1]).includes("Show steps"));
    await later.delivered;

    expect(town.replies(ts)).toHaveLength(2);
    expect(text()).toContain("The new answer.");
    expect(town.replies(ts)[0]?.versions.some(({ blocks }) => JSON.stringify(blocks).includes("old answer"))).toBe(
      false,
    );
  });

  it("mends what its last edit, long on its way, showed over the end of the instance that took it over", async () => {
    const step = (log: string) =>
      chunk({
        actions: [{ tool: "kb_list_tool", tool_input: "", log: `Thought: ${log}` }],
        messages: [],
        trace_id: "",
      });
    town = await openTown({
      script: (run) =>
        run.number === 1
          ? [chunk({ type: "start", prompt: run.question, trace_id: "" }), step("look"), gate("old")]
          : answers25({ question: run.question, answer: "The new answer." }),
      settings: { REDIS_URL: redis.url },
    });
    const one = await town.parley();
    const edit = town.way.hold({ path: "chat.update", containing: "knowledge bases", moment: "before" });
    const { ts } = town.slack.person("U0ALICE").mention(general, "When?");
    const text = () => wordsOf(town.replies(ts)[0]);
    await edit.reached;
    await town.parley();

    one.freeze();
    await until("the new answer", () => text().includes("The new answer.") && text().includes("Show steps"));
    edit.release();
    await until("the old edit", () => !text().includes("The new answer."));
    one.thaw();
    await until("the answer again", () => text().includes("The new answer.") && text().includes("Show steps"));
    town.service.release("old");
    await town.service.idle();

    expect(town.replies(ts)).toHaveLength(1);
  });
});
