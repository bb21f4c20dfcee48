/** Declares Slack to Parley: settings, id format, how to connect, and the doctor's checks. */
import { z } from "zod";
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/core/ports/platform-module.ts";
import { platformName } from "./ids.ts";
import type { SlackConfig } from "./index.ts";

const minStateSecretChars = 32;

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
    clientId: is.token.optional().meta({
      env: "SLACK_CLIENT_ID",
      example: "1234567890.1234567890123",
      about:
        "Client ID of your Slack app, for many workspaces: each installs the app at `/slack/install`. Then SLACK_BOT_TOKEN stays unset.",
    }),
    clientSecret: is.token.optional().meta({
      env: "SLACK_CLIENT_SECRET",
      example: "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
      about: "Client secret of your Slack app.",
      isSecret: true,
    }),
    stateSecret: is.token
      .refine((text) => text.length >= minStateSecretChars, `must have at least ${minStateSecretChars} characters`)
      .optional()
      .meta({
        env: "SLACK_STATE_SECRET",
        example: "a-long-random-text-of-32-characters-or-more",
        about:
          "Random text of your own that signs installations and encrypts their tokens. If it changes, each workspace has to install the app again.",
        isSecret: true,
      }),
    apiUrl: is.webUrl
      .prefault("https://slack.com/api")
      .meta({ env: "SLACK_API_URL", example: "https://slack.com/api", about: "Slack's Web API." }),
  }),
  configure: (values, { isGiven, report, workspaces }) => {
    const { botToken, appToken, signingSecret, clientId, clientSecret, stateSecret, apiUrl } = values;
    const way = isGiven("SLACK_APP_TOKEN") ? "SLACK_APP_TOKEN" : "SLACK_SIGNING_SECRET";
    const isInstalled = oauthSettings.some(isGiven);
    const account = isInstalled ? "SLACK_CLIENT_ID" : "SLACK_BOT_TOKEN";
    if (isInstalled && isGiven("SLACK_BOT_TOKEN")) {
      report("SLACK_BOT_TOKEN", "is set, but so is SLACK_CLIENT_ID: workspaces get their tokens at /slack/install");
    }
    for (const name of isInstalled ? [...oauthSettings, "PUBLIC_URL"] : []) {
      if (!isGiven(name)) report(name, "is missing, but is needed to install the Slack app in many workspaces");
    }
    if (isGiven(account) && !isGiven(way)) {
      const because = `${account} is set (for Slack over HTTP, set SLACK_SIGNING_SECRET instead)`;
      report("SLACK_APP_TOKEN", `is missing, but ${because}`);
    }
    if (isGiven(way) && !isInstalled && !isGiven("SLACK_BOT_TOKEN")) {
      report("SLACK_BOT_TOKEN", `is missing, but ${way} is set`);
    }
    const intake = intakeOf(appToken, signingSecret);
    if (intake === undefined) return undefined;
    if (clientId !== undefined && clientSecret !== undefined && stateSecret !== undefined) {
      return configured({ oauth: { clientId, clientSecret, stateSecret, listed: workspaces }, intake, apiUrl });
    }
    return botToken === undefined ? undefined : configured({ botToken, intake, apiUrl });
  },
});

const oauthSettings = ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_STATE_SECRET"];

function intakeOf(appToken: string | undefined, signingSecret: string | undefined): SlackConfig["intake"] | undefined {
  if (appToken !== undefined) return { kind: "socket", appToken };
  return signingSecret === undefined ? undefined : { kind: "http", signingSecret };
}

// Bolt is large, so it is loaded only if Slack is configured.
function configured(config: SlackConfig) {
  return {
    name: platformName,
    config,
    connect: async ({ http, keyValue, ...parts }) => {
      const { createSlack } = await import("./index.ts");
      const { oauth, botToken, ...ways } = config;
      const shared = { ...parts, ...ways, keyValue: keyValue<string>("slack") };
      const platform =
        oauth === undefined
          ? createSlack({ ...shared, botToken })
          : createSlack({
              ...shared,
              oauth: { ...parts, ...oauth, baseUrl: http.baseUrl, trustedProxy: http.trustedProxy },
            });
      if (platform.httpMount !== undefined) http.handleNode(platform.httpMount.path, platform.httpMount.listener);
      for (const [path, listener] of Object.entries(platform.installPages ?? {})) http.handleNode(path, listener);
      return platform;
    },
    examine: async ({ log }) => {
      const { examineSlack } = await import("./doctor-checks.ts");
      return examineSlack({ ...config, log });
    },
  } satisfies ConfiguredPlatform & { readonly config: SlackConfig };
}
