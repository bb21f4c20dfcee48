/**
 * Packets that are not as documented, through the real libraries of discord.js: none of them ends the process, none of them stops
 * what comes after it, and each kind is logged once.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDiscord } from "../../../adapters/discord/index.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { groupSummaries } from "../../../src/commands/words.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { noPictures } from "../../doubles/nulls/no-pictures.ts";
import { notice, quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, guildId, type Json } from "../../fakes/discord/world.ts";
import { freeCoordinator, openRoom } from "../room.ts";

/** What an unhandled rejection or exception of the whole process would be. */
const escaped: unknown[] = [];
const note = (thrown: unknown) => void escaped.push(thrown);
beforeAll(() => {
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
});

/** The same object with one field changed, for every field at every depth. */
function* changed(
  value: unknown,
  odd: unknown,
  path = "",
): Generator<{ readonly path: string; readonly value: unknown }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    const put = (next: unknown) =>
      Array.isArray(value) ? value.map((old, at) => (String(at) === key ? next : old)) : { ...value, [key]: next };
    yield { path: `${path}.${key}`, value: put(odd) };
    for (const inner of changed(one, odd, `${path}.${key}`)) yield { path: inner.path, value: put(inner.value) };
  }
}

/** Everything that the bot is told while people do what they do. */
async function recorded(): Promise<readonly { readonly t: string; readonly d: Json }[]> {
  const { discord, platform, seen } = await openRoom({ on: (event) => event.ack({ kind: "none" }) });
  const alice = discord.human("Alice");
  const general = discord.world.channel("general");
  const asked = alice.mention(general, "how?");
  alice.say(general, "a reply", {
    replyTo: asked.id,
    attachments: [{ id: "1", filename: "a.txt", size: 1, url: "x" }],
  });
  alice.forward(general, { content: "forwarded", attachments: [] });
  alice.edit(asked, "how then?");
  alice.react(asked, "📌");
  alice.say(discord.world.direct(alice.person.id), "in person");
  alice.command(general, "ask", { question: "what?" });
  alice.menu(general, "Ask about this", asked);
  alice.forumPost(discord.world.channel("help"), "a post", "its words");
  alice.delete(asked);
  discord.channelChanged("general");
  const place = { platform: "discord", workspace: guildId, channel: general.id };
  const [drawn] = platform.render(notice("drawn"));
  if (drawn !== undefined)
    await platform.post(place, drawn, { replyId: "turn", part: 0, generation: 0 }, { urgency: "final" });
  await until("8 events", () => seen.length >= 8);
  return discord.gateway.sent();
}

async function open(discord: FakeDiscord, seen: Inbound[], lines: string[]) {
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify({ ...fields, err: undefined })}`);
  const platform = createDiscord({
    ...{ token, apiUrl: discord.apiUrl, hasMessageContent: true, clock: quickClock, coordinator: freeCoordinator },
    commands: { definitions: allCommands, groups: groupSummaries },
    log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    pictures: noPictures,
    keyValue: {
      get: async () => undefined,
      set: async () => undefined,
      delete: async () => undefined,
      entries: async function* () {},
    },
  });
  await platform.start({ handle: async (inbound) => void seen.push(inbound), complete: async () => [] });
  await until("the connection", () => platform.health().isConnected);
  return platform;
}

const oddities: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a number", -1],
  ["words", "odd"],
  ["an empty list", []],
  ["an empty object", {}],
];

describe("a packet with one odd field", () => {
  it.each(oddities)("that is %s ends nothing, whichever field it is", { timeout: 60_000 }, async (_name, odd) => {
    const packets = (await recorded()).filter(({ t }) => t !== "READY" && t !== "RESUMED");
    const discord = await startFakeDiscord({ identifyIntervalMs: 0 });
    const seen: Inbound[] = [];
    const lines: string[] = [];
    const platform = await open(discord, seen, lines);
    let count = 0;

    for (const { t, d } of packets) {
      for (const { value } of changed({ t, d }, odd)) {
        const packet = value as { readonly t: unknown; readonly d: unknown };
        discord.gateway.sendRaw(JSON.stringify({ op: 0, s: null, ...packet }));
        count += 1;
        if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const said = discord.human("Bob").mention(discord.world.channel("random"), "still there?");
    const isHeard = () => seen.some(({ eventKey }) => eventKey.includes(said.id));
    await until("the question", isHeard);
    await platform.close();
    await discord.stop();

    expect(count).toBeGreaterThan(500);
    expect(escaped).toEqual([]);
    expect(discord.gateway.seen).toMatchObject({ identifies: 1, resumes: 0 });
    const skipped = lines.filter((line) => line.startsWith("warn"));
    expect(new Set(skipped).size).toBe(skipped.length);
    expect(skipped.length).toBeLessThan(40);
    const unread = lines.filter((line) => line.includes("does not fit"));
    expect(new Set(unread).size).toBe(unread.length);
  });

  it("leaves one debug line with the path where it does not fit", async () => {
    const room = await openRoom();
    const { discord } = room;
    const odd = { id: "1", channel_id: discord.world.channel("general").id, author: { id: 7 } };

    for (const _time of [1, 2, 3])
      discord.gateway.sendRaw(JSON.stringify({ op: 0, s: null, t: "MESSAGE_CREATE", d: odd }));
    const lines = () => room.log.filter(({ message }) => message.includes("does not fit"));
    await until("the log line", () => lines().length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(lines().map(({ level, fields }) => ({ level, fields }))).toEqual([
      { level: "debug", fields: { kind: "MESSAGE_CREATE", path: "author.id" } },
    ]);
  });

  it("is read where null means absent", async () => {
    const { discord, seen } = await openRoom();
    const alice = discord.human("Alice");
    const direct = discord.world.direct(alice.person.id);
    const author = { id: alice.person.id, username: "alice", global_name: null, bot: null };
    const said = { id: discord.world.snowflake(), channel_id: direct.id, content: "in person", author };
    const nulls = { guild_id: null, member: null, webhook_id: null, mentions: null, nonce: null, flags: null };

    discord.gateway.sendRaw(JSON.stringify({ op: 0, s: null, t: "MESSAGE_CREATE", d: { ...said, ...nulls } }));
    await until("an event", () => seen.length > 0);

    expect(seen).toMatchObject([{ kind: "message", text: "in person", isDirect: true }]);
  });
});

describe("a packet that waits until every shard is there", () => {
  it("ends nothing when its turn comes, and is named in the log", async () => {
    let discord: FakeDiscord | undefined;
    const before = (local: FakeDiscord) => {
      discord = local;
    };
    // It is open when every shard stands.
    const opening = openRoom({}, { shards: 2, identifyIntervalMs: 300, isAway: true, before });
    await until("an accepted session", () => discord?.gateway.seen.accepted === 1);

    for (const t of ["CHANNEL_UPDATE", "MESSAGE_CREATE"]) {
      discord?.gateway.sendRaw(JSON.stringify({ op: 0, s: null, t, d: null }));
    }
    const { platform, log } = await opening;
    await until("the connection", () => platform.health().isConnected);
    const skipped = () => log.filter(({ message }) => message.includes("skipped")).map(({ fields }) => fields["kind"]);
    await until("the skipped packet", () => skipped().includes("CHANNEL_UPDATE"));

    expect(escaped).toEqual([]);
  });
});

describe("an odd frame", () => {
  const frames: readonly (readonly [string, string])[] = [
    ["that is not JSON", "{oops"],
    ["that is null", "null"],
    ["that is a number", "7"],
    ["that is a list", "[]"],
    ["without an opcode", "{}"],
    ["with an opcode that is unknown", '{"op":99,"d":null}'],
    ["with an opcode that is no number", '{"op":{},"d":[]}'],
    ["that is a dispatch without a name", '{"op":0,"t":null,"d":null,"s":1}'],
    ["that is a dispatch called error", '{"op":0,"t":"error","d":null,"s":null}'],
    ["that is a dispatch called __proto__", '{"op":0,"t":"__proto__","d":null,"s":null}'],
    ["that is a dispatch called constructor", '{"op":0,"t":"constructor","d":null,"s":null}'],
    ["of 20 MB", JSON.stringify({ op: 0, t: "MESSAGE_CREATE", s: null, d: "x".repeat(20_000_000) })],
    [
      "nested a hundred thousand times",
      `{"op":0,"t":"MESSAGE_CREATE","s":null,"d":${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
    ],
    ["that greets without an interval", '{"op":10,"d":null}'],
    ["that greets with an interval of 0", '{"op":10,"d":{"heartbeat_interval":0}}'],
  ];

  it.each(frames)("%s is skipped", async (_name, text) => {
    const { discord, seen } = await openRoom();

    discord.gateway.sendRaw(text);
    discord.human("Alice").mention(discord.world.channel("general"), "still there?");
    await until("an event", () => seen.length > 0);

    expect(escaped).toEqual([]);
    expect(discord.gateway.seen).toMatchObject({ identifies: 1, resumes: 0 });
  });

  it("with bytes that nothing can unpack is skipped", async () => {
    const { discord, seen } = await openRoom();

    discord.gateway.sendBytes(Buffer.from([0x78, 0x9c, 0xff, 0x00, 0x13, 0x37, 0x00, 0x00, 0xff, 0xff]));
    discord.human("Alice").mention(discord.world.channel("general"), "still there?");
    await until("an event", () => seen.length > 0);

    expect(escaped).toEqual([]);
  });

  const ending: readonly (readonly [string, string])[] = [
    ["that calls the session invalid without saying how", '{"op":9}'],
    ["that calls the session invalid, to be resumed", '{"op":9,"d":true}'],
    ["that asks for another socket", '{"op":7}'],
    ["that is a READY of nothing", '{"op":0,"t":"READY","s":1,"d":null}'],
    [
      "that is a READY with a user of null",
      `{"op":0,"t":"READY","s":1,"d":{"session_id":"x","guilds":[],"user":null}}`,
    ],
    [
      "that is a READY which discord.js cannot digest",
      `{"op":0,"t":"READY","s":1,"d":{"session_id":"x","guilds":[{"id":null}],"user":{"id":"${botId}"}}}`,
    ],
  ];

  it.each(ending)("%s leads to another session", async (_name, text) => {
    const { discord, platform, seen } = await openRoom();

    discord.gateway.sendRaw(text);
    await until(
      "the connection after another dial",
      () => discord.gateway.seen.dialsMs.length > 1 && platform.health().isConnected,
    );
    discord.human("Alice").mention(discord.world.channel("general"), "still there?");
    await until("an event", () => seen.length > 0);

    expect(escaped).toEqual([]);
    expect(discord.gateway.live()).toBe(1);
  });

  it("with a resume URL that isn't a URL ends nothing: the session resumes at the first URL", async () => {
    const { discord, platform, seen } = await openRoom({}, { resumeUrl: "no address" });

    discord.gateway.kill();
    await until("the loss of the connection", () => !platform.health().isConnected);
    await until("the connection", () => platform.health().isConnected);
    discord.human("Alice").mention(discord.world.channel("general"), "still there?");
    await until("an event", () => seen.length > 0);

    expect(escaped).toEqual([]);
    expect(discord.gateway.seen).toMatchObject({ identifies: 1, resumes: 1 });
  });
});
