/**
 * Builds the context sent with a question: recent thread messages and attached files. The context comes first, and the
 * text ends with the question itself.
 */

import type { Attachment } from "../../core/model/place.ts";
import type { ThreadMessage } from "../../core/ports/chat-platform.ts";
import { countText, unreadSentences } from "../../presentation/sentences.ts";
import { truncate } from "./truncate.ts";

/** Characters of thread context. The oldest messages are left out, and the context says so. */
const maxContextChars = 20_000;
/** Of one message: an alert can have 60,000. */
const maxMessageChars = 8_000;

export type ReadAttachment = {
  readonly attachment: Attachment;
  /** Absent when it was not read; `why` gives the reason. */
  readonly text?: string;
  /** What was assumed to read it. */
  readonly note?: string;
  readonly why?: string;
  /** A picture for a service that takes them. */
  readonly isSent?: boolean;
};

/** Sent in place of a thread that could not be read. */
export const threadUnreadable = "What was said in this thread before could not be read.";

/** The text to put before the question, or "". `isCut`: the thread has older messages that were not read. */
export function contextText(
  thread: readonly ThreadMessage[],
  attachments: readonly ReadAttachment[],
  isCut = false,
): string {
  return [threadText(thread, isCut), ...attachments.map(attachmentText)].filter((part) => part !== "").join("\n\n");
}

/** Context first, the question last. Without context the question is sent exactly as it was asked. */
export function withContext(context: string, question: string): string {
  return context === "" ? question : `${context}\n\nQuestion:\n${question}`;
}

/** A channel's instructions before the context, or either of them alone. */
export function withInstructions(instructions: string, context: string): string {
  const told = instructions === "" ? "" : `Instructions for this channel:\n${instructions}`;
  return [told, context].filter((part) => part !== "").join("\n\n");
}

/** The messages of a thread that are context: from people or other bots, after `after` and before `before`. */
export function contextMessages(
  thread: readonly ThreadMessage[],
  range: { readonly after?: string | undefined; readonly before: string; readonly askedMessageId?: string | undefined },
): readonly ThreadMessage[] {
  return thread.filter(
    (message) =>
      !message.isOwn &&
      // A message that was edited into a question is older than the question.
      message.messageId !== range.askedMessageId &&
      message.order < range.before &&
      (range.after === undefined || message.order > range.after) &&
      hasContent(message),
  );
}

/** Whether it shows anything, if only something that can't be read. */
export function hasContent({ text, attachments, unread = [] }: ThreadMessage): boolean {
  return text.trim() !== "" || attachments.length > 0 || unread.length > 0;
}

function threadText(thread: readonly ThreadMessage[], isCut: boolean): string {
  if (thread.length === 0) return "";
  const lines: string[] = [];
  let chars = 0;
  for (const message of thread.toReversed()) {
    const line = messageLine(message);
    chars += line.length;
    if (chars > maxContextChars) break;
    lines.unshift(line);
  }
  const omitted = thread.length - lines.length;
  const note = isCut ? ["(earlier messages left out)"] : omitted === 0 ? [] : [leftOutNote(omitted)];
  return ["What was said in this thread before:", ...note, ...lines].join("\n");
}

export function leftOutNote(messages: number): string {
  return `(${messages} earlier message${messages === 1 ? "" : "s"} left out)`;
}

function messageLine(message: ThreadMessage): string {
  return `${message.authorName}: ${messageWords(message, maxMessageChars)}`;
}

/** What a message shows, as a context has it. Further lines are indented, so that each message begins a line. */
export function messageWords(
  {
    text,
    attachments,
    unread,
  }: Pick<ThreadMessage, "text" | "unread"> & {
    readonly attachments: readonly Pick<Attachment, "name">[];
  },
  maxChars: number,
): string {
  const said = text.trim();
  const kept = truncate(said, maxChars);
  const rest =
    kept === said
      ? ""
      : `\n(The rest of this message is left out: ${countText(said.length - kept.length, "character")}.)`;
  const files = attachments.map(({ name }) => name).join(", ");
  const notes = [files === "" ? "" : `(attached: ${files})`, unread === undefined ? "" : unreadSentences.note(unread)];
  return [kept + rest, ...notes]
    .filter((part) => part !== "")
    .join(" ")
    .replace(/\r?\n/g, "\n  ");
}

function attachmentText({ attachment, text, note, why, isSent }: ReadAttachment): string {
  const head = `Attached file "${attachment.name}" (${attachment.mediaType})`;
  if (isSent === true) return `Attached picture "${attachment.name}".`;
  if (text === undefined) return `${head}, not read: ${why ?? "it is not a text file"}.`;
  return `${head}:\n${text}${note === undefined ? "" : `\n(Of this file: ${note}.)`}`;
}

const textExtensions =
  /\.(txt|md|markdown|csv|tsv|json|jsonl|ndjson|ya?ml|xml|html?|log|ini|toml|sql|ts|js|py|sh|css)$/i;

/** As it calls itself, or its name does. What it really is, its bytes tell. */
export function isPicture(attachment: Pick<Attachment, "name" | "mediaType">): boolean {
  return (
    /^image\//i.test(attachment.mediaType) ||
    /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic|heif|avif)$/i.test(attachment.name)
  );
}

export function isTextFile(attachment: Attachment): boolean {
  return (
    /^(text\/|application\/(json|xml|x-ndjson|yaml|x-yaml|sql|javascript)\b)/i.test(attachment.mediaType) ||
    textExtensions.test(attachment.name)
  );
}
