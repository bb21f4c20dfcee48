/**
 * Maps Slack's error codes, including rate limits (429), to ParleyError.
 * Permanent errors (gone, not permitted) differ from temporary ones (rate limited, unreachable): delivery decides by
 * the code whether to retry a write or to post an answer anew.
 */
import { webApi } from "@slack/bolt";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";

const codes: Readonly<Record<string, ErrorCode>> = {
  ratelimited: "platform_rate_limited",
  rate_limited: "platform_rate_limited",
  message_not_found: "message_gone",
  cant_update_message: "message_not_editable",
  edit_window_closed: "message_not_editable",
  block_mismatch: "message_not_editable",
  streaming_state_conflict: "message_not_editable",
  is_inactive: "message_not_editable",
  invalid_blocks: "payload_refused",
  invalid_blocks_format: "payload_refused",
  invalid_arguments: "payload_refused",
  invalid_attachments: "payload_refused",
  msg_too_long: "payload_refused",
  msg_blocks_too_long: "payload_refused",
  no_text: "payload_refused",
  metadata_too_large: "payload_refused",
  channel_not_found: "place_gone",
  is_archived: "place_gone",
  thread_not_found: "thread_gone",
  cannot_reply_to_message: "place_gone",
  user_not_found: "place_gone",
  not_in_channel: "not_permitted",
  user_not_in_channel: "not_permitted",
  restricted_action: "not_permitted",
  restricted_action_read_only_channel: "not_permitted",
  restricted_action_thread_only_channel: "not_permitted",
  restricted_action_non_threadable_channel: "not_permitted",
  restricted_action_thread_locked: "not_permitted",
  missing_scope: "not_permitted",
  no_permission: "not_permitted",
  access_denied: "not_permitted",
  ekm_access_denied: "not_permitted",
  messages_tab_disabled: "not_permitted",
  invalid_auth: "not_permitted",
  not_authed: "not_permitted",
  account_inactive: "not_permitted",
  token_revoked: "not_permitted",
  // The next call has a new one.
  token_expired: "platform_unreachable",
  internal_error: "platform_unreachable",
  fatal_error: "platform_unreachable",
  service_unavailable: "platform_unreachable",
  request_timeout: "platform_unreachable",
  team_added_to_org: "platform_unreachable",
  // Temporary: an error at Slack, or a channel that is moving to another organisation.
  update_failed: "platform_unreachable",
  external_channel_migrating: "platform_unreachable",
};

/** Slack doesn't accept the token, whatever the call. */
export const tokenCodes: ReadonlySet<string> = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
]);

/** Of what was sent. Slack itself answers 200 or 429: any other status comes from something in front of it. */
const refusedStatuses: readonly number[] = [400, 413];

/** Where an answer isn't JSON, the library takes all of it for the code. The call may have been carried out. */
const slackCodes = /^\w+$/;

/** Slack's own code (`invalid_blocks`), or undefined if the error is not from Slack's API. */
export function slackCode(thrown: unknown): string | undefined {
  return thrown instanceof webApi.WebAPIPlatformError ? thrown.data.error : undefined;
}

export function toPlatformError(thrown: unknown): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  if (thrown instanceof webApi.WebAPIRateLimitedError) {
    return new ParleyError("platform_rate_limited", { retryAfterMs: thrown.retryAfter * 1000, cause: thrown });
  }
  if (thrown instanceof webApi.WebAPIPlatformError) return platformError(thrown);
  // No response, or not from Slack: the call may have been carried out.
  if (thrown instanceof webApi.WebAPIRequestError) return new ParleyError("platform_unreachable", { cause: thrown });
  if (thrown instanceof webApi.WebAPIHTTPError) {
    return new ParleyError(refusedStatuses.includes(thrown.statusCode) ? "platform_refused" : "platform_unreachable", {
      cause: thrown,
    });
  }
  return new ParleyError("platform_unreachable", { cause: thrown });
}

function platformError(thrown: InstanceType<typeof webApi.WebAPIPlatformError>): ParleyError {
  const slack = thrown.data.error;
  const code = codes[slack] ?? (slackCodes.test(slack) ? "platform_refused" : "platform_unreachable");
  if (code === "platform_rate_limited") return new ParleyError(code, { retryAfterMs: 1_000, cause: thrown });
  if (slack === "not_in_channel") {
    return new ParleyError(code, { hint: "Invite it to the channel first, with /invite.", cause: thrown });
  }
  return new ParleyError(code, { cause: thrown });
}
