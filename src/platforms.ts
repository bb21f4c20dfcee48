/**
 * List of all platforms. Add a new one here. The page is last, because its default depends on the others.
 */
import { consolePlatform } from "../adapters/console/platform.ts";
import { discordPlatform } from "../adapters/discord/platform.ts";
import { slackPlatform } from "../adapters/slack/platform.ts";
import type { PlatformModule } from "./ports/platform-module.ts";

export const platformModules: readonly PlatformModule[] = [slackPlatform, discordPlatform, consolePlatform];
