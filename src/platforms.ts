/**
 * The platforms, one line each: the place to add the next one. The last may look whether others are switched on.
 */
import { consolePlatform } from "../adapters/console/platform.ts";
import { discordPlatform } from "../adapters/discord/platform.ts";
import { slackPlatform } from "../adapters/slack/platform.ts";
import type { PlatformModule } from "./ports/platform-module.ts";

export const platformModules: readonly PlatformModule[] = [slackPlatform, discordPlatform, consolePlatform];
