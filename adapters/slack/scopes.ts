/**
 * What the app must be allowed to do, and why: the manifest asks for exactly this, and the connection says what is missing.
 * Every Web API method that the adapter calls stands here; a test reads the sources and compares.
 */
import type { handledEvents } from "./events.ts";

/** Any one of the scopes is enough; none means that every token may. */
export const methodScopes = {
  "auth.test": [],
  "chat.postMessage": ["chat:write"],
  "chat.update": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "chat.getPermalink": [],
  "conversations.replies": ["channels:history", "groups:history", "im:history"],
  "conversations.history": ["channels:history", "groups:history", "im:history"],
  "users.info": ["users:read"],
  "files.info": ["files:read"],
  "files.uploadV2": ["files:write"],
  "files.delete": ["files:write"],
  "reactions.add": ["reactions:write"],
  "reactions.remove": ["reactions:write"],
  "views.open": [],
  "views.update": [],
  "agents.sessions.setStatus": ["chat:write"],
} as const satisfies Record<string, readonly string[]>;

type Subscription = { readonly event: string; readonly scope: string };

/** What a handled event is called in a manifest, and the scope it needs. */
export const subscriptions: Readonly<Record<(typeof handledEvents)[number], readonly Subscription[]>> = {
  app_mention: [{ event: "app_mention", scope: "app_mentions:read" }],
  message: [
    { event: "message.channels", scope: "channels:history" },
    { event: "message.groups", scope: "groups:history" },
    { event: "message.im", scope: "im:history" },
  ],
  reaction_added: [{ event: "reaction_added", scope: "reactions:read" }],
  agent_session_stopped: [{ event: "agent_session_stopped", scope: "assistant:write" }],
};

/** Slash commands and shortcuts; reading the files that people attach. */
const otherScopes = ["commands", "files:read"];

/** Sorted; the manifest's bot scopes. */
export const requiredScopes: readonly string[] = [
  ...new Set([
    ...Object.values(methodScopes).flat(),
    ...Object.values(subscriptions).flatMap((list) => list.map(({ scope }) => scope)),
    ...otherScopes,
  ]),
].sort();
