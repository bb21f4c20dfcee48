/**
 * Builds Discord's manifest: what to set up in the developer portal, and the commands to register. Generated from the
 * command definitions and from what the adapter requests; Parley registers the commands itself when it starts.
 */
import { GatewayIntentBits } from "@discordjs/core";
import { type CommandSetOptions, commandSet } from "../adapters/discord/connection/command-set.ts";
import { intentsOf } from "../adapters/discord/connection/connection.ts";
import { neededPermissions, permissionsInteger } from "../adapters/discord/connection/permissions.ts";

const scopes = ["bot", "applications.commands"];

export function discordManifest(options: CommandSetOptions) {
  const named = (hasMessageContent: boolean) => intentsOf(hasMessageContent).map((intent) => GatewayIntentBits[intent]);
  return {
    name: "Parley",
    description: "Ask your team's AI agents where the team already talks",
    intents: named(false),
    intentsWithMessageContent: named(true),
    scopes,
    permissions: { names: Object.keys(neededPermissions), integer: permissionsInteger },
    invite: `https://discord.com/oauth2/authorize?client_id=YOUR_APPLICATION_ID&permissions=${permissionsInteger}&scope=${scopes.join("+")}`,
    commands: commandSet(options),
  };
}
