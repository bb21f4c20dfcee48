/**
 * Reads what is sent with a question besides its own words: earlier messages of its thread, the message that it is about,
 * and attached files. What can't be read is mentioned, not fatal.
 */

import type { Conversation, Conversations } from "../../core/conversations.ts";
import { type Attachment, personKey } from "../../core/model/place.ts";
import { historyOf, type Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { readAbout } from "./about.ts";
import { contextMessages, contextText, isPicture, threadUnreadable } from "./context.ts";
import { readAttachments } from "./read-attachments.ts";

type Asked = {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly platform: ChatPlatform;
  readonly signal: AbortSignal;
};

export type AskedTurn = Asked & {
  /** The message that the question is about, read once. */
  readonly about: () => ReturnType<typeof readMessageAbout>;
};

export function askedTurn(asked: Asked, app: BridgeApp): AskedTurn {
  let reading: ReturnType<typeof readMessageAbout> | undefined;
  return {
    ...asked,
    about: () => {
      reading ??= readMessageAbout(asked, app);
      return reading;
    },
  };
}

/**
 * Marks the thread's messages up to that Turn as sent; later Turns only get newer ones. Called after the context was
 * stored with the Turn: if that write never happened, a resumed Turn must be able to read the thread again.
 */
export async function markContextSent(turn: Turn, conversations: Conversations): Promise<void> {
  // What nobody sees must not make a thread one where Parley takes part.
  if (turn.isPrivate === true || turn.isQuiet === true) return;
  await conversations.update(historyOf(turn), (known) => ({
    ...known,
    contextUpTo: known.contextUpTo !== undefined && known.contextUpTo > turn.order ? known.contextUpTo : turn.order,
  }));
}

/** Read once and stored for every later attempt: an edit or a Try again refers to the same messages. */
export async function contextOf(asked: AskedTurn, app: BridgeApp): Promise<string> {
  const { turn } = asked;
  // It was stored with the question that this one repeats, unless that never ran.
  if (turn.repeats !== undefined && turn.context !== undefined) return turn.context;
  if (turn.startedAtMs !== undefined && turn.context !== undefined) return turn.context;
  // A shortcut adds the message it was used on, with its thread.
  const about = await asked.about();
  const read = await readContext(asked, about?.attachments ?? [], app);
  return [read, about?.text ?? turn.context ?? ""].filter((part) => part !== "").join("\n\n");
}

/** Attached to the question, and to the message that it is about. */
export async function picturesAttached({ turn, about }: AskedTurn): Promise<readonly Attachment[]> {
  return [...turn.attachments, ...((await about())?.attachments ?? [])].filter(isPicture);
}

/** Undefined if the question isn't about a message; its text alone is known if it can't be read. */
async function readMessageAbout({ turn, platform, signal }: Asked, app: BridgeApp) {
  if (turn.about === undefined) return undefined;
  try {
    return await readAbout(turn.about, platform, signal);
  } catch (failure) {
    signal.throwIfAborted();
    app.log.warn(
      { err: failure, turnId: turn.id, ref: turn.ref },
      "The thread of a message could not be read; the question is asked with the message alone",
    );
    return undefined;
  }
}

/** `alsoAttached`: to the message that the question is about. */
async function readContext(
  { turn, conversation, platform, signal }: AskedTurn,
  alsoAttached: readonly Attachment[],
  app: BridgeApp,
): Promise<string> {
  const asked = { place: turn.askedIn, owner: personKey(turn.askedIn, turn.actor) };
  const files = [...turn.attachments, ...alsoAttached];
  const takesPictures = files.some(isPicture) && (await app.service.profile()).takesPictures === true;
  const attachments = (await readAttachments(files, platform, signal, app, asked)).map((read) =>
    takesPictures && isPicture(read.attachment) ? { ...read, isSent: true } : read,
  );
  if (turn.askedIn.thread === undefined || turn.about !== undefined) return contextText([], attachments);
  try {
    const after = conversation.contextUpTo;
    const max = app.settings.maxThreadMessages;
    // One more than is sent, to know whether there are more.
    const reading = platform.readThread(turn.isPrivate === true ? turn.askedIn : turn.conversation, {
      limit: max + 1,
      after,
    });
    const thread = await orAborted(reading, signal);
    const said = contextMessages(thread, { after, before: turn.order, askedMessageId: turn.askedMessageId }).slice(
      -max,
    );
    return contextText(said, attachments, thread.length > max);
  } catch (failure) {
    signal.throwIfAborted();
    app.log.warn(
      { err: failure, turnId: turn.id, ref: turn.ref },
      "The thread could not be read; the question is asked without it",
    );
    return [threadUnreadable, contextText([], attachments)].filter((part) => part !== "").join("\n\n");
  }
}
