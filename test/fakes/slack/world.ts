/** The state of a fake workspace: people, channels, messages with all their versions, open modals, triggers. */
import { createStatusLine } from "./agent-view/status-line.ts";

export type Json = Record<string, unknown>;

export type StoredFile = {
  readonly name: string;
  readonly content: Buffer;
  readonly type: string;
  /** As announced before it was uploaded. */
  readonly length?: number;
};

export type StoredMessage = {
  ts: string;
  channel: string;
  user: string;
  bot_id?: string;
  text: string;
  blocks: readonly Json[];
  thread_ts?: string;
  metadata?: Json;
  files?: readonly Json[];
  attachments?: readonly Json[];
  subtype?: string;
  /** A name that the app chose for this message. */
  username?: string;
  edited?: Json;
  /** "block action person" -> the value of the thumb that is drawn filled for that person. */
  pressed?: Map<string, string>;
  /** Only this person sees it. */
  visibleTo?: string;
  /** Every content it ever had. */
  versions: { readonly text: string; readonly blocks: readonly Json[] }[];
};

/** What Slack calls `channel_type`. */
export type ChannelType = "channel" | "group" | "im" | "mpim";
export type Channel = {
  readonly id: string;
  type: ChannelType;
  readonly members: Set<string>;
  isArchived: boolean;
  /** With another organisation. */
  isShared?: boolean;
  /** Absent: its id in small letters. */
  name?: string;
};

export type View = Json & { id: string; hash: string; blocks: readonly Json[]; private_metadata: string; user: string };

export const team = "T0ACME";
/** Of another organisation, in channels that both share. */
const otherTeam = "T0ELSE";
export const bot = { userId: "U0BOT", botId: "B0BOT" };

export type World = ReturnType<typeof createWorld>;

/** `team`: the workspace. Another one has the same ids of channels and people, which mean others there. */
export function createWorld(nowMs: () => number, ownTeam: string = team) {
  let lastMicros = 0;
  let serial = 0;
  const users = new Map<string, Json>(
    [
      { id: "U0ALICE", name: "alice", is_admin: true },
      { id: "U0BOB", name: "bob" },
      { id: "U0GUEST", name: "gus", is_restricted: true },
      { id: "U0OTHER", name: "olga", team_id: otherTeam },
      { id: bot.userId, name: "parley", is_bot: true },
    ].map((user) => [user.id, { team_id: ownTeam, profile: { display_name: user.name }, ...user }]),
  );
  const everybody = [...users.keys()];
  const channels = new Map<string, Channel>();
  const addChannel = (id: string, members: readonly string[], type: ChannelType = "channel"): Channel => {
    const channel: Channel = { id, type, members: new Set(members), isArchived: false };
    channels.set(id, channel);
    return channel;
  };
  addChannel("C0GENERAL", everybody);
  addChannel("C0NOBOT", ["U0ALICE", "U0BOB"]);
  addChannel("G0SECRET", ["U0ALICE", "U0BOB", bot.userId], "group");
  addChannel("D0ALICE", ["U0ALICE", bot.userId], "im");
  // The ids of group direct messages begin as those of channels do.
  addChannel("C0TRIO", ["U0ALICE", "U0BOB", bot.userId], "mpim");
  const messages = new Map<string, StoredMessage>();
  const triggers = new Map<string, { readonly atMs: number; readonly user: string; isUsed: boolean }>();
  const views = new Map<string, View>();

  /** Microseconds never repeat, as in Slack. */
  const nextTs = (): string => {
    lastMicros = Math.max(lastMicros + 1, Math.floor(nowMs() * 1000));
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, "0")}`;
  };
  const nextId = (prefix: string): string => {
    serial += 1;
    return `${prefix}${String(serial).padStart(8, "0")}`;
  };

  const teamOf = (user: string): string => String(users.get(user)?.["team_id"] ?? ownTeam);

  return {
    team: ownTeam,
    users,
    channels,
    messages,
    triggers,
    views,
    /** A reply whose thread is gone is posted into the channel instead of being refused. */
    isUnthreading: false,
    /** Files that came with their id alone, by id. */
    sharedFiles: new Map<string, Json>(),
    /** What each person sees in the Home tab. */
    homes: new Map<string, View>(),
    /** People whom the app may notify; anybody else's ping is a violation. */
    mayBePinged: new Set<string>(),
    /** Ids of people, as often as they were notified. */
    pinged: [] as string[],
    /** Switched on by the manifest. */
    hasHomeTab: true,
    /** Ids of modals, the visible one last, by person. */
    openViews: new Map<string, string[]>(),
    /** The app's own, as "ts name". */
    reactions: new Set<string>(),
    /** "channel/thread" -> what the agent view was told last. */
    sessions: new Map<string, string>(),
    /** "channel/thread" -> what the session is called. */
    sessionTitles: new Map<string, string>(),
    /** Switched on by the manifest. */
    hasAgentView: true,
    /** What the asker reads under a thread while the app works. */
    statusLine: createStatusLine(nowMs),
    files: new Map<string, StoredFile>(),
    addChannel,
    nextTs,
    nextId,
    newTrigger: (user: string): string => {
      const id = nextId("trigger.");
      triggers.set(id, { atMs: nowMs(), user, isUsed: false });
      return id;
    },
    /** A moment in the past, which no other message has. */
    tsBefore: (agoMs: number): string => {
      const micros = Math.floor((nowMs() - agoMs) * 1000) + messages.size;
      return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;
    },
    store: (message: Omit<StoredMessage, "ts" | "versions"> & { readonly ts?: string }): StoredMessage => {
      const stored = {
        ts: nextTs(),
        ...message,
        versions: [{ text: message.text, blocks: message.blocks }],
      };
      messages.set(stored.ts, stored);
      return stored;
    },
    /** The message as others get it, with the team of whoever wrote it. */
    shown: (message: StoredMessage): Json => publicMessage(message, teamOf(message.user), ownTeam),
    teamOf,
    thread: (channel: string, ts: string): StoredMessage[] =>
      [...messages.values()].filter(
        (message) =>
          message.channel === channel && (message.ts === ts || message.thread_ts === ts) && !message.visibleTo,
      ),
  };
}

/** As Slack gives a message to others. Whose author is of another organisation says so in three more fields. */
function publicMessage(message: StoredMessage, home: string, ownTeam: string): Json {
  const { versions: _versions, visibleTo: _visible, channel: _channel, pressed: _pressed, ...shown } = message;
  return {
    type: "message",
    team: home,
    ...(home === ownTeam ? {} : { user_team: home, source_team: home, user_profile: { team: home } }),
    ...shown,
    ...(message.bot_id !== bot.botId ? {} : { bot_profile: { name: "parley", team_id: home } }),
  };
}
