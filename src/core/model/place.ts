/** Places, people and bindings, and the keys made from them. */

/** "console", "slack", "discord", or the name of any other folder under adapters/. */
export type PlatformName = string;

/** Where something is said. A direct message is a Place too: its channel is the direct-message channel. */
export type Place = {
  readonly platform: PlatformName;
  /** Slack team, Discord guild (or "dm"), "local" on the console. */
  readonly workspace: string;
  readonly channel: string;
  /** Absent at a channel's top level. */
  readonly thread?: string;
};

export type Workspace = Pick<Place, "platform" | "workspace">;

/** Who can read what is said in a place: everyone in the workspace, the channel's members, or one person. */
export type Visibility = "public" | "private" | "direct";

/** A person or bot, as the adapter resolved them. */
export type Actor = {
  readonly id: string;
  readonly workspace: string;
  /** Display name; untrusted text. */
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  /** From another organisation (the other side of a shared channel). */
  readonly isExternal: boolean;
  /** The platform did not identify them in time, so they have minimal rights and can try again. */
  readonly isUnverified?: true;
  readonly isBot: boolean;
  /** In a direct message outside any workspace: the served workspaces they are in, if the platform told. */
  readonly memberOf?: readonly string[];
  /** The platform's role ids, for entries such as `discord:role:456` in MANAGERS. */
  readonly roles: readonly string[];
  /**
   * What the sign-in at Parley's own page allows, in every place that this person acts on from there. No other platform
   * sets it.
   */
  readonly signedInAs?: Role | "nobody";
  /** The workspaces that this person manages from Parley's own page, as `workspaceKey` has them. */
  readonly managesIn?: readonly string[];
};

/** What Parley's own page calls everyone where nobody signs in. It names no person. */
export const unnamed = "You";

export type Role = "ask" | "ingest" | "manage";

/**
 * mention: only when mentioned; thread: also follow-ups; channel: also questions to nobody in particular, if the answer
 * rests on something; every: every message.
 */
export type Mode = "mention" | "thread" | "channel" | "every";

/** Which agent answers in a channel, or in a workspace by default. */
export type Binding = {
  readonly project: string;
  readonly agent: string;
  /** The default target for content added here. */
  readonly knowledgeBase?: string;
  readonly mode: Mode;
  /** Sent to the agent before each question asked here. Never part of the history. "": none. */
  readonly instructions?: string;
};

export const maxChannelInstructionChars = 2_000;

/** A file attached to a message. Its bytes are read through `ChatPlatform.openAttachment`. */
export type Attachment = {
  readonly id: string;
  readonly name: string;
  /** As the platform claims it, e.g. "text/csv"; untrusted. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** What the adapter needs to fetch the file again (a URL, a file id). Never a token. */
  readonly reference: string;
  /** The reference of a smaller copy, for a picture wider or higher than `maxPictureSide`. Absent if the platform has none. */
  readonly smaller?: string | undefined;
};

/** In pixels. Models scale larger pictures down themselves, and cost more for them. */
export const maxPictureSide = 2_048;

/** Key of a Conversation, its lane and its stored data. Begins with platform and workspace. */
export function conversationKey(place: Place): string {
  return [place.platform, place.workspace, place.channel, place.thread ?? ""].map(encodeURIComponent).join("/");
}

/** Key of a channel, as used by bindings. */
export function channelKey(place: Place): string {
  return [place.platform, place.workspace, place.channel].map(encodeURIComponent).join("/");
}

/** Key of a workspace, as used by default bindings and budgets. */
export function workspaceKey(place: Pick<Place, "platform" | "workspace">): string {
  return [place.platform, place.workspace].map(encodeURIComponent).join("/");
}

/** Of a person on Parley's own page who acts in a place of another platform: nobody there has an id like that. */
export function idAway({ id }: Pick<Actor, "id">): string {
  return `${awayMark}${id}`;
}

const awayMark = "console:";

/** Whether that is such a person there: they are in no channel, so they read what is public. */
export function isAway({ id, signedInAs }: Pick<Actor, "id" | "signedInAs">): boolean {
  return signedInAs !== undefined && id.startsWith(awayMark);
}

/** Key of a person in a workspace, as used for Jobs and fair queues. */
export function personKey(place: Pick<Place, "platform" | "workspace">, actor: Pick<Actor, "id">): string {
  return `${workspaceKey(place)}/${encodeURIComponent(actor.id)}`;
}
