/**
 * The manifest says what the adapter does: every method it calls has its scope, every event it handles is subscribed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { methodScopes, subscriptions } from "../../adapters/slack/connection/scopes.ts";
import { handledEvents } from "../../adapters/slack/intake/events.ts";
import { slackManifest } from "../../manifest/slack.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { groupSummaries } from "../../src/commands/words.ts";

const manifest = slackManifest({ definitions: allCommands, groups: groupSummaries });
const folder = new URL("../../adapters/slack/", import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(new URL(file, folder), "utf8"));

/** `clients.final.chat.postMessage(` -> "chat.postMessage" */
function calledMethods(): ReadonlySet<string> {
  const call = /\b(?:client|clients\.\w+|clientFor\(\w+\))\.((?:[a-z]\w*\.)+\w+)\(/g;
  const found = sources.flatMap((source) => [...source.matchAll(call)].map((match) => match[1] ?? ""));
  return new Set(found.filter((name) => !name.startsWith("websocket.") && !name.startsWith("final.") && name !== ""));
}

describe("manifest/slack.json", () => {
  it("is up to date (else: npm run manifest)", () => {
    const file = readFileSync(new URL("../../manifest/slack.json", import.meta.url), "utf8");

    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(manifest)));
  });

  it("is there for many workspaces, too, which install the app by OAuth", () => {
    const file = readFileSync(new URL("../../manifest/slack-many-workspaces.json", import.meta.url), "utf8");
    const publicUrl = "https://parley.example.com";
    const made = slackManifest({ definitions: allCommands, groups: groupSummaries, publicUrl });

    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(made)));
    expect(made.oauth_config).toMatchObject({ redirect_urls: [`${publicUrl}/slack/oauth_redirect`] });
    expect(made.settings.token_rotation_enabled).toBe(true);
  });

  it("has a scope for every method that is called", () => {
    const methods = calledMethods();

    expect(methods.size).toBeGreaterThan(10);
    for (const method of methods) {
      const scopes: readonly string[] | undefined = methodScopes[method as keyof typeof methodScopes];
      expect(scopes, method).toBeDefined();
      for (const scope of scopes ?? []) expect(manifest.oauth_config.scopes.bot).toContain(scope);
    }
    expect([...methods].sort()).toEqual(Object.keys(methodScopes).sort());
  });

  it("subscribes every event that is handled, with its scope", () => {
    for (const event of handledEvents) {
      for (const subscription of subscriptions[event]) {
        expect(manifest.settings.event_subscriptions.bot_events).toContain(subscription.event);
        if (subscription.scope !== undefined) expect(manifest.oauth_config.scopes.bot).toContain(subscription.scope);
      }
    }
  });

  it("stays within Slack's limits", () => {
    const { features, display_information: shown } = manifest;

    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
    expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
    expect(features.agent_view.suggested_prompts.length).toBeLessThanOrEqual(4);
    for (const { name } of features.shortcuts) expect(name.length).toBeLessThanOrEqual(24);
    for (const command of features.slash_commands) {
      expect(command.command).toMatch(/^\/[a-z-]{1,31}$/);
      expect(command.description.length).toBeLessThanOrEqual(2_000);
    }
  });

  it("puts the prefix before every command", () => {
    const prefixed = slackManifest({ definitions: allCommands, groups: groupSummaries, prefix: "dev-" });

    expect(prefixed.features.slash_commands.map(({ command }) => command)).toContain("/dev-ask");
  });
});
