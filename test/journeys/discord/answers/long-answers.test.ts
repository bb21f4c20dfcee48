/**
 * Answers of more than ten messages in Discord: the rest is a file, which bears its mark as a message does.
 */
// As in the program, which speaks to the agent service with it: it replaces the dispatcher of every undici, also discord.js's.
import "undici";
import { describe, expect, it } from "vitest";
import { openRoom } from "../../../discord/room.ts";
import { until } from "../../../doubles/until.ts";
import { permissions, textOf } from "../../../fakes/discord/world.ts";
import { labelsOf, openParley } from "../parley.ts";

const words = Array.from({ length: 9_000 }, (_, at) => `word${at}`);

async function longAnswer(denied = 0n) {
  const parley = await openParley();
  parley.general.denied = denied;
  const asked = parley.alice.mention(parley.general, "tell me all");
  (await parley.agents.run(0)).answer(words.join(" "));
  await parley.idle(40_000);
  const all = () => parley.own(asked.id);
  const messages = () => all().filter(({ attachments }) => attachments.length === 0);
  const uploads = () => all().filter(({ attachments }) => attachments.length > 0);
  return { ...parley, asked, all, messages, uploads };
}

describe("an answer of 80 kB", () => {
  it("is ten messages with a note, and a file below them that continues where they end", {
    timeout: 60_000,
  }, async () => {
    const { discord, all, messages, uploads } = await longAnswer();

    expect(messages()).toHaveLength(10);
    expect(all().at(-1)).toBe(uploads()[0]);
    expect(textOf(messages().at(-1) ?? { content: "", components: [] })).toMatch(/is in the attached file\./);
    const file = uploads()[0]?.attachments[0];
    expect(file).toMatchObject({ filename: "answer.md" });
    const shown = [...messages().map(textOf), String(file?.["text"])].join(" ");
    expect(shown.match(/\bword\d+\b/g)).toEqual(words);
    expect(discord.violations).toEqual([]);
  });

  it("says so without Attach Files, and sends the rest to anyone who asks for it", { timeout: 60_000 }, async () => {
    const { discord, messages, uploads, bob } = await longAnswer(permissions.attachFiles);
    const last = messages().at(-1);
    if (last === undefined) throw new Error("nothing was said");

    expect(uploads()).toEqual([]);
    expect(messages()).toHaveLength(10);
    expect(textOf(last)).toMatch(/not allowed to upload files here.*\(Attach Files\)/s);
    expect(labelsOf(last)).toContain("Get the rest");

    const next =
      Number(
        messages()
          .map(textOf)
          .join(" ")
          .match(/\bword(\d+)\b/g)
          ?.at(-1)
          ?.slice(4),
      ) + 1;
    bob.press(last, "Get the rest");
    const seen = () =>
      [...discord.world.messages.values()]
        .filter(({ seenBy }) => seenBy === bob.person.id)
        .map(textOf)
        .join(" ");
    await until("the rest of the answer", () => seen().includes(`word${next}`));
    expect(discord.violations).toEqual([]);
  });
});

describe("a file of a Reply", () => {
  const place = { platform: "discord", workspace: "800000000000000001", channel: "" };
  const mark = { replyId: "0123456789abcdef", part: 63, generation: 0 };
  const file = { name: "answer.md", content: "the rest\n", mediaType: "text/markdown" };

  it("is uploaded once under its mark, found by it, and removed", async () => {
    const { discord, platform } = await openRoom();
    const at = { ...place, channel: discord.world.channel("general").id };

    const first = await platform.uploadFile(at, file, mark);
    expect(await platform.uploadFile(at, file, mark)).toBe(first);
    const anew = await platform.uploadFile(at, file, { ...mark, generation: 1 });

    expect(await platform.findOwn(at, mark.replyId, 1)).toEqual([
      { part: 63, generation: 0, messageId: first },
      { part: 63, generation: 1, messageId: anew },
    ]);
    await platform.remove({ place: at, messageId: first });
    await platform.remove({ place: at, messageId: anew });
    expect(await platform.findOwn(at, mark.replyId, 1)).toEqual([]);
    expect(discord.violations).toEqual([]);
  });
});
