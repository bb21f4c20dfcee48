/** Prepares a question for the service: chooses the agent, stores that the run begins, and builds the messages. */

import type { Named } from "../../core/access.ts";
import type { Conversation, Conversations } from "../../core/conversations.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import { type Attachment, personKey } from "../../core/model/place.ts";
import { historyOf, type Turn } from "../../core/model/turn.ts";
import type { AskOptions, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { silenceToken } from "../../core/text/silence-token.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { readAbout } from "../conversation/about.ts";
import {
  contextMessages,
  contextText,
  threadUnreadable,
  withContext,
  withInstructions,
} from "../conversation/context.ts";
import { emptyConversation, messagesFor } from "../conversation/history.ts";
import { readAttachments } from "../conversation/read-attachments.ts";
import { leaveThread } from "../conversation/service-threads.ts";
import { continuing } from "../runs/run-handle.ts";
import { isOverheard } from "./quiet-end.ts";
import { markUnderWay } from "./resumption.ts";
import { agentOf, refusalNow } from "./turn-access.ts";
import type { Interruption, TurnWork } from "./turn-work.ts";

/** A decision this recent is not repeated. After a longer wait the asker may have lost access. */
const decidedMs = 1_000;

export type Chosen =
  | { readonly kind: "agent"; readonly agent: Named }
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

type AskedTurn = {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly platform: ChatPlatform;
  readonly signal: AbortSignal;
};

/** Runs under the Conversation's lane. Never throws. While the service is down, its agents aren't even listed. */
export async function chooseAgent(turn: Turn, app: BridgeApp): Promise<Chosen> {
  const { circuit, conversations } = app;
  try {
    circuit.check(turn.attempt > 1);
    const chosen = await agentOf(turn, await conversationOf(turn, app), app);
    if (chosen.kind !== "agent") return chosen;
    const { agent, isNamed } = chosen;
    if (isNamed && turn.isPrivate !== true && turn.repeats === undefined) {
      await conversations.update(historyOf(turn), (known) => ({ ...known, agent }));
    }
    return { kind: "agent", agent };
  } catch (failure) {
    const error = toParleyError(failure);
    circuit.failed(error, "look-up");
    return { kind: "failed", error };
  }
}

/** What the service is asked. */
type Begun = {
  readonly messages: readonly ServiceMessage[];
  readonly options: Pick<AskOptions, "resume" | "thread">;
};

/**
 * Stores that the run begins, and builds the complete messages for it: they are large, so this happens when the question
 * is asked, not while it waits. A thread or file that can't be read is mentioned, not fatal. Rejects with the signal's
 * reason, when storage is unreachable, and when the asker has lost access. `asked`: gets the attempt that was read.
 */
export async function beginRun(
  { record, site: { platform } }: TurnWork,
  agent: Named,
  asked: { attempt: number; readonly startedAtMs: number },
  signal: AbortSignal,
  app: BridgeApp,
): Promise<Begun> {
  const { startedAtMs } = asked;
  await markUnderWay(record);
  const isLong = app.clock.now() - startedAtMs > decidedMs;
  // Others may have changed it while it waited.
  const turn = isLong ? await record.refresh() : record.turn();
  if (turn === undefined) {
    // It has ended elsewhere.
    record.leave();
    throw new ParleyError("stopped", { cause: { kind: "taken" } satisfies Interruption });
  }
  asked.attempt = turn.attempt;
  const refusal = isLong ? await refusalNow(turn, agent, app) : undefined;
  if (refusal !== undefined) throw refusal;
  const conversation = await conversationOf(turn, app);
  const context = await contextOf({ turn, conversation, platform, signal }, app);
  const options = await continuing(turn, conversation, agent, app);
  // What a run that is read on has begun with still holds.
  const isAnew = options.resume === undefined;
  if (isAnew) await leaveThread(turn, options.thread, app);
  const anew = isAnew ? { run: undefined, serviceThread: options.thread } : {};
  const begun = await record.move("running", { agent, context, startedAtMs, isUnderWay: true, ...anew });
  if (begun === "stored" && turn.repeats === undefined) {
    await markContextSent(turn, app.conversations).catch((err: unknown) =>
      app.log.warn(
        { err, turnId: turn.id, ref: turn.ref },
        "The thread's messages could not be marked as sent: the next question may send them again",
      ),
    );
  }
  const question = withContext(withInstructions(await instructionsOf(turn, app), context), turn.question);
  const messages = messagesFor(beforeRepeated(conversation, turn), turn.id, question, app.settings.history);
  return { messages, options };
}

/** For a model: whether to speak at all. Its token is never shown. */
const overheardInstruction =
  "The message below was not addressed to you. If it isn't a question that your knowledge answers, reply only with " +
  `${silenceToken}.`;

/** Read when the run begins, and sent with the question itself: 26.x plans without the history. Stored nowhere else. */
async function instructionsOf(turn: Turn, { service, bindings }: BridgeApp): Promise<string> {
  const ofChannel = (await bindings.own(turn.askedIn))?.instructions ?? "";
  const instructions = [ofChannel, ...(isOverheard(turn) ? [overheardInstruction] : [])].join("\n").trim();
  return instructions === "" || (await service.profile()).ignores.includes("instructions") ? "" : instructions;
}

/** A private answer has no history, and leaves none. */
async function conversationOf(turn: Turn, { conversations }: BridgeApp): Promise<Conversation> {
  return turn.isPrivate === true ? emptyConversation : conversations.get(historyOf(turn));
}

/** A second agent is asked as the first one was: it gets neither that answer nor what came after it. */
function beforeRepeated(conversation: Conversation, { repeats }: Turn): Conversation {
  const at = repeats === undefined ? -1 : conversation.entries.findIndex(({ turnId }) => turnId === repeats);
  return at < 0 ? conversation : { ...conversation, entries: conversation.entries.slice(0, at) };
}

/**
 * Marks the thread's messages up to that Turn as sent; later Turns only get newer ones. Called after the context was
 * stored with the Turn: if that write never happened, a resumed Turn must be able to read the thread again.
 */
async function markContextSent(turn: Turn, conversations: Conversations): Promise<void> {
  // What nobody sees must not make a thread one where Parley takes part.
  if (turn.isPrivate === true || turn.isQuiet === true) return;
  await conversations.update(historyOf(turn), (known) => ({
    ...known,
    contextUpTo: known.contextUpTo !== undefined && known.contextUpTo > turn.order ? known.contextUpTo : turn.order,
  }));
}

/** Read once and stored for every later attempt: an edit or a Try again refers to the same messages. */
async function contextOf(asked: AskedTurn, app: BridgeApp): Promise<string> {
  const { turn } = asked;
  // It was stored with the question that this one repeats, unless that never ran.
  if (turn.repeats !== undefined && turn.context !== undefined) return turn.context;
  if (turn.startedAtMs !== undefined && turn.context !== undefined) return turn.context;
  // A shortcut adds the message it was used on, with its thread.
  const about = await readMessageAbout(asked, app);
  const read = await readContext(asked, about?.attachments ?? [], app);
  return [read, about?.text ?? turn.context ?? ""].filter((part) => part !== "").join("\n\n");
}

/** Undefined if the question isn't about a message; its text alone is known if it can't be read. */
async function readMessageAbout({ turn, platform, signal }: AskedTurn, app: BridgeApp) {
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
  const owner = personKey(turn.askedIn, turn.actor);
  const attachments = await readAttachments([...turn.attachments, ...alsoAttached], platform, signal, app, owner);
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
