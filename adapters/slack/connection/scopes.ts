/**
 * The Slack scopes that Parley needs and why, by Web API method and by event.
 * The manifest requests exactly these, and the connection reports missing ones. A test compares the methods with the
 * calls in the sources.
 */
import type { handledEvents, removalEvents } from "../intake/events.ts";

/** What does not work without each scope. Everything else still works. */
const purposes = {
  "app_mentions:read": "to hear when Parley is mentioned",
  "assistant:write": "for Slack's own Stop button",
  "channels:history": "to hear follow-ups in public channels, and to read their threads",
  "channels:read":
    "to introduce itself in public channels, to know that a channel is public, and to find all of them after an outage",
  "chat:write": "to answer at all",
  commands: "for slash commands and shortcuts",
  "files:read": "to read the files that people attach, and to ask for files in a form",
  "files:write": "to send answers and tables as files",
  "groups:history": "to hear follow-ups in private channels, and to read their threads",
  "groups:read":
    "to introduce itself in private channels, to know who is in them, and to find all of them after an outage",
  "im:history": "to hear direct messages",
  "im:read": "to find all direct messages after an outage, not only those seen before",
  "mpim:history": "to hear group direct messages",
  "mpim:read": "to find all group direct messages after an outage, not only those seen before",
  "reactions:read": "to save messages, use them as answers, or remove answers, by a reaction",
  "reactions:write": "to mark messages that were saved",
  "users:read": "to know who is an admin, a guest or from another organisation",
} as const satisfies Record<string, string>;
type Scope = keyof typeof purposes;

/** What gets better with them. An app without them lacks nothing, so nothing is reported as missing. */
const optionalPurposes = {
  "chat:write.customize": "to show the agent's name as the author of its answers",
  "usergroups:read": "to read the names of user groups in messages",
} as const satisfies Record<string, string>;
type OptionalScope = keyof typeof optionalPurposes;

/** In the manifest beside the required ones, marked as optional. */
export const optionalScopes = Object.keys(optionalPurposes) as readonly OptionalScope[];

export const userGroupScope: OptionalScope = "usergroups:read";

/** Any one of a method's scopes is enough, for the kind of channel it names. An empty list: no scope needed. */
export const methodScopes = {
  "apps.uninstall": [],
  "auth.test": [],
  "chat.postMessage": ["chat:write"],
  "chat.update": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "chat.getPermalink": [],
  "conversations.replies": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "conversations.history": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "conversations.info": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "users.conversations": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "users.info": ["users:read"],
  "users.list": ["users:read"],
  "files.info": ["files:read"],
  "usergroups.list": ["usergroups:read"],
  "files.uploadV2": ["files:write"],
  "files.delete": ["files:write"],
  "reactions.add": ["reactions:write"],
  "reactions.remove": ["reactions:write"],
  "oauth.v2.access": [],
  "views.open": [],
  "views.update": [],
  "views.publish": [],
  "agents.sessions.setStatus": ["chat:write"],
  "agents.sessions.rename": ["chat:write"],
  "assistant.threads.setStatus": ["chat:write"],
  "blocks.validate": [],
} as const satisfies Record<string, readonly (Scope | OptionalScope)[]>;

/** Kinds of channels for users.conversations. A kind requested without its scope makes Slack refuse the whole call. */
export const channelListScopes: Readonly<Record<string, Scope>> = {
  public_channel: "channels:read",
  private_channel: "groups:read",
  im: "im:read",
  mpim: "mpim:read",
};

type Subscription = { readonly event: string; readonly scope?: Scope };

/** The manifest's name for each handled event, and the scope it needs. */
export const subscriptions: Readonly<
  Record<(typeof handledEvents | typeof removalEvents)[number], readonly Subscription[]>
> = {
  app_mention: [{ event: "app_mention", scope: "app_mentions:read" }],
  message: [
    { event: "message.channels", scope: "channels:history" },
    { event: "message.groups", scope: "groups:history" },
    { event: "message.im", scope: "im:history" },
    { event: "message.mpim", scope: "mpim:history" },
  ],
  reaction_added: [{ event: "reaction_added", scope: "reactions:read" }],
  agent_session_stopped: [{ event: "agent_session_stopped", scope: "chat:write" }],
  agent_session_title_changed: [{ event: "agent_session_title_changed", scope: "chat:write" }],
  member_joined_channel: [
    { event: "member_joined_channel", scope: "channels:read" },
    { event: "member_joined_channel", scope: "groups:read" },
  ],
  app_home_opened: [{ event: "app_home_opened" }],
  app_uninstalled: [{ event: "app_uninstalled" }],
  tokens_revoked: [{ event: "tokens_revoked" }],
};

/** For slash commands and shortcuts, for reading attached files, and for Slack's agent view. */
const otherScopes: readonly Scope[] = ["commands", "files:read", "assistant:write"];

function isOptional(scope: Scope | OptionalScope): scope is OptionalScope {
  return scope in optionalPurposes;
}

/** The manifest's bot scopes, sorted. */
export const requiredScopes: readonly Scope[] = [
  ...new Set<Scope>([
    ...Object.values(methodScopes).flatMap((scopes) => scopes.flatMap((scope) => (isOptional(scope) ? [] : scope))),
    ...Object.values(subscriptions).flatMap((list) => list.flatMap(({ scope }) => scope ?? [])),
    ...otherScopes,
  ]),
].sort();

/** One sentence with each missing scope, its purpose and the remedy; undefined if none is missing. */
export function missingScopes(granted: readonly string[]): string | undefined {
  const missing = requiredScopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return undefined;
  const list = missing.map((scope) => `${scope} (${purposes[scope]})`).join(", ");
  return `The Slack app lacks ${missing.length === 1 ? "a scope" : `${missing.length} scopes`}: ${list}. Paste the manifest (manifest/slack.json) into "App Manifest" in the app's settings and reinstall the app; events that the manifest subscribes to are missing with their scopes.`;
}

/** One sentence with each optional scope that was not granted; undefined if all were. */
export function missingOptionalScopes(granted: readonly string[]): string | undefined {
  const missing = optionalScopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return undefined;
  const list = missing.map((scope) => `${scope} (${optionalPurposes[scope]})`).join(", ");
  return `The Slack app could also have ${list}. It's optional: paste the manifest (manifest/slack.json) and reinstall the app.`;
}

/** Slack refuses to publish a Home tab. */
export const homeTabMissing =
  'The Slack app has no Home tab yet: paste the manifest (manifest/slack.json) into "App Manifest" in the app\'s settings and reinstall the app.';

/** One sentence about what is not read after an outage if Slack can't list some kinds of channels. */
export function missingChannelLists(granted: readonly string[]): string | undefined {
  const missing = Object.values(channelListScopes).filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return undefined;
  return `After an outage, channels of the kinds that ${missing.join(", ")} would list are read only where an agent is bound or Parley heard something before.`;
}
