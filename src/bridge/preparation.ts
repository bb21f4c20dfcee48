/**
 * What has to be known before the service can be asked: which agent, and the whole text that it is sent.
 */

import type { Log } from "../operations/log.ts";
import {
  contextMessages,
  contextText,
  isTextFile,
  type ReadAttachment,
  threadNotRead,
  withContext,
} from "./context.ts";
import type { Conversations } from "./conversations.ts";
import { ParleyError, toParleyError } from "./errors.ts";
import { messagesFor } from "./history.ts";
import type { ServiceMessage } from "./ports/agent-service.ts";
import type { Bindings } from "./ports/bindings.ts";
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { BridgeSettings } from "./settings.ts";
import type { Attachment, Conversation, Turn } from "./words.ts";

export type Prepared =
  | {
      readonly kind: "ready";
      readonly project: string;
      readonly agent: string;
      readonly context: string;
      /** As the service is sent it, context included; this is what enters the history. */
      readonly question: string;
      readonly messages: readonly ServiceMessage[];
    }
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

export type PreparationDeps = {
  readonly bindings: Bindings;
  readonly conversations: Conversations;
  readonly settings: BridgeSettings;
  readonly log: Log;
};

/** Held under the Conversation's lane. Never throws; a thread or file that cannot be read is said, not fatal. */
export async function prepareTurn(turn: Turn, platform: ChatPlatform, deps: PreparationDeps): Promise<Prepared> {
  try {
    const conversation = await deps.conversations.get(turn.conversation);
    const chosen = await chooseAgent(turn, conversation, deps);
    if (chosen.kind !== "agent") return chosen;
    const context = await contextOf(turn, conversation, platform, deps);
    const question = withContext(context, chosen.question);
    if (chosen.isNamed) {
      const agent = { project: chosen.project, name: chosen.agent };
      await deps.conversations.update(turn.conversation, (known) => ({ ...known, agent }));
    }
    return {
      kind: "ready",
      project: chosen.project,
      agent: chosen.agent,
      context,
      question,
      messages: messagesFor(conversation, turn.id, question, deps.settings.history),
    };
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
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

type Chosen =
  | {
      readonly kind: "agent";
      readonly project: string;
      readonly agent: string;
      readonly question: string;
      /** A person named it here; it then answers the whole Conversation. */
      readonly isNamed: boolean;
    }
  | Extract<Prepared, { kind: "choose" | "failed" }>;

async function chooseAgent(turn: Turn, conversation: Conversation, deps: PreparationDeps): Promise<Chosen> {
  const { project } = deps.settings;
  if (turn.requestedAgent !== undefined) {
    return { kind: "agent", project, agent: turn.requestedAgent, question: turn.question, isNamed: true };
  }
  if (conversation.agent !== undefined) {
    const { project, name } = conversation.agent;
    return { kind: "agent", project, agent: name, question: turn.question, isNamed: false };
  }
  const resolved = await deps.bindings.resolve(turn.conversation);
  switch (resolved.kind) {
    case "bound": {
      const { project, agent } = resolved.binding;
      return { kind: "agent", project, agent, question: turn.question, isNamed: false };
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
  deps: PreparationDeps,
): Promise<string> {
  const isKept = turn.startedAtMs !== undefined && turn.context !== undefined;
  if (isKept) return turn.context ?? "";
  const read = await readContext(turn, conversation, platform, deps);
  // A shortcut brings the message it was pressed on.
  return [read, turn.context ?? ""].filter((part) => part !== "").join("\n\n");
}

async function readContext(
  turn: Turn,
  conversation: Conversation,
  platform: ChatPlatform,
  deps: PreparationDeps,
): Promise<string> {
  const attachments = await Promise.all(turn.attachments.map((file) => readAttachment(file, platform, deps)));
  if (turn.askedIn.thread === undefined) return contextText([], attachments);
  try {
    const after = conversation.contextUpTo;
    const max = deps.settings.maxThreadMessages;
    // One more than is told, to know whether there are more.
    const thread = await platform.readThread(turn.conversation, {
      limit: max + 1,
      ...(after === undefined ? {} : { after }),
    });
    const said = contextMessages(thread, { after, before: turn.order }).slice(-max);
    return contextText(said, attachments, thread.length > max);
  } catch (failure) {
    deps.log.warn({ err: failure, turnId: turn.id, ref: turn.ref }, "The thread could not be read; asking without it");
    return [threadNotRead, contextText([], attachments)].filter((part) => part !== "").join("\n\n");
  }
}

async function readAttachment(
  attachment: Attachment,
  platform: ChatPlatform,
  deps: PreparationDeps,
): Promise<ReadAttachment> {
  if (!isTextFile(attachment)) return { attachment };
  const maxBytes = platform.limits.maxAttachmentTextBytes;
  if (attachment.sizeBytes > maxBytes) {
    return { attachment, why: `it is larger than ${Math.floor(maxBytes / 1024)} kB` };
  }
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of await platform.openAttachment(attachment)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return { attachment, why: `it is larger than ${Math.floor(maxBytes / 1024)} kB` };
      chunks.push(chunk);
    }
    const whole = new Uint8Array(bytes);
    let offset = 0;
    for (const chunk of chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return { attachment, text: new TextDecoder().decode(whole) };
  } catch (failure) {
    deps.log.warn({ err: failure, file: attachment.id }, "An attachment could not be read");
    return { attachment, why: "the chat platform did not hand it over" };
  }
}
