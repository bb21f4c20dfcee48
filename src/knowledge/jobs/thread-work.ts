/**
 * Saves chat messages as one row: authors, times, the permalink as URL. The row's id depends on where the messages were
 * posted, so saving them again replaces the row.
 */

import type { LedgerOrigin } from "../../core/content/ledger.ts";
import type { JobItem } from "../../core/model/job.ts";
import { conversationKey, type Place } from "../../core/model/place.ts";
import type { ChatPlatform, ThreadMessage } from "../../core/ports/chat-platform.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { listed, momentText, shorten, unreadSentences } from "../../presentation/sentences.ts";
import { documentId } from "../ledger/document-id.ts";
import type { Keeping } from "../ledger/keeping.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { type Row, rowId } from "../rows/row-format.ts";
import type { Destination, Errand } from "./inserting.ts";
import type { PayloadOf } from "./payload.ts";

const says = {
  noMessages: "it has no messages left to save",
};

/** Longer than any thread worth saving as one row. */
const maxMessages = 1_000;
const maxTitleChars = 80;
/** The reaction that marks a saved message. */
const savedMark = "✅";

export type ThreadWork = ReturnType<typeof createThreadWork>;

/** A thread is identified by its first message, a single message by its own id. */
export function savedRowId(place: Place, messageId: string, scope: "message" | "thread"): string {
  const { thread, ...channel } = place;
  const said = scope === "thread" ? (thread ?? messageId) : messageId;
  return rowId("chat", `${conversationKey(channel)}/${scope}/${said}`);
}

export function createThreadWork(options: { readonly keeping: Pick<Keeping, "replace" | "remove"> }) {
  return {
    save: async (payload: PayloadOf<"thread">, errand: Errand, platform: ChatPlatform): Promise<Partial<JobItem>> => {
      const { messageId, rowId: id } = payload;
      const place = placeOf(payload);
      const messages = await messagesOf(payload, place, platform);
      if (messages.length === 0) throw new ReadFailure("unreadable", says.noMessages);
      const title = payload.title === "" ? titleOf(messages) : payload.title;
      // Without a permalink the row has no URL, and its title is the source.
      const url = await platform.permalink({ place, messageId }).catch(() => undefined);
      const content = [`# ${title}`, ...messages.map(lineOf)].join("\n\n");
      const row: Row = { id, content, title, ...(url !== undefined && { url }) };
      const origin = originOf(payload);
      await options.keeping.replace({ origin, title, url, text: id }, async () => [row], errand);
      // A failed reaction doesn't make the save fail.
      await platform.reactions?.add({ place, messageId }, savedMark).catch(() => undefined);
      return { title, url };
    },

    /** Removes the row and the mark. `platform`: undefined if it is switched off now. */
    remove: async (
      payload: PayloadOf<"thread">,
      target: Destination,
      platform: Pick<ChatPlatform, "reactions"> | undefined,
      signal: AbortSignal,
    ) => {
      const { messageId, rowId: id } = payload;
      await options.keeping.remove(target, [documentId(originOf(payload), id)], signal);
      await platform?.reactions?.remove({ place: placeOf(payload), messageId }, savedMark).catch(() => undefined);
    },
  };
}

function placeOf({ place: { thread, ...channel } }: PayloadOf<"thread">): Place {
  return thread === undefined ? channel : { ...channel, thread };
}

/** Without a title: how the text begins. */
function titleOf(messages: readonly SavedMessage[]): string {
  const [first] = messages;
  return shorten(cleanText(first?.text ?? ""), maxTitleChars);
}

type SavedMessage = Pick<ThreadMessage, "authorName" | "text" | "unread"> & { readonly atMs?: number | undefined };

async function messagesOf(
  { scope, messageId, said }: PayloadOf<"thread">,
  place: Place,
  platform: ChatPlatform,
): Promise<readonly SavedMessage[]> {
  const read = await platform.readThread({ ...place, thread: place.thread ?? messageId }, { limit: maxMessages });
  const marked = read.find((message) => message.messageId === messageId);
  // Nothing else is saved in place of a message that can't be read.
  if (marked !== undefined && marked.text.trim() === "") throw new ReadFailure("unreadable", unreadReason(marked));
  const saved = marked ?? (said?.text.trim() ? said : undefined);
  if (saved === undefined) return [];
  if (scope === "message") return [saved];
  const others = read.filter(({ text, isUnfinished }) => text.trim() !== "" && isUnfinished !== true);
  return marked === undefined ? [saved, ...others] : others;
}

function unreadReason({ unread = [], attachments }: ThreadMessage): string {
  const names = [...unread, ...attachments.map(unreadSentences.fileName)];
  return names.length === 0 ? says.noMessages : `it shows only ${listed(names)}, which can't be read`;
}

function lineOf({ authorName, atMs, text, unread }: SavedMessage): string {
  const note = unread === undefined ? "" : `\n${cleanText(unreadSentences.note(unread))}`;
  const when = atMs === undefined ? "" : ` (${momentText(atMs)})`;
  return `**${cleanText(authorName).replaceAll("*", "")}**${when}: ${cleanText(text)}${note}`;
}

function originOf(payload: PayloadOf<"thread">): LedgerOrigin {
  return { kind: "thread", place: placeOf(payload), messageId: payload.messageId };
}
