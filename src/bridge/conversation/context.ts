/**
 * Builds the context sent with a question: recent thread messages and attached files. The context comes first, and the
 * text ends with the question itself.
 */
import type { ThreadMessage } from "../../ports/chat-platform.ts";
import type { Attachment } from "../../ports/model/place.ts";
import { unreadSentences } from "../../presentation/sentences.ts";

/** Characters of thread context. The oldest messages are dropped, and the context says so. */
const maxContextChars = 20_000;

export type ReadAttachment = {
  readonly attachment: Attachment;
  /** Absent when it was not read; `why` gives the reason. */
  readonly text?: string;
  readonly why?: string;
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
  const count = isCut ? "" : `${omitted} `;
  const note = omitted === 0 && !isCut ? [] : [`(${count}earlier messages left out)`];
  return ["What was said in this thread before:", ...note, ...lines].join("\n");
}

function messageLine(message: ThreadMessage): string {
  const files = message.attachments.map((attachment) => attachment.name).join(", ");
  const unread = message.unread === undefined ? "" : unreadSentences.note(message.unread);
  const words = [message.text.trim(), files === "" ? "" : `(attached: ${files})`, unread].filter((part) => part !== "");
  // Further lines are indented, so that each message begins a line.
  return `${message.authorName}: ${words.join(" ").replace(/\r?\n/g, "\n  ")}`;
}

function attachmentText({ attachment, text, why }: ReadAttachment): string {
  const head = `Attached file "${attachment.name}" (${attachment.mediaType})`;
  if (text === undefined) return `${head}, not read: ${why ?? "it is not a text file"}.`;
  return `${head}:\n${text}`;
}

const textExtensions =
  /\.(txt|md|markdown|csv|tsv|json|jsonl|ndjson|ya?ml|xml|html?|log|ini|toml|sql|ts|js|py|sh|css)$/i;

export function isTextFile(attachment: Attachment): boolean {
  return (
    /^(text\/|application\/(json|xml|x-ndjson|yaml|x-yaml|sql|javascript)\b)/i.test(attachment.mediaType) ||
    textExtensions.test(attachment.name)
  );
}
