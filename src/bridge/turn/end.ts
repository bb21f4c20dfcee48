/**
 * Ends a Turn: stores, remembers and shows its outcome, then records it as shown. If the process dies in between,
 * another one continues there. Also the ends without an answer: nobody is to see it, or the asker chooses an agent.
 */

import type { VoteCounts } from "../../core/content/voting.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import { historyOf, type Source, type Turn, type TurnView } from "../../core/model/turn.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { type SaidElsewhere, sayElsewhere } from "../../delivery/say-elsewhere.ts";
import { traced } from "../../operations/tracing.ts";
import {
  chooseAgentDocument,
  cutShortDocument,
  errorDocument,
  readyDocument,
  sentDocument,
  turnDocument,
  unshownDocument,
} from "../../presentation/drawing.ts";
import { errorText, turnSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { withContext } from "../conversation/context.ts";
import { withEntry, withoutEntry } from "../conversation/history.ts";
import { dropThread, withThread } from "../conversation/service-threads.ts";
import { graded } from "../graded.ts";
import { hasOthers, offerOf, withAccess } from "./agents.ts";
import type { ReachedEnd } from "./ask.ts";
import { clearedAtEnd, interruptionOf, isOverheard, isUnseen, storePatienceMs, type TurnRecord } from "./record.ts";
import { type Living, replyOf, tellElsewhere } from "./reply.ts";
import { failWith } from "./view.ts";

type Ending = {
  readonly living: Living;
  readonly view: TurnView;
  readonly hasOtherAgents: boolean;
  readonly votes: VoteCounts | undefined;
};

/** The end was not shown where it was asked: where it was said instead, and why. */
type Unshown = { readonly said: SaidElsewhere; readonly code: string };

/** A new end can be shown as often as the question could be asked. */
const newEnd = { isUnderWay: true, resumptions: undefined } as const;
/** Long enough for a store that is well; if they are not there by then, they follow with the next vote. */
const votesWithinMs = 300;

type EndState = "answered" | "failed" | "stopped";

/**
 * What showing an end comes to. "restart": the question was edited while its answer was being posted; "left" and "drain":
 * another instance, or the next process, shows it; "deleted": its question was.
 */
type Ended = "ended" | "restart" | "left" | "drain" | "deleted";

type EndEvent =
  | { readonly kind: Ended }
  /** Nobody has seen anything of it until now, so it needs a place first. It isn't asked again, stored or not. */
  | { readonly kind: "worth-showing"; readonly unstored?: ReachedEnd };

/** Grades an end and shows it. */
export async function endTurn(living: Living, ungraded: ReachedEnd, app: BridgeApp): Promise<EndEvent> {
  const { record } = living;
  const turn = record.turn();
  if (turn.isWithdrawn === true) return { kind: "deleted" };
  if (ungraded.view.error?.code === "gave_up") {
    app.log.error({ turnId: turn.id, ref: turn.ref }, "Gave up a question: processes died while working on it");
  }
  const overheard = isOverheard(turn) ? { overheard: turn.question } : {};
  const view = await graded(ungraded.view, turn.agent, app, { knows: ungraded.hasKnowledge, ...overheard });
  const reached = { ...ungraded, view };
  const isScheduled = turn.scheduleId !== undefined;
  if (!isUnseen(turn) || (!isScheduled && view.grade !== "sure")) return { kind: await showEnd(living, reached, app) };
  const unseen = isScheduled ? await unchanged(turn, view, app) : await overLimit(turn, app);
  if (unseen !== undefined) return { kind: await endUnseen(record, view, reached.startedAtMs, app, unseen) };
  // What a schedule found is shown like any other answer from here on.
  const shownFrom = isScheduled ? { isQuiet: undefined } : {};
  const serviceThread = reached.thread ?? turn.serviceThread;
  const dated = await withDates(view, turn, app);
  const outcome = { outcome: dated, outcomeAttempt: reached.attempt, serviceThread };
  const stored = await record.move("running", { ...shownFrom, ...outcome, ...newEnd }, 2_000);
  if (stored === "refused") return { kind: "left" };
  return { kind: "worth-showing", ...(stored === "unstored" ? { unstored: { ...reached, view: dated } } : {}) };
}

async function unchanged(turn: Turn, view: TurnView, { isNews }: BridgeApp): Promise<"unchanged" | undefined> {
  return isNews === undefined || (await isNews(turn, view)) ? undefined : "unchanged";
}

/** A store that is away keeps nobody from an answer. */
async function overLimit(turn: Turn, { unasked, log }: BridgeApp): Promise<"limit" | undefined> {
  const mayPost = await unasked.mayPost(turn).catch((err: unknown) => {
    log.info({ err, turnId: turn.id }, "Unasked answers could not be counted");
    return true;
  });
  return mayPost ? undefined : "limit";
}

/**
 * Stores the outcome and writes the history (in parallel: both are idempotent), shows the end, records it. Each step is
 * repeatable.
 */
async function showEnd(living: Living, reached: ReachedEnd, app: BridgeApp): Promise<Ended> {
  const { record } = living;
  const allowed = await withAccess(reached.view, record.turn(), app);
  const view = await withDates(allowed, record.turn(), app);
  const turn = record.turn();
  if (turn.isQuiet === true && view.grade !== "sure") return endUnseen(record, view, reached.startedAtMs, app);
  const { history } = app.settings;
  const thread = { serviceThread: reached.thread ?? turn.serviceThread };
  const updateHistory = async () => {
    if (turn.isPrivate === true || turn.repeats !== undefined) return dropThread({ ...turn, ...thread }, app);
    const isAnswered = view.state === "answered";
    await app.conversations.update(historyOf(turn), (known) => {
      const entries = isAnswered ? withEntry(known, entryOf(turn, view), history) : withoutEntry(known, turn.id);
      return withThread(entries, { ...turn, ...thread }, isAnswered);
    });
  };
  const isNew = turn.outcome !== view;
  // Stored with it: after a crash, what this process showed of the end is among the Reply's messages.
  const shownBefore = isNew ? messagesOf(turn) : (turn.shownBefore ?? messagesOf(turn));
  const outcome = { outcome: view, outcomeAttempt: reached.attempt, shownBefore, ...thread };
  // What was looked up before access was lost no longer holds.
  const known = allowed === reached.view ? reached.hasOthers : undefined;
  const others = view.state === "stopped" ? false : (known ?? hasOthers(turn, app));
  const votes = votesOn(turn, app);
  const [stored, isRemembered] = await Promise.all([
    record.move("running", { ...outcome, ...(isNew ? newEnd : { isUnderWay: true }) }, 2_000),
    updateHistory().then(
      () => true,
      () => false,
    ),
    noteAnswer(turn, view, app),
  ]);
  if (stored === "refused") return "left";
  const ending = { living, view, hasOtherAgents: await others, votes: await votes };
  const shown = await traced("parley.final_edit", () => show(ending, app));
  if (shown === "restart") await record.move("running", { outcome: undefined, shownBefore: undefined });
  if (typeof shown === "string" && shown !== "whole" && shown !== "cut") return shown;
  if (!isRemembered) await keepTrying(updateHistory, { clock: app.clock, forMs: storePatienceMs });
  const state = shown === "cut" ? "stopped" : outcomeOf(view);
  if (shown === "whole") {
    const isNews = messagesOf(record.turn()).some((id) => !shownBefore.includes(id));
    await tellReady({ turn: record.turn(), view, isNews }, app);
  }
  const begin = await app.notes?.noteEnd(record.turn(), { ...view, state });
  const isUnshown = typeof shown === "object";
  await record.move(state, {
    ...clearedAtEnd,
    ...(shown === "cut" ? { outcome: { ...view, state } } : {}),
    endedAtMs: view.endedAtMs ?? app.clock.now(),
    ...(isUnshown ? { unshown: { code: shown.code } } : { shownAtMs: app.clock.now() }),
  });
  begin?.();
  // Deleted while its end was being shown.
  if (record.turn().isWithdrawn === true) return "deleted";
  if (record.turn().reply.parts.some(({ lacks }) => lacks === true)) app.lacked?.(turn.id);
  const ended = isUnshown ? "not_shown" : state;
  const { traceId } = view;
  const fields = {
    turnId: turn.id,
    ref: turn.ref,
    outcome: ended,
    steps: view.steps.length,
    code: view.error?.code,
    traceId,
  };
  if (isUnshown)
    app.log.warn(
      { ...fields, ended: state, code: shown.code, said: shown.said },
      "A question ended, but its result could not be shown in its place",
    );
  else app.log.info(fields, "A question ended");
  const agent = turn.agent?.name ?? "";
  if (state === "answered")
    app.metrics.answerEnded(agent, { hasSource: view.grade === "sure" && view.sources.length > 0 });
  if (state === "failed") app.metrics.answerFailed(agent);
  const { firstChunkMs } = reached;
  app.metrics.turnEnded(state, { firstChunkMs, totalMs: app.clock.now() - reached.startedAtMs });
  return "ended";
}

/** So that questions to nobody in particular that follow it are heard; without that they are only not answered. */
async function noteAnswer(turn: Turn, view: TurnView, { talk, log }: BridgeApp): Promise<void> {
  await talk
    .noteAnswer(turn, view)
    .catch((err: unknown) => log.info({ err, turnId: turn.id }, "An answer was not noted in its thread"));
}

/** An end that is stored already stays as it is. */
async function withDates(view: TurnView, { agent, outcome }: Turn, { dateSources }: BridgeApp): Promise<TurnView> {
  const isDated = outcome === view || agent === undefined || view.sources.length === 0;
  if (isDated || dateSources === undefined) return view;
  const sources = await dateSources(agent, view.sources);
  const authored = sources.filter(({ addedBy }) => addedBy !== undefined);
  if (authored.length === 0) return { ...view, sources };
  const found = view.steps.map((step) =>
    step.sources === undefined
      ? step
      : { ...step, sources: step.sources.map((source) => withAuthor(source, authored)) },
  );
  return { ...view, sources, steps: found };
}

/** The same passage, as a step found it. */
function withAuthor(source: Source, authored: readonly Source[]): Source {
  const same = authored.find(({ rowId, title, url }) =>
    rowId === undefined ? title === source.title && url === source.url : rowId === source.rowId,
  );
  return same?.addedBy === undefined ? source : { ...source, addedBy: same.addedBy };
}

/** Its thread is gone, and nothing was ever shown there: the question was deleted, and nobody waits for an answer. */
function isQuestionGone(failure: unknown, turn: Turn): boolean {
  const wasShown = turn.reply.parts.some(
    ({ messageId, state, generation = 0 }) => messageId !== undefined || state === "gone" || generation > 0,
  );
  return toParleyError(failure).code === "thread_gone" && !wasShown && (turn.shownBefore ?? []).length === 0;
}

function messagesOf({ reply }: Turn): readonly string[] {
  return reply.parts.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId]));
}

/** Votes stay with a question that is asked again. A new question has none. */
async function votesOn(turn: Turn, { voting, clock }: BridgeApp): Promise<VoteCounts | undefined> {
  if (turn.attempt <= 1 || voting === undefined) return undefined;
  return withTimeout(voting.counts(turn), votesWithinMs, clock);
}

/** "cut": the asker stopped it; messages posted by then stay. */
async function show(ending: Ending, app: BridgeApp): Promise<"whole" | "cut" | Exclude<Ended, "ended"> | Unshown> {
  const { view } = ending;
  const { record, control, site } = ending.living;
  const turn = record.turn();
  try {
    const signal = control.signal();
    const isStopped = signal.aborted && interruptionOf(signal).kind === "stop";
    const isCut = view.state === "answered" && (isStopped || turn.stopRequestedBy !== undefined);
    return isCut ? await cutShort(ending, app) : await showWhole(ending, app);
  } catch (failure) {
    if (record.isTaken()) return "left";
    const error = toParleyError(failure);
    app.log.warn({ err: error, turnId: turn.id, ref: turn.ref }, "A result could not be shown in its place");
    // Nobody waits for it.
    if (turn.isQuiet === true) return { said: "nowhere", code: error.code };
    if (isQuestionGone(failure, record.turn())) return "deleted";
    const said = await sayElsewhere({ ...turn, shownIn: turn.conversation }, unshown(ending, error, app), {
      ...site,
      log: app.log,
    });
    return { said, code: error.code };
  }

  async function showWhole(of: Ending, { clock, settings }: BridgeApp) {
    const { hasOtherAgents, votes } = of;
    const options = { ...shownWith(turn, settings.sourceOldMs), hasOtherAgents, votes };
    const signal = endingSignal(of.living);
    try {
      await replyOf(of.living).finish(turnDocument(view, clock.now(), options), signal);
      return "whole";
    } catch (failure) {
      if (!signal.aborted) throw failure;
      const by = interruptionOf(signal).kind;
      if (by === "stop") return cutShort(of, app);
      return by;
    }
  }
}

/** What is said instead. An answer goes to the asker, where nobody else reads it. */
function unshown({ living, view }: Ending, error: ParleyError, { clock, settings }: BridgeApp) {
  const turn = living.record.turn();
  const documents = { outside: errorDocument(error, turn.ref), direct: unshownDocument(turn, error) };
  if (view.state !== "answered") return documents;
  // Nothing can be pressed there, so the table is shown with all its rows.
  const end = turnDocument(view, clock.now(), { ...shownWith(turn, settings.sourceOldMs), shownAs: "table" });
  const outside = errorDocument(
    { what: errorText(error).what, hint: "The answer was sent privately to the person who asked." },
    turn.ref,
  );
  return { ...documents, answer: { direct: sentDocument(turn, error, end), outside } };
}

/** An end without an answer is a single sentence and is shown in full. */
async function cutShort(ending: Ending, app: BridgeApp): Promise<"whole" | "cut" | "left" | "drain" | "deleted"> {
  const { living, view } = ending;
  const { record } = living;
  const reply = replyOf(living);
  // The instance that received the Stop has stored who pressed it.
  await record.refresh(1_500).catch(() => undefined);
  if (record.turn().isWithdrawn === true) return "deleted";
  const signal = endingSignal(living);
  const nowMs = app.clock.now();
  const options = shownWith(record.turn(), app.settings.sourceOldMs);
  const whole = turnDocument(view, nowMs, options);
  try {
    if (view.state !== "answered") await reply.finish(whole, signal);
    else return await reply.cutShort(whole, cutShortDocument(view, options), signal);
    return "whole";
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const by = interruptionOf(signal).kind;
    return by === "left" || by === "drain" ? by : cutShort(ending, app);
  }
}

/** A fresh signal for showing the end. Aborts with an Interruption. */
function endingSignal({ control, record }: Living): AbortSignal {
  control.renew(true);
  if (record.isTaken()) control.interrupt({ kind: "left" });
  return control.signal();
}

/** What a picture of the end shows besides the view. */
export function shownWith(turn: Turn, sourceOldMs: number) {
  const { stopRequestedBy, topic, shownAs } = turn;
  const isUnasked = isOverheard(turn) ? (true as const) : undefined;
  const isInTopic = topic === undefined ? undefined : (true as const);
  return { stoppedBy: stopRequestedBy, isInTopic, isUnasked, sourceOldMs, shownAs };
}

function entryOf(turn: Turn, view: TurnView) {
  const table = view.answerTable;
  const rows = table?.rows.slice(0, 20).map((row) => row.join(" | ")) ?? [];
  const text = view.answer ?? "";
  const answer =
    table === undefined ? text : [text, table.columns.join(" | "), ...rows].filter((line) => line !== "").join("\n");
  return { turnId: turn.id, question: withContext(turn.context ?? "", turn.question), answer };
}

function outcomeOf(view: TurnView): EndState {
  return view.state === "answered" || view.state === "stopped" ? view.state : "failed";
}

/** It leaves no history either: the next question there begins anew. "left": another instance has continued it. */
async function endUnseen(
  record: TurnRecord,
  view: TurnView,
  startedAtMs: number,
  { log, metrics, clock, unasked }: BridgeApp,
  /** Why a good answer isn't shown: a schedule's is the same as the last one, or there were too many unasked ones. */
  because?: "unchanged" | "limit",
): Promise<"ended" | "left"> {
  const { id: turnId, ref } = record.turn();
  const state = view.state === "answered" || view.state === "stopped" ? view.state : "failed";
  const why = because ?? (state === "answered" ? (view.grade === "unsure" ? "unsure" : "nothing") : "failed");
  const ended = {
    ...clearedAtEnd,
    outcome: view,
    notAnswered: state === "stopped" ? undefined : why,
    endedAtMs: view.endedAtMs ?? clock.now(),
  } as const;
  if ((await record.move(state, ended)) === "refused") return "left";
  const turn = record.turn();
  if (isOverheard(turn) && state !== "stopped") {
    const noting =
      turn.askedIn.thread === undefined
        ? unasked.noteQuiet(turn.conversation)
        : unasked.count(turn.conversation, "quiet");
    await noting.catch((err: unknown) => log.info({ err, turnId }, "A question that was overheard was not counted"));
  }
  const outcome = state === "stopped" ? "stopped" : "not_answered";
  log.info({ turnId, ref, outcome, why, steps: view.steps.length, code: view.error?.code }, "A question ended");
  metrics.turnEnded(outcome, { totalMs: clock.now() - startedAtMs });
  return "ended";
}

/** What must be true of an end besides the time it took. `isNews`: showing it posted a message, which notifies. */
type End = { readonly turn: Turn; readonly view: TurnView; readonly isNews: boolean };

/**
 * Stored before the Turn is recorded as over, under a key of its attempt: after a crash between the two it is stored
 * again, and still posted once. Never rejects, since the answer itself is shown.
 */
async function tellReady({ turn, view, isNews }: End, app: BridgeApp): Promise<void> {
  const { notifyAfterMs } = app.settings;
  const { actor } = turn;
  // A question that is asked again waits from then on.
  const tookMs = (view.endedAtMs ?? app.clock.now()) - (turn.askedAgainAtMs ?? turn.createdAtMs);
  const isLong = notifyAfterMs > 0 && tookMs > notifyAfterMs;
  const isEnd = view.state === "answered" || view.state === "failed";
  if (!isLong || !isEnd || isNews || turn.isPrivate === true || turn.isQuiet === true || actor.isBot) return;
  if (turn.stopRequestedBy !== undefined || app.reach.isDirect(turn.askedIn)) return;
  try {
    await app.notices.post({
      key: `ready/${turn.id}/${turn.attempt}`,
      place: turn.reply.place,
      document: readyDocument(actor, view.state === "answered"),
    });
  } catch (err) {
    app.log.warn({ err, turnId: turn.id, ref: turn.ref }, "The asker was not told that a long answer has ended");
  }
}

/**
 * Ends an attempt that asked no agent; each button asks the Turn again in the same Reply. If the choice can't be shown
 * there, it is announced elsewhere, once: nothing is retried forever.
 */
export async function offerAgents(living: Living, agents: readonly string[], app: BridgeApp): Promise<Ended> {
  const { record, site } = living;
  const reply = replyOf(living);
  const signal = endingSignal(living);
  let unshown: ParleyError | undefined;
  try {
    const offer = await offerOf(record.turn(), agents, app);
    await reply.finish(chooseAgentDocument(record.turn().id, offer.agents, offer.canSet), signal);
  } catch (failure) {
    if (signal.aborted) {
      // Stopped, or edited: the next round reads what was stored with it.
      const by = interruptionOf(signal).kind;
      return by === "stop" ? "restart" : by;
    }
    if (isQuestionGone(failure, record.turn())) return "deleted";
    unshown = new ParleyError("agent_choice", { ...turnSentences.choiceUnshown, cause: failure });
    app.log.warn({ err: failure, turnId: record.turn().id }, "A choice of agents could not be shown in its place");
  }
  const nowMs = app.clock.now();
  const view = failWith(reply.view(), new ParleyError("agent_choice"), nowMs);
  const written = await record.move("failed", { ...clearedAtEnd, outcome: view, endedAtMs: nowMs });
  if (unshown !== undefined && written !== "refused") await tellElsewhere(record.turn(), unshown, site, app);
  return "ended";
}
