/**
 * The life of one Turn in this process, stage by stage: lane, run, end. Every step is stored before the next one begins,
 * so that any instance can continue after this one died: it asks again if there was no answer yet, and delivers again if
 * there was. The end is shown before it is recorded as shown, never the other way round.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import type { BridgeApp } from "../app.ts";
import { currentApproval } from "../approval/approval-view.ts";
import { awaitDecisions, storeApproval } from "../approval/await-decisions.ts";
import { endIfUnclear } from "../approval/continue.ts";
import { graded } from "../graded.ts";
import { holdLane, laneOf, takeCurrentLane, takeLane } from "../lane.ts";
import { cancelLeftRun } from "../runs/run-handle.ts";
import { openReply } from "../shown/turn-picture.ts";
import { removeShown } from "../shown/withdrawn.ts";
import { offerAgents } from "./agent-choice.ts";
import { type Life, over, type Stage } from "./life-stages.ts";
import { endUnseen, isOverheard, isUnseen } from "./quiet-end.ts";
import { acquireLastAttempt, beginAgain, giveUp, markUnderWay, markWaiting, undoResumption } from "./resumption.ts";
import { probableAgent } from "./turn-access.ts";
import { type Asked, attempt } from "./turn-attempt.ts";
import { endTurn, type ReachedEnd } from "./turn-end.ts";
import { ensurePlace } from "./turn-place.ts";
import { clearedAtEnd, createRecord, type TurnRecord } from "./turn-record.ts";
import type { Interruption, TurnControl, TurnWork } from "./turn-work.ts";
import { initialView, stopView, unknownView } from "./view.ts";

/** `isRecovered`: it was found in the store. */
export async function liveTurn(id: string, isRecovered: boolean, control: TurnControl, app: BridgeApp): Promise<void> {
  const life = await beginLife(id, isRecovered, control, app);
  if (life === undefined) return;
  const { ref } = life;
  try {
    while (life.stage.kind !== "over") life.stage = await nextStage(life, life.stage, app);
  } catch (failure) {
    // The stored Turn stays unfinished, so it is resumed later; the reason must be in the log.
    app.log.error({ err: failure, turnId: id, ref }, "A question could not be finished; it will be resumed");
    if (life.record !== undefined) await undoResumption(life.record, life.resumptions, failure);
    await app.state.coordinator.lanes.remove(life.lane, id).catch(() => undefined);
  } finally {
    await life.writer?.close();
    await life.lastAttempt?.release();
    await life.held?.release();
    app.tidying?.begin(id);
    if (life.record?.isTaken() === true) app.overwritten(id);
  }
}

async function nextStage(life: Life, stage: Stage, app: BridgeApp): Promise<Stage> {
  switch (stage.kind) {
    case "found":
      return takeOver(life, stage.turn, app);
    case "placing":
      return place(life, stage.record, app);
    case "in-line":
      return waitInLine(life, stage.work, app);
    case "deciding":
      return decide(stage.work, stage.isRead, app);
    case "asking":
      return ask(stage.work, app);
    case "waiting":
      return waitForPeople(life, stage.work, app);
    case "offering":
      return after(life, stage.work, await offerAgents(stage.work, stage.agents, app), app);
    case "ending":
      return end(life, stage.work, stage.end, app);
    case "restarting":
      return restart(life, stage.work, app);
    case "over":
      return stage;
    default:
      return stage satisfies never;
  }
}

async function beginLife(
  id: string,
  isRecovered: boolean,
  control: TurnControl,
  app: BridgeApp,
): Promise<Life | undefined> {
  const turn = await app.state.turns.get(id);
  if (turn === undefined || !unfinishedTurnStates.includes(turn.state)) return undefined;
  const site = app.sites.get(turn.conversation.platform);
  if (site === undefined) return undefined;
  const { ref, resumptions } = turn;
  const about = { id, ref, site, control, isRecovered, lane: laneOf(turn) };
  if (isRecovered) return { ...about, resumptions, stage: { kind: "found", turn } };
  const record = createRecord(turn, app);
  return { ...about, resumptions: undefined, record, stage: { kind: "placing", record } };
}

async function readRecord(id: string, app: BridgeApp): Promise<TurnRecord | undefined> {
  const turn = await app.state.turns.get(id);
  if (turn === undefined || !unfinishedTurnStates.includes(turn.state)) return undefined;
  return createRecord(turn, app);
}

async function takeOver(life: Life, turn: Turn, app: BridgeApp): Promise<Stage> {
  const { id, control } = life;
  const lease = await takeCurrentLane(turn, control, app);
  if (lease === undefined) return over;
  life.held = { release: () => lease.release(), mayShow: () => false };
  // The lanes of a dead process become free at the same moment; read its questions one after the other.
  await nextTurn();
  const record = await readRecord(id, app);
  if (record === undefined) return over;
  life.record = record;
  life.held = holdLane(lease, record, app);
  const begun = await beginAgain(record, control, app.state.coordinator);
  if (begun === undefined) return over;
  life.lastAttempt = begun.lease;
  life.lane = laneOf(record.turn());
  return { kind: "placing", record };
}

async function place(life: Life, record: TurnRecord, app: BridgeApp): Promise<Stage> {
  const { site, control, isRecovered } = life;
  if (control.signal().aborted) await record.refresh(1_500).catch(() => undefined);
  if (record.turn().isWithdrawn === true) return endWithdrawn(life, record, app);
  life.isUnplaced = isUnseen(record.turn());
  if (!(await ensurePlace(record, site, app))) return over;
  const agent = await probableAgent(record.turn(), site, app);
  const mayShow = () => life.held?.mayShow() ?? true;
  const { approvers } = app.settings;
  const reply = openReply(record, site, { isRecovered, mayShow, agent, tidying: app.tidying, approvers }, app.clock);
  const work = { record, control, site, ...reply };
  life.writer = reply.writer;
  const isMoved = laneOf(record.turn()) !== life.lane;
  life.lane = laneOf(record.turn());
  if (life.held === undefined || isMoved) return { kind: "in-line", work };
  control.onRunning();
  // What was written under the lane is the newest version.
  return { kind: "deciding", work, isRead: true };
}

/** Its question was deleted. What was shown goes first: a process that dies in between is followed by one that does it. */
async function endWithdrawn(life: Life, record: TurnRecord, app: BridgeApp): Promise<Stage> {
  await life.writer?.close();
  const turn = record.turn();
  cancelLeftRun(turn, app);
  await removeShown(turn, life.site, app);
  const nowMs = app.clock.now();
  const view = stopView(initialView({ id: turn.id, ref: turn.ref, question: turn.question, agent: "" }), nowMs);
  const moved = await record.move("stopped", { ...clearedAtEnd, outcome: view, endedAtMs: nowMs });
  if (moved === "refused") return over;
  await app.state.coordinator.lanes.remove(life.lane, turn.id).catch(() => undefined);
  app.log.info({ turnId: turn.id, ref: turn.ref, outcome: "stopped" }, "A question was deleted before its end");
  app.metrics.turnEnded("stopped", { totalMs: nowMs - turn.createdAtMs });
  return over;
}

/** A question to nobody in particular may have become one to Parley by the edit: then it needs a place first. */
async function restart(life: Life, work: TurnWork, app: BridgeApp): Promise<Stage> {
  const { control, picture, record } = work;
  control.renew();
  if (life.isUnplaced === true) {
    const turn = await record.refresh();
    if (turn === undefined) return over;
    if (!isUnseen(turn)) {
      await life.writer?.close();
      return place(life, record, app);
    }
  }
  picture.reset(record.turn());
  return { kind: "deciding", work, isRead: false };
}

async function waitInLine(life: Life, work: TurnWork, app: BridgeApp): Promise<Stage> {
  const { record, control, picture } = work;
  const isLastAttempt = life.lastAttempt !== undefined;
  await markWaiting(record);
  // The holder of that lane may be waiting for the last-attempt lease that this Turn holds.
  await life.lastAttempt?.release();
  await life.held?.release();
  const lease = await takeLane(record.turn(), control, picture, app);
  if (lease === undefined) return over;
  life.held = holdLane(lease, record, app);
  if (isLastAttempt) {
    const again = await acquireLastAttempt(control, app.state.coordinator);
    if (again === undefined) return over;
    life.lastAttempt = again.lease;
  }
  await markUnderWay(record);
  control.onRunning();
  return { kind: "deciding", work, isRead: false };
}

async function decide(work: TurnWork, isRead: boolean, app: BridgeApp): Promise<Stage> {
  const { record, picture } = work;
  const turn = isRead ? record.turn() : await record.refresh();
  if (turn === undefined) return over;
  const about = { turnId: turn.id, ref: turn.ref };
  const nowMs = app.clock.now();
  const ending = (view: TurnView): Stage => {
    return { kind: "ending", work, end: { view, attempt: turn.attempt, startedAtMs: nowMs } };
  };
  const givenUp = giveUp(turn, picture.view(), nowMs);
  if (givenUp === "silently") {
    app.log.error(about, "Gave up showing a result: processes died while showing it");
    await record.move("failed", { ...clearedAtEnd, endedAtMs: nowMs });
    return over;
  }
  if (givenUp !== undefined) {
    app.log.error(about, "Gave up a question: processes died while working on it");
    cancelLeftRun(turn, app);
    return ending(givenUp);
  }
  const isOfThese = turn.outcomeAttempt === undefined || turn.outcomeAttempt === turn.attempt;
  if (turn.outcome !== undefined && isOfThese) return ending(turn.outcome);
  if (turn.stopRequestedBy !== undefined) {
    cancelLeftRun(turn, app);
    return ending(stopView(picture.view(), nowMs));
  }
  if (isOverheard(turn) && turn.notAnswered === "nothing") return ending(unknownView(picture.view(), nowMs));
  const unclear = await endIfUnclear(work, app);
  if (unclear !== undefined) return ending(unclear);
  return { kind: currentApproval(turn) === undefined ? "asking" : "waiting", work };
}

/** What it asks for is stored: if a process dies now, this question didn't end it. */
async function waitForPeople(life: Life, work: TurnWork, app: BridgeApp): Promise<Stage> {
  await life.lastAttempt?.release();
  life.lastAttempt = undefined;
  const decided = await awaitDecisions(work, app);
  if (decided.kind === "decided") return { kind: "asking", work };
  const { attempt } = work.record.turn();
  return afterInterruption(work, decided, { attempt, startedAtMs: app.clock.now() }, app);
}

async function ask(work: TurnWork, app: BridgeApp): Promise<Stage> {
  const { record } = work;
  const tried = await attempt(work, app);
  if (tried.kind === "choose") return { kind: "offering", work, agents: tried.agents };
  const done = tried.kind === "asks" ? await storeApproval(work, tried, app) : tried;
  if (done.kind === "waiting") return { kind: "waiting", work };
  const newest = await record.refresh(1_500).catch(() => undefined);
  if (done.kind === "interrupted") return afterInterruption(work, done.by, done, app);
  const isStale = newest !== undefined && newest.attempt !== done.attempt;
  return isStale ? { kind: "restarting", work } : { kind: "ending", work, end: done };
}

async function afterInterruption(work: TurnWork, by: Interruption, about: Asked, app: BridgeApp): Promise<Stage> {
  const { record, picture } = work;
  const { clock, metrics } = app;
  switch (by.kind) {
    case "restart":
      return { kind: "restarting", work };
    case "taken":
      return over;
    case "drain":
      // What waits for people continues to wait.
      if (record.turn().state === "waiting") return over;
      await record.move("interrupted", { isUnderWay: false });
      metrics.turnEnded("interrupted", { totalMs: clock.now() - about.startedAtMs });
      return over;
    case "stop":
      return { kind: "ending", work, end: { ...about, view: stopView(picture.view(), clock.now()) } };
    default:
      return by satisfies never;
  }
}

/** What nobody saw until now needs a place before its end is shown. The end is stored first: it isn't asked again. */
async function end(life: Life, work: TurnWork, ungraded: ReachedEnd, app: BridgeApp): Promise<Stage> {
  const { record, site } = work;
  if (record.turn().isWithdrawn === true) return endWithdrawn(life, record, app);
  const { isQuiet, scheduleId, question, agent } = record.turn();
  const overheard = isOverheard(record.turn()) ? { overheard: question } : {};
  const known = { knows: ungraded.hasKnowledge, ...overheard };
  const reached = { ...ungraded, view: await graded(ungraded.view, agent, app, known) };
  const { view, attempt } = reached;
  const isScheduled = isQuiet === true && scheduleId !== undefined;
  if (isScheduled && !(await (app.isNews?.(record.turn(), view) ?? true))) {
    return after(life, work, await endUnseen(record, view, reached.startedAtMs, app, "unchanged"), app);
  }
  if (!isScheduled && (isQuiet !== true || view.grade !== "sure")) {
    return after(life, work, await endTurn(work, reached, app), app);
  }
  if (!isScheduled && !(await mayPost(record.turn(), app))) {
    return after(life, work, await endUnseen(record, view, reached.startedAtMs, app, "limit"), app);
  }
  // What a schedule found is shown like any other answer from here on.
  const shownFrom = isScheduled ? { isQuiet: undefined } : {};
  const ended = { ...shownFrom, outcome: view, outcomeAttempt: attempt, isUnderWay: true };
  const stored = await record.move("running", ended, 2_000);
  if (stored === "refused" || !(await ensurePlace(record, site, app))) return over;
  await life.writer?.close();
  const { isRecovered } = life;
  const { approvers } = app.settings;
  const mayShow = () => life.held?.mayShow() ?? true;
  const reply = openReply(record, site, { isRecovered, mayShow, approvers }, app.clock);
  life.writer = reply.writer;
  const shown = { ...work, ...reply };
  return after(life, shown, await endTurn(shown, reached, app), app);
}

/** A store that is away keeps nobody from an answer. */
async function mayPost(turn: Turn, { unasked, log }: BridgeApp): Promise<boolean> {
  return unasked.mayPost(turn).catch((err: unknown) => {
    log.info({ err, turnId: turn.id }, "Unasked answers could not be counted");
    return true;
  });
}

/** "left": another instance, or the next process, shows the end. */
function after(
  life: Life,
  work: TurnWork,
  how: "over" | "again" | "left" | "withdrawn",
  app: BridgeApp,
): Stage | Promise<Stage> {
  if (how === "withdrawn") return endWithdrawn(life, work.record, app);
  if (how === "again") return { kind: "restarting", work };
  return over;
}
