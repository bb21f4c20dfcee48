/** The doctor's checks for Slack: does the token work, and which scopes are missing for what. */
import type { Log } from "../../src/core/ports/log.ts";
import type { PlatformFinding } from "../../src/core/ports/platform-module.ts";
import { createClients, type WebClient } from "./connection/clients.ts";
import { refusalReason } from "./connection/connection-problems.ts";
import { missingChannelLists, missingOptionalScopes, missingScopes } from "./connection/scopes.ts";
import { newerKinds } from "./drawing/slots.ts";
import type { SlackConfig } from "./index.ts";
import { examineKind } from "./writing/block-samples.ts";

/** Never rejects. */
export async function examineSlack(options: SlackConfig & { readonly log: Log }): Promise<readonly PlatformFinding[]> {
  const way = options.intake.kind === "socket" ? "Socket Mode" : "HTTP, at POST /slack/events";
  const { botToken } = options;
  if (botToken === undefined) {
    return [{ isOk: true, says: `each workspace installs the app at /slack/install; connects by ${way}` }];
  }
  try {
    const { read: client } = createClients({ ...options, botToken });
    const { team, team_id: teamId, response_metadata: more } = await client.auth.test();
    const found = {
      isOk: true,
      says: `the bot token works in ${team ?? "the workspace"} (${teamId}); connects by ${way}`,
    };
    const looks = { isOk: true, says: await acceptedKinds(client) };
    const granted = more?.scopes;
    if (granted === undefined) {
      return [found, { isOk: true, says: "Slack does not say which scopes the app has" }, looks];
    }
    const missing = missingScopes(granted);
    const unlisted = missingChannelLists(granted);
    const optional = missingOptionalScopes(granted);
    return [
      found,
      missing === undefined ? { isOk: true, says: "the app has all its scopes" } : { isOk: false, says: missing },
      ...(unlisted === undefined ? [] : [{ isOk: false, says: unlisted }]),
      ...(optional === undefined ? [] : [{ isOk: true, says: optional }]),
      looks,
      {
        isOk: true,
        says: "Slack tells no app which events, commands and shortcuts it has: if Parley does not hear something, such as an invitation to a channel or a visit to its Home tab, or if /schedule or “Use as answer” is missing, paste the manifest again and reinstall the app",
      },
    ];
  } catch (thrown) {
    return [{ isOk: false, says: refusalReason(thrown) }];
  }
}

/** What Slack's validator says of each newer kind of block. Never rejects. */
async function acceptedKinds(client: WebClient): Promise<string> {
  const refused: string[] = [];
  for (const kind of newerKinds) {
    const verdict = await examineKind(client, kind);
    if (verdict === "unknown")
      return "Slack does not say now which newer blocks it accepts; Parley finds out by trying";
    if (verdict === "refused") refused.push(kind);
  }
  if (refused.length === 0) return `Slack accepts all newer blocks that Parley sends: ${newerKinds.join(", ")}`;
  return `Slack does not accept ${refused.join(", ")} there; Parley shows the same with older blocks`;
}
