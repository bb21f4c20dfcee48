/** Discord's REST API, as much as a bot needs: each route does what Discord does, or throws its error code. */
import { commandProblems, fileProblems, keptFiles, listOf, messageProblems, modalProblems } from "./checks.ts";
import type { Interactions } from "./interactions.ts";
import {
  botId,
  botPermissions,
  type Channel,
  type Json,
  loadingFlag,
  type Message,
  type Person,
  permissions,
  textOf,
  v2Flag,
  type World,
} from "./world.ts";

export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message = "refused") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type Request = {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly files: readonly Json[];
};
type Route = (request: Request) => unknown;

export type RouteContext = {
  readonly world: World;
  readonly interactions: Interactions;
  readonly nowMs: () => number;
  readonly publish: (event: string, message: Message) => void;
  readonly threadOpened: (thread: Channel) => void;
  readonly refuse: (problems: readonly string[]) => void;
  readonly gatewayUrl: () => string;
  readonly sessionStartLimit: () => Json;
  readonly registered: (scope: string, commands: readonly Json[]) => void;
  readonly maxThreads: number;
  /** How many the gateway advises. */
  readonly shards: number;
};

/** By "METHOD /path" with `*` for each id. */
export function createRoutes(context: RouteContext): Readonly<Record<string, Route>> {
  const { world, interactions, nowMs } = context;
  const nonces = new Map<string, Message>();

  const heldIn = (channel: Channel): bigint => {
    const inParent = world.channels.get(channel.parentId ?? "")?.denied ?? 0n;
    return botPermissions & ~inParent & ~channel.denied;
  };
  const need = (channel: Channel, right: bigint) => {
    const held = heldIn(channel);
    if ((held & permissions.viewChannel) === 0n) throw new DiscordRefusal(403, 50_001, "Missing Access");
    if ((held & right) === 0n) throw new DiscordRefusal(403, 50_013, "Missing Permissions");
  };
  const channelOf = (id: string | undefined): Channel => {
    const channel = world.channels.get(id ?? "");
    if (channel === undefined) throw new DiscordRefusal(404, 10_003, "Unknown Channel");
    return channel;
  };
  const messageOf = (channel: Channel, id: string | undefined): Message => {
    const message = world.messages.get(id ?? "");
    if (
      message === undefined ||
      message.isDeleted ||
      message.channelId !== channel.id ||
      message.seenBy !== undefined
    ) {
      throw new DiscordRefusal(404, 10_008, "Unknown Message");
    }
    return message;
  };
  const checked = (problems: readonly string[]) => {
    if (problems.length === 0) return;
    context.refuse(problems);
    throw new DiscordRefusal(400, 50_035, problems.join("; "));
  };

  /** Whatever is new or changed says itself that nobody is pinged. */
  const checkPings = (body: Json) => {
    const mentions = body["allowed_mentions"] as { parse?: unknown; users?: readonly string[] } | undefined;
    if (!Array.isArray(mentions?.parse) || mentions.parse.length > 0) context.refuse(["a message that may ping"]);
    const users = mentions?.users ?? [];
    if (users.some((id) => !world.mayBePinged.has(id))) context.refuse(["a message that pings somebody"]);
    return users.filter((id) => JSON.stringify(body["components"]).includes(`<@${id}>`));
  };
  const referenceIn = (channel: Channel, body: Json): string | undefined => {
    const reference = body["message_reference"] as Json | undefined;
    if (reference === undefined) return undefined;
    const answered = world.messages.get(String(reference["message_id"]));
    if (answered?.channelId === channel.id && !answered.isDeleted) return answered.id;
    if (reference["fail_if_not_exists"] !== false) checked(["MESSAGE_REFERENCE_UNKNOWN_MESSAGE"]);
    return undefined;
  };

  const post = (channel: Channel, { body, files }: Request): Message => {
    if (channel.type === 1 && world.people.get(channel.personId ?? "")?.takesDirectMessages === false) {
      throw new DiscordRefusal(403, 50_007, "Cannot send messages to this user");
    }
    if (channel.type !== 1) need(channel, channel.type === 11 ? permissions.sendInThreads : permissions.sendMessages);
    if (channel.isLocked) throw new DiscordRefusal(400, channel.isArchived ? 50_083 : 160_005, "Thread is locked");
    if (files.length > 0 && channel.type !== 1) need(channel, permissions.attachFiles);
    checked([...messageProblems(body, undefined), ...fileProblems(body, files)]);
    if (body["content"] === undefined && listOf(body["components"]).length === 0 && files.length === 0) {
      throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
    }
    const nonce = body["nonce"] === undefined ? undefined : String(body["nonce"]);
    const known = nonce === undefined ? undefined : nonces.get(`${channel.id} ${nonce}`);
    if (known !== undefined && body["enforce_nonce"] === true && nowMs() - known.atMs < 300_000) return known;
    const pinged = checkPings(body);
    // Whoever may not read the history may not answer what stands in it either.
    if (body["message_reference"] !== undefined && channel.type !== 1) {
      if ((heldIn(channel) & permissions.readHistory) === 0n)
        throw new DiscordRefusal(400, 160_002, "Cannot reply without permission to read message history");
    }
    const reference = referenceIn(channel, body);
    channel.isArchived = false;
    const message = world.addMessage({
      channelId: channel.id,
      authorId: botId,
      type: reference === undefined ? 0 : 19,
      content: String(body["content"] ?? ""),
      components: listOf(body["components"]),
      flags: Number(body["flags"] ?? 0),
      attachments: stored(files),
      nonce,
      referenceId: reference,
    });
    if (nonce !== undefined) nonces.set(`${channel.id} ${nonce}`, message);
    world.pinged.push(...pinged);
    context.publish("MESSAGE_CREATE", message);
    return message;
  };

  const stored = (files: readonly Json[]): readonly Json[] => files.map((file) => ({ ...file, id: world.snowflake() }));

  const change = (message: Message, { body, files }: Request): Message => {
    const channel = channelOf(message.channelId);
    if (files.length > 0 && channel.type !== 1) need(channel, permissions.attachFiles);
    const { kept, problems } = keptFiles(body, files, message.attachments);
    checked([...messageProblems(body, message), ...problems, ...fileProblems(body, files, kept)]);
    checkPings(body);
    message.attachments = [...kept, ...stored(files)];
    message.components = listOf(body["components"]);
    message.flags = (message.flags & ~loadingFlag) | (Number(body["flags"] ?? 0) & v2Flag);
    message.editedAtMs = nowMs();
    message.versions.push(textOf(message));
    context.publish("MESSAGE_UPDATE", message);
    return message;
  };

  const remove = (message: Message) => {
    message.isDeleted = true;
    context.publish("MESSAGE_DELETE", message);
  };

  const openThread = ({ params, body }: Request) => {
    const channel = channelOf(params[0]);
    const starter = messageOf(channel, params[1]);
    if (channel.type !== 0) throw new DiscordRefusal(400, 50_024, "Cannot execute action on this channel type");
    need(channel, permissions.createThreads);
    if (world.channels.has(starter.id)) throw new DiscordRefusal(400, 160_004, "A thread has already been created");
    const active = [...world.channels.values()].filter(({ type, isArchived }) => type === 11 && !isArchived).length;
    if (active >= context.maxThreads)
      throw new DiscordRefusal(400, 160_006, "Maximum number of active threads reached");
    const name = String(body["name"] ?? "");
    checked(name.length < 1 || name.length > 100 ? ["the name of a thread has 1 to 100 characters"] : []);
    const thread = world.addChannel({ id: starter.id, type: 11, name, parentId: channel.id, ownerId: botId });
    context.threadOpened(thread);
    return channelJson(thread);
  };

  const register =
    (scope: string) =>
    ({ body }: Request) => {
      const commands = body as unknown as readonly Json[];
      checked([...commandProblems(commands), ...(scope === "guild" ? commands.flatMap(globalOnly) : [])]);
      context.registered(scope, commands);
      return commands;
    };

  return {
    "GET /gateway/bot": () => ({
      url: context.gatewayUrl(),
      shards: context.shards,
      session_start_limit: context.sessionStartLimit(),
    }),
    [`PUT /applications/${botId}/commands`]: register("all"),
    [`PUT /applications/${botId}/guilds/*/commands`]: register("guild"),
    "GET /channels/*": ({ params }) => channelJson(channelOf(params[0])),
    "PATCH /channels/*": ({ params, body }) => {
      const channel = channelOf(params[0]);
      if (channel.isLocked) throw new DiscordRefusal(403, 50_013, "Missing Permissions");
      if (body["archived"] === false) channel.isArchived = false;
      return channelJson(channel);
    },
    "POST /users/@me/channels": ({ body }) => channelJson(world.direct(String(body["recipient_id"]))),
    "POST /channels/*/messages": (request) => messageJson(world, post(channelOf(request.params[0]), request)),
    "GET /channels/*/messages": ({ params, query }) => {
      const channel = channelOf(params[0]);
      if (channel.type !== 1) need(channel, permissions.viewChannel);
      // Who may not read the history gets none of it, and no error.
      if (channel.type !== 1 && (heldIn(channel) & permissions.readHistory) === 0n) return [];
      const before = BigInt(query.get("before") ?? "9223372036854775807");
      const after = query.get("after");
      const limit = Number(query.get("limit") ?? 50);
      const all = world.inChannel(channel.id).filter((message) => message.seenBy === undefined);
      // The oldest of what is newer than `after`, or the newest of what is older than `before`; newest first either way.
      const found =
        after === null
          ? all.filter(({ id }) => BigInt(id) < before).slice(-limit)
          : all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
      return found.reverse().map((message) => messageJson(world, message));
    },
    "GET /applications/@me": () => ({ id: botId, name: "Parley", bot_public: world.isBotPublic }),
    "GET /users/@me/guilds": ({ query }) =>
      [...world.servers.values()]
        .filter(({ hasBot }) => hasBot)
        .slice(0, Number(query.get("limit") ?? 200))
        .map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: "0", features: [] })),
    "GET /guilds/*/members/*": ({ params }) => {
      const server = world.servers.get(params[0] ?? "");
      if (server?.hasBot !== true) throw new DiscordRefusal(403, 50_001, "Missing Access");
      const person = world.people.get(params[1] ?? "");
      if (person === undefined || !server.members.has(person.id))
        throw new DiscordRefusal(404, 10_007, "Unknown Member");
      return {
        user: userJson(person),
        roles: person.roles,
        nick: null,
        flags: 0,
        joined_at: new Date(0).toISOString(),
      };
    },
    "GET /channels/*/messages/*": ({ params }) => {
      const channel = channelOf(params[0]);
      if (channel.type !== 1) need(channel, permissions.viewChannel | permissions.readHistory);
      return messageJson(world, messageOf(channel, params[1]));
    },
    "PATCH /channels/*/messages/*": (request) => {
      const channel = channelOf(request.params[0]);
      const message = messageOf(channel, request.params[1]);
      if (channel.type !== 1) need(channel, permissions.viewChannel);
      if (message.authorId !== botId) throw new DiscordRefusal(403, 50_005, "Cannot edit a message of another user");
      if (channel.isArchived) throw new DiscordRefusal(400, 50_083, "Thread is archived");
      return messageJson(world, change(message, request));
    },
    "DELETE /channels/*/messages/*": ({ params }) => remove(messageOf(channelOf(params[0]), params[1])),
    "PUT /channels/*/messages/*/reactions/*/@me": ({ params }) => {
      const message = messageOf(channelOf(params[0]), params[1]);
      message.reactions.push({ emoji: decodeURIComponent(params[2] ?? ""), userId: botId });
    },
    "DELETE /channels/*/messages/*/reactions/*/@me": ({ params }) => {
      const message = messageOf(channelOf(params[0]), params[1]);
      const emoji = decodeURIComponent(params[2] ?? "");
      const at = message.reactions.findIndex((one) => one.emoji === emoji && one.userId === botId);
      if (at >= 0) message.reactions.splice(at, 1);
    },
    "POST /channels/*/messages/*/threads": openThread,
    "POST /interactions/*/*/callback": ({ params, body, files }) => {
      const data = (body["data"] ?? {}) as Json;
      const type = Number(body["type"]);
      if (type === 9) checked(modalProblems(data));
      if (type === 4 || type === 7) {
        checked([...messageProblems(data, undefined), ...fileProblems(data, files)]);
        checkPings(data);
      }
      interactions.acknowledge(params[0] ?? "", params[1] ?? "", type, data, stored(files));
    },
    "PATCH /webhooks/*/*/messages/*": (request) => {
      const message = interactions.answer(request.params[1] ?? "", decodeURIComponent(request.params[2] ?? ""));
      return messageJson(world, change(message, request));
    },
    "DELETE /webhooks/*/*/messages/*": ({ params }) =>
      remove(interactions.answer(params[1] ?? "", decodeURIComponent(params[2] ?? ""))),
    "POST /webhooks/*/*": ({ params, body, files }) => {
      checked([...messageProblems(body, undefined), ...fileProblems(body, files)]);
      checkPings(body);
      return messageJson(world, interactions.followUp(params[1] ?? "", body, stored(files)));
    },
  };
}

/** Documented as "only for globally-scoped commands". */
function globalOnly(command: Json): readonly string[] {
  return ["contexts", "integration_types"]
    .filter((field) => command[field] !== undefined)
    .map((field) => `${String(command["name"])}: ${field} in a command of one server`);
}

export function channelJson(channel: Channel): Json {
  const { id, type, name, parentId } = channel;
  if (type === 1) return { id, type, recipients: [], flags: 0 };
  const thread = {
    parent_id: parentId,
    owner_id: channel.ownerId ?? null,
    thread_metadata: { archived: channel.isArchived, locked: channel.isLocked, auto_archive_duration: 1_440 },
    message_count: 0,
    member_count: 1,
  };
  const overwrites = [
    { id: botId, type: 1, allow: "0", deny: String(channel.denied) },
    { id: channel.serverId, type: 0, allow: "0", deny: String(channel.deniedToAll ?? 0n) },
    ...(channel.allowedRoles ?? []).map((role) => ({
      ...{ id: role, type: 0, allow: String(permissions.viewChannel), deny: "0" },
    })),
  ];
  const common = { id, type, name, guild_id: channel.serverId, position: channel.position, flags: 0 };
  return type === 11 || type === 12
    ? { ...common, ...thread }
    : { ...common, permission_overwrites: overwrites, parent_id: null };
}

export function messageJson(world: World, message: Message): Json {
  const author = world.people.get(message.authorId);
  const reference = message.referenceId === undefined ? undefined : world.messages.get(message.referenceId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    content: message.content,
    author: userJson(author),
    timestamp: new Date(message.atMs).toISOString(),
    edited_timestamp: message.editedAtMs === undefined ? null : new Date(message.editedAtMs).toISOString(),
    mentions: mentionedBy(world, message).map(userJson),
    mention_roles: [...message.content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id),
    mention_everyone: false,
    attachments: message.attachments,
    embeds: [],
    components: message.components,
    flags: message.flags,
    ...(message.snapshots.length === 0 ? {} : { message_snapshots: message.snapshots }),
    ...(reference === undefined
      ? {}
      : { referenced_message: messageJson(world, { ...reference, referenceId: undefined }) }),
  };
}

/** Whom it names, and whom it replies to: they are told of it. */
export function mentionedBy(world: World, message: Message): readonly Person[] {
  const answered = message.pingsReplied ? world.messages.get(message.referenceId ?? "")?.authorId : undefined;
  const named = [...message.content.matchAll(/<@!?(\d+)>/g)].map(([, id]) => id);
  const ids = new Set([...named, ...(answered === message.authorId ? [] : [answered])]);
  return [...ids].flatMap((id) => world.people.get(id ?? "") ?? []);
}

export function userJson(
  person: { readonly id: string; readonly name: string; readonly isBot: boolean } | undefined,
): Json {
  const { id = "0", name = "gone", isBot = false } = person ?? {};
  return {
    id,
    username: name.toLowerCase(),
    global_name: name,
    discriminator: "0",
    avatar: null,
    ...(isBot ? { bot: true } : {}),
  };
}
