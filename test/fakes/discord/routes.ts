/** Discord's REST API, as much as a bot needs: each route does what Discord does, or throws its error code. */

import { commandProblems, globalOnly, messageProblems } from "./checks.ts";
import { attach } from "./content/attachments.ts";
import { modalProblems } from "./content/modals.ts";
import { channelJson, messageJson, userJson } from "./json.ts";
import { createEditBacklog } from "./rest/edit-backlog.ts";
import { DiscordRefusal } from "./rest/refusal.ts";
import type { Request, Route, RouteContext } from "./rest/route.ts";
import { createOldEdits } from "./rest/route-limits.ts";
import { createThreadRoutes } from "./rest/threads.ts";
import {
  botId,
  botPermissions,
  type Channel,
  type Json,
  listOf,
  loadingFlag,
  type Message,
  manageThreads,
  permissions,
  textOf,
  v2Flag,
} from "./world.ts";

/** By "METHOD /path" with `*` for each id. */
export function createRoutes(context: RouteContext): Readonly<Record<string, Route>> {
  const { world, interactions, nowMs } = context;
  const nonces = new Map<string, Message>();
  const oldEditWaitS = createOldEdits(nowMs);
  const edited = createEditBacklog(context.editLimit, nowMs, context.editsQueued);

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

  /** The files that the message has then. */
  const written = ({ body, files }: Pick<Request, "body" | "files">, before: Message | undefined): readonly Json[] => {
    const { problems, regrets, attachments } = attach(body, files, before, world.snowflake);
    checked([...messageProblems(body, before), ...problems]);
    context.refuse(regrets);
    return attachments;
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
    const attachments = written({ body, files }, undefined);
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
      attachments,
      nonce,
      referenceId: reference,
    });
    if (nonce !== undefined) nonces.set(`${channel.id} ${nonce}`, message);
    world.pinged.push(...pinged);
    context.publish("MESSAGE_CREATE", message);
    return message;
  };

  const change = (message: Message, { body, files }: Request): Message => {
    message.attachments = written({ body, files }, message);
    checkPings(body);
    if (body["components"] !== undefined) message.components = listOf(body["components"]);
    if (typeof body["content"] === "string") message.content = body["content"];
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
      if (body["archived"] === true) {
        if (channel.ownerId !== botId) throw new DiscordRefusal(403, 50_013, "Missing Permissions");
        channel.isArchived = true;
      }
      return channelJson(channel);
    },
    "DELETE /channels/*": ({ params }) => {
      const channel = channelOf(params[0]);
      if (channel.type !== 11 && channel.type !== 12) throw new DiscordRefusal(403, 50_013, "Missing Permissions");
      need(channel, manageThreads);
      world.channels.delete(channel.id);
      return channelJson(channel);
    },
    "POST /users/@me/channels": ({ body }) => {
      const person = world.people.get(String(body["recipient_id"]));
      if (person?.isBot === true) throw new DiscordRefusal(403, 50_007, "Cannot send messages to this user");
      return channelJson(world.direct(String(body["recipient_id"])));
    },
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
    "GET /users/@me": () => userJson(world.people.get(botId)),
    "GET /users/@me/guilds": ({ query }) =>
      [...world.servers.values()]
        .filter(({ hasBot }) => hasBot)
        .slice(0, Number(query.get("limit") ?? 200))
        .map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: "0", features: [] })),
    "GET /guilds/*/members/search": ({ params, query }) => {
      const server = world.servers.get(params[0] ?? "");
      if (server?.hasBot !== true) throw new DiscordRefusal(403, 50_001, "Missing Access");
      const word = query.get("query") ?? "";
      const limit = Number(query.get("limit") ?? 1);
      if (word === "" || !(limit >= 1 && limit <= 1_000)) throw new DiscordRefusal(400, 50_035, "Invalid Form Body");
      return [...server.members]
        .flatMap((id) => world.people.get(id) ?? [])
        .filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase()))
        .slice(0, limit)
        .map((person) => ({ user: userJson(person), roles: person.roles, nick: null, flags: 0 }));
    },
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
      const waitS = oldEditWaitS(channel.id, message.atMs);
      if (waitS > 0) throw new DiscordRefusal(429, 30_046, "Maximum number of edits to old messages reached", waitS);
      if (request.files.length > 0 && channel.type !== 1) need(channel, permissions.attachFiles);
      edited(channel.id);
      return messageJson(world, change(message, request));
    },
    "DELETE /channels/*/messages/*": ({ params }) => {
      const channel = channelOf(params[0]);
      const message = messageOf(channel, params[1]);
      // The bot may manage nobody's messages.
      if (message.authorId !== botId) throw new DiscordRefusal(403, channel.type === 1 ? 50_003 : 50_013);
      if (channel.isArchived) throw new DiscordRefusal(400, 50_083, "Thread is archived");
      remove(message);
    },
    "PUT /channels/*/messages/*/reactions/*/@me": ({ params }) => {
      const channel = channelOf(params[0]);
      const message = messageOf(channel, params[1]);
      if (channel.isArchived) throw new DiscordRefusal(400, 50_083, "Thread is archived");
      if (channel.type !== 1) need(channel, permissions.addReactions);
      message.reactions.push({ emoji: decodeURIComponent(params[2] ?? ""), userId: botId });
    },
    "DELETE /channels/*/messages/*/reactions/*/@me": ({ params }) => {
      const channel = channelOf(params[0]);
      const message = messageOf(channel, params[1]);
      if (channel.isArchived) throw new DiscordRefusal(400, 50_083, "Thread is archived");
      const emoji = decodeURIComponent(params[2] ?? "");
      const at = message.reactions.findIndex((one) => one.emoji === emoji && one.userId === botId);
      if (at >= 0) message.reactions.splice(at, 1);
    },
    ...createThreadRoutes(context, { channelOf, messageOf, need, checked }),
    "POST /interactions/*/*/callback": ({ params, body, files }) => {
      const data = (body["data"] ?? {}) as Json;
      const type = Number(body["type"]);
      if (type === 9) checked(modalProblems(data));
      if (type === 4 || type === 7) checkPings(data);
      interactions.acknowledge(params[0] ?? "", params[1] ?? "", type, data, (before) =>
        written({ body: data, files }, before),
      );
    },
    "PATCH /webhooks/*/*/messages/*": (request) => {
      const message = interactions.answer(request.params[1] ?? "", decodeURIComponent(request.params[2] ?? ""));
      return messageJson(world, change(message, request));
    },
    "DELETE /webhooks/*/*/messages/*": ({ params }) =>
      remove(interactions.answer(params[1] ?? "", decodeURIComponent(params[2] ?? ""))),
    "POST /webhooks/*/*": ({ params, body, files }) => {
      checkPings(body);
      const attachments = written({ body, files }, undefined);
      return messageJson(world, interactions.followUp(params[1] ?? "", body, attachments));
    },
  };
}
