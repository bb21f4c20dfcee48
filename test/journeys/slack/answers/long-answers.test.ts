/**
 * Answers of more than ten messages in Slack: the rest is a file in the thread, once, and a workspace without files:write
 * is told what is lacking and gets the rest all the same.
 */
import { describe, expect, it } from "vitest";
import { only } from "../../../doubles/room-parts.ts";
import { until } from "../../../doubles/until.ts";
import { answered, openRoom } from "../../../slack/room.ts";
import { buttonsOf, fastClock, openParley, textOf, wordsOf } from "../parley.ts";

const words = Array.from({ length: 30_000 }, (_, at) => `word${at}`);
const speed = 20;
const final = { urgency: "final" } as const;

async function longAnswer(options: { readonly scopes?: readonly string[] } = {}) {
  const parley = await openParley({
    clock: fastClock(speed),
    slack: { ...options, speed },
  });
  const asked = parley.alice.mention("C0GENERAL", "tell me all");
  const run = await parley.agents.run(0);
  run.answer(words.join(" "));
  await parley.idle();
  const messages = () => parley.replies(asked.ts).filter(({ files }) => files === undefined);
  const uploads = () => parley.replies(asked.ts).filter(({ files }) => files !== undefined);
  const contentOf = (upload: { readonly files?: readonly { readonly [key: string]: unknown }[] } | undefined) =>
    parley.slack.world.files.get(String(upload?.files?.[0]?.["id"]))?.content.toString() ?? "";
  return { ...parley, asked, messages, uploads, contentOf };
}

describe("an answer of 280 kB", () => {
  it("is ten messages with a note, and a file below them that continues where they end", async () => {
    const { slack, replies, asked, messages, uploads, contentOf } = await longAnswer();

    expect(messages()).toHaveLength(10);
    expect(uploads()).toHaveLength(1);
    expect(replies(asked.ts).at(-1)).toBe(uploads()[0]);
    expect(wordsOf(messages().at(-1) ?? { blocks: [] })).toMatch(/is in the attached file\./);
    const shown = [...messages().map(({ blocks }) => textOf(blocks)), contentOf(uploads()[0])].join(" ");
    expect(shown.match(/\bword\d+\b/g)).toEqual(words);
    expect(uploads()[0]?.files?.[0]).toMatchObject({ name: expect.stringMatching(/^answer-[a-z0-9]{8}\.md$/) });
    expect(slack.violations).toEqual([]);
  });

  it("says what the workspace lacks without files:write, and sends the rest to anyone who asks for it", async () => {
    const scopes = ["app_mentions:read", "channels:history", "chat:write", "commands", "users:read", "im:history"];
    const { slack, messages, uploads, bob, seenOnlyBy } = await longAnswer({ scopes });
    const last = messages().at(-1) ?? { blocks: [], ts: "" };

    expect(uploads()).toEqual([]);
    expect(messages()).toHaveLength(10);
    expect(wordsOf(last)).toMatch(/not allowed to upload files here.*\(the scope files:write\)/s);
    expect(buttonsOf(last)).toContain("Get the rest");

    const shown = messages()
      .map(({ blocks }) => textOf(blocks))
      .join(" ");
    const next =
      Number(
        shown
          .match(/\bword(\d+)\b/g)
          ?.at(-1)
          ?.slice(4),
      ) + 1;
    await bob.click(last.ts, "Get the rest");
    await until("the rest of the answer", () => seenOnlyBy("U0BOB").join(" ").includes(`word${next}`));
    await until("the note that the answer was shortened", () =>
      /Shortened: [\d,]+ more characters not shown\./.test(seenOnlyBy("U0BOB").join(" ")),
    );
    expect(seenOnlyBy("U0BOB").length).toBeLessThanOrEqual(10);
    expect(slack.violations).toEqual([]);
  });

  it("gets its file with the button once that is allowed", async () => {
    const parley = await openParley({ clock: fastClock(speed), slack: { speed } });
    const asked = parley.alice.mention("C0GENERAL", "tell me all");
    parley.slack.fail("files.getUploadURLExternal", "missing_scope");
    (await parley.agents.run(0)).answer(words.join(" "));
    await parley.idle();
    const last = parley.replies(asked.ts).at(-1) ?? { ts: "" };

    await parley.bob.click(last.ts, "Get the rest");

    await until("the file", () => parley.replies(asked.ts).some(({ files }) => files !== undefined));
    await until("a private message", () => parley.seenOnlyBy("U0BOB").join("").includes("in the attached file"));
    expect(parley.slack.violations).toEqual([]);
  });
});

describe("a file of a Reply", () => {
  const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
  const mark = { replyId: "turn1", part: 63, generation: 0 };
  const file = { name: "answer.md", content: "the rest\n", mediaType: "text/markdown" };

  async function inThread() {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").say("C0GENERAL", "hello");
    const thread = { ...place, thread: said.ts };
    const [payload] = platform.render(answered("42"));
    if (payload === undefined) throw new Error("nothing was drawn");
    await platform.post(thread, payload, { ...mark, part: 0 }, final);
    return { slack, platform, thread, said };
  }

  it("is found by its mark, in its generation, and by no other's", async () => {
    const { platform, thread } = await inThread();
    const id = await platform.uploadFile(thread, file, { ...mark, generation: 2 });
    await platform.uploadFile(thread, { ...file, name: "rows.csv" });

    const found = await platform.findOwn(thread, "turn1", 2);
    expect(found.filter(({ part }) => part === 63)).toEqual([{ part: 63, generation: 2, messageId: id }]);
    expect((await platform.findOwn(thread, "turn1", 1)).map(({ part }) => part)).toEqual([0]);
    expect(await platform.findOwn(thread, "turn2", 2)).toEqual([]);
  });

  it("is found when Slack's answer to the upload was lost", async () => {
    const { slack, platform, thread } = await inThread();
    slack.fail("files.completeUploadExternal", "lost");
    await expect(platform.uploadFile(thread, file, mark)).rejects.toMatchObject({ code: "platform_unreachable" });

    const uploaded = slack.world.thread("C0GENERAL", thread.thread).filter(({ files }) => files !== undefined);
    const found = await platform.findOwn(thread, "turn1", 0);
    expect(found.filter(({ part }) => part === 63)).toHaveLength(uploaded.length);
  });

  it("is removed with its message, and removed twice is removed", async () => {
    const { slack, platform, thread } = await inThread();
    const messageId = await platform.uploadFile(thread, file, mark);

    await platform.remove({ place: thread, messageId });
    await platform.remove({ place: thread, messageId });

    const left = slack.world.thread("C0GENERAL", thread.thread).filter(({ files }) => files !== undefined);
    expect(left).toEqual([]);
    expect(only(slack.callsTo("files.delete").slice(0, 1)).body).toMatchObject({ file: messageId });
  });
});
