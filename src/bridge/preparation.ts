/**
 * What has to be known before the service can be asked: which agent, and the whole text that it is sent.
 */

import type { Log } from "../operations/log.ts";
import { orAborted } from "./abortable.ts";
import { contextMessages, contextText, threadNotRead, withContext } from "./context.ts";
import type { Conversations } from "./conversations.ts";
import { ParleyError, toParleyError } from "./errors.ts";
import { messagesFor } from "./history.ts";
import type { ServiceMessage } from "./ports/agent-service.ts";
import type { Bindings } from "./ports/bindings.ts";
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { Clock } from "./ports/clock.ts";
import { readAttachments } from "./read-attachments.ts";
import type { BridgeSettings } from "./settings.ts";
import type { Conversation, Turn } from "./words.ts";

export type Chosen =
  | { readonly kind: "agent"; readonly project: string; readonly agent: string }
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

export type ReadQuestion = {
  readonly context: string;
  readonly messages: readonly ServiceMessage[];
};

export type PreparationDeps = {
  readonly bindings: Bindings;
  readonly conversations: Conversations;
  readonly settings: BridgeSettings;
  readonly clock: Clock;
  readonly log: Log;
};

/** Held under the Conversation's lane. Never throws. */
export async function chooseAgent(turn: Turn, deps: PreparationDeps): Promise<Chosen> {
  try {
    const chosen = await agentOf(turn, deps);
    if (chosen.kind !== "agent") return chosen;
    const { project, agent: name, isNamed } = chosen;
    if (isNamed) {
      await deps.conversations.update(turn.conversation, (known) => ({ ...known, agent: { project, name } }));
    }
    return { kind: "agent", project, agent: name };
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
  const conversation = await deps.conversations.get(turn.conversation);
  const context = await contextOf(turn, conversation, platform, signal, deps);
  const question = withContext(context, turn.question);
  return { context, messages: messagesFor(conversation, turn.id, question, deps.settings.history) };
}

/**
 * What the thread said up to that Turn is told; later Turns hear only what is newer. After its context was stored with it:
 * whoever goes on with a Turn that died before that must be able to read the thread again.
 */
export async function passContext(turn: Turn, conversations: Conversations): Promise<void> {
  await conversations.update(turn.conversation, (known) => ({
    ...known,
    contextUpTo: known.contextUpTo !== undefined && known.contextUpTo > turn.order ? known.contextUpTo : turn.order,
  }));
}

type Resolved =
  /** `isNamed`: a person named it here; it then answers the whole Conversation. */
  (Extract<Chosen, { kind: "agent" }> & { readonly isNamed: boolean }) | Extract<Chosen, { kind: "choose" | "failed" }>;

async function agentOf(turn: Turn, deps: PreparationDeps): Promise<Resolved> {
  const { project } = deps.settings;
  if (turn.requestedAgent !== undefined) {
    return { kind: "agent", project, agent: turn.requestedAgent, isNamed: true };
  }
  const conversation = await deps.conversations.get(turn.conversation);
  if (conversation.agent !== undefined) {
    const { project, name } = conversation.agent;
    return { kind: "agent", project, agent: name, isNamed: false };
  }
  const resolved = await deps.bindings.resolve(turn.conversation);
  switch (resolved.kind) {
    case "bound": {
      const { project, agent } = resolved.binding;
      return { kind: "agent", project, agent, isNamed: false };
    }
    case "choose":
      return { kind: "choose", agents: resolved.agents };
    case "none":
      return { kind: "failed", error: new ParleyError("no_agent") };
    default:
      return resolved satisfies never;
  }
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
    const reading = platform.readThread(turn.conversation, {
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
