/** The message that "Ask about this" was used on, and its thread, as context for the agent. */

import { maxFormContextChars } from "../../core/document.ts";
import type { Attachment, Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, ThreadMessage } from "../../core/ports/chat-platform.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { momentText } from "../../presentation/sentences.ts";
import { hasContent, leftOutNote, messageWords } from "./context.ts";
import { truncate } from "./truncate.ts";

const says = {
  aboutMessage: "About this message:",
};

const maxMessages = 200;
/** Of all messages together; the message itself always fits. */
const maxChars = 60_000;
const maxMessageChars = 20_000;
/** The headings and the mark are read by the local service, which quotes from what follows. */
const threadHeading = "About the message marked with → in this thread:";
const mark = "→ ";

type Message = {
  readonly authorName: string;
  readonly text: string;
  readonly attachments: readonly Pick<Attachment, "name">[];
  readonly unread?: readonly string[];
  readonly atMs?: number;
};

/** What a form carries about its message: where it is, and its text in case it can't be read later. */
export function aboutContext(message: Message & { readonly messageId: string }, place: Place): string {
  const { messageId } = message;
  const where = JSON.stringify({ messageId, thread: place.thread });
  const said = `${says.aboutMessage}\n${lineOf(message, true, "")}`;
  return `${where}\n${truncate(said, maxFormContextChars - where.length - 1)}`;
}

/**
 * What `aboutContext` wrote. The context has been with the client, so the message is looked for only in the channel of
 * the form. One that names no message is text alone.
 */
export function readAboutContext(
  context: string,
  { thread: _thread, ...channel }: Place,
): Pick<Turn, "about" | "context"> {
  const end = context.indexOf("\n");
  const where = whereOf(context.slice(0, Math.max(0, end)));
  if (where === undefined) return { context };
  const { messageId, thread } = where;
  return { context: context.slice(end + 1), about: { place: { ...channel, thread }, messageId } };
}

function whereOf(line: string): { readonly messageId: string; readonly thread: string | undefined } | undefined {
  try {
    const { messageId, thread } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof messageId !== "string") return undefined;
    return { messageId, thread: typeof thread === "string" ? thread : undefined };
  } catch {
    return undefined;
  }
}

/** The message and its thread; undefined when the message is gone. Rejects as the platform does. */
export async function readAbout(
  { place, messageId }: NonNullable<Turn["about"]>,
  platform: ChatPlatform,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly attachments: readonly Attachment[] } | undefined> {
  const reading = platform.readThread({ ...place, thread: place.thread ?? messageId }, { limit: maxMessages });
  const thread = await orAborted(reading, signal);
  const message = thread.find((one) => one.messageId === messageId);
  return message === undefined ? undefined : { text: aboutText(thread, message), attachments: message.attachments };
}

/** The newest messages that fit, and always the message itself. */
function aboutText(thread: readonly ThreadMessage[], message: ThreadMessage): string {
  const said = thread.filter((one) => one === message || (one.isUnfinished !== true && hasContent(one)));
  if (said.length === 1) return `${says.aboutMessage}\n${lineOf(message, true, "")}`;
  const lines: string[] = [];
  let chars = lineOf(message, true).length;
  let omitted = 0;
  for (const one of said.toReversed()) {
    const line = lineOf(one, one === message);
    if (one !== message) chars += line.length;
    if (one !== message && chars > maxChars) omitted += 1;
    else lines.unshift(line);
  }
  return [threadHeading, ...(omitted === 0 ? [] : [`  ${leftOutNote(omitted)}`]), ...lines].join("\n");
}

/** Further lines are indented, so that each message begins a line. */
function lineOf(
  { authorName, text, attachments, unread, atMs }: Message,
  isAsked: boolean,
  before = isAsked ? mark : "",
): string {
  const when = atMs === undefined ? "" : ` (${momentText(atMs)})`;
  const name = authorName.replace(/\s+/g, " ").trim();
  const words = messageWords({ text, attachments, unread }, isAsked ? maxChars : maxMessageChars);
  return `${before}${name}${when}: ${words}`;
}
