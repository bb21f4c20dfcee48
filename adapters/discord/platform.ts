/** Declares Discord to Parley: settings, id format, how to connect, and the doctor's checks. */
import { z } from "zod";
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/core/ports/platform-module.ts";
import { platformName } from "./ids.ts";
import type { DiscordConfig } from "./index.ts";

export const discordPlatform = platformModule({
  name: platformName,
  label: "discord",
  title: "Discord",
  idPattern: /^\d+$/,
  hasRoles: true,
  checksWorkspaces: true,
  settings: z.object({
    token: is.token.optional().meta({
      env: "DISCORD_TOKEN",
      example: "MTE2ODk5.GhIjKl.abcdef",
      about: "Token of your Discord bot.",
      isSecret: true,
    }),
    guildId: is.snowflake.optional().meta({
      env: "DISCORD_GUILD_ID",
      example: "123456789012345678",
      about:
        "ID of your server. Parley serves only this one, unless WORKSPACES lists servers, and registers its commands there, where they appear at once.",
    }),
    hasMessageContent: is.trueOrFalse.prefault("false").meta({
      env: "DISCORD_MESSAGE_CONTENT",
      example: "true",
      about: "Whether the Message Content intent is on for the bot. Follow-ups without a mention need it.",
    }),
    apiUrl: is.webUrl
      .prefault("https://discord.com/api")
      .meta({ env: "DISCORD_API_URL", example: "https://discord.com/api", about: "Discord's REST API, up to `/api`." }),
  }),
  configure: ({ token, ...values }, { isGiven, report, workspaces }) => {
    if (isGiven("DISCORD_GUILD_ID") && !isGiven("DISCORD_TOKEN")) {
      report("DISCORD_TOKEN", "is missing, but DISCORD_GUILD_ID is set");
    }
    if (token === undefined) return undefined;
    // WORKSPACES decides if it names Discord servers, else DISCORD_GUILD_ID.
    const servers = workspaces ?? (values.guildId === undefined ? undefined : [values.guildId]);
    return configured({ ...values, token, servers });
  },
});

// discord.js's parts are large, so they are loaded only if Discord is configured.
function configured(config: DiscordConfig) {
  return {
    name: platformName,
    config,
    connect: async ({ keyValue, coordinator, commands, pictures, clock, log }) => {
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
