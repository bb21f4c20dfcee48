/**
 * Posts as a reply. Discord lets only those reply who may read the history of the channel; what Parley says must not
 * depend on that, so without the right it stands there as a message of its own.
 */
import { PermissionFlagsBits } from "discord.js";
import type { Call, Rest } from "../connection/clients.ts";
import type { Channels } from "../intake/channels.ts";
import { discordCode, noReplyWithoutHistory } from "./api-errors.ts";

const { ReadMessageHistory, Administrator } = PermissionFlagsBits;

/** Gives what Discord answered. `repliesTo`: a message of that channel; it may be gone. */
export async function postReply(
  { rest, channels }: { readonly rest: Rest; readonly channels: Pick<Channels, "ownPermissions"> },
  channelId: string,
  repliesTo: string | undefined,
  call: Call & { readonly body: object },
): Promise<unknown> {
  const post = (reference: object) =>
    rest.call("POST", `/channels/${channelId}/messages`, { ...call, body: { ...call.body, ...reference } });
  const own = channels.ownPermissions(channelId);
  const isBarred = own !== undefined && (own & (ReadMessageHistory | Administrator)) === 0n;
  if (repliesTo === undefined || isBarred) return post({});
  try {
    return await post({ message_reference: { message_id: repliesTo, fail_if_not_exists: false } });
  } catch (thrown) {
    // What is known of the rights may be older than a moment.
    if (discordCode(thrown) !== noReplyWithoutHistory) throw thrown;
    return post({});
  }
}
