/** Which scopes Slack knows here, and which of them a method or an event needs. */

/** Which scopes a method needs, any one of them. */
export const scopesOf: Readonly<Record<string, readonly string[]>> = {
  "chat.postMessage": ["chat:write"],
  "chat.update": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "users.info": ["users:read"],
  "users.list": ["users:read"],
  "files.info": ["files:read"],
  "usergroups.list": ["usergroups:read"],
  "files.getUploadURLExternal": ["files:write"],
  "files.completeUploadExternal": ["files:write"],
  "files.delete": ["files:write"],
  "reactions.add": ["reactions:write"],
  "reactions.remove": ["reactions:write"],
  "agents.sessions.setStatus": ["chat:write"],
  "agents.sessions.rename": ["chat:write"],
  "assistant.threads.setStatus": ["chat:write", "assistant:write"],
};

/** Without it the app is not told. */
export const eventScopes: Readonly<Record<string, string>> = {
  app_mention: "app_mentions:read",
  reaction_added: "reactions:read",
  agent_session_stopped: "chat:write",
  agent_session_title_changed: "chat:write",
};

export const allScopes: readonly string[] = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "mpim:history",
  "mpim:read",
  "reactions:read",
  "reactions:write",
  "users:read",
];
