/**
 * Asks the agent: chooses it, waits for a permit, prepares what it is sent, and follows the run. While a question waits
 * it holds nothing large: thousands may wait at once.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Named } from "../../core/access.ts";
import type { Conversation, Conversations } from "../../core/conversations.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { AgentEvent, ServiceThread } from "../../core/model/agent-event.ts";
import type { Approval } from "../../core/model/approval.ts";
import { type Attachment, personKey } from "../../core/model/place.ts";
import { historyOf, type Turn, type TurnView } from "../../core/model/turn.ts";
import type { AskOptions, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { silenceToken } from "../../core/text/silence-token.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { type Asks, createAsks, currentApproval, responsesTo } from "../approval/approval.ts";
import { storeApproval } from "../approval/await-decisions.ts";
import { readAbout } from "../conversation/about.ts";
import {
  contextMessages,
  contextText,
  threadUnreadable,
  withContext,
  withInstructions,
} from "../conversation/context.ts";
import { messagesFor } from "../conversation/history.ts";
import { readAttachments } from "../conversation/read-attachments.ts";
import { leaveThread } from "../conversation/service-threads.ts";
import { hasKnowledge } from "../graded.ts";
import { chooseAgent, conversationOf, hasOthers, refusalNow, sameAgent } from "./agents.ts";
import { type Interruption, interruptionOf, isOverheard, markUnderWay, type TurnRecord } from "./record.ts";
import type { TurnWork } from "./reply.ts";
import { acquireRun, continuing, keepRun, type Run, threadOf } from "./run.ts";
import { conclude, failWith, hasAnswer, keptAnswer, reduce, stopView } from "./view.ts";

const eventsPerTurn = 50;
/** A decision this recent is not repeated. After a longer wait the asker may have lost access. */
const decidedMs = 1_000;

export type Asked = {
  /** The Turn's attempt whose text was asked. */
  attempt: number;
  readonly startedAtMs: number;
  firstChunkMs?: number;
  /** The conversation that the run is in at the service, as far as it has named one. */
  thread?: ServiceThread;
  /** Whether other agents could be asked as well. */
  hasOthers?: Promise<boolean>;
  /** Whether the agent can look something up. */
  hasKnowledge?: Promise<boolean | undefined>;
};

/** An end to show: of a run, or one that is stored already. */
export type ReachedEnd = Asked & { readonly view: TurnView };

/** What asking comes to. */
type Answer =
  | { readonly kind: "reached"; readonly end: ReachedEnd }
  /** Several agents could answer. */
  | { readonly kind: "choice"; readonly agents: readonly string[] }
  /** People are to decide first, which is stored. */
  | { readonly kind: "approval-needed" }
  | Interrupted;

/** A stopped Turn has reached its end. */
type Interrupted = { readonly kind: "reached"; readonly end: ReachedEnd } | Exclude<Interruption, { kind: "stop" }>;

export async function askAgent(work: TurnWork, app: BridgeApp): Promise<Answer> {
  const { record } = work;
  const asked: Asked = { attempt: record.turn().attempt, startedAtMs: app.clock.now() };
  const answer = await answerTo(work, asked, app);
  if (answer.kind === "choice" || answer.kind === "approval-needed") return answer;
  const newest = await record.refresh(1_500).catch(() => undefined);
  // Of an answer to words that were edited meanwhile nothing is shown.
  const isStale = answer.kind === "reached" && newest !== undefined && newest.attempt !== asked.attempt;
  return isStale ? { kind: "restart" } : answer;
}

async function answerTo(work: TurnWork, asked: Asked, app: BridgeApp): Promise<Answer> {
  const { record, picture } = work;
  const turn = record.turn();
  const approval = currentApproval(turn);
  if (approval?.thread !== undefined) asked.thread = approval.thread;
  const chosen = await (approval === undefined ? chooseAgent(turn, app) : sameAgent(turn, app));
  switch (chosen.kind) {
    case "choose":
      // Nobody is there to choose.
      if (turn.isQuiet === true) return failed(work, asked, new ParleyError("agent_choice"), app);
      return { kind: "choice", agents: chosen.agents };
    case "failed":
      return failed(work, asked, chosen.error, app);
    case "agent":
      picture.show({ ...picture.view(), agent: chosen.agent.name });
      return runAgent(work, chosen.agent, { asked, approval }, app);
    default:
      return chosen satisfies never;
  }
}

/** What an interruption makes of a question that is being asked. */
export function interrupted({ picture }: TurnWork, asked: Asked, by: Interruption, app: BridgeApp): Interrupted {
  if (by.kind === "stop") {
    return { kind: "reached", end: { ...asked, view: stopView(picture.view(), app.clock.now()) } };
  }
  return by;
}

/** `approval`: what was decided, if this run continues one that asked people. */
async function runAgent(
  work: TurnWork,
  agent: Named,
  { asked, approval }: { readonly asked: Asked; readonly approval: Approval | undefined },
  app: BridgeApp,
): Promise<Answer> {
  const { record, control, picture } = work;
  const { circuit, clock } = app;
  const signal = control.signal();
  const isAskedAgain = asked.attempt > 1;
  const aborted = () => interrupted(work, asked, interruptionOf(signal), app);

  let run: Run;
  try {
    const isContinued = approval?.requests.some(({ decision }) => decision?.how === "person") === true;
    run = await acquireRun(work, { signal, isContinued }, app);
  } catch (failure) {
    if (signal.aborted) return aborted();
    const error = toParleyError(failure);
    circuit.failed(error, "look-up");
    return failed(work, asked, error, app);
  }

  const { placeInLine: _over, ...waited } = picture.view();
  picture.keep({ ...waited, state: "running" });
  const stopHeartbeat = picture.keepMoving(app.settings.heartbeatMs);
  try {
    const { messages, options: begun } = await orAborted(beginRun(work, agent, asked, signal, app), signal);
    signal.throwIfAborted();
    picture.show(picture.view());
    // The service may have gone down while this question waited in line.
    circuit.check(isAskedAgain);
    const options = approval === undefined ? begun : await sendOnce(record, approval, begun, app);
    const asks = createAsks();
    let eventsRead = 0;
    let sawEnd = false;
    for await (const event of run.ask(agent, messages, options)) {
      if (eventsRead === 0) {
        circuit.reached();
        // While the agent still works, so that the end doesn't wait for these look-ups.
        asked.hasOthers = hasOthers(record.turn(), app);
        asked.hasKnowledge = hasKnowledge(agent, app).catch(() => undefined);
      }
      eventsRead += 1;
      // A flood of events must not block everything else: each event creates a new view.
      if (eventsRead % eventsPerTurn === 0) await nextTurn();
      if (event.type === "waiting") noteWait(record, event, app);
      else asked.firstChunkMs ??= clock.now() - asked.startedAtMs;
      if (event.type === "ended") sawEnd = true;
      asks.note(event);
      if (event.type === "failed") logFailure(record, event.error, app);
      if (event.type === "run") await orAborted(keepRun(record, event, asked), signal);
      const thread = threadOf(event);
      if (thread !== undefined) asked.thread = thread;
      const before = picture.view();
      const view = reduce(before, event, clock.now());
      // The end follows the answer at once; drawing progress now would only delay it.
      if (event.type === "answer") picture.keep(view);
      else if (view !== before) picture.show(view);
    }
    if (asks.isAny() && picture.view().error === undefined && !signal.aborted) {
      run.release();
      return await askPeople(work, asked, asks.found(), app);
    }
    let end = conclude(picture.view(), clock.now());
    const isLost = end.error?.code === "no_answer" && sawEnd && end.steps.length > 0 && approval === undefined;
    if (isLost) end = await askPlainOnce(work, agent, messages, end, app);
    run.release();
    return signal.aborted ? aborted() : { kind: "reached", end: { ...asked, view: end } };
  } catch (failure) {
    if (signal.aborted) {
      run.abandon();
      return aborted();
    }
    const error = toParleyError(failure);
    circuit.failed(error, "question");
    run.release(error);
    return failed(work, asked, error, app);
  } finally {
    stopHeartbeat();
  }
}

/** A run whose requests can't be stored has failed: nothing was approved. */
async function askPeople(work: TurnWork, asked: Asked, asks: Asks, app: BridgeApp): Promise<Answer> {
  try {
    const stored = await storeApproval(work, asks, asked.attempt, app);
    if (stored === "stored") return { kind: "approval-needed" };
    return { kind: stored === "stale" ? "restart" : "left" };
  } catch (failure) {
    return failed(work, asked, toParleyError(failure), app);
  }
}

/** Stores first that the responses are sent: after a crash nobody knows whether an approved tool ran. */
async function sendOnce(
  record: TurnRecord,
  approval: Approval,
  begun: Begun["options"],
  { clock }: BridgeApp,
): Promise<Omit<AskOptions, "signal">> {
  // They were sent before the process died, and the run that got them is read on.
  if (approval.sentAtMs !== undefined && begun.resume !== undefined) return begun;
  const stored = await record.move("running", { approval: { ...approval, sentAtMs: clock.now() } });
  if (stored !== "stored") throw new ParleyError("state_unavailable");
  return { resume: approval.run, thread: approval.thread ?? begun.thread, approvals: responsesTo(approval) };
}

/**
 * The only automatic retry: 25.x can lose an answer without any failure, and its plain endpoint does not. There a model
 * that really failed says so.
 */
async function askPlainOnce(
  { record, control }: TurnWork,
  agent: Named,
  messages: readonly ServiceMessage[],
  lost: TurnView,
  app: BridgeApp,
): Promise<TurnView> {
  const { service, clock } = app;
  try {
    if (!(await service.profile()).plainWorks) return lost;
    const text = await service.askPlain(agent.project, agent.name, messages, { signal: control.signal() });
    const { error: _lost, endedAtMs: _ended, ...rest } = lost;
    const answered: TurnView = { ...rest, ...keptAnswer(text) };
    return hasAnswer(answered) ? conclude(answered, clock.now()) : lost;
  } catch (failure) {
    const error = toParleyError(failure);
    if (error.code === "stopped") return lost;
    logFailure(record, error, app);
    return failWith(lost, error, clock.now());
  }
}

function failed({ record, picture }: TurnWork, asked: Asked, error: ParleyError, app: BridgeApp): Answer {
  logFailure(record, error, app);
  return { kind: "reached", end: { ...asked, view: failWith(picture.view(), error, app.clock.now()) } };
}

function noteWait(record: TurnRecord, { forMs }: Extract<AgentEvent, { type: "waiting" }>, app: BridgeApp): void {
  if (forMs === undefined) return;
  const { id: turnId, ref } = record.turn();
  app.log.info({ turnId, ref, forMs }, "The agent service is busy and asked Parley to come back; the question waits");
}

/** With the service's words; the view only holds what is safe to show. */
function logFailure(record: TurnRecord, error: ParleyError, { log }: BridgeApp): void {
  const { id: turnId, ref } = record.turn();
  log.warn({ err: error, turnId, ref }, "A question could not be answered");
}

type AskedTurn = {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly platform: ChatPlatform;
  readonly signal: AbortSignal;
};

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
async function beginRun(
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
    throw new ParleyError("stopped", { cause: { kind: "left" } satisfies Interruption });
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
