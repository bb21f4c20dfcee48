/**
 * The contract of platforms on Discord, over the real libraries of discord.js and a strict local Discord.
 */
// As in the program, which speaks to the agent service with it: it replaces the dispatcher of every undici, also discord.js's.
import "undici";
import { placeOf } from "../../adapters/discord/ids.ts";
import { createDiscord } from "../../adapters/discord/index.ts";
import { showAction } from "../../adapters/discord/writing/private-notes.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import { describePlatform } from "../contracts/platform.ts";
import { type Abilities, markdownLinks, type PlatformUnderTest, type Shown } from "../contracts/platform-under-test.ts";
import { quickClock as clock } from "../doubles/room-parts.ts";
import { until } from "../doubles/until.ts";
import { startFakeDiscord, token } from "../fakes/discord/index.ts";
import type { Result } from "../fakes/discord/interactions.ts";
import { botId, buttonsOf, guildId, type Message, textOf } from "../fakes/discord/world.ts";
import { labelsOf } from "../journeys/discord/parley.ts";
import { freeCoordinator } from "./room.ts";

const has: Abilities = {
  threads: true,
  buttons: true,
  slashCommands: true,
  forms: true,
  fileFields: true,
  linkLabels: true,
  privateReplies: true,
  acknowledgements: false,
  rateLimits: true,
  connection: true,
  idempotentPosts: true,
  admins: "some",
  reactions: true,
  messageLinks: true,
};

async function createDiscordUnderTest(): Promise<PlatformUnderTest> {
  const discord = await startFakeDiscord({
    identifyIntervalMs: 0,
    rules: { "POST /channels/:c/messages": { limit: 50, windowMs: 1_000 } },
  });
  const { world } = discord;
  const alice = discord.human("Alice");
  const general = world.channel("general");
  let form: Result | undefined;

  const channelOf = ({ channel, thread }: Place) => world.channels.get(thread ?? channel) ?? general;
  const inThread = (id: string) => placeOf(guildId, general.id, id);
  const openThread = (id: string) => {
    if (!world.channels.has(id))
      world.addChannel({ id, type: 11, name: "hello", parentId: general.id, ownerId: botId });
    return inThread(id);
  };
  const messageOf = (id: string): Message => {
    const message = world.messages.get(id);
    if (message === undefined) throw new Error(`no message ${id}`);
    return message;
  };
  const own = (id: string) => world.inChannel(id).filter(({ authorId }) => authorId === botId);
  const forAll = (id: string) => own(id).filter(({ seenBy }) => seenBy === undefined);
  const shownOf = (message: Message): Shown => ({
    messageId: message.id,
    text: textOf(message),
    markup: JSON.stringify(message.components),
    actions: labelsOf(message),
    files: message.attachments.map((file) => String(file["text"])),
  });
  const answered = (result: Result) => until("the press is answered", () => result.type !== undefined);
  /** What a person alone may read waits behind a button in the channel. */
  const openCovers = async () => {
    for (const channel of world.channels.keys()) {
      for (const message of forAll(channel)) {
        const cover = buttonsOf(message.components).find(({ custom_id: id }) => String(id).startsWith(showAction));
        if (cover !== undefined) await answered(alice.press(message, String(cover["custom_id"])));
      }
    }
  };

  return {
    twins: 1,
    links: markdownLinks,
    clock,
    secrets: [token],
    connect: async ({ keyValue, commands, pictures, log }) =>
      createDiscord({
        token,
        apiUrl: discord.apiUrl,
        hasMessageContent: true,
        commands,
        keyValue: keyValue("discord"),
        coordinator: freeCoordinator,
        pictures,
        clock,
        log,
      }) as ChatPlatform,
    place: () =>
      openThread(world.addMessage({ channelId: general.id, authorId: alice.person.id, content: "hello" }).id),
    nowhere: placeOf(guildId, "123456789012345678"),

    say: async (text, after) => {
      const place = after === undefined ? undefined : openThread(after.answeredIn.thread ?? "");
      const { id } = alice.mention(place === undefined ? general : channelOf(place), text);
      return { messageId: id, answeredIn: place ?? inThread(id), delivered: Promise.resolve(true) };
    },
    edit: async ({ messageId }, text) => alice.edit(messageOf(messageId), `<@${botId}> ${text}`),
    retract: async ({ messageId }) => alice.delete(messageOf(messageId)),
    command: async (line) => {
      await until("the commands are registered", () => discord.registrations.length > 0);
      form = alice.command(general, line);
      await answered(form);
    },
    press: async ({ messageId }, label) => answered(alice.press(messageOf(messageId), label)),
    hasForm: () => form?.modal !== undefined,
    submit: async (values, files = {}) => {
      if (form === undefined) throw new Error("no form is open");
      const errors = form.answer;
      if (form.modal === undefined && errors !== undefined) {
        form = alice.press(errors, String(buttonsOf(errors.components)[0]?.["custom_id"]));
        await answered(form);
      }
      const uploaded = Object.values(files)
        .flat()
        .map((filename) => ({ id: world.snowflake(), filename, size: 10, url: "https://cdn.discordapp.com/a" }));
      form = alice.submit(form, values, uploaded);
      await answered(form);
      // 4 is a new message, 7 a change of the one before; anything else says nothing.
      return form.answer !== undefined && (form.type === 4 || form.type === 7) ? textOf(form.answer) : "";
    },
    memberSays: async (text) => void discord.human("Bob").mention(general, text),
    readsAlone: async () => {
      await openCovers();
      const direct = forAll(world.direct(alice.person.id).id);
      return [...world.messages.values()]
        .filter(({ seenBy, isDeleted }) => seenBy === alice.person.id && !isDeleted)
        .concat(direct)
        .map(textOf)
        .join("\n");
    },

    shown: async (place) => forAll(channelOf(place).id).map(shownOf),
    deliverAgain: async ({ messageId }) => discord.gateway.repeatLast("MESSAGE_CREATE", ({ id }) => id === messageId),
    deleteReply: async ({ messageId }) => {
      messageOf(messageId).isDeleted = true;
    },
    loseAnswer: () => discord.fault("POST /channels/:c/messages", "lost"),
    refusePosts: () => discord.fault("POST /channels/:c/messages", "code:50013", 100),
    limit: (on, retryAfterS) =>
      discord.fault(
        on === "post" ? "POST /channels/:c/messages" : "PATCH /channels/:c/messages/:m",
        "429",
        1,
        retryAfterS,
      ),
    drop: () => discord.gateway.kill(),
    violations: () => discord.violations,
    close: discord.stop,
  };
}

describePlatform("Discord", has, createDiscordUnderTest);
