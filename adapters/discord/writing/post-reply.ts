/**
 * Posts a message as a reply, or as an ordinary message without Read Message History.
 * Discord requires that permission for replies (code 160002), and an answer must not be lost because of it.
 */
import { PermissionFlagsBits } from "@discordjs/core";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Call, Rest } from "../connection/clients.ts";
import type { Channels } from "../intake/channels.ts";
import { discordCode, isReferenceGone, noReplyWithoutHistory } from "./api-errors.ts";

/** A message of that channel. `isQuestion`: what is posted answers it, and says nothing without it. */
export type RepliesTo = { readonly messageId: string; readonly isQuestion: boolean };

/** Resolves with Discord's response. Rejects with thread_gone if the question was deleted. */
export async function postReply(
  { rest, channels }: { readonly rest: Rest; readonly channels: Pick<Channels, "hasRights"> },
  channelId: string,
  repliesTo: RepliesTo | undefined,
  call: Call & { readonly body: object },
): Promise<unknown> {
  const post = (reference: object) =>
    rest.call("POST", `/channels/${channelId}/messages`, { ...call, body: { ...call.body, ...reference } });
  const lacksHistory = channels.hasRights(channelId, PermissionFlagsBits.ReadMessageHistory) === false;
  if (repliesTo === undefined || lacksHistory) return post({});
  try {
    const { messageId, isQuestion } = repliesTo;
    return await post({ message_reference: { message_id: messageId, fail_if_not_exists: isQuestion } });
  } catch (thrown) {
    if (isReferenceGone(thrown)) throw new ParleyError("thread_gone", { cause: thrown });
    // The cached permissions can be outdated.
    if (discordCode(thrown) !== noReplyWithoutHistory) throw thrown;
    return post({});
  }
}
