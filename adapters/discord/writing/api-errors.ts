/**
 * Maps Discord's error codes, including rate limits (429), to ParleyError.
 * Permanent errors (gone, not permitted) differ from temporary ones (rate limited, unreachable): delivery decides by
 * the code whether to retry a write or to post an answer anew.
 */

import { RESTJSONErrorCodes as Codes } from "@discordjs/core";
import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";

const codes: Readonly<Record<number, ErrorCode>> = {
  [Codes.UnknownChannel]: "place_gone",
  [Codes.UnknownGuild]: "place_gone",
  [Codes.UnknownMessage]: "message_gone",
  [Codes.UnknownWebhook]: "message_gone",
  [Codes.UnknownInteraction]: "message_gone",
  [Codes.InvalidWebhookToken]: "message_gone",
  [Codes.MissingAccess]: "not_permitted",
  [Codes.MissingPermissions]: "not_permitted",
  [Codes.CannotSendMessagesToThisUser]: "place_gone",
  [Codes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds]: "place_gone",
  [Codes.CannotSendMessagesInNonTextChannel]: "place_gone",
  [Codes.CannotEditMessageAuthoredByAnotherUser]: "message_not_editable",
  [Codes.CannotExecuteActionOnSystemMessage]: "message_not_editable",
  [Codes.InvalidFormBodyOrContentType]: "payload_refused",
  [Codes.CannotSendAnEmptyMessage]: "payload_refused",
  [Codes.ThreadLocked]: "place_gone",
  [Codes.InvalidActionOnArchivedThread]: "place_gone",
  [Codes.ChannelWriteRateLimit]: "platform_rate_limited",
  [Codes.ActionCannotBePerformedDueToSlowmodeRateLimit]: "platform_rate_limited",
  [Codes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached]: "platform_rate_limited",
  [Codes.ServiceResourceIsBeingRateLimited]: "platform_rate_limited",
};
/** The pause after 20016, 20028 and 30046, which come without one: an old message allows 3 edits in 6 s. */
const defaultRetryAfterMs = 6_000;

export const threadExists = 160_004;
export const alreadyAcknowledged = 40_060;
export const archivedThread = 50_083;
export const noReplyWithoutHistory = 160_002;

/** That token answers no longer; what was written by it can still be there. */
export function isTokenGone(thrown: unknown): boolean {
  const code = discordCode(thrown);
  return code === Codes.UnknownWebhook || code === Codes.InvalidWebhookToken || code === Codes.UnknownInteraction;
}

/** The post is a reply, and the message that it replies to was deleted. */
export function isReferenceGone(thrown: unknown): boolean {
  const cause = thrown instanceof ParleyError ? thrown.cause : thrown;
  if (discordCode(thrown) !== Codes.InvalidFormBodyOrContentType || !(cause instanceof DiscordAPIError)) return false;
  const { errors } = cause.rawError as { readonly errors?: { readonly message_reference?: unknown } };
  return errors?.message_reference !== undefined;
}

/** Discord's own code (50013), or undefined if the error is not from Discord's API. */
export function discordCode(thrown: unknown): number | undefined {
  const cause = thrown instanceof ParleyError ? thrown.cause : thrown;
  return cause instanceof DiscordAPIError && typeof cause.code === "number" ? cause.code : undefined;
}

export function toPlatformError(thrown: unknown): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  if (thrown instanceof RateLimitError) {
    return new ParleyError("platform_rate_limited", { retryAfterMs: Math.max(1, thrown.retryAfter), cause: thrown });
  }
  if (thrown instanceof DiscordAPIError) return apiError(thrown);
  if (thrown instanceof HTTPError) {
    const isOurs = thrown.status >= 400 && thrown.status < 500;
    return new ParleyError(isOurs ? "platform_refused" : "platform_unreachable", { cause: thrown });
  }
  // No response: the call may have been carried out.
  return new ParleyError("platform_unreachable", { cause: thrown });
}

function apiError(thrown: DiscordAPIError): ParleyError {
  const known = typeof thrown.code === "number" ? codes[thrown.code] : undefined;
  const code = known ?? byStatus(thrown);
  if (code === "platform_rate_limited")
    return new ParleyError(code, { retryAfterMs: defaultRetryAfterMs, cause: thrown });
  if (thrown.code === Codes.CannotSendMessagesToThisUser) {
    return new ParleyError(code, { what: "That person doesn't accept direct messages from Parley.", cause: thrown });
  }
  return new ParleyError(code, { cause: thrown });
}

function byStatus({ status, code }: DiscordAPIError): ErrorCode {
  // Discord refused the token. Retrying does no harm, and an admin may correct it meanwhile.
  if (status === 401) return "platform_unreachable";
  // Discord always gives a code: a page without one comes from something in front of it.
  if (typeof code !== "number" && (status === 403 || status === 404)) return "platform_unreachable";
  if (status === 403) return "not_permitted";
  if (status === 404) return "message_gone";
  if (status === 429) return "platform_rate_limited";
  return status >= 500 ? "platform_unreachable" : "platform_refused";
}
