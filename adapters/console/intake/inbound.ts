/**
 * Translates the page's requests into Inbounds. Pure. The page creates each event's id, so a retried request is the
 * same event. The first message of a thread opens it: the thread's id is that message's id.
 */
import { z } from "zod";
import { type Actor, type Attachment, conversationKey, type Place } from "../../../src/core/model/place.ts";
import type { Acknowledgement, Inbound, Responder } from "../../../src/core/ports/chat-platform.ts";
import { maxFilesPerMessage } from "../limits.ts";

export const platformName = "console";
export const workspaceName = "local";

// Ids become parts of keys, URLs and element ids.
export const identifier = z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/);

const event = z.object({
  /** Of this event; a retry has the same id. */
  id: identifier,
  /** The tab that receives private answers. */
  tab: identifier,
  channel: identifier,
});

/** Ids of files that were uploaded before. */
export const files = z.array(identifier).max(maxFilesPerMessage).optional();

export const messageRequest = event.extend({ thread: identifier.optional(), text: z.string(), files });
export const editRequest = event.extend({ thread: identifier, messageId: identifier, text: z.string() });
export const deleteRequest = event.extend({ thread: identifier, messageId: identifier });
export const actionRequest = event.extend({
  thread: identifier,
  action: z.string().max(100),
  value: z.string().max(200),
  messageId: identifier.optional(),
  voter: identifier.optional(),
});
export const formRequest = event.extend({
  thread: identifier,
  formId: z.string().max(100),
  /** Never logged, because a field may be a secret. */
  values: z.record(z.string().max(200), z.union([z.string(), z.array(z.string())])),
  context: z.string().max(2_000),
  /** Of all file fields. */
  files,
  /** Whose button opened it. */
  messageId: identifier.optional(),
  voter: identifier.optional(),
});

export type MessageRequest = z.infer<typeof messageRequest>;
export type EditRequest = z.infer<typeof editRequest>;
export type DeleteRequest = z.infer<typeof deleteRequest>;
export type ActionRequest = z.infer<typeof actionRequest>;
export type FormRequest = z.infer<typeof formRequest>;

/** What the routes add to a request to complete an event. */
export type EventParts = {
  readonly actor: Actor;
  readonly order: string;
  readonly ack: (how: Acknowledgement) => Promise<void>;
  readonly reply: Responder;
};

export const placeOf = (channel: string, thread: string): Place => ({
  platform: platformName,
  workspace: workspaceName,
  channel,
  thread,
});

/**
 * The place is part of it: a browser chooses the ids, so one that names an id it has read elsewhere must not mean that
 * event.
 */
const eventKeyOf = (channel: string, thread: string, id: string) =>
  `${conversationKey(placeOf(channel, thread))}/${encodeURIComponent(id)}`;

/** The thread of a message or command: the one it names, else the one it opens. */
export const threadOf = (request: Pick<MessageRequest, "id" | "thread">) => request.thread ?? request.id;

/** A message that begins with a slash is a command, never a question. */
export const isCommand = (text: string) => text.trimStart().startsWith("/");

/** People write it as they do in Slack and Discord. */
const mention = /^\s*@parley(?![\p{L}\p{N}_-])[\s,:]*/iu;

const only = (messageId: string, text: string, attachments: readonly Attachment[]) => ({
  messageId,
  text: text.replace(mention, ""),
  attachments,
  mentionsParley: mention.test(text),
  addressesOthers: false,
  isDirect: true,
});

const base = (request: { readonly id: string; readonly channel: string }, thread: string, parts: EventParts) => ({
  eventKey: eventKeyOf(request.channel, thread, request.id),
  place: placeOf(request.channel, thread),
  ...parts,
});

export function messageInbound(
  request: MessageRequest,
  parts: EventParts,
  attachments: readonly Attachment[] = [],
): Inbound {
  const thread = threadOf(request);
  const conversation = placeOf(request.channel, thread);
  if (isCommand(request.text)) {
    return {
      ...base(request, thread, parts),
      kind: "command",
      input: { kind: "typed", text: request.text.trim() },
      attachments,
      conversation,
    };
  }
  const content = only(request.id, request.text, attachments);
  return { ...base(request, thread, parts), kind: "message", conversation, ...content };
}

export function editInbound(request: EditRequest, parts: EventParts, attachments: readonly Attachment[] = []): Inbound {
  return {
    ...base(request, request.thread, parts),
    kind: "message-edited",
    questionKey: eventKeyOf(request.channel, request.thread, request.messageId),
    conversation: placeOf(request.channel, request.thread),
    ...only(request.messageId, request.text, attachments),
  };
}

export function deleteInbound(request: DeleteRequest, parts: EventParts): Inbound {
  return {
    ...base(request, request.thread, parts),
    kind: "message-deleted",
    questionKey: eventKeyOf(request.channel, request.thread, request.messageId),
    messageId: request.messageId,
  };
}

export function actionInbound(request: ActionRequest, parts: EventParts): Inbound {
  return {
    ...base(request, request.thread, parts),
    kind: "action",
    action: request.action,
    value: request.value,
    messageId: request.messageId,
    voter: request.voter,
  };
}

export function formInbound(request: FormRequest, parts: EventParts, attachments: readonly Attachment[] = []): Inbound {
  return {
    ...base(request, request.thread, parts),
    kind: "form",
    formId: request.formId,
    values: request.values,
    attachments,
    context: request.context,
    conversation: placeOf(request.channel, request.thread),
    voter: request.voter,
  };
}
