/**
 * A picture of an error message, asked about in Discord: the real process, a strict local Discord, and a scripted model
 * server that records what it got.
 */
import { afterEach, describe, expect, it } from "vitest";
import { pngBytes } from "../../doubles/picture-bytes.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { until } from "../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, guildId, type Message, textOf } from "../../fakes/discord/world.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "../../fakes/model-server/index.ts";
import { labelsOf } from "./parley.ts";

let discord: FakeDiscord;
let parley: ParleyProcess;
let models: ModelServer;
afterEach(async () => {
  await parley?.close();
  await models?.close();
  await discord?.stop();
});

async function open(options: ModelServerOptions, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  discord = await startFakeDiscord();
  models = await startModelServer({ as: "litellm", models: ["seer"], ...options });
  parley = await createParleyProcess({
    ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId },
    ...{ AGENT_SERVICE_URL: models.root, AGENT_SERVICE_TOKEN: models.key, AGENT_SERVICE_KIND: "chat" },
    ...settings,
  });
  await parley.start();
  await until("the registration of the commands", () => discord.registrations.length > 0);
}

type Sent = { readonly name: string; readonly bytes: Uint8Array; readonly size?: number; readonly more?: object };

function attach({ name, bytes, size = bytes.length, more = {} }: Sent) {
  discord.files.set(name, bytes);
  const url = discord.apiUrl.replace("/api", `/files/${name}?ex=1&hm=2`);
  const id = String(discord.files.size);
  return { id, filename: name, content_type: "image/png", size, url, proxy_url: url, ...more };
}

async function answerTo(question: string, files: readonly Sent[]): Promise<Message> {
  const general = discord.world.channel("general");
  const before = new Set(discord.world.messages.keys());
  discord.human("Alice").say(general, `<@${botId}> ${question}`, { attachments: files.map(attach) });
  const find = () =>
    [...discord.world.messages.values()].find(
      (one) => one.authorId === botId && !before.has(one.id) && labelsOf(one).includes("Try again"),
    );
  await until(`the answer to “${question}”`, () => find() !== undefined);
  return find() as Message;
}

const asked = () => models.calls.flatMap(({ asked: one }) => (one === undefined ? [] : [one]));
const answers: ModelServerOptions = { script: () => ({ text: "The port is taken: end the other server." }) };
const blind = { ...answers, blind: ["seer"] };
const without = "can't see pictures, so it was asked without them";

describe("a picture of an error message", () => {
  it("is sent to the agent as data, scaled down by Discord, and not kept", async () => {
    await open(answers);
    const bytes = pngBytes(1_600, 900);
    const wide = { name: "wide.png", bytes: pngBytes(2_048, 1_152), more: { width: 4_096, height: 2_304 } };

    const answer = await answerTo("What does this error mean?", [{ name: "error.png", bytes }, wide]);

    const [first] = asked();
    expect(first?.question).toBe(
      'Attached picture "error.png".\n\nAttached picture "wide.png".\n\nQuestion:\nWhat does this error mean?',
    );
    expect(first?.pictures).toEqual(
      [bytes, wide.bytes].map((sent) => `data:image/png;base64,${sent.toString("base64")}`),
    );
    expect(discord.fetched).toEqual(["/files/error.png?ex=1&hm=2", "/files/wide.png?ex=1&hm=2&width=2048&height=1152"]);
    expect(textOf(answer)).not.toContain("picture");
    const thread = discord.world.channels.get(answer.channelId);
    if (thread !== undefined) discord.human("Alice").say(thread, `<@${botId}> And which port?`);
    await until("the next question", () => asked().length === 2);
    expect(asked()[1]?.pictures).toEqual([]);
    expect(asked()[1]?.messages[0]?.text).toContain('Attached picture "error.png".');
    expect(discord.violations).toEqual([]);
  });

  it("is left out where the model refuses it, which is said, and not sent there again after a restart", async () => {
    await open(blind);

    const first = await answerTo("What is this?", [{ name: "one.png", bytes: pngBytes(10, 10) }]);
    await parley.end();
    await parley.start();
    const second = await answerTo("And this?", [{ name: "two.png", bytes: pngBytes(10, 10) }]);

    expect([first, second].map((one) => textOf(one).includes(without))).toEqual([true, true]);
    expect(asked().map(({ pictures }) => pictures.length)).toEqual([1, 0, 0]);
    expect(asked()[1]?.question).toContain("You can't see the pictures that were sent with this.");
  });

  it("says of each picture that can't be sent why, and asks with the others", async () => {
    await open(answers);
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");

    const answer = await answerTo("Which one is right?", [
      { name: "drawing.svg", bytes: svg, more: { content_type: "image/svg+xml" } },
      { name: "huge.png", bytes: pngBytes(50_000, 50_000) },
      { name: "program.png", bytes: Buffer.from("MZ\x90\0 This program cannot be run in DOS mode.", "latin1") },
      { name: "heavy.png", bytes: pngBytes(10, 10, 9 * 1024 * 1024) },
      { name: "good.png", bytes: pngBytes(10, 10) },
    ]);

    const said = textOf(answer);
    expect(said).toContain("**drawing.svg** isn't a PNG, JPEG, GIF or WebP picture, so the agent didn't get it.");
    expect(said).toContain("**huge.png** is wider or higher than 8,000 pixels, so the agent didn't get it.");
    expect(said).toContain("**program.png** isn't a PNG, JPEG, GIF or WebP picture, so the agent didn't get it.");
    expect(said).toContain("**heavy.png** is larger than 8 MB, so the agent didn't get it.");
    expect(said).not.toContain("good.png");
    expect(asked()[0]?.pictures).toHaveLength(1);
  });
});
