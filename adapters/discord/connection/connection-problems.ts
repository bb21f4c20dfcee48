/** Says why Discord is not connected, and what to do: for the log and /readyz. Never contains a token. */
import { GatewayCloseCodes } from "@discordjs/core";
import { DiscordAPIError } from "@discordjs/rest";
import { ParleyError } from "../../../src/core/errors.ts";
import { reservedSessionStarts } from "../limits.ts";

export const lostReason = "Lost the connection to Discord; reconnecting.";
export const startingReason = "Connecting to Discord.";
// No colon after the name: the log would take the word that follows for the token itself.
export const tokenReason =
  "Discord refused DISCORD_TOKEN. Copy the token again from the page Bot of your application in the developer portal.";

export const unknownServersReason =
  "Parley serves no Discord server yet: it could not read which server its bot was in at the first start. It will retry. To skip this, set DISCORD_GUILD_ID or WORKSPACES.";

/** For a bot without WORKSPACES or DISCORD_GUILD_ID that was not in exactly one server at the first start. */
export function noServerReason(hasSeveral: boolean): string {
  const found = hasSeveral ? "several servers" : "no server";
  return `Parley serves no Discord server: its bot was in ${found} at the first start. Invite the bot to your server, set DISCORD_GUILD_ID to that server's id (or list several in WORKSPACES), and restart Parley.`;
}

const contentReason =
  'Discord refused the Message Content intent: switch on "Message Content Intent" on the page Bot of your application in the developer portal, or set DISCORD_MESSAGE_CONTENT=false.';
const intentReason = "Discord refused the intents: check the page Bot of your application in the developer portal.";
export const networkReason = "Can't reach Discord; retrying. Check the network (and DISCORD_API_URL, if set).";

export type ConnectionProblem = {
  readonly reason: string;
  /** Only a person can solve it; frequent retries would use up Discord's limits. */
  readonly isRefusal: boolean;
};

/** Discord limits new sessions per bot and day. */
export function waitingReason(untilMs: number): string {
  const at = new Date(untilMs).toISOString().slice(0, 16).replace("T", " ");
  return `Discord allows only ${reservedSessionStarts} more sessions today, so Parley waits until ${at} UTC before it starts a new one.`;
}

export function problemOf(thrown: unknown): ConnectionProblem {
  const cause = thrown instanceof ParleyError ? thrown.cause : thrown;
  const isRefusal = cause instanceof DiscordAPIError && cause.status === 401;
  return { reason: isRefusal ? tokenReason : networkReason, isRefusal };
}

export function closeProblem(closeCode: number, asksForContent: boolean): ConnectionProblem {
  switch (closeCode) {
    case GatewayCloseCodes.AuthenticationFailed:
      return { reason: tokenReason, isRefusal: true };
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return { reason: asksForContent ? contentReason : intentReason, isRefusal: true };
    default:
      return { reason: `Discord closed the connection (${closeCode}); reconnecting.`, isRefusal: false };
  }
}
