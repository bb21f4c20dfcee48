/**
 * Removes the thread that Parley opened from a question, after the question was deleted: Discord keeps it.
 * Only while it is empty. Deleting a thread needs Manage Threads; the one who opened it can archive it, which takes it out
 * of the channel's list.
 */
import { MessageType, PermissionFlagsBits } from "@discordjs/core";
import type { Place } from "../../../src/core/model/place.ts";
import type { OwnUser } from "../connection/own-user.ts";
import { threadId } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import { readMessages } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "./api-errors.ts";

export async function discardThread(
  { rest, log }: DiscordParts,
  channels: Channels,
  ownUser: OwnUser,
  conversation: Place,
): Promise<void> {
  const thread = threadId(conversation);
  if (thread === undefined) return;
  try {
    const { ownerId } = await channels.find(thread);
    if (ownerId === undefined || ownerId !== (await ownUser())) return;
    const query = { limit: "2" };
    const left = readMessages(await rest.call("GET", `/channels/${thread}/messages`, { query }));
    if (left.some(({ type }) => type !== MessageType.ThreadStarterMessage)) return;
    const mayDelete = channels.hasRights(conversation.channel, PermissionFlagsBits.ManageThreads) === true;
    if (mayDelete) await rest.call("DELETE", `/channels/${thread}`);
    else await rest.call("PATCH", `/channels/${thread}`, { body: { archived: true } });
  } catch (thrown) {
    const { code } = toPlatformError(thrown);
    // It was never opened, or someone has deleted it.
    if (code !== "place_gone") log.info({ err: thrown, thread }, "An empty thread could not be removed");
  }
}
