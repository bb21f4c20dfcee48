/**
 * The real process, the real Bolt, a strict Slack, and SIGKILL at the moments that people would notice.
 */
import { describe, expect, it } from "vitest";
import type { ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate, type Move, pause } from "../../doubles/service/scripted-moves.ts";
import type { Run, Script } from "../../doubles/service/scripted-service.ts";
import { shareTown } from "../towns/shared-town.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

let town: Town;
const shared = shareTown({
  open: (script) => openTown({ script }),
  instances: 1,
  check: ({ slack }) => expect(slack.violations).toEqual([]),
});
async function open(script: Script): Promise<ParleyProcess> {
  town = await shared(script);
  const [parley] = town.processes;
  if (parley === undefined) throw new Error("There is no Parley.");
  return parley;
}

const answer = "At two o'clock.";

/** The first run goes as told, all later ones are answered. */
const first =
  (moves: (question: string) => readonly Move[]) =>
  (run: Run): readonly Move[] =>
    run.number === 1 ? moves(run.question) : answers25({ question: run.question, answer });

const begun = (question: string): readonly Move[] => [
  chunk({ type: "start", prompt: question, trace_id: "" }),
  chunk({ actions: [{ tool: "kb_list_tool", tool_input: "", log: "Thought: look" }], messages: [], trace_id: "" }),
];

const alice = () => town.slack.person("U0ALICE");

async function expectOneReply(ts: string, text = answer): Promise<void> {
  await until("the answer", () => wordsOf(town.replies(ts)[0]).includes(text));
  await until("its end", () => wordsOf(town.replies(ts).at(-1)).includes("Show steps"));
  expect(town.replies(ts)).toHaveLength(1);
  expect(wordsOf(town.replies(ts)[0])).not.toContain("is looking it up");
}

describe("killed", () => {
  it("before it accepted the question: Slack resends it, and it is answered once", async () => {
    const parley = await open(first((question) => answers25({ question, answer })));
    parley.freeze();
    const said = alice().mention(general, "When?");
    await parley.kill();

    await parley.start();
    await said.delivered;

    await expectOneReply(said.ts);
    expect(town.service.runs.started).toBe(1);
  });

  it("when its first message was posted, but not yet recorded: it finds that message", async () => {
    const parley = await open((run) => answers25({ question: run.question, answer, between: [pause(200)] }));
    const held = town.way.hold({ path: "chat.postMessage", moment: "after" });
    const said = alice().mention(general, "When?");
    await held.reached;
    await parley.kill();
    held.release();

    await parley.start();

    await expectOneReply(said.ts);
  });

  it("when its first message was posted, and Slack doesn't tell the next process who Parley is: it finds it later", async () => {
    const parley = await open((run) => answers25({ question: run.question, answer }));
    const held = town.way.hold({ path: "chat.postMessage", moment: "after" });
    const said = alice().mention(general, "When?");
    await held.reached;
    await parley.kill();
    held.release();
    town.slack.fail("auth.test", "internal_error", { times: 5 });

    await parley.start();

    await expectOneReply(said.ts);
  });

  it("before its first message was out: it is posted once", async () => {
    const parley = await open((run) => answers25({ question: run.question, answer, between: [pause(200)] }));
    const held = town.way.hold({ path: "chat.postMessage", moment: "before" });
    const said = alice().mention(general, "When?");
    await held.reached;
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
  });

  it("while edits are short: the step that stood in the status line is cleared with the answer", async () => {
    const search = { tool: "kb_query_tool", tool_input: "SELECT * FROM docs", log: "Thought: search" };
    const parley = await open(
      first((question) => [
        ...begun(question),
        gate("next step"),
        chunk({ actions: [search], messages: [], trace_id: "" }),
        gate("never"),
      ]),
    );
    const said = alice().mention(general, "When?");
    const status = () => town.slack.world.statusLine.textOf(general, said.ts);
    await until("its step", () => wordsOf(town.replies(said.ts)[0]).includes("knowledge bases"));
    town.slack.fail("chat.update", "ratelimited", { retryAfterS: 3 });
    town.service.release("next step");
    await until("the status line", () => status()?.includes("docs") === true);
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
    await until("an empty status line", () => status() === undefined);
  });

  it("in the middle of the stream: it asks again, in the same message", async () => {
    const parley = await open(first((question) => [...begun(question), gate("never")]));
    const said = alice().mention(general, "When?");
    await until("its step", () => wordsOf(town.replies(said.ts)[0]).includes("knowledge bases"));
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
    expect(town.service.runs.started).toBe(2);
  });

  it("in the middle of the stream, in every life: it asks three times, then says that it stopped trying", async () => {
    const parley = await open((run) => [...begun(run.question), gate("never")]);
    const said = alice().mention(general, "When?");
    for (let life = 1; life <= 3; life += 1) {
      await town.service.started(life);
      await until("its step", () => wordsOf(town.replies(said.ts)[0]).includes("knowledge bases"));
      await parley.kill();
      await parley.start();
    }
    await until("its end", () => wordsOf(town.replies(said.ts)[0]).includes("stopped trying"));

    expect(town.replies(said.ts)).toHaveLength(1);
    expect(wordsOf(town.replies(said.ts)[0])).toContain("Try again");
    expect(town.service.runs.started).toBe(3);
  });

  it("after the chunk with the answer, before the end of the stream: it asks again", async () => {
    const output = chunk({ output: "At three.", messages: [{ content: "AI: At three." }], trace_id: "" });
    const parley = await open(first((question) => [...begun(question), output, gate("never")]));
    const said = alice().mention(general, "When?");
    await until("its step", () => wordsOf(town.replies(said.ts)[0]).includes("knowledge bases"));
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
    expect(wordsOf(town.replies(said.ts)[0])).not.toContain("At three.");
  });

  it("with the answer in hand, before it was shown: it shows it, and does not ask again", async () => {
    const parley = await open(first((question) => answers25({ question, answer })));
    const held = town.way.hold({ path: "chat.update", containing: answer, moment: "before" });
    const said = alice().mention(general, "When?");
    await held.reached;
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
    expect(town.service.runs.started).toBe(1);
  });

  it("when the answer was shown, before that was recorded: it stays as it is", async () => {
    const parley = await open(first((question) => answers25({ question, answer })));
    const held = town.way.hold({ path: "chat.update", containing: answer, moment: "after" });
    const said = alice().mention(general, "When?");
    await held.reached;
    await parley.kill();

    await parley.start();

    await expectOneReply(said.ts);
    expect(town.service.runs.started).toBe(1);
  });

  it.for(["before", "after"] as const)(
    "%s the second message of a long answer was posted: everything is there once, in order",
    async (moment) => {
      const long = Array.from({ length: 3_000 }, (_, index) => `word${index}.`).join(" ");
      const parley = await open(first((question) => answers25({ question, answer: long })));
      const said = alice().mention(general, "When?");
      const held = town.way.hold({ path: "chat.postMessage", containing: "word2000.", moment });
      await held.reached;
      await parley.kill();
      held.release();

      await parley.start();
      await until("the last part", () => wordsOf(town.replies(said.ts).at(-1)).includes("Show steps"));

      const found = town
        .replies(said.ts)
        .map((message) => JSON.stringify(message.blocks))
        .join(" ")
        .match(/word\d+\./g);
      expect(found).toEqual(long.split(" "));
      expect(town.service.runs.started).toBe(1);
    },
  );
});
