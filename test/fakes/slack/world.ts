/**
 * What stands in a fake workspace: people, channels, messages with every version of them, open modals, triggers.
 */
export type Json = Record<string, unknown>;

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
  subtype?: string;
  /** Only this person sees it. */
  visibleTo?: string;
  /** Every content it ever had. */
  versions: { readonly text: string; readonly blocks: readonly Json[] }[];
};

export type Channel = { readonly id: string; members: Set<string>; isArchived: boolean; readonly isDirect: boolean };

export type View = Json & { id: string; hash: string; blocks: readonly Json[]; private_metadata: string; user: string };

export const team = "T0ACME";
export const bot = { userId: "U0BOT", botId: "B0BOT" };

export type World = ReturnType<typeof createWorld>;

export function createWorld(nowMs: () => number) {
  let lastMicros = 0;
  let serial = 0;
  const users = new Map<string, Json>(
    [
      { id: "U0ALICE", name: "alice", is_admin: true },
      { id: "U0BOB", name: "bob" },
      { id: "U0GUEST", name: "gus", is_restricted: true },
      { id: "U0OTHER", name: "olga", team_id: "T0ELSE" },
      { id: bot.userId, name: "parley", is_bot: true },
    ].map((user) => [user.id, { team_id: team, profile: { display_name: user.name }, ...user }]),
  );
  const everybody = [...users.keys()];
  const channels = new Map<string, Channel>();
  const addChannel = (id: string, members: readonly string[]): Channel => {
    const channel = { id, members: new Set(members), isArchived: false, isDirect: id.startsWith("D") };
    channels.set(id, channel);
    return channel;
  };
  addChannel("C0GENERAL", everybody);
  addChannel("C0NOBOT", ["U0ALICE", "U0BOB"]);
  addChannel("D0ALICE", ["U0ALICE", bot.userId]);
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

  return {
    users,
    channels,
    messages,
    triggers,
    views,
    /** Ids of modals, the visible one last, by person. */
    openViews: new Map<string, string[]>(),
    /** The app's own, as "ts name". */
    reactions: new Set<string>(),
    /** "channel/thread" -> what the agent view was told last. */
    sessions: new Map<string, string>(),
    files: new Map<string, { readonly name: string; readonly content: Buffer; readonly type: string }>(),
    addChannel,
    nextTs,
    nextId,
    newTrigger: (user: string): string => {
      const id = nextId("trigger.");
      triggers.set(id, { atMs: nowMs(), user, isUsed: false });
      return id;
    },
    store: (message: Omit<StoredMessage, "ts" | "versions">): StoredMessage => {
      const stored = {
        ...message,
        ts: nextTs(),
        versions: [{ text: message.text, blocks: message.blocks }],
      };
      messages.set(stored.ts, stored);
      return stored;
    },
    thread: (channel: string, ts: string): StoredMessage[] =>
      [...messages.values()].filter(
        (message) =>
          message.channel === channel && (message.ts === ts || message.thread_ts === ts) && !message.visibleTo,
      ),
  };
}

/** As Slack gives a message to others. */
export function publicMessage(message: StoredMessage): Json {
  const { versions: _versions, visibleTo: _visible, channel: _channel, ...shown } = message;
  return {
    type: "message",
    team,
    ...shown,
    ...(message.bot_id === undefined ? {} : { bot_profile: { name: "parley" } }),
  };
}
