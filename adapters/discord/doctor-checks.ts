/** The doctor's checks for Discord: does the token work, who can invite the bot, and which servers are served. */
import { z } from "zod";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { PlatformFinding } from "../../src/core/ports/platform-module.ts";
import { createRest } from "./connection/clients.ts";
import { noServerReason } from "./connection/connection-problems.ts";
import type { DiscordConfig } from "./index.ts";
import type { NamedServers } from "./intake/servers.ts";

const applicationSchema = z.looseObject({ name: z.string().default(""), bot_public: z.boolean().default(true) });
const serversSchema = z.array(z.looseObject({ id: z.string(), name: z.string().default("") }));

/** Rejects with ParleyError if Discord can't be reached. */
export async function examineDiscord(
  config: Omit<DiscordConfig, "hasMessageContent">,
  clock: Clock,
): Promise<readonly PlatformFinding[]> {
  const rest = createRest({ token: config.token, apiUrl: config.apiUrl.replace(/\/$/, ""), clock });
  const application = applicationSchema.parse(await rest.call("GET", "/applications/@me"));
  const joined = serversSchema.parse(await rest.call("GET", "/users/@me/guilds"));
  const invitable = application.bot_public
    ? "anyone can invite the bot, and only the servers above are served: switch off Public Bot on the page Bot of your application"
    : "only you can invite the bot";
  return [serversFinding(config.servers, joined), { isOk: true, says: invitable }];
}

function serversFinding(named: NamedServers | undefined, joined: z.infer<typeof serversSchema>): PlatformFinding {
  const list = joined.map(({ id, name }) => `${name} (${id})`).join(", ") || "no server";
  if (named === "*") return { isOk: true, says: `the token works; serves every server the bot is in: ${list}` };
  if (named !== undefined) {
    const missing = named.filter((id) => joined.every((server) => server.id !== id));
    if (missing.length === 0) return { isOk: true, says: `the token works; serves ${named.join(", ")}` };
    return {
      isOk: false,
      says: `the bot is not in ${missing.join(", ")}, which WORKSPACES or DISCORD_GUILD_ID names; it is in ${list}. Invite it there`,
    };
  }
  if (joined.length !== 1) return { isOk: false, says: noServerReason(joined.length > 1) };
  return {
    isOk: true,
    says: `the token works; the bot is in ${list}, which is served if it was there at Parley's first start (/readyz says so; DISCORD_GUILD_ID makes sure)`,
  };
}
