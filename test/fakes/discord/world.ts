/**
 * The state of the local Discord: servers with people, channels and messages, and the bot's direct messages. Tests
 * begin with one server, Acme; anyone who can invite the bot may add others.
 */
export type Json = Readonly<Record<string, unknown>>;

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly roles: readonly string[];
  takesDirectMessages: boolean;
};

export type Server = {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly members: Set<string>;
  /** The bot was invited and has not been removed. */
  hasBot: boolean;
  /** When the bot was invited, the last time. */
  joinedAtMs: number;
  /** Where Discord itself welcomes people. */
  systemChannelId: string | undefined;
  /** Discord can't reach it now. */
  isUnavailable: boolean;
};

export type Channel = {
  readonly id: string;
  /** Absent for direct messages. */
  readonly serverId?: string;
  /** 0 text, 1 direct, 2 voice, 11 thread, 12 private thread, 15 forum. */
  readonly type: number;
  readonly name: string;
  readonly parentId?: string;
  /** Of a direct message. */
  readonly personId?: string;
  /** Of a thread: who opened it. */
  readonly ownerId?: string;
  /** Where it stands in its server's list. */
  position: number;
  isArchived: boolean;
  isLocked: boolean;
  /** What the bot may not do there. */
  denied: bigint;
  /** What everyone may not do there; then which roles may after all. */
  deniedToAll?: bigint;
  readonly allowedRoles?: readonly string[];
};

export type Message = {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly type: number;
  content: string;
  components: readonly Json[];
  flags: number;
  attachments: readonly Json[];
  /** Embeds, polls, stickers and what else its JSON has, as Discord sends it. */
  readonly shows: Json;
  /** Messages as they were when somebody forwarded them. */
  readonly snapshots: readonly Json[];
  readonly nonce: string | undefined;
  readonly referenceId: string | undefined;
  /** Whoever is replied to is told of it; a person can switch that off. */
  readonly pingsReplied: boolean;
  /** Only that person sees it. */
  readonly seenBy: string | undefined;
  editedAtMs: number | undefined;
  isDeleted: boolean;
  readonly atMs: number;
  /** Every state it was seen in, the first one included. */
  readonly versions: string[];
  readonly reactions: { readonly emoji: string; readonly userId: string }[];
};

/** Of the bot's user and of its application alike. */
export const botId = "900000000000000001";
export const guildId = "800000000000000001";
export const adminRole = "800000000000000002";
export const botRole = "800000000000000003";

export const permissions = {
  administrator: 1n << 3n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  attachFiles: 1n << 15n,
  readHistory: 1n << 16n,
  createThreads: 1n << 35n,
  createPrivateThreads: 1n << 36n,
  sendInThreads: 1n << 38n,
};
/** Of moderators; a bot is seldom given it. */
export const manageThreads = 1n << 34n;
export const botPermissions = Object.values(permissions).reduce((all, one) => all | one) & ~permissions.administrator;

export const loadingFlag = 1 << 7;
export const ephemeralFlag = 1 << 6;
export const v2Flag = 1 << 15;

const epochMs = 1_420_070_400_000;

export type World = ReturnType<typeof createWorld>;

export function createWorld(nowMs: () => number) {
  let counter = 0n;
  const snowflake = () => {
    counter += 1n;
    return String((BigInt(nowMs() - epochMs) << 22n) + (counter & 0x3fffffn));
  };
  const people = new Map<string, Person>();
  const channels = new Map<string, Channel>();
  const messages = new Map<string, Message>();
  const servers = new Map<string, Server>();

  const person = (id: string, name: string, roles: readonly string[], isBot = false) =>
    people.set(id, { id, name, roles, isBot, takesDirectMessages: true });
  person(botId, "Parley", [botRole], true);
  person("100000000000000001", "Alice", [adminRole]);
  person("100000000000000002", "Bob", []);
  person("100000000000000003", "Jira", [], true);
  const members = new Set(people.keys());
  const joined = { hasBot: true, systemChannelId: undefined, isUnavailable: false };
  // The bot came to the first server long ago.
  servers.set(guildId, { id: guildId, name: "Acme", ownerId: "100000000000000001", members, joinedAtMs: 0, ...joined });

  const addChannel = (channel: Pick<Channel, "id" | "type" | "name"> & Partial<Channel>): Channel => {
    const serverId = channel.type === 1 ? {} : { serverId: channels.get(channel.parentId ?? "")?.serverId ?? guildId };
    const made = { position: 0, isArchived: false, isLocked: false, denied: 0n, ...serverId, ...channel };
    channels.set(made.id, made);
    return made;
  };
  addChannel({ id: "200000000000000001", type: 0, name: "general" });
  addChannel({ id: "200000000000000002", type: 0, name: "random" });
  addChannel({ id: "200000000000000003", type: 2, name: "voice" });
  addChannel({ id: "200000000000000004", type: 15, name: "help" });
  for (const [index, { id, isBot }] of [...people.values()].entries()) {
    if (!isBot) addChannel({ id: `30000000000000000${index}`, type: 1, name: "", personId: id });
  }

  return {
    /** Whether anyone can invite the bot; true unless its owner turns it off. */
    isBotPublic: true,
    /** Ids of people whom the bot may notify; anybody else's ping is a violation. */
    mayBePinged: new Set<string>(),
    /** Ids of people, as often as they were notified. */
    pinged: [] as string[],
    snowflake,
    people,
    channels,
    messages,
    servers,
    addChannel,
    /** Somebody's own server, with one text channel of the same name. */
    addServer: (name: string, ownerName: string): { readonly server: Server; readonly channel: Channel } => {
      const ownerId = named(people, ownerName).id;
      const members = new Set([ownerId, botId]);
      const server: Server = { id: snowflake(), name, ownerId, members, joinedAtMs: nowMs(), ...joined };
      servers.set(server.id, server);
      return { server, channel: addChannel({ id: snowflake(), type: 0, name, serverId: server.id }) };
    },
    /** Who belongs to no server yet; has direct messages with the bot. */
    addPerson: (name: string): Person => {
      const id = snowflake();
      person(id, name, []);
      addChannel({ id: snowflake(), type: 1, name: "", personId: id });
      return named(people, name);
    },
    person: (name: string) => named(people, name),
    channel: (name: string) => named(channels, name),
    /** The bot's direct messages with that person. */
    direct: (personId: string) => {
      const found = [...channels.values()].find((channel) => channel.personId === personId);
      if (found === undefined) throw new Error("no such direct message");
      return found;
    },
    addMessage: (message: Partial<Message> & Pick<Message, "channelId" | "authorId">): Message => {
      const made: Message = {
        id: snowflake(),
        type: 0,
        content: "",
        components: [],
        flags: 0,
        attachments: [],
        shows: {},
        snapshots: [],
        nonce: undefined,
        referenceId: undefined,
        pingsReplied: true,
        seenBy: undefined,
        editedAtMs: undefined,
        isDeleted: false,
        atMs: nowMs(),
        versions: [],
        reactions: [],
        ...message,
      };
      made.versions.push(textOf(made));
      messages.set(made.id, made);
      return made;
    },
    /** What stands there, oldest first. */
    inChannel: (channelId: string) =>
      [...messages.values()].filter((message) => message.channelId === channelId && !message.isDeleted),
  };
}

function named<T extends { readonly name: string }>(all: ReadonlyMap<string, T>, name: string): T {
  const found = [...all.values()].find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** The words that people see. */
export function textOf(message: Pick<Message, "content" | "components">): string {
  const words = (component: Json): readonly string[] => [
    ...(typeof component["content"] === "string" ? [component["content"]] : []),
    ...listOf(component["components"]).flatMap(words),
  ];
  return [message.content, ...message.components.flatMap(words)].filter((part) => part !== "").join("\n");
}

export function buttonsOf(components: readonly Json[]): readonly Json[] {
  return components.flatMap((component) => [
    ...(component["type"] === 2 ? [component] : []),
    ...buttonsOf(listOf(component["components"])),
    ...buttonsOf(component["accessory"] === undefined ? [] : [component["accessory"] as Json]),
  ]);
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
