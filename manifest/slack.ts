/**
 * Builds the Slack app's manifest. Generated from the command definitions and from what the adapter calls and listens
 * to, so that it can't promise a missing command or lack a needed scope.
 */

import { optionalScopes, requiredScopes, subscriptions } from "../adapters/slack/connection/scopes.ts";
import type { shortcuts } from "../adapters/slack/intake/actions.ts";
import type { CommandDefinition } from "../src/core/commands.ts";

export type SlackManifestOptions = {
  readonly definitions: readonly CommandDefinition[];
  /** Summaries of the command groups: "agent" -> "List, choose, …". */
  readonly groups: Readonly<Record<string, string>>;
  /** COMMAND_PREFIX; precedes each command. */
  readonly prefix?: string;
  /** PUBLIC_URL, for an app that many workspaces install by OAuth. */
  readonly publicUrl?: string;
};

const maxHintChars = 100;

export function slackManifest({ definitions, groups, prefix = "", publicUrl }: SlackManifestOptions) {
  const words = [...new Set(definitions.map(({ path }) => path.split(" ")[0] ?? path))];
  return {
    _metadata: { major_version: 2 },
    display_information: {
      name: "Parley",
      description: "Ask your team's AI agents where the team already talks",
      background_color: "#1d1c1d",
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      agent_view: {
        agent_description: "Answers questions from your team's agents and knowledge bases, and cites its sources.",
        suggested_prompts: [
          { title: "What can you do?", message: "What can you help me with?" },
          { title: "What do you know?", message: "What do you know about?" },
        ],
      },
      bot_user: { display_name: "parley", always_online: true },
      shortcuts: [
        shortcut("Ask about this", "ask_about", "Ask an agent about this message"),
        shortcut("Save to knowledge base", "save", "Save this message to a knowledge base"),
        shortcut("Use as answer", "use_as_answer", "Add this message to a knowledge base as the answer to a question"),
      ],
      slash_commands: words.map((word) => ({
        command: `/${prefix}${word}`,
        description: groups[word] ?? `Parley: ${word}`,
        usage_hint: usageHint(word, definitions),
        should_escape: false,
      })),
    },
    // Slack lists optional scopes twice.
    oauth_config: {
      ...redirectOf(publicUrl),
      scopes: { bot: [...requiredScopes, ...optionalScopes].toSorted(), bot_optional: [...optionalScopes] },
    },
    settings: {
      event_subscriptions: {
        bot_events: [...new Set(Object.values(subscriptions).flatMap((list) => list.map(({ event }) => event)))],
      },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: publicUrl !== undefined,
    },
  };
}

/** Where Slack sends people back to after they have installed the app. */
function redirectOf(publicUrl: string | undefined): { readonly redirect_urls?: readonly string[] } {
  return publicUrl === undefined ? {} : { redirect_urls: [`${publicUrl}/slack/oauth_redirect`] };
}

function shortcut(name: string, callback: keyof typeof shortcuts, description: string) {
  return { name, type: "message", callback_id: callback, description };
}

/** "list · show · use …", or the options of a command without subcommands. */
function usageHint(word: string, definitions: readonly CommandDefinition[]): string {
  const own = definitions.filter(({ path }) => path === word || path.startsWith(`${word} `));
  const parts = own.map(({ path }) => path.slice(word.length + 1)).filter((part) => part !== "");
  const options = own[0]?.options.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)) ?? [];
  const hint = parts.length === 0 ? options.join(" ") : parts.join(" · ");
  return hint.length <= maxHintChars ? hint : `${hint.slice(0, maxHintChars - 1)}…`;
}
