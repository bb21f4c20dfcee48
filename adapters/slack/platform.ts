/** Declares Slack to Parley: settings, id format, how to connect, and the doctor's checks. */
import { z } from "zod";
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/core/ports/platform-module.ts";
import { platformName } from "./ids.ts";
import type { SlackConfig } from "./index.ts";

export const slackPlatform = platformModule({
  name: platformName,
  label: "slack",
  title: "Slack",
  idPattern: /^[A-Z\d]+$/,
  hasRoles: false,
  settings: z.object({
    botToken: is.tokenWith("xoxb-").optional().meta({
      env: "SLACK_BOT_TOKEN",
      example: "xoxb-1234-5678-abcdef",
      about: "Bot token of your Slack app.",
      isSecret: true,
    }),
    appToken: is.tokenWith("xapp-").optional().meta({
      env: "SLACK_APP_TOKEN",
      example: "xapp-1-A0123-456-abcdef",
      about: "App-level token, for Socket Mode (no public URL needed).",
      isSecret: true,
    }),
    signingSecret: is.token.optional().meta({
      env: "SLACK_SIGNING_SECRET",
      example: "8f742231b10e8888abcd99yyyzzz85a5",
      about:
        "Signing secret, to receive events over HTTP at `POST /slack/events` instead. Ignored if SLACK_APP_TOKEN is set.",
      isSecret: true,
    }),
    apiUrl: is.webUrl
      .prefault("https://slack.com/api")
      .meta({ env: "SLACK_API_URL", example: "https://slack.com/api", about: "Slack's Web API." }),
  }),
  configure: ({ botToken, appToken, signingSecret, apiUrl }, { isGiven, report }) => {
    const way = isGiven("SLACK_APP_TOKEN") ? "SLACK_APP_TOKEN" : "SLACK_SIGNING_SECRET";
    if (isGiven("SLACK_BOT_TOKEN") && !isGiven(way)) {
      const because = "SLACK_BOT_TOKEN is set (for Slack over HTTP, set SLACK_SIGNING_SECRET instead)";
      report("SLACK_APP_TOKEN", `is missing, but ${because}`);
    }
    if (isGiven(way) && !isGiven("SLACK_BOT_TOKEN")) report("SLACK_BOT_TOKEN", `is missing, but ${way} is set`);
    if (botToken === undefined) return undefined;
    if (appToken !== undefined) return configured({ botToken, intake: { kind: "socket", appToken }, apiUrl });
    if (signingSecret === undefined) return undefined;
    return configured({ botToken, intake: { kind: "http", signingSecret }, apiUrl });
  },
});

// Bolt is large, so it is loaded only if Slack is configured.
function configured(config: SlackConfig) {
  return {
    name: platformName,
    config,
    connect: async ({ http, keyValue, ...parts }) => {
      const { createSlack } = await import("./index.ts");
      const platform = createSlack({ ...parts, ...config, keyValue: keyValue("slack") });
      if (platform.httpMount !== undefined) http.handleNode(platform.httpMount.path, platform.httpMount.listener);
      return platform;
    },
    examine: async ({ log }) => {
      const { examineSlack } = await import("./doctor-checks.ts");
      return examineSlack({ ...config, log });
    },
  } satisfies ConfiguredPlatform & { readonly config: SlackConfig };
}
