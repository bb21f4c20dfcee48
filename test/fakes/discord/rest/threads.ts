/** Discord's two ways to open a thread: at a message, or in the channel alone. Each way has limits of its own. */
import { channelJson } from "../json.ts";
import { botId, type Channel, type Json, type Message, permissions } from "../world.ts";
import { DiscordRefusal } from "./refusal.ts";
import type { Route, RouteContext } from "./route.ts";

type Checks = {
  readonly channelOf: (id: string | undefined) => Channel;
  readonly messageOf: (channel: Channel, id: string | undefined) => Message;
  readonly need: (channel: Channel, right: bigint) => void;
  readonly checked: (problems: readonly string[]) => void;
};

export function createThreadRoutes(
  context: RouteContext,
  { channelOf, messageOf, need, checked }: Checks,
): Readonly<Record<string, Route>> {
  const { world } = context;

  const threadName = (body: Json): string => {
    const active = [...world.channels.values()].filter(({ type, isArchived }) => type === 11 && !isArchived).length;
    if (active >= context.maxThreads)
      throw new DiscordRefusal(400, 160_006, "Maximum number of active threads reached");
    const name = String(body["name"] ?? "");
    checked(name.length < 1 || name.length > 100 ? ["the name of a thread has 1 to 100 characters"] : []);
    const days = body["auto_archive_duration"] ?? 1_440;
    checked([60, 1_440, 4_320, 10_080].includes(Number(days)) ? [] : ["auto_archive_duration"]);
    return name;
  };

  /** A thread that begins at no message: the channel says so in a line of its own. Private unless it asks otherwise. */
  const openBareThread: Route = ({ params, body }) => {
    const channel = channelOf(params[0]);
    if (channel.type !== 0) throw new DiscordRefusal(400, 50_024, "Cannot execute action on this channel type");
    const type = Number(body["type"] ?? 12);
    checked(type === 11 || type === 12 ? [] : ["the type of a thread is 11 or 12"]);
    need(channel, type === 11 ? permissions.createThreads : permissions.createPrivateThreads);
    const name = threadName(body);
    const thread = world.addChannel({ id: world.snowflake(), type, name, parentId: channel.id, ownerId: botId });
    context.threadOpened(thread);
    if (type === 11) {
      const line = world.addMessage({ channelId: channel.id, authorId: botId, type: 18, content: name });
      context.publish("MESSAGE_CREATE", line);
    }
    return channelJson(thread);
  };

  const openThread: Route = ({ params, body }) => {
    const channel = channelOf(params[0]);
    const starter = messageOf(channel, params[1]);
    if (channel.type !== 0) throw new DiscordRefusal(400, 50_024, "Cannot execute action on this channel type");
    need(channel, permissions.createThreads);
    if (world.channels.has(starter.id)) throw new DiscordRefusal(400, 160_004, "A thread has already been created");
    const name = threadName(body);
    const thread = world.addChannel({ id: starter.id, type: 11, name, parentId: channel.id, ownerId: botId });
    context.threadOpened(thread);
    return channelJson(thread);
  };

  return {
    "POST /channels/*/messages/*/threads": openThread,
    "POST /channels/*/threads": openBareThread,
  };
}
