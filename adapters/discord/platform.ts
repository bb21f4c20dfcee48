/** Declares Discord to Parley: settings, id format, how to connect, and the doctor's checks. */
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/ports/platform-module.ts";
import { platformName } from "./ids.ts";
import type { DiscordConfig } from "./index.ts";

export const discordPlatform = platformModule({
  name: platformName,
  label: "discord",
  title: "Discord",
  idPattern: /^\d+$/,
  hasRoles: true,
  checksWorkspaces: true,
  settings: {
    DISCORD_TOKEN: {
      format: is.token,
      example: "MTE2ODk5.GhIjKl.abcdef",
      about: "Token of your Discord bot.",
      isSecret: true,
    },
    DISCORD_GUILD_ID: {
      format: is.snowflake,
      example: "123456789012345678",
      about:
        "ID of your server. Parley serves only this one, unless WORKSPACES lists servers, and registers its commands there, where they appear at once.",
    },
    DISCORD_MESSAGE_CONTENT: {
      format: is.trueOrFalse,
      default: "false",
      example: "true",
      about: "Whether the Message Content intent is on for the bot. Follow-ups without a mention need it.",
    },
    DISCORD_API_URL: {
      format: is.webUrl,
      default: "https://discord.com/api",
      example: "https://discord.com/api",
      about: "Discord's REST API, up to `/api`.",
    },
  },
  configure: (values, { isGiven, report, workspaces }) => {
    const { DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId, DISCORD_API_URL: apiUrl } = values;
    if (isGiven("DISCORD_GUILD_ID") && !isGiven("DISCORD_TOKEN")) {
      report("DISCORD_TOKEN", "is missing, but DISCORD_GUILD_ID is set");
    }
    if (token === undefined) return undefined;
    // WORKSPACES decides if it names Discord servers, else DISCORD_GUILD_ID.
    const servers = workspaces ?? (guildId === undefined ? undefined : [guildId]);
    return configured({ token, apiUrl, guildId, servers, hasMessageContent: values.DISCORD_MESSAGE_CONTENT });
  },
});

// discord.js is large, so it is loaded only if Discord is configured.
function configured(config: DiscordConfig) {
  return {
    name: platformName,
    config,
    connect: async ({ keyValue, coordinator, commands, pictures, clock, log }) => {
      const { connectThroughProxy } = await import("./connection/gateway-proxy.ts");
      connectThroughProxy();
      const { createDiscord } = await import("./index.ts");
      const shared = { coordinator, commands, pictures, clock, log };
      return createDiscord({ ...config, ...shared, keyValue: keyValue("discord") });
    },
    examine: async ({ clock }) => {
      const { examineDiscord } = await import("./doctor-checks.ts");
      return examineDiscord(config, clock);
    },
  } satisfies ConfiguredPlatform & { readonly config: DiscordConfig };
}
