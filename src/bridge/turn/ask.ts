/**
 * Asks the agent: chooses it, waits for a permit, prepares what it is sent, and follows the run. While a question waits
 * it holds nothing large: thousands may wait at once.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Named } from "../../core/access.ts";
import type { Conversation } from "../../core/conversations.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { AgentEvent, ServiceThread } from "../../core/model/agent-event.ts";
import type { Approval } from "../../core/model/approval.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { PlaceInLine, Turn, TurnView } from "../../core/model/turn.ts";
import { type AskOptions, runsKey, type ServiceMessage } from "../../core/ports/agent-service.ts";
import { silenceToken } from "../../core/text/silence-token.ts";
import { orAborted, untilAborted } from "../../core/tools/abortable.ts";
import { addTokens, tokenRefusal } from "../../insight/counts/token-days.ts";
import { traced } from "../../operations/tracing.ts";
import type { BridgeApp } from "../app.ts";
import { type Asks, createAsks, currentApproval, responsesTo } from "../approval/approval.ts";
import { storeApproval } from "../approval/await-decisions.ts";
import { withContext, withInstructions } from "../conversation/context.ts";
import { messagesFor } from "../conversation/history.ts";
import { notAsked, picturesOf, type Unseen } from "../conversation/pictures.ts";
import { askedTurn, contextOf, markContextSent } from "../conversation/read-context.ts";
import { leaveThread } from "../conversation/service-threads.ts";
import { hasKnowledge } from "../graded.ts";
import { waitForQuestionLimit } from "../question-limit.ts";
import { chooseAgent, conversationOf, hasOthers, refusalNow, sameAgent } from "./agents.ts";
import { type Interruption, interruptionOf, isOverheard, type TurnRecord } from "./record.ts";
import { type Living, replyOf } from "./reply.ts";
import { abandonRun, continuing, keepRun, type Run, releaseRun, threadOf } from "./run.ts";
import { conclude, failWith, hasAnswer, reduce, stopView } from "./view.ts";
import { keptAnswer } from "./view-limits.ts";

const eventsPerTurn = 50;
/** A decision this recent is not repeated. After a longer wait the asker may have lost access. */
const decidedMs = 1_000;
/** Positions up to this one are always shown. */
const nearPositions = 10;

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

export async function askAgent(living: Living, app: BridgeApp): Promise<Answer> {
  const { record } = living;
  const asked: Asked = { attempt: record.turn().attempt, startedAtMs: app.clock.now() };
  const answer = await answerTo(living, asked, app);
  if (answer.kind === "choice" || answer.kind === "approval-needed") return answer;
  const newest = await record.refresh(1_500).catch(() => undefined);
  // Of an answer to words that were edited meanwhile nothing is shown.
  const isStale = answer.kind === "reached" && newest !== undefined && newest.attempt !== asked.attempt;
  return isStale ? { kind: "restart" } : answer;
}

async function answerTo(living: Living, asked: Asked, app: BridgeApp): Promise<Answer> {
  const reply = replyOf(living);
  const turn = living.record.turn();
  const approval = currentApproval(turn);
  if (approval?.thread !== undefined) asked.thread = approval.thread;
  const chosen = await (approval === undefined ? chooseAgent(turn, app) : sameAgent(turn, app));
  switch (chosen.kind) {
    case "choose":
      // Nobody is there to choose.
      if (turn.isQuiet === true) return failed(living, asked, new ParleyError("agent_choice"), app);
      return { kind: "choice", agents: chosen.agents };
    case "failed":
      return failed(living, asked, chosen.error, app);
    case "agent":
      reply.show({ ...reply.view(), agent: chosen.agent.name });
      return runAgent(living, chosen.agent, { asked, approval }, app);
    default:
      return chosen satisfies never;
  }
}

/** What an interruption makes of a question that is being asked. */
export function interrupted(living: Living, asked: Asked, by: Interruption, app: BridgeApp): Interrupted {
  if (by.kind !== "stop") return by;
  return { kind: "reached", end: { ...asked, view: stopView(replyOf(living).view(), app.clock.now()) } };
}

/** `approval`: what was decided, if this run continues one that asked people. */
async function runAgent(
  living: Living,
  agent: Named,
  { asked, approval }: { readonly asked: Asked; readonly approval: Approval | undefined },
  app: BridgeApp,
): Promise<Answer> {
  const signal = living.control.signal();
  let run: Run;
  try {
    const isContinued = approval?.requests.some(({ decision }) => decision?.how === "person") === true;
    run = await traced("parley.permit", () => acquirePermit(living, { signal, isContinued }, app));
  } catch (failure) {
    if (signal.aborted) return interrupted(living, asked, interruptionOf(signal), app);
    const error = toParleyError(failure);
    app.circuit.failed(error, "look-up");
    return failed(living, asked, error, app);
  }
  return traced("parley.run", () => followRun(living, agent, { asked, approval, run, signal }, app));
}

/** `signal`: the one under which the permit was acquired. */
async function followRun(
  living: Living,
  agent: Named,
  {
    asked,
    approval,
    run,
    signal,
  }: {
    readonly asked: Asked;
    readonly approval: Approval | undefined;
    readonly run: Run;
    readonly signal: AbortSignal;
  },
  app: BridgeApp,
): Promise<Answer> {
  const { record } = living;
  const reply = replyOf(living);
  const { circuit, clock } = app;
  const isAskedAgain = asked.attempt > 1;
  const aborted = () => interrupted(living, asked, interruptionOf(signal), app);
  const { placeInLine: _over, ...waited } = reply.view();
  reply.keep({ ...waited, state: "running" });
  const stopHeartbeat = reply.keepMoving(app.settings.heartbeatMs);
  try {
    // What was asked before the tokens were used up is answered.
    const isAnew = approval === undefined && record.turn().run === undefined;
    const refusal = isAnew ? await orAborted(tokenRefusal(agent, record.turn(), app), signal) : undefined;
    if (refusal !== undefined) throw refusal;
    const { messages, options: begun, unseen } = await orAborted(beginRun(living, agent, asked, signal, app), signal);
    signal.throwIfAborted();
    reply.show({ ...reply.view(), ...unseen });
    // The service may have gone down while this question waited in line.
    circuit.check(isAskedAgain);
    const options = approval === undefined ? begun : await sendOnce(record, approval, begun, app);
    const asks = createAsks();
    let eventsRead = 0;
    let sawEnd = false;
    run.handle = options.resume;
    const { signal: close } = run.closing;
    run.events = noted(
      app.service.ask(agent.project, agent.name, messages, { ...options, signal: close }),
      run,
      agent,
      app,
    );
    for await (const event of untilAborted(run.events, signal)) {
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
      const before = reply.view();
      const view = reduce(before, event, clock.now());
      // The end follows the answer at once; drawing progress now would only delay it.
      if (event.type === "answer" || event.type === "usage") reply.keep(view);
      else if (view !== before) reply.show(view);
    }
    if (asks.isAny() && reply.view().error === undefined && !signal.aborted) {
      releaseRun(run, app);
      return await askPeople(living, asked, asks.found(), app);
    }
    let end = conclude(reply.view(), clock.now());
    const isLost = end.error?.code === "no_answer" && sawEnd && end.steps.length > 0 && approval === undefined;
    if (isLost) end = await askPlainOnce(living, agent, messages, end, app);
    releaseRun(run, app);
    return signal.aborted ? aborted() : { kind: "reached", end: { ...asked, view: end } };
  } catch (failure) {
    if (signal.aborted) {
      abandonRun(run, interruptionOf(signal).kind, app);
      return aborted();
    }
    const error = toParleyError(failure);
    circuit.failed(error, "question");
    releaseRun(run, app, error);
    return failed(living, asked, error, app);
  } finally {
    stopHeartbeat();
  }
}

/**
 * Waits for the per-minute limits, then for a permit of the service. Rejects with the signal's reason. `isContinued`: a
 * person has decided about a tool call of a question that has passed the limits.
 */
async function acquirePermit(
  living: Living,
  { signal, isContinued }: { readonly signal: AbortSignal; readonly isContinued: boolean },
  app: BridgeApp,
): Promise<Run> {
  const { record } = living;
  const reply = replyOf(living);
  const turn = record.turn();
  const onWaiting = (place: PlaceInLine) => {
    void record.mark(false);
    const view = reply.view();
    if (isWorthShowing(view.placeInLine, place)) reply.show({ ...view, state: "queued", placeInLine: place });
  };
  if (!isContinued) await waitForQuestionLimit(turn, signal, onWaiting, app);
  const { maxRuns, closeStopsRun } = await app.service.profile();
  const permit = await app.state.coordinator.permit(runsKey, maxRuns, workspaceKey(turn.conversation), {
    signal,
    onPosition: (position) => onWaiting({ kind: "service", position }),
  });
  return { permit, closeStopsRun, closing: new AbortController(), isWaiting: false };
}

/** A distant position is shown again when it has improved by a tenth: thousands move by one whenever one leaves. */
function isWorthShowing(shown: PlaceInLine | undefined, now: PlaceInLine): boolean {
  if (shown === undefined || shown.kind !== now.kind || now.position <= nearPositions) return true;
  return now.position > shown.position || now.position <= shown.position * 0.9;
}

/** Also while nobody follows the run: how the service names it is known as soon as it says so. */
async function* noted(
  events: AsyncIterable<AgentEvent>,
  run: Run,
  agent: Named,
  app: BridgeApp,
): AsyncGenerator<AgentEvent> {
  const { metrics } = app;
  metrics.streamsChanged(1);
  try {
    for await (const event of events) {
      if (event.type === "usage") await addTokens(agent, event.tokens, app);
      run.isWaiting = event.type === "waiting" && event.forMs !== undefined;
      if (event.type === "run") {
        run.handle = event.run;
        run.onHandle?.(event.run);
      }
      yield event;
    }
  } finally {
    metrics.streamsChanged(-1);
  }
}

/** A run whose requests can't be stored has failed: nothing was approved. */
async function askPeople(living: Living, asked: Asked, asks: Asks, app: BridgeApp): Promise<Answer> {
  try {
    const stored = await storeApproval(living, asks, asked.attempt, app);
    if (stored === "stored") return { kind: "approval-needed" };
    return { kind: stored === "stale" ? "restart" : "left" };
  } catch (failure) {
    return failed(living, asked, toParleyError(failure), app);
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
  { record, control }: Living,
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

function failed(living: Living, asked: Asked, error: ParleyError, app: BridgeApp): Answer {
  logFailure(living.record, error, app);
  return { kind: "reached", end: { ...asked, view: failWith(replyOf(living).view(), error, app.clock.now()) } };
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

/** What the service is asked. */
type Begun = {
  readonly messages: readonly ServiceMessage[];
  readonly options: Pick<AskOptions, "resume" | "thread" | "pictures">;
  /** What people see of the pictures that the agent doesn't get. */
  readonly unseen: Unseen;
};

/**
 * Stores that the run begins, and builds the complete messages for it: they are large, so this happens when the question
 * is asked, not while it waits. A thread or file that can't be read is mentioned, not fatal. Rejects with the signal's
 * reason, when storage is unreachable, and when the asker has lost access. `asked`: gets the attempt that was read.
 */
async function beginRun(
  { record, site: { platform } }: Living,
  agent: Named,
  asked: { attempt: number; readonly startedAtMs: number },
  signal: AbortSignal,
  app: BridgeApp,
): Promise<Begun> {
  const { startedAtMs } = asked;
  await record.mark(true);
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
  const reading = askedTurn({ turn, conversation, platform, signal }, app);
  const context = await contextOf(reading, app);
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
  // A run that is read on has its pictures, and its view says what was said of them.
  const { pictures, unseen, note } = isAnew ? await picturesOf(reading, app) : notAsked;
  const before = [context, note].filter((part) => part !== "").join("\n\n");
  const question = withContext(withInstructions(await instructionsOf(turn, app), before), turn.question);
  const messages = messagesFor(beforeRepeated(conversation, turn), turn.id, question, app.settings.history);
  return { messages, options: { ...options, pictures }, unseen };
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
