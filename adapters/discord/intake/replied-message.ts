/**
 * Reads the message that a question replies to, where Discord's event comes without it.
 * Without the Message Content intent an event holds only what is said to Parley. By request, an app gets all that its
 * settings in the developer portal allow.
 */
import { MessageType, PermissionFlagsBits } from "@discordjs/core";
import type { DiscordParts } from "../parts.ts";
import { isBlank } from "../reading/read-message.ts";
import { discordCode } from "../writing/api-errors.ts";
import type { Channels } from "./channels.ts";
import { type DiscordMessage, readMessage } from "./events.ts";

const needed = PermissionFlagsBits.ReadMessageHistory | PermissionFlagsBits.ViewChannel;

/** The same message if nothing is missing, or can be had. Never rejects. */
export async function withReplied(
  { rest, log }: DiscordParts,
  channels: Channels,
  message: DiscordMessage,
): Promise<DiscordMessage> {
  const { type, channel_id: channel, message_reference: reference, referenced_message: replied } = message;
  const id = reference?.message_id;
  // Null: it was deleted.
  const isMissing = replied === undefined || (replied !== null && isBlank(replied));
  if (type !== MessageType.Reply || id === undefined || !isMissing) return message;
  if (channels.hasRights(channel, needed) === false) return message;
  try {
    const read = readMessage(await rest.call("GET", `/channels/${channel}/messages/${id}`));
    return read === undefined ? message : { ...message, referenced_message: read };
  } catch (thrown) {
    log.info({ err: thrown, code: discordCode(thrown) }, "The message that a question replies to could not be read");
    return message;
  }
}
