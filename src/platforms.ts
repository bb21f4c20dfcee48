/**
 * List of all platforms, one line for each. Their settings are documented in this order; the page is last, because its
 * default depends on the others.
 */
import type { PlatformModule } from "./core/ports/platform-module.ts";

export const platformModules: readonly PlatformModule[] = [
  (await import("../adapters/slack/platform.ts")).slackPlatform,
  (await import("../adapters/discord/platform.ts")).discordPlatform,
  (await import("../adapters/console/platform.ts")).consolePlatform,
];
