/**
 * Ends a Turn: stores, remembers and shows its outcome, then records it as shown. If the process dies in between,
 * another one continues there.
 */

import type { VoteCounts } from "../../core/content/voting.ts";
import { type ParleyError, toParleyError } from "../../core/errors.ts";
import { historyOf, type Source, type Turn, type TurnView } from "../../core/model/turn.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { type SaidElsewhere, sayElsewhere } from "../../delivery/say-elsewhere.ts";
import {
  cutShortDocument,
  errorDocument,
  sentDocument,
  turnDocument,
  unshownDocument,
} from "../../presentation/drawing.ts";
import { errorText } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { withContext } from "../conversation/context.ts";
import { withEntry, withoutEntry } from "../conversation/history.ts";
import { dropThread, withThread } from "../conversation/service-threads.ts";
import { hasOthers } from "./other-agents.ts";
import { endUnseen, isOverheard } from "./quiet-end.ts";
import { tellReady } from "./ready.ts";
import { withAccess } from "./turn-access.ts";
import type { Asked } from "./turn-attempt.ts";
import { clearedAtEnd, storePatienceMs, type TurnRecord } from "./turn-record.ts";
import { endingSignal, type Interruption, interruptionOf, type TurnWork } from "./turn-work.ts";

/** An end to show: of an attempt, or one that is stored already. */
export type ReachedEnd = Asked & { readonly view: TurnView };

type Ending = TurnWork &
  Pick<ReachedEnd, "view"> & { readonly hasOtherAgents: boolean; readonly votes: VoteCounts | undefined };

/** The end was not shown where it was asked: where it was said instead, and why. */
type Unshown = { readonly said: SaidElsewhere; readonly code: string };

/** Long enough for a store that is well; if they are not there by then, they follow with the next vote. */
const votesWithinMs = 300;

type EndState = "answered" | "failed" | "stopped";

/**
 * Stores the outcome and writes the history (in parallel: both are idempotent), shows the end, records it. Each step is
 * repeatable. "again": the question was edited while its answer was being posted; "left": the next instance that takes
 * over shows it.
 */
export async function endTurn(
  work: TurnWork,
  reached: ReachedEnd,
  app: BridgeApp,
): Promise<"over" | "again" | "left" | "withdrawn"> {
  const { record } = work;
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
  // A new end can be shown as often as the question could be asked.
  const isNew = turn.outcome !== view;
  // Stored with it: after a crash, what this process showed of the end is among the Reply's messages.
  const shownBefore = isNew ? messagesOf(turn) : (turn.shownBefore ?? messagesOf(turn));
  const outcome = { outcome: view, outcomeAttempt: reached.attempt, shownBefore, ...thread };
  // What was looked up before access was lost no longer holds.
  const known = allowed === reached.view ? reached.hasOthers : undefined;
  const others = view.state === "stopped" ? false : (known ?? hasOthers(turn, app));
  const votes = votesOn(turn, app);
  const [stored, isRemembered] = await Promise.all([
    record.move("running", { ...outcome, isUnderWay: true, ...(isNew ? { resumptions: undefined } : {}) }, 2_000),
    updateHistory().then(
      () => true,
      () => false,
    ),
    noteAnswer(turn, view, app),
  ]);
  if (stored === "refused") return "left";
  const shown = await show({ ...work, view, hasOtherAgents: await others, votes: await votes }, app);
  if (shown === "again") await record.move("running", { outcome: undefined, shownBefore: undefined });
  if (shown === "again" || shown === "left" || shown === "withdrawn") return shown;
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
  if (record.turn().isWithdrawn === true) return "withdrawn";
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
  return "over";
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
export function isQuestionGone(failure: unknown, turn: Turn): boolean {
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
async function show(
  ending: Ending,
  app: BridgeApp,
): Promise<"whole" | "cut" | "again" | "left" | "withdrawn" | Unshown> {
  const { record, view, writer, control, site } = ending;
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
    if (isQuestionGone(failure, record.turn())) return "withdrawn";
    const said = await sayElsewhere({ ...turn, shownIn: turn.conversation }, unshown(ending, error, app), {
      ...site,
      log: app.log,
    });
    return { said, code: error.code };
  }

  async function showWhole(of: Ending, { clock, settings }: BridgeApp) {
    const { hasOtherAgents, votes } = of;
    const options = { ...shownWith(turn, settings.sourceOldMs), hasOtherAgents, votes };
    const signal = endingSignal(ending);
    try {
      await writer.finish(turnDocument(view, clock.now(), options), signal);
      return "whole";
    } catch (failure) {
      if (!signal.aborted) throw failure;
      const kind = await interruption(record, signal);
      if (kind === "stop") return cutShort(of, app);
      return kind === "restart" ? "again" : "left";
    }
  }
}

/** What is said instead. An answer goes to the asker, where nobody else reads it. */
function unshown({ record, view }: Ending, error: ParleyError, { clock, settings }: BridgeApp) {
  const turn = record.turn();
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
async function cutShort(ending: Ending, app: BridgeApp): Promise<"whole" | "cut" | "left" | "withdrawn"> {
  const { record, view, writer } = ending;
  // The instance that received the Stop has stored who pressed it.
  await record.refresh(1_500).catch(() => undefined);
  if (record.turn().isWithdrawn === true) return "withdrawn";
  const signal = endingSignal(ending);
  const nowMs = app.clock.now();
  const options = shownWith(record.turn(), app.settings.sourceOldMs);
  const whole = turnDocument(view, nowMs, options);
  try {
    if (view.state !== "answered") await writer.finish(whole, signal);
    else return await writer.cutShort(whole, cutShortDocument(view, options), signal);
    return "whole";
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const kind = await interruption(record, signal);
    return kind === "stop" || kind === "restart" ? cutShort(ending, app) : "left";
  }
}

/** A shutdown is stored, so that the next process continues. */
export async function interruption(record: TurnRecord, signal: AbortSignal): Promise<Interruption["kind"]> {
  const { kind } = interruptionOf(signal);
  if (kind === "drain") await record.move("interrupted", { isUnderWay: false });
  return kind;
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
