/** Describes why Slack can't be connected, in one sentence with the remedy, for the log and /readyz. Never a token. */
import { webApi } from "@slack/bolt";
import { slackCode, tokenCodes } from "../writing/api-errors.ts";

export const lostReason = "Lost the connection to Slack; reconnecting.";

const networkReason = "Can't reach Slack; retrying. Check the network (and SLACK_API_URL, if set).";

export function refusalReason(thrown: unknown): string {
  if (thrown instanceof webApi.WebAPIHTTPError || thrown instanceof webApi.WebAPIRateLimitedError) {
    return "Slack is too busy to answer; retrying.";
  }
  const code = slackCode(thrown);
  if (code === undefined) return networkReason;
  if (tokenCodes.has(code)) {
    return `Slack refused a token (${code}): compare SLACK_BOT_TOKEN with "OAuth & Permissions" and SLACK_APP_TOKEN with "Basic Information" of your app, or install the app again.`;
  }
  if (code === "missing_scope" || code === "not_allowed_token_type" || code === "no_permission") {
    return `Slack refused SLACK_APP_TOKEN (${code}): it must be an app-level token with the scope connections:write.`;
  }
  if (code === "forbidden_app" || code === "link_disabled") {
    return "Slack refused the socket: switch Socket Mode on in the settings of your app.";
  }
  return `Slack refused the connection (${code}); retrying.`;
}
