/**
 * The Web API methods that Parley calls, with Slack's checks and error codes. A method that is not here is unknown.
 */

import { agentMethods } from "./agent-view/methods.ts";
import { hasRichText, judgeMessage } from "./check-blocks.ts";
import { channelFor, channelToPost, historyMethods, page } from "./history.ts";
import type { Method, MethodContext } from "./method.ts";
import { SlackRefusal, throwRefused } from "./refusal.ts";
import { viewMethods } from "./views.ts";
import { bot, type Channel, type Json, type StoredMessage, type World } from "./world.ts";

export const methods: Readonly<Record<string, Method>> = {
  "auth.test": (_body, { world }) => ({
    team_id: world.team,
    user_id: bot.userId,
    bot_id: bot.botId,
    url: "https://acme.slack.com/",
  }),

  "chat.postMessage": (body, context) => {
    const channel = channelToPost(body["channel"], context);
    const content = contentOf(body, context, 40_000);
    const isNamed = body["username"] !== undefined;
    if (isNamed && !context.hasScope("chat:write.customize")) throw new SlackRefusal("missing_scope");
    const message = context.world.store({
      ...own(channel),
      ...(isNamed ? { username: String(body["username"]), subtype: "bot_message" } : {}),
      ...content,
      ...threadOf(body, channel, context.world),
      ...(isObject(body["metadata"]) ? { metadata: body["metadata"] } : {}),
    });
    context.repeats.posted(message);
    // Whatever the status line said: the answer is there.
    if (message.thread_ts !== undefined) context.world.statusLine.clear(channel.id, message.thread_ts);
    context.announce({ ...context.world.shown(message), channel: channel.id, event_ts: message.ts });
    return { channel: channel.id, ts: message.ts, message: context.world.shown(message) };
  },

  "chat.update": (body, context) => {
    const channel = channelFor(body["channel"], context, true);
    const message = ownMessage(body["ts"], channel, context.world);
    const content = contentOf(body, context, 4_000);
    if (hasRichText(message.blocks) && !hasRichText(content.blocks)) throw new SlackRefusal("block_mismatch");
    context.repeats.edited(message, content);
    const before = context.world.shown(message);
    Object.assign(message, content);
    message.versions.push({ text: message.text, blocks: message.blocks });
    announceChange(message, before, context);
    return { channel: channel.id, ts: message.ts };
  },

  "chat.delete": (body, context) => {
    const channel = channelFor(body["channel"], context, true);
    const message = ownMessage(body["ts"], channel, context.world);
    context.world.messages.delete(message.ts);
    return { channel: channel.id, ts: message.ts };
  },

  "chat.postEphemeral": (body, context) => {
    const channel = channelFor(body["channel"], context, true);
    if (!channel.members.has(String(body["user"]))) throw new SlackRefusal("user_not_in_channel");
    const content = contentOf(body, context, 40_000);
    const thread = threadOf(body, channel, context.world);
    const message = context.world.store({ ...own(channel), ...content, ...thread, visibleTo: String(body["user"]) });
    return { message_ts: message.ts };
  },

  "chat.getPermalink": (body, context) => {
    const channel = channelFor(body["channel"], context, false);
    if (!context.world.messages.has(String(body["message_ts"]))) throw new SlackRefusal("message_not_found");
    return {
      permalink: `https://acme.slack.com/archives/${channel.id}/p${String(body["message_ts"]).replace(".", "")}`,
    };
  },

  ...historyMethods,

  "users.info": (body, { world }) => {
    const user = world.users.get(String(body["user"]));
    if (user === undefined) throw new SlackRefusal("user_not_found");
    return { user };
  },

  "users.list": (body, context) => {
    const { part, rest } = page([...context.world.users.values()], body, context);
    return { members: part, ...rest };
  },

  "files.info": (body, { world }) => {
    const file = world.sharedFiles.get(String(body["file"]));
    if (file === undefined) throw new SlackRefusal("file_not_found");
    return { file };
  },

  "usergroups.list": () => ({ usergroups: [{ id: "S0OPS", name: "Operations", handle: "ops" }] }),

  "reactions.add": (body, { world }) => {
    if (!world.messages.has(String(body["timestamp"]))) throw new SlackRefusal("message_not_found");
    if (!/^[a-z0-9_+'-]+$/.test(String(body["name"]))) throw new SlackRefusal("invalid_name");
    const reaction = `${body["timestamp"]} ${body["name"]}`;
    if (world.reactions.has(reaction)) throw new SlackRefusal("already_reacted");
    world.reactions.add(reaction);
    return {};
  },

  "reactions.remove": (body, { world }) => {
    if (!world.messages.has(String(body["timestamp"]))) throw new SlackRefusal("message_not_found");
    if (!world.reactions.delete(`${body["timestamp"]} ${body["name"]}`)) throw new SlackRefusal("no_reaction");
    return {};
  },

  "files.getUploadURLExternal": (body, { world, base }) => {
    const name = String(body["filename"] ?? "");
    const length = Number(body["length"]);
    if (name === "" || !Number.isInteger(length) || length <= 0) throw new SlackRefusal("invalid_arguments");
    const id = world.nextId("F");
    const type = name.endsWith(".md") ? "text/markdown" : "text/csv";
    world.files.set(id, { name, content: Buffer.alloc(0), type, length });
    return { upload_url: `${base}/upload/${id}`, file_id: id };
  },

  "files.completeUploadExternal": (body, context) => {
    const channel = channelFor(body["channel_id"], context, true);
    const files = (body["files"] as readonly Json[]).map((file) => {
      const stored = context.world.files.get(String(file["id"]));
      if (stored === undefined || stored.content.length === 0) throw new SlackRefusal("file_not_found");
      if (stored.content.length !== stored.length) throw new SlackRefusal("file_upload_size_mismatch");
      return { id: file["id"], name: stored.name, title: file["title"] };
    });
    context.world.store({ ...own(channel), text: "", blocks: [], files, ...threadOf(body, channel, context.world) });
    return { files };
  },

  /** A message that held nothing else is gone with its file. */
  "files.delete": (body, { world }) => {
    const id = String(body["file"]);
    if (!world.files.delete(id)) throw new SlackRefusal("file_not_found");
    for (const message of world.messages.values()) {
      const isOnly = message.files?.length === 1 && message.files[0]?.["id"] === id && message.text === "";
      if (isOnly) world.messages.delete(message.ts);
    }
    return {};
  },

  ...viewMethods,

  ...agentMethods,
};

/** `base` announces an edit the way Slack does: to the app that made it too. */
export function announceChange(
  message: StoredMessage,
  previous: Json,
  context: Pick<MethodContext, "announce" | "world">,
) {
  const ts = context.world.nextTs();
  context.announce({
    type: "message",
    subtype: "message_changed",
    hidden: true,
    channel: message.channel,
    message: context.world.shown(message),
    previous_message: previous,
    ts,
    event_ts: ts,
  });
}

export function contentOf(body: Json, { refuses }: Pick<MethodContext, "refuses">, maxTextChars: number) {
  const blocks = body["blocks"];
  const text = String(body["text"] ?? "");
  if (blocks !== undefined) throwRefused(judgeMessage(blocks, refuses));
  if (text === "" && (!Array.isArray(blocks) || blocks.length === 0)) throw new SlackRefusal("no_text");
  if (text.length > maxTextChars) throw new SlackRefusal("msg_too_long");
  return { text, blocks: (blocks ?? []) as readonly Json[] };
}

function own(channel: Channel) {
  return { channel: channel.id, user: bot.userId, bot_id: bot.botId };
}

function ownMessage(ts: unknown, channel: Channel, world: World): StoredMessage {
  const message = world.messages.get(String(ts));
  if (message === undefined || message.channel !== channel.id || message.visibleTo !== undefined)
    throw new SlackRefusal("message_not_found");
  if (message.bot_id !== bot.botId) throw new SlackRefusal("cant_update_message");
  return message;
}

function threadOf(body: Json, channel: Channel, world: World): { thread_ts?: string } {
  const ts = body["thread_ts"];
  if (ts === undefined) return {};
  if (world.isUnthreading && world.thread(channel.id, String(ts)).length === 0) return {};
  if (world.thread(channel.id, String(ts)).length === 0) throw new SlackRefusal("thread_not_found");
  return { thread_ts: String(ts) };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
