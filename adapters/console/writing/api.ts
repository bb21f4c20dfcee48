/**
 * The console's writes and reads for the core. A message's id is derived from its mark, so posting the same part twice,
 * for example after a crash, is one message.
 */

import { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment, Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, MessageRef, PostMark, ThreadMessage } from "../../../src/core/ports/chat-platform.ts";
import { documentText } from "../../../src/presentation/markdown.ts";
import type { Channels } from "../channels/channels.ts";
import { forgetPerson } from "../conversations/forgetting.ts";
import { authorName } from "../people/authors.ts";
import type { AttachedFile, ConsoleMessage, ConsolePayload } from "./messages.ts";
import type { ConsoleStore } from "./store.ts";

export type ConsoleApi = Pick<
  ChatPlatform<ConsolePayload>,
  | "post"
  | "edit"
  | "remove"
  | "forget"
  | "forgetPerson"
  | "findOwn"
  | "readThread"
  | "openAttachment"
  | "uploadFile"
  | "permalink"
>;

export type ConsoleApiOptions = {
  readonly store: ConsoleStore;
  readonly channels: Pick<Channels, "exists">;
  readonly openAttachment: ChatPlatform["openAttachment"];
  /** URL of the page, without a trailing slash. */
  readonly baseUrl: string;
};

/** Where a place's messages are stored. A message at a channel's top level opens a thread of its own. */
function threadAt(place: Place, replyId: string): { channel: string; thread: string } {
  return { channel: place.channel, thread: place.thread ?? replyId };
}

const messageIdOf = ({ replyId, part, generation }: PostMark) =>
  `${replyId}.${part}${generation === 0 ? "" : `-${generation}`}`;
const replyIdOf = (messageId: string) => messageId.replace(/\.\d+(?:-\d+)?$/, "");

function toThreadMessage(message: ConsoleMessage): ThreadMessage {
  const isOwn = message.author !== "you";
  return {
    messageId: message.id,
    order: message.order,
    authorName: message.author === "you" ? authorName(message.by) : "Parley",
    authorId: message.author === "you" ? message.by.id : undefined,
    isBot: isOwn,
    isOwn,
    text:
      message.author === "you"
        ? message.text
        : message.author === "parley"
          ? documentText(message.payload)
          : message.file.name,
    attachments: message.author === "you" ? (message.files ?? []).map(asAttachment) : [],
    atMs: message.atMs,
  };
}

/** Its media type is stored with the content. */
function asAttachment({ id, name, sizeBytes }: AttachedFile): Attachment {
  return { id, name, mediaType: "application/octet-stream", sizeBytes, reference: id };
}

export function createConsoleApi({ store, channels, baseUrl, openAttachment }: ConsoleApiOptions): ConsoleApi {
  /** A storage failure counts as an unreachable platform: the write may have happened. */
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const isOwn = thrown instanceof ParleyError && thrown.code !== "state_unavailable";
      throw isOwn ? thrown : new ParleyError("platform_unreachable", { cause: thrown });
    }
  }

  const at = (ref: MessageRef) => threadAt(ref.place, replyIdOf(ref.messageId));

  return {
    post: (place, payload, mark) =>
      attempt(async () => {
        if (!(await channels.exists(place.channel))) throw new ParleyError("place_gone");
        const id = messageIdOf(mark);
        await store.putOwn(threadAt(place, mark.replyId), id, payload, mark);
        return id;
      }),

    edit: (ref, payload) =>
      attempt(async () => {
        const existing = await store.get(at(ref), ref.messageId);
        if (existing === undefined) throw new ParleyError("message_gone");
        if (existing.author !== "parley") throw new ParleyError("message_not_editable");
        await store.putOwn(at(ref), ref.messageId, payload, existing.mark);
      }),

    remove: (ref) => attempt(() => store.remove(at(ref), ref.messageId)),

    forget: ({ channel, thread }) =>
      attempt(async () => {
        if (thread !== undefined) await store.removeAll({ channel, thread });
      }),

    forgetPerson: (personId) => attempt(() => forgetPerson(store, personId)),

    findOwn: (place, replyId) =>
      attempt(async () =>
        (await store.list(threadAt(place, replyId))).flatMap((message) =>
          message.author !== "you" && message.mark?.replyId === replyId
            ? [{ part: message.mark.part, generation: message.mark.generation ?? 0, messageId: message.id }]
            : [],
        ),
      ),

    readThread: (place, { limit, after }) =>
      attempt(async () => {
        if (place.thread === undefined) return [];
        const all = await store.list({ channel: place.channel, thread: place.thread });
        const newer = after === undefined ? all : all.filter((message) => message.order > after);
        return newer.slice(Math.max(0, newer.length - limit)).map(toThreadMessage);
      }),

    openAttachment: (...asked) => attempt(() => openAttachment(...asked)),

    uploadFile: (place, file, mark) =>
      attempt(async () => {
        if (!(await channels.exists(place.channel))) throw new ParleyError("place_gone");
        if (mark === undefined) return store.putFile(threadAt(place, "files"), file);
        return store.putFile(threadAt(place, mark.replyId), file, { id: messageIdOf(mark), mark });
      }),

    permalink: async (ref) => {
      const { channel, thread } = at(ref);
      return `${baseUrl}/#/${[channel, thread, ref.messageId].map(encodeURIComponent).join("/")}`;
    },
  };
}
