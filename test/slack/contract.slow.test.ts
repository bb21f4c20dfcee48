/**
 * The contract of platforms on Slack, over the real Bolt and a strict local Slack.
 */

import { placeOf } from "../../adapters/slack/ids.ts";
import { createSlack } from "../../adapters/slack/index.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import { describePlatform } from "../contracts/platform.ts";
import {
  type Abilities,
  type Link,
  markdownLinks,
  type PlatformUnderTest,
  type Said,
  type Shown,
} from "../contracts/platform-under-test.ts";
import type { Delivery } from "../fakes/slack/deliveries.ts";
import { appToken, botToken, startFakeSlack } from "../fakes/slack/index.ts";
import { bot, type Json, type StoredMessage, team, type View } from "../fakes/slack/world.ts";
import { buttonsOf, fastClock, wordsOf } from "../journeys/slack/parley.ts";

const channel = "C0GENERAL";

/** Markdown blocks know Slack's Markdown with definitions, every other text Slack's own notation. */
function linksIn(markup: string): readonly Link[] {
  const found: Link[] = [];
  JSON.parse(markup, (_key, node: unknown) => {
    if (typeof node !== "object" || node === null) return node;
    const { type, text, url } = node as Json;
    if (typeof text !== "string") return node;
    if (type === "markdown") {
      found.push(...markdownLinks(text));
      for (const [, label = "", to = ""] of text.matchAll(/^\s*\[([^\]]+)\]:\s*<?(https?:[^\s>]+)/gm))
        found.push({ label, url: to });
    } else if (type === "mrkdwn") {
      for (const [, to = "", label = ""] of text.matchAll(/<(https?:[^|>]+)\|([^>]+)>/g))
        found.push({ label, url: to });
    } else if (typeof url === "string") found.push({ label: text, url });
    return node;
  });
  return found;
}

const has: Abilities = {
  threads: true,
  buttons: true,
  slashCommands: true,
  forms: true,
  fileFields: true,
  linkLabels: true,
  privateReplies: true,
  acknowledgements: true,
  rateLimits: true,
  connection: true,
  idempotentPosts: false,
  admins: "some",
  reactions: true,
  messageLinks: true,
};

async function createSlackUnderTest(): Promise<PlatformUnderTest> {
  // Its own limits are those of test/slack/writing/rate-limiter.test.ts; here a test says what is refused.
  const slack = await startFakeSlack({ rates: false, retryScale: 0.002, ackTimeoutMs: 500 });
  const { world } = slack;
  const clock = fastClock(10);
  const alice = slack.person("U0ALICE");
  const deliveries = new Map<Said, Promise<readonly Delivery[]>>();
  const inThread = (ts: string) => placeOf(team, channel, ts);

  const shownOf = (message: StoredMessage): Shown => ({
    messageId: message.ts,
    text: wordsOf(message),
    markup: JSON.stringify(message.blocks),
    actions: buttonsOf(message),
    files: (message.files ?? []).map((file) => world.files.get(String(file["id"]))?.content.toString() ?? ""),
  });
  const openView = (): View => {
    const view = alice.view();
    if (view === undefined) throw new Error("no form is open");
    return view;
  };

  return {
    // As a message and as a mention.
    twins: 2,
    links: linksIn,
    clock,
    secrets: [botToken, appToken],
    connect: async ({ keyValue, coordinator, boundChannels, clock: given, log }) =>
      createSlack({
        botToken,
        intake: { kind: "socket", appToken },
        apiUrl: slack.apiUrl,
        keyValue: keyValue("slack"),
        coordinator,
        boundChannels,
        clock: given,
        log,
      }) as ChatPlatform,
    place: () => inThread(world.store({ channel, user: "U0ALICE", text: "hello", blocks: [] }).ts),
    nowhere: placeOf(team, "C0GONE"),

    say: async (text, after) => {
      const { thread } = after?.answeredIn ?? {};
      const { ts, delivered } = alice.mention(channel, text, thread === undefined ? {} : { thread });
      const said: Said = {
        messageId: ts,
        answeredIn: inThread(thread ?? ts),
        delivered: delivered.then((all) => all.every(({ isAcknowledged }) => isAcknowledged)),
      };
      deliveries.set(said, delivered);
      return said;
    },
    edit: async ({ messageId }, text) => void (await alice.edit(messageId, `<@${bot.userId}> ${text}`)),
    retract: async ({ messageId }) => void (await alice.delete(messageId)),
    command: async (line) => {
      const [word = "", ...rest] = line.split(" ");
      await alice.command(`/${word}`, rest.join(" "), channel);
    },
    press: async ({ messageId }, label) => void (await alice.click(messageId, label)),
    hasForm: () => alice.view() !== undefined,
    submit: async (values, files = {}) => {
      const filled = Object.entries(values).map(([field, value]): [string, Json] => [field, { value }]);
      const uploaded = Object.entries(files).map(([field, names]): [string, Json] => [
        field,
        { files: names.map((name, index) => ({ id: `F${index}`, name, mimetype: "text/plain", size: 10 })) },
      ]);
      const { answer } = await alice.submit(openView(), Object.fromEntries([...filled, ...uploaded]));
      return answer?.["response_action"] === "errors" ? JSON.stringify(answer["errors"]) : "";
    },
    memberSays: async (text) => void slack.person("U0BOB").mention(channel, text, {}),
    readsAlone: async () =>
      [...world.messages.values()]
        .filter((message) => message.bot_id === bot.botId)
        .filter((message) => message.visibleTo === alice.id || message.channel === "D0ALICE")
        .map(wordsOf)
        .join("\n"),

    shown: async ({ channel: id, thread }) =>
      (thread === undefined
        ? [...world.messages.values()].filter((one) => one.channel === id && one.visibleTo === undefined)
        : world.thread(id, thread)
      )
        .filter((message) => message.bot_id === bot.botId)
        .map(shownOf),
    deliverAgain: async (said) => {
      for (const { type, payload } of (await deliveries.get(said)) ?? []) await slack.deliveries.deliver(type, payload);
    },
    deleteReply: async ({ messageId }) => void world.messages.delete(messageId),
    loseAnswer: () => void slack.fail("chat.postMessage", "lost"),
    refusePosts: () => void slack.fail("chat.postMessage", "not_in_channel", { times: 100 }),
    limit: (on, retryAfterS) =>
      void slack.fail(on === "post" ? "chat.postMessage" : "chat.update", "ratelimited", { retryAfterS }),
    drop: () => {
      for (const socket of slack.deliveries.sockets) socket.kill();
    },
    violations: () => [...slack.violations, ...slack.deliveries.problems],
    close: slack.stop,
  };
}

describePlatform("Slack", has, createSlackUnderTest);
