/**
 * What Slack sends, as far as Parley reads it. Parsed once here (unknown fields stay unread), typed from there on.
 */
import { z } from "zod";

const fileSchema = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
});

const messageBodySchema = z.looseObject({
  subtype: z.string().optional(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  bot_profile: z.looseObject({ name: z.string().optional() }).optional(),
  username: z.string().nullish(),
  text: z.string().nullish(),
  files: z.array(fileSchema).optional(),
  attachments: z.array(z.looseObject({ text: z.string().nullish(), fallback: z.string().nullish() })).optional(),
  edited: z.looseObject({ ts: z.string() }).nullish(),
  metadata: z.looseObject({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).nullish(),
});
export type SlackMessage = z.infer<typeof messageBodySchema>;
export type SlackFile = z.infer<typeof fileSchema>;

const messageEventSchema = messageBodySchema.extend({
  type: z.enum(["message", "app_mention"]),
  channel: z.string(),
  channel_type: z.string().optional(),
  event_ts: z.string().optional(),
  message: messageBodySchema.optional(),
  previous_message: messageBodySchema.partial().optional(),
  deleted_ts: z.string().optional(),
});

const reactionEventSchema = z.looseObject({
  type: z.literal("reaction_added"),
  user: z.string(),
  reaction: z.string(),
  item: z.looseObject({ type: z.string(), channel: z.string().optional(), ts: z.string().optional() }),
  event_ts: z.string(),
});

const stopEventSchema = z.looseObject({
  type: z.literal("agent_session_stopped"),
  channel: z.string(),
  thread_ts: z.string(),
  user: z.string(),
  event_ts: z.string(),
});

const eventSchema = z.discriminatedUnion("type", [messageEventSchema, reactionEventSchema, stopEventSchema]);
export type SlackEvent = z.infer<typeof eventSchema>;

/** The events the adapter listens to; the manifest subscribes to exactly these. */
export const handledEvents = ["app_mention", "message", "reaction_added", "agent_session_stopped"] as const;

const personSchema = z.looseObject({ id: z.string(), name: z.string().optional(), team_id: z.string().optional() });
const teamSchema = z.looseObject({ id: z.string() });

const commandSchema = z.looseObject({
  command: z.string(),
  text: z.string().default(""),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  channel_id: z.string(),
  user_id: z.string(),
});
export type SlackCommand = z.infer<typeof commandSchema>;

const actionsSchema = z.looseObject({
  user: personSchema,
  team: teamSchema.nullish(),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z.looseObject({
    type: z.string(),
    message_ts: z.string().optional(),
    channel_id: z.string().optional(),
    thread_ts: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  message: z.looseObject({ thread_ts: z.string().optional() }).optional(),
  actions: z.array(
    z.looseObject({ action_id: z.string(), action_ts: z.string().optional(), value: z.string().optional() }),
  ),
});
export type SlackActions = z.infer<typeof actionsSchema>;

const messageShortcutSchema = z.looseObject({
  callback_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  action_ts: z.string().optional(),
  user: personSchema,
  channel: z.looseObject({ id: z.string(), name: z.string().optional() }),
  message: messageBodySchema,
});
export type SlackMessageShortcut = z.infer<typeof messageShortcutSchema>;

const viewSchema = z.looseObject({
  id: z.string(),
  hash: z.string().optional(),
  callback_id: z.string(),
  private_metadata: z.string(),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })),
  state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), z.unknown())) }).optional(),
});
const submissionSchema = z.looseObject({ user: personSchema, trigger_id: z.string().optional(), view: viewSchema });
export type SlackView = z.infer<typeof viewSchema>;

const suggestionSchema = z.looseObject({
  user: personSchema,
  action_id: z.string(),
  value: z.string().default(""),
  view: viewSchema.optional(),
});

const reader =
  <T>(schema: z.ZodType<T>) =>
  (body: unknown): T | undefined => {
    const parsed = schema.safeParse(body);
    return parsed.success ? parsed.data : undefined;
  };

/** Each gives undefined for what is not of that kind, or not as documented. */
export const readEvent = reader(eventSchema);
export const readMessage = reader(messageBodySchema);
export const readCommand = reader(commandSchema);
export const readActions = reader(actionsSchema);
export const readMessageShortcut = reader(messageShortcutSchema);
export const readSubmission = reader(submissionSchema);
export const readSuggestion = reader(suggestionSchema);
