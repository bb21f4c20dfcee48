/** The contract of platforms where there is nothing but text: every fallback is checked here. */

import { ParleyError } from "../../src/core/errors.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createPlain, createPlainRoom, type Line, placeOf } from "./plain-platform.ts";
import { describePlatform } from "./platform.ts";
import type { Abilities, PlatformUnderTest, Said } from "./platform-under-test.ts";

const channel = "#general";

const has: Abilities = {
  threads: false,
  buttons: false,
  slashCommands: false,
  forms: false,
  fileFields: false,
  linkLabels: false,
  privateReplies: false,
  acknowledgements: false,
  rateLimits: false,
  connection: false,
  idempotentPosts: true,
  admins: "some",
  reactions: false,
  messageLinks: false,
};

async function createPlainUnderTest(): Promise<PlatformUnderTest> {
  const room = createPlainRoom();
  const place = placeOf(channel);
  let losesAnswer = false;
  const lineOf = (id: string): Line => {
    const line = room.lines.get(id);
    if (line === undefined) throw new Error(`no line ${id}`);
    return line;
  };
  const alice = (text: string) => room.say({ channel, author: "alice", text });
  const saidAs = (text: string): Said => ({
    messageId: alice(text).id,
    answeredIn: place,
    delivered: Promise.resolve(true),
  });

  return {
    twins: 1,
    clock: systemClock,
    secrets: [],
    connect: async (parts) => {
      const platform = createPlain(room, parts);
      return {
        ...platform,
        post: async (...given: Parameters<typeof platform.post>) => {
          const id = await platform.post(...given);
          if (!losesAnswer) return id;
          losesAnswer = false;
          throw new ParleyError("platform_unreachable");
        },
      } as ChatPlatform;
    },
    place: () => place,
    nowhere: placeOf("nowhere"),
    say: async (text) => saidAs(`parley: ${text}`),
    edit: async ({ messageId }, text) => room.change(lineOf(messageId), `parley: ${text}`),
    retract: async ({ messageId }) => room.remove(lineOf(messageId)),
    command: async (line) => void alice(`!${line}`),
    typed: {
      say: async (line) => saidAs(`!${line}`),
      edit: async ({ messageId }, line) => room.change(lineOf(messageId), `!${line}`),
    },
    memberSays: async (text) => void room.say({ channel, author: "bob", text: `parley: ${text}` }),
    press: async ({ messageId }, label) => {
      const typed = new RegExp(`^${label}: (!.*)$`, "m").exec(lineOf(messageId).text)?.[1];
      if (typed === undefined) throw new Error(`nothing says how to do ${label}`);
      alice(typed);
    },
    shown: async (where) =>
      [...room.lines.values()]
        .filter((line) => line.author === "parley" && line.channel === where.channel)
        .map(({ id, text, file }) => ({
          messageId: id,
          text,
          markup: text,
          actions: [],
          files: file === undefined ? [] : [file],
        })),
    deliverAgain: async ({ messageId }) => room.repeat(lineOf(messageId)),
    deleteReply: async ({ messageId }) => room.remove(lineOf(messageId)),
    loseAnswer: () => {
      losesAnswer = true;
    },
    refusePosts: room.refusePosts,
    violations: () => room.violations,
    close: async () => undefined,
  };
}

describePlatform("a room of plain text", has, createPlainUnderTest);
