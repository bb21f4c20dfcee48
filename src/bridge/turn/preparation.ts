/**
 * What has to be known before the service can be asked: which agent, and the whole text that it is sent.
 */

import type { Reach } from "../../ports/access.ts";
import type { ServiceMessage } from "../../ports/agent-service.ts";
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Conversation, Conversations } from "../../ports/conversations.ts";
import { type ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { orAborted } from "../../ports/tools/abortable.ts";
import type { People } from "../access/people.ts";
import { agentOf } from "../access/turn-access.ts";
import { contextMessages, contextText, threadNotRead, withContext } from "../conversation/context.ts";
import { emptyConversation, messagesFor } from "../conversation/history.ts";
import { readAttachments } from "../conversation/read-attachments.ts";
import type { BridgeSettings } from "../settings.ts";

export type Chosen =
  | { readonly kind: "agent"; readonly project: string; readonly agent: string }
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

export type ReadQuestion = {
  readonly context: string;
  readonly messages: readonly ServiceMessage[];
};

export type PreparationDeps = {
  readonly conversations: Conversations;
  readonly reach: Reach;
  readonly people: Pick<People, "newest">;
  readonly settings: BridgeSettings;
  readonly clock: Clock;
  readonly log: Log;
};

/** Held under the Conversation's lane. Never throws. */
export async function chooseAgent(turn: Turn, deps: PreparationDeps): Promise<Chosen> {
  try {
    const chosen = await agentOf(turn, await conversationOf(turn, deps), deps);
    if (chosen.kind !== "agent") return chosen;
    const { agent, isNamed } = chosen;
    if (isNamed && turn.isPrivate !== true) {
      await deps.conversations.update(turn.conversation, (known) => ({ ...known, agent }));
    }
    return { kind: "agent", project: agent.project, agent: agent.name };
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
}

/**
 * The whole text that the service is sent. Large, so it is read when the question is asked and not while it waits. A
 * thread or file that cannot be read is said, not fatal; rejects with the signal's reason, or when the storage is away.
 */
export async function readQuestion(
  turn: Turn,
  platform: ChatPlatform,
  signal: AbortSignal,
  deps: PreparationDeps,
): Promise<ReadQuestion> {
  const conversation = await conversationOf(turn, deps);
  const context = await contextOf(turn, conversation, platform, signal, deps);
  const question = withContext(context, turn.question);
  return { context, messages: messagesFor(conversation, turn.id, question, deps.settings.history) };
}

/** What is answered privately stands by itself: neither that conversation nor the one it was asked in knows of it. */
async function conversationOf(turn: Turn, { conversations }: PreparationDeps): Promise<Conversation> {
  return turn.isPrivate === true ? emptyConversation : conversations.get(turn.conversation);
}

/**
 * What the thread said up to that Turn is told; later Turns hear only what is newer. After its context was stored with it:
 * whoever goes on with a Turn that died before that must be able to read the thread again.
 */
export async function passContext(turn: Turn, conversations: Conversations): Promise<void> {
  if (turn.isPrivate === true) return;
  await conversations.update(turn.conversation, (known) => ({
    ...known,
    contextUpTo: known.contextUpTo !== undefined && known.contextUpTo > turn.order ? known.contextUpTo : turn.order,
  }));
}

/** Read once, and kept for every later attempt: an edited question or a Try again is about the same things. */
async function contextOf(
  turn: Turn,
  conversation: Conversation,
  platform: ChatPlatform,
  signal: AbortSignal,
  deps: PreparationDeps,
): Promise<string> {
  const isKept = turn.startedAtMs !== undefined && turn.context !== undefined;
  if (isKept) return turn.context ?? "";
  const read = await readContext(turn, conversation, platform, signal, deps);
  // A shortcut brings the message it was pressed on.
  return [read, turn.context ?? ""].filter((part) => part !== "").join("\n\n");
}

async function readContext(
  turn: Turn,
  conversation: Conversation,
  platform: ChatPlatform,
  signal: AbortSignal,
  deps: PreparationDeps,
): Promise<string> {
  const attachments = await readAttachments(turn.attachments, platform, signal, deps);
  if (turn.askedIn.thread === undefined) return contextText([], attachments);
  try {
    const after = conversation.contextUpTo;
    const max = deps.settings.maxThreadMessages;
    // One more than is told, to know whether there are more.
    const reading = platform.readThread(turn.isPrivate === true ? turn.askedIn : turn.conversation, {
      limit: max + 1,
      ...(after === undefined ? {} : { after }),
    });
    const thread = await orAborted(reading, signal);
    const said = contextMessages(thread, { after, before: turn.order }).slice(-max);
    return contextText(said, attachments, thread.length > max);
  } catch (failure) {
    signal.throwIfAborted();
    deps.log.warn({ err: failure, turnId: turn.id, ref: turn.ref }, "The thread could not be read; asking without it");
    return [threadNotRead, contextText([], attachments)].filter((part) => part !== "").join("\n\n");
  }
}
