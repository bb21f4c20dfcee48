/** Parses Discord's events and responses, as far as Parley reads them. Typed from here on. */
import { GatewayDispatchEvents } from "@discordjs/core";
import { z } from "zod";

/** What Parley hears from the gateway, beside what its cache follows. */
export const heardEvents = [
  GatewayDispatchEvents.Ready,
  GatewayDispatchEvents.Resumed,
  GatewayDispatchEvents.GuildCreate,
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageUpdate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.MessageReactionAdd,
  GatewayDispatchEvents.MessageReactionRemove,
  GatewayDispatchEvents.InteractionCreate,
] as const;

/** An event of the gateway, unparsed. */
export type Packet = {
  readonly t: string;
  readonly d: unknown;
  /** Read from history, not sent by the gateway: it may have been handled before. */
  readonly isRead?: boolean;
};

const userSchema = z.looseObject({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});
export type DiscordUser = z.infer<typeof userSchema>;

const memberSchema = z.looseObject({
  user: userSchema.optional(),
  nick: z.string().nullish(),
  roles: z.array(z.string()).default([]),
  /** The person's permissions in the channel; only in interactions. */
  permissions: z.string().optional(),
  flags: z.number().default(0),
});
export type DiscordMember = z.infer<typeof memberSchema>;

const attachmentSchema = z.looseObject({
  id: z.string(),
  filename: z.string(),
  content_type: z.string().nullish(),
  size: z.number(),
  url: z.string(),
  /** Of a picture: Discord scales it there, with `width` and `height` in the query. */
  proxy_url: z.string().nullish(),
  width: z.number().nullish(),
  height: z.number().nullish(),
  /** The name as people see it, without its ending; `filename` has no letters but ASCII. */
  title: z.string().nullish(),
  /** For people who can't see the picture. */
  description: z.string().nullish(),
  flags: z.number().nullish(),
});
export type DiscordAttachment = z.infer<typeof attachmentSchema>;

const componentSchema = z.looseObject({ type: z.number(), id: z.number().optional() });

/** What people see in a message; the same in a forwarded one. Its parts are parsed when they are read. */
const contentSchema = z.looseObject({
  type: z.number().default(0),
  content: z.string().default(""),
  mentions: z.array(userSchema).default([]),
  mention_roles: z.array(z.string()).default([]),
  mention_channels: z.array(z.looseObject({ id: z.string(), name: z.string() })).default([]),
  attachments: z.array(attachmentSchema).default([]),
  embeds: z.array(z.unknown()).default([]),
  components: z.array(componentSchema).default([]),
  sticker_items: z.array(z.unknown()).default([]),
  poll: z.unknown().optional(),
  /** An invitation to play or listen together. */
  activity: z.unknown().optional(),
  /** Forwarded messages; the forwarding message itself has no text. */
  message_snapshots: z.array(z.unknown()).default([]),
  message_reference: z.looseObject({ channel_id: z.string().optional(), message_id: z.string().optional() }).nullish(),
  flags: z.number().default(0),
});
export type DiscordContent = z.infer<typeof contentSchema>;

const authoredSchema = contentSchema.extend({
  id: z.string(),
  channel_id: z.string(),
  author: userSchema,
  webhook_id: z.string().optional(),
});

const messageSchema = authoredSchema.extend({
  guild_id: z.string().optional(),
  member: memberSchema.optional(),
  mention_everyone: z.boolean().default(false),
  /** Null: it was deleted. Absent where a message has none, or Discord didn't look for it. */
  referenced_message: authoredSchema.nullish(),
  edited_timestamp: z.string().nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  /** In a thread: how many messages came before it. */
  position: z.number().optional(),
});
export type DiscordMessage = z.infer<typeof messageSchema>;

const deletionSchema = z.looseObject({ id: z.string(), channel_id: z.string(), guild_id: z.string().optional() });
const deletionsSchema = z.looseObject({
  ids: z.array(z.string()),
  channel_id: z.string(),
  guild_id: z.string().optional(),
});
export type DiscordDeletion = z.infer<typeof deletionSchema>;

const reactionSchema = z.looseObject({
  user_id: z.string(),
  channel_id: z.string(),
  message_id: z.string(),
  guild_id: z.string().optional(),
  member: memberSchema.optional(),
  emoji: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }),
});
export type DiscordReaction = z.infer<typeof reactionSchema>;

/** A set of permissions, or none at all: an odd one must not read as "nothing is denied". */
const permissionsSchema = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);

// Exactly what Parley reads: these are kept as long as the process lives.
const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  /** The user who opened a thread. */
  owner_id: z.string().nullish(),
  guild_id: z.string().optional(),
  last_message_id: z.string().nullish(),
  position: z.number().nullish(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), allow: permissionsSchema, deny: permissionsSchema }))
    .default([]),
  thread_metadata: z.object({ archived: z.boolean() }).nullish(),
});
export type DiscordChannel = z.infer<typeof channelSchema>;

const roleSchema = z.object({
  id: z.string(),
  name: z.string(),
  permissions: permissionsSchema,
  tags: z.object({ bot_id: z.string().nullish() }).nullish(),
});
export type DiscordRole = z.infer<typeof roleSchema>;

const identifiedSchema = z.looseObject({ id: z.string() });

const readySchema = z.looseObject({
  user: identifiedSchema,
  application: identifiedSchema.nullish(),
  guilds: z.array(identifiedSchema).default([]),
  /** The shard's number, and how many there are. */
  shard: z.array(z.number()).nullish(),
});

export type GivenOption = {
  readonly name: string;
  readonly type: number;
  readonly value?: string | number | boolean | undefined;
  readonly focused?: boolean | undefined;
  readonly options?: readonly GivenOption[] | undefined;
};
const optionSchema: z.ZodType<GivenOption> = z.looseObject({
  name: z.string(),
  type: z.number(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
  get options() {
    return z.array(optionSchema).optional();
  },
});

const inputSchema = z.looseObject({
  custom_id: z.string(),
  /** Null: no radio button was chosen. */
  value: z.string().nullish(),
  values: z.array(z.string()).optional(),
});

const commandDataSchema = z.looseObject({
  name: z.string(),
  type: z.number(),
  options: z.array(optionSchema).default([]),
  target_id: z.string().optional(),
  resolved: z
    .looseObject({
      messages: z.record(z.string(), messageSchema).optional(),
      attachments: z.record(z.string(), attachmentSchema).optional(),
    })
    .optional(),
});
export type CommandData = z.infer<typeof commandDataSchema>;

const modalDataSchema = z.looseObject({
  custom_id: z.string(),
  components: z.array(
    z.looseObject({ component: inputSchema.optional(), components: z.array(inputSchema).optional() }),
  ),
  /** The uploaded files, which the values of a file upload name by their ids. */
  resolved: z.looseObject({ attachments: z.record(z.string(), attachmentSchema).optional() }).optional(),
});
export type ModalData = z.infer<typeof modalDataSchema>;

const interactionBase = {
  id: z.string(),
  application_id: z.string(),
  token: z.string(),
  guild_id: z.string().optional(),
  channel: channelSchema.optional(),
  channel_id: z.string().optional(),
  member: memberSchema.optional(),
  user: userSchema.optional(),
  message: z.looseObject({ id: z.string(), flags: z.number().default(0) }).optional(),
  /** Parley's permissions in the channel. */
  app_permissions: z.string().optional(),
};

const interactionSchema = z.discriminatedUnion("type", [
  z.looseObject({ ...interactionBase, type: z.literal(2), data: commandDataSchema }),
  z.looseObject({
    ...interactionBase,
    type: z.literal(3),
    /** `values`: of a menu. */
    data: z.looseObject({ custom_id: z.string(), values: z.array(z.string()).optional() }),
  }),
  z.looseObject({ ...interactionBase, type: z.literal(4), data: commandDataSchema }),
  z.looseObject({ ...interactionBase, type: z.literal(5), data: modalDataSchema }),
]);
export type DiscordInteraction = z.infer<typeof interactionSchema>;

/** Called with the path of the mismatching field. */
type OnMalformed = (path: string) => void;

/**
 * If a body does not match, it is read again with null fields as absent. Several parts of Parley read the same packet:
 * it is parsed once, because a large server has a few MB.
 */
function reader<T>(schema: z.ZodType<T>) {
  const known = new WeakMap<object, T>();
  return (body: unknown, onMalformed: OnMalformed = () => undefined): T | undefined => {
    const key = typeof body === "object" ? body : null;
    const before = key === null ? undefined : known.get(key);
    if (before !== undefined) return before;
    try {
      const parsed = schema.safeParse(body);
      const read = parsed.success ? parsed : schema.safeParse(withoutNulls(body));
      if (read.success) {
        if (key !== null) known.set(key, read.data);
        return read.data;
      }
      onMalformed(read.error.issues[0]?.path.join(".") || "(the whole packet)");
    } catch {
      // Nested too deeply to parse.
      onMalformed("(its depth)");
    }
    return undefined;
  };
}

/** Deeper than anything that Discord sends. */
const maxDepth = 32;

function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > maxDepth || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.filter((one) => one !== null).map((one) => withoutNulls(one, depth + 1));
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNulls(one, depth + 1)]));
}

/** Those that match: an odd channel or role costs itself, not its server. */
function listOf<T>(schema: z.ZodType<T>) {
  const read = reader(schema);
  return z
    .array(z.unknown())
    .default([])
    .transform((all) => all.flatMap((one) => read(one) ?? []));
}

const guildSchema = z.looseObject({
  id: z.string(),
  unavailable: z.boolean().nullish(),
  owner_id: z.string().nullish(),
  /** When Parley joined it. */
  joined_at: z.string().nullish(),
  /** For Discord's own welcomes. */
  system_channel_id: z.string().nullish(),
  channels: listOf(channelSchema),
  threads: listOf(channelSchema),
  roles: listOf(roleSchema),
  /** Parley itself, and few others. */
  members: listOf(memberSchema),
});
export type DiscordGuild = z.infer<typeof guildSchema>;

/** Each reader returns undefined for a body that does not match its schema. */
export const readMessage = reader(messageSchema);
export const readSnapshot = reader(z.looseObject({ message: contentSchema }));
export const readDeletion = reader(deletionSchema);
export const readDeletions = reader(deletionsSchema);
export const readReaction = reader(reactionSchema);
export const readChannel = reader(channelSchema);
export const readReady = reader(readySchema);
export const readGuild = reader(guildSchema);
/** For GUILD_UPDATE and GUILD_DELETE. `unavailable`: Parley can't reach the server for now; otherwise it has left it. */
export const readGuildChange = reader(
  z.object({ id: z.string(), owner_id: z.string().nullish(), unavailable: z.boolean().nullish() }),
);
export const readRole = reader(z.object({ guild_id: z.string(), role: roleSchema }));
export const readRoleDeletion = reader(z.object({ guild_id: z.string(), role_id: z.string() }));
export const readThreads = reader(z.object({ guild_id: z.string(), threads: listOf(channelSchema) }));
export const readMemberChange = reader(
  z.object({ guild_id: z.string(), user: identifiedSchema, roles: z.array(z.string()) }),
);
export const readMember = reader(memberSchema);
export const readInteraction = reader(interactionSchema);
const readIdentified = reader(identifiedSchema);
export const readId = (body: unknown): string | undefined => readIdentified(body)?.id;
/** A message with its files. */
export const readFiles = reader(
  z.looseObject({
    id: z.string(),
    attachments: z.array(z.looseObject({ id: z.string(), filename: z.string() })).default([]),
  }),
);
export const readMessages = (body: unknown): readonly DiscordMessage[] =>
  (Array.isArray(body) ? body : []).flatMap((one) => readMessage(one) ?? []);
