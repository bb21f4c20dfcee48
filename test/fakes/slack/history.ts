/**
 * Reads history by Slack's rules: a scope for each kind of channel, pages with a limit, an exclusive `oldest`,
 * histories newest first and without replies, threads oldest first and led by their parent.
 */
import type { Method, MethodContext } from "./method.ts";
import { SlackRefusal } from "./refusal.ts";
import { bot, type Channel, type ChannelType, type Json, type StoredMessage, type World } from "./world.ts";

export const historyScopes: Readonly<Record<ChannelType, string>> = {
  channel: "channels:history",
  group: "groups:history",
  im: "im:history",
  mpim: "mpim:history",
};

/** For lists of channels, and to be told who joins one. */
export const listScopes: Readonly<Record<ChannelType, string>> = {
  channel: "channels:read",
  group: "groups:read",
  im: "im:read",
  mpim: "mpim:read",
};

/** As `users.conversations` calls the kinds, with the scope that each needs. */
const listed: Readonly<Record<string, { readonly type: ChannelType; readonly scope: string }>> = {
  public_channel: { type: "channel", scope: listScopes.channel },
  private_channel: { type: "group", scope: listScopes.group },
  im: { type: "im", scope: listScopes.im },
  mpim: { type: "mpim", scope: listScopes.mpim },
};

export const historyMethods: Readonly<Record<string, Method>> = {
  "conversations.history": (body, context) => {
    const { world } = context;
    const channel = readable(body, context);
    const top = [...world.messages.values()]
      .filter(({ thread_ts, subtype }) => thread_ts === undefined || subtype === "thread_broadcast")
      .filter((message) => message.channel === channel.id && message.visibleTo === undefined)
      .filter(inRange(body))
      .toSorted((one, other) => Number(one.ts) - Number(other.ts));
    const isFromOldest =
      context.historyFrom === "oldest" && body["oldest"] !== undefined && body["latest"] === undefined;
    const { part, rest } = page(isFromOldest ? top : top.toReversed(), body, context);
    return { ...rest, messages: shown(isFromOldest ? part.toReversed() : part, body, world) };
  },

  "conversations.replies": (body, context) => {
    const { world } = context;
    const channel = readable(body, context);
    const ts = String(body["ts"]);
    const [parent, ...replies] = world
      .thread(channel.id, ts)
      .toSorted((one, other) => Number(one.ts) - Number(other.ts));
    if (parent === undefined) throw new SlackRefusal("thread_not_found");
    const { part, rest } = page(replies.filter(inRange(body)), body, context);
    return { ...rest, messages: shown([parent, ...part], body, world) };
  },

  "conversations.info": channelInfo,

  "users.conversations": (body, context) => {
    const { world, hasScope } = context;
    const kinds = String(body["types"] ?? "public_channel").split(",");
    const types = kinds.map((kind) => {
      const one = listed[kind.trim()];
      if (one === undefined) throw new SlackRefusal("invalid_types");
      if (!hasScope(one.scope)) throw new SlackRefusal("missing_scope");
      return one.type;
    });
    const withArchived = String(body["exclude_archived"] ?? "false") !== "true";
    const user = String(body["user"] ?? bot.userId);
    if (!world.users.has(user)) throw new SlackRefusal("user_not_found");
    // Of another person's channels only the public ones are told, and those where the app is too.
    const own = [...world.channels.values()].filter(
      ({ type, members, isArchived }) =>
        types.includes(type) &&
        members.has(user) &&
        (type === "channel" || members.has(bot.userId)) &&
        (withArchived || !isArchived),
    );
    const { part, rest } = page(own, body, { maxPageMessages: 999 });
    return { ...rest, channels: part.map(described) };
  },
};

/** Tells of public channels, and of others where the app is. */
function channelInfo(body: Json, { world, hasScope }: MethodContext): Json {
  const channel = world.channels.get(String(body["channel"]));
  const isHidden = channel !== undefined && channel.type !== "channel" && !channel.members.has(bot.userId);
  if (channel === undefined || isHidden) throw new SlackRefusal("channel_not_found");
  if (!hasScope(listScopes[channel.type])) throw new SlackRefusal("missing_scope");
  return { channel: described(channel) };
}

/** A post alone may be sent to a person; every other method wants the id of the channel that it opened. */
export function channelToPost(id: unknown, context: Pick<MethodContext, "world">): Channel {
  const person = String(id);
  if (!person.startsWith("U")) return channelFor(id, context, true);
  const direct = `D0${person.slice(2)}`;
  // Posting to a person opens the direct message.
  if (context.world.users.has(person) && !context.world.channels.has(direct))
    context.world.addChannel(direct, [person, bot.userId], "im");
  return channelFor(direct, context, true);
}

export function channelFor(id: unknown, { world }: Pick<MethodContext, "world">, writes: boolean): Channel {
  const channel = world.channels.get(String(id));
  if (channel === undefined) throw new SlackRefusal("channel_not_found");
  if (!channel.members.has(bot.userId)) throw new SlackRefusal("not_in_channel");
  if (writes && channel.isArchived) throw new SlackRefusal("is_archived");
  return channel;
}

function readable(body: Json, context: MethodContext): Channel {
  if (!Object.values(historyScopes).some((scope) => context.hasScope(scope))) throw new SlackRefusal("missing_scope");
  const channel = channelFor(body["channel"], context, false);
  if (!context.hasScope(historyScopes[channel.type])) throw new SlackRefusal("missing_scope");
  return channel;
}

function inRange(body: Json): (message: StoredMessage) => boolean {
  const oldest = Number(body["oldest"] ?? 0);
  const latest = Number(body["latest"] ?? Number.POSITIVE_INFINITY);
  const isInclusive = String(body["inclusive"] ?? "false") === "true";
  return ({ ts }) => {
    const at = Number(ts);
    return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

export function page<T>(all: readonly T[], body: Json, { maxPageMessages }: Pick<MethodContext, "maxPageMessages">) {
  const limit = Number(body["limit"] ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 999) throw new SlackRefusal("invalid_limit");
  const cursor = body["cursor"] === undefined || body["cursor"] === "" ? undefined : String(body["cursor"]);
  const from = cursor === undefined ? 0 : Number(/^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString())?.[1]);
  if (Number.isNaN(from)) throw new SlackRefusal("invalid_cursor");
  const to = from + Math.min(limit, maxPageMessages);
  const hasMore = to < all.length;
  const next = hasMore ? Buffer.from(`next:${to}`).toString("base64") : "";
  return { part: all.slice(from, to), rest: { has_more: hasMore, response_metadata: { next_cursor: next } } };
}

function shown(messages: readonly StoredMessage[], body: Json, world: World): readonly Json[] {
  const withMetadata = String(body["include_all_metadata"] ?? "false") === "true";
  return messages.map((message) => {
    const { metadata, ...rest } = world.shown(message);
    return {
      ...rest,
      ...(withMetadata && metadata !== undefined ? { metadata } : {}),
      ...asParent(message, world),
    };
  });
}

/** A message with replies bears its own ts as that of its thread. */
function asParent(message: StoredMessage, world: World): Json {
  if (message.thread_ts !== undefined) return {};
  const replies = world.thread(message.channel, message.ts).filter(({ ts }) => ts !== message.ts);
  if (replies.length === 0) return {};
  return { thread_ts: message.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts };
}

function described({ id, type, members, isArchived, isShared = false, name }: Channel): Json {
  const user = [...members].find((member) => member !== bot.userId);
  return {
    id,
    is_im: type === "im",
    is_mpim: type === "mpim",
    is_private: type !== "channel",
    is_ext_shared: isShared,
    is_archived: isArchived,
    ...(type === "im" ? { user } : { name: name ?? id.toLowerCase(), is_member: members.has(bot.userId) }),
  };
}
