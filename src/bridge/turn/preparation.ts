/** Prepares a question for the service: chooses the agent and builds the messages. */

import type { Reach } from "../../ports/access.ts";
import type { ServiceMessage } from "../../ports/agent-service.ts";
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Conversation, Conversations } from "../../ports/conversations.ts";
import { type ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { orAborted } from "../../ports/tools/abortable.ts";
import { present } from "../../ports/tools/present.ts";
import type { People } from "../access/people.ts";
import { agentOf } from "../access/turn-access.ts";
import { contextMessages, contextText, threadUnreadable, withContext } from "../conversation/context.ts";
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

type AskedTurn = {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly platform: ChatPlatform;
  readonly signal: AbortSignal;
};

export type PreparationDeps = {
  readonly conversations: Conversations;
  readonly reach: Reach;
  readonly people: Pick<People, "newest">;
  readonly settings: BridgeSettings;
  readonly clock: Clock;
  readonly log: Log;
};

/** Runs under the Conversation's lane. Never throws. */
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
 * Builds the complete messages for the service. They are large, so they are built when the question is asked, not while
 * it waits. A thread or file that can't be read is mentioned, not fatal. Rejects with the signal's reason, or when
 * storage is unreachable.
 */
export async function readQuestion(
  turn: Turn,
  platform: ChatPlatform,
  signal: AbortSignal,
  deps: PreparationDeps,
): Promise<ReadQuestion> {
  const conversation = await conversationOf(turn, deps);
  const context = await contextOf({ turn, conversation, platform, signal }, deps);
  const question = withContext(context, turn.question);
  return { context, messages: messagesFor(conversation, turn.id, question, deps.settings.history) };
}

/** A private answer has no history, and leaves none. */
async function conversationOf(turn: Turn, { conversations }: PreparationDeps): Promise<Conversation> {
  return turn.isPrivate === true ? emptyConversation : conversations.get(turn.conversation);
}

/**
 * Marks the thread's messages up to that Turn as sent; later Turns only get newer ones. Called after the context was
 * stored with the Turn: if that write never happened, a resumed Turn must be able to read the thread again.
 */
export async function markContextSent(turn: Turn, conversations: Conversations): Promise<void> {
  if (turn.isPrivate === true) return;
  await conversations.update(turn.conversation, (known) => ({
    ...known,
    contextUpTo: known.contextUpTo !== undefined && known.contextUpTo > turn.order ? known.contextUpTo : turn.order,
  }));
}

/** Read once and stored for every later attempt: an edit or a Try again refers to the same messages. */
async function contextOf(asked: AskedTurn, deps: PreparationDeps): Promise<string> {
  const { turn } = asked;
  if (turn.startedAtMs !== undefined && turn.context !== undefined) return turn.context;
  const read = await readContext(asked, deps);
  // A shortcut adds the message it was used on.
  return [read, turn.context ?? ""].filter((part) => part !== "").join("\n\n");
}

async function readContext(
  { turn, conversation, platform, signal }: AskedTurn,
  deps: PreparationDeps,
): Promise<string> {
  const attachments = await readAttachments(turn.attachments, platform, signal, deps);
  if (turn.askedIn.thread === undefined) return contextText([], attachments);
  try {
    const after = conversation.contextUpTo;
    const max = deps.settings.maxThreadMessages;
    // One more than is sent, to know whether there are more.
    const reading = platform.readThread(turn.isPrivate === true ? turn.askedIn : turn.conversation, {
      limit: max + 1,
      ...present({ after }),
    });
    const thread = await orAborted(reading, signal);
    const said = contextMessages(thread, { after, before: turn.order }).slice(-max);
    return contextText(said, attachments, thread.length > max);
  } catch (failure) {
    signal.throwIfAborted();
    deps.log.warn(
      { err: failure, turnId: turn.id, ref: turn.ref },
      "The thread could not be read; the question is asked without it",
    );
    return [threadUnreadable, contextText([], attachments)].filter((part) => part !== "").join("\n\n");
  }
}
