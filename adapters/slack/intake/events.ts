/** Parses Slack's events and requests, as far as Parley reads them. Typed from here on. */
import { z } from "zod";
import type { Log } from "../../../src/core/ports/log.ts";
import { orderOf } from "../ids.ts";

/** Reads null as absent. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
const text = () => optional(z.string());

export const fileSchema = z.object({
  id: z.string(),
  name: text(),
  title: text(),
  mimetype: text(),
  filetype: text(),
  /** "slack_audio" and "slack_video": recorded in Slack. */
  subtype: text(),
  mode: text(),
  /** "check_file_info": of another organisation; nothing but the id is told. */
  file_access: text(),
  size: optional(z.number()),
  url_private_download: text(),
  url_private: text(),
  /** Of a picture, which Slack scales down to these sides. Sides that the picture doesn't reach are absent. */
  thumb_1024: text(),
  thumb_960: text(),
  thumb_720: text(),
  original_w: optional(z.number()),
  original_h: optional(z.number()),
  /** Of an email. */
  subject: text(),
  plain_text: text(),
  transcription: optional(
    z.object({
      status: text(),
      preview: optional(z.object({ content: text(), has_more: optional(z.boolean()) })),
    }),
  ),
});

export type SlackFile = z.infer<typeof fileSchema>;

/** Those that can be understood: an odd one must not cost the whole message. */
export function readFiles(files: readonly unknown[]): readonly SlackFile[] {
  return files.flatMap((file) => fileSchema.safeParse(file).data ?? []);
}

/** Of any shape: `reading/` reads them part by part. */
const parts = () => z.unknown().optional();
const filesSchema = z
  .unknown()
  .transform((files) => (Array.isArray(files) ? readFiles(files) : undefined))
  .optional();

const messageBodySchema = z.looseObject({
  subtype: text(),
  ts: z.string(),
  thread_ts: text(),
  user: text(),
  /**
   * The author's team, or the team it was sent from; in channels shared between organisations it can differ from ours.
   */
  team: text(),
  user_team: text(),
  source_team: text(),
  user_profile: optional(z.looseObject({ team: text() })),
  bot_id: text(),
  bot_profile: optional(z.looseObject({ name: text(), team_id: text() })),
  username: text(),
  text: text(),
  files: filesSchema,
  blocks: parts(),
  attachments: parts(),
  /** `user`: who edited it, which can be an admin of the workspace. */
  edited: optional(z.looseObject({ ts: z.string(), user: text() })),
  metadata: optional(z.looseObject({ event_type: text(), event_payload: optional(z.record(z.string(), z.unknown())) })),
});
export type SlackMessage = z.infer<typeof messageBodySchema>;

const messageEventSchema = messageBodySchema.extend({
  type: z.enum(["message", "app_mention"]),
  channel: z.string(),
  channel_type: text(),
  event_ts: text(),
  message: optional(messageBodySchema),
  previous_message: optional(messageBodySchema.partial()),
  deleted_ts: text(),
});

const reactionEventSchema = z.looseObject({
  type: z.literal("reaction_added"),
  user: z.string(),
  reaction: z.string(),
  item: z.looseObject({ type: z.string(), channel: text(), ts: text() }),
  event_ts: z.string(),
});

const stopEventSchema = z.looseObject({
  type: z.literal("agent_session_stopped"),
  channel: z.string(),
  thread_ts: z.string(),
  user: z.string(),
  event_ts: z.string(),
});

/** A person gave a session another title. Sent for no change of ours. */
const titleEventSchema = z.looseObject({
  type: z.literal("agent_session_title_changed"),
  channel: z.string(),
  thread_ts: text(),
  event_ts: text(),
});

/** Also sent to the member that was added, so to Parley itself. */
const joinedEventSchema = z.looseObject({
  type: z.literal("member_joined_channel"),
  user: z.string(),
  channel: z.string(),
  /** Absent if nobody invited them, or if the channel was created or converted with them in it. */
  inviter: text(),
  event_ts: z.string(),
});

/** Sent each time someone opens Parley's own pages: the Home tab or the messages. */
const homeEventSchema = z.looseObject({
  type: z.literal("app_home_opened"),
  user: z.string(),
  /** Their direct messages with Parley. */
  channel: text(),
  tab: text(),
  event_ts: z.string(),
});

const eventSchema = z.discriminatedUnion("type", [
  messageEventSchema,
  reactionEventSchema,
  stopEventSchema,
  titleEventSchema,
  joinedEventSchema,
  homeEventSchema,
]);
export type SlackEvent = z.infer<typeof eventSchema>;

/** The events the adapter handles; the manifest subscribes to exactly these. */
export const handledEvents = [
  "app_mention",
  "message",
  "reaction_added",
  "agent_session_stopped",
  "agent_session_title_changed",
  "member_joined_channel",
  "app_home_opened",
] as const;

const personSchema = z.looseObject({ id: z.string(), name: text(), team_id: text() });
export type SlackPerson = z.infer<typeof personSchema>;
const teamSchema = z.looseObject({ id: text(), enterprise_id: text() });
export type SlackTeam = z.infer<typeof teamSchema>;

const commandSchema = z.looseObject({
  command: z.string(),
  text: text().transform((typed) => typed ?? ""),
  trigger_id: z.string(),
  response_url: text(),
  channel_id: z.string(),
  channel_name: text(),
  user_id: z.string(),
  team_id: text(),
  enterprise_id: text(),
});
export type SlackCommand = z.infer<typeof commandSchema>;

const actionsSchema = z.looseObject({
  user: personSchema,
  team: optional(teamSchema),
  trigger_id: text(),
  response_url: text(),
  channel: optional(z.looseObject({ id: z.string() })),
  container: z.looseObject({
    type: z.string(),
    message_ts: text(),
    channel_id: text(),
    thread_ts: text(),
    is_ephemeral: optional(z.boolean()),
  }),
  message: optional(z.looseObject({ thread_ts: text() })),
  /** The Home tab or modal of the button. */
  view: optional(z.looseObject({ type: z.string() })),
  actions: z.array(
    z.looseObject({
      type: text(),
      action_id: z.string(),
      action_ts: text(),
      value: text(),
      /** Of a menu. */
      selected_option: optional(z.looseObject({ value: text() })),
    }),
  ),
});
export type SlackActions = z.infer<typeof actionsSchema>;

const messageShortcutSchema = z.looseObject({
  callback_id: z.string(),
  trigger_id: z.string(),
  response_url: text(),
  action_ts: text(),
  user: personSchema,
  team: optional(teamSchema),
  channel: z.looseObject({ id: z.string(), name: text() }),
  message: messageBodySchema,
});
export type SlackMessageShortcut = z.infer<typeof messageShortcutSchema>;

const viewSchema = z.looseObject({
  id: z.string(),
  hash: text(),
  callback_id: z.string(),
  private_metadata: z.string(),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: text() })),
  state: optional(z.looseObject({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })),
});
const submissionSchema = z.looseObject({
  user: personSchema,
  team: optional(teamSchema),
  trigger_id: text(),
  view: viewSchema,
});
export type SlackView = z.infer<typeof viewSchema>;

const suggestionSchema = z.looseObject({
  user: personSchema,
  team: optional(teamSchema),
  action_id: z.string(),
  value: text().transform((typed) => typed ?? ""),
  view: optional(viewSchema),
});

/**
 * Each reader returns undefined for an event of another kind, or one that does not match its schema. The latter logs
 * one debug line per kind with the mismatching field, to explain why Parley stays silent.
 */
/** Slack sends one or both of them when the app is removed, in any order. A revoked user token is no removal. */
const removalSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("app_uninstalled") }),
  z.object({ type: z.literal("tokens_revoked"), tokens: z.object({ bot: z.array(z.string()).min(1) }) }),
]);

export const removalEvents = ["app_uninstalled", "tokens_revoked"] as const;

export type SlackSubmission = z.infer<typeof submissionSchema>;
export type SlackSuggestion = z.infer<typeof suggestionSchema>;

export function createReaders(log: Log) {
  const logged = new Set<string>();
  const logOnce = (kind: string, issues: readonly z.core.$ZodIssue[]) => {
    if (logged.has(kind)) return;
    logged.add(kind);
    const [issue] = issues;
    log.debug({ kind, path: issue?.path.join("."), problem: issue?.code }, "Something from Slack was not understood");
  };
  const reader =
    <T>(name: string, schema: z.ZodType<T>) =>
    (body: unknown): T | undefined => {
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      const type = name === "event" ? typeOf(body) : name;
      // Events that Parley does not handle are not logged, whatever the app subscribes to.
      if (type !== undefined) logOnce(type, parsed.error.issues);
      return undefined;
    };
  return {
    isRemoval: (event: unknown): boolean => removalSchema.safeParse(event).success,
    event: reader("event", eventSchema),
    command: reader("command", commandSchema),
    actions: reader("actions", actionsSchema),
    shortcut: reader("shortcut", messageShortcutSchema),
    submission: reader("submission", submissionSchema),
    suggestion: reader("suggestion", suggestionSchema),
  };
}

function typeOf(event: unknown): string | undefined {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
  return handledEvents.find((handled) => handled === type);
}

/** Drops unknown fields: messages are read by the thousand. */
const readSchema = messageBodySchema.strip();

/** Reads one message of a channel's history or of a thread; undefined for anything else. */
export function readMessage(message: unknown): SlackMessage | undefined {
  return readSchema.safeParse(message).data;
}

/** What can be read of one page. */
export function readMessages(page: readonly unknown[]): readonly SlackMessage[] {
  return page.flatMap((message) => readMessage(message) ?? []);
}

/** Messages of several pages: oldest first, each once, because any page of a thread can begin with its first one. */
export function inOrder(read: readonly SlackMessage[]): readonly SlackMessage[] {
  const once = [...new Map(read.map((message) => [message.ts, message])).values()];
  return once.toSorted((one, other) => (orderOf(one.ts) < orderOf(other.ts) ? -1 : 1));
}
