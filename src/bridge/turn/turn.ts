/**
 * The Turns of this process, and the machine of each: its states, what each event does, and what is done in each state.
 * Every step is stored before the next one begins, so any instance can continue after this one died: it begins at what
 * is stored, asks again if there was no answer yet, and delivers again if there was. The end is shown before it is
 * recorded as shown, never the other way round.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { traced, tracedLife } from "../../operations/tracing.ts";
import type { BridgeApp } from "../app.ts";
import { currentApproval } from "../approval/approval.ts";
import { awaitDecisions, endIfUnclear } from "../approval/await-decisions.ts";
import { type HeldLane, holdLane, laneOf, takeLane } from "../lane.ts";
import { endWithdrawn } from "../shown/withdrawn.ts";
import { probableAgent } from "./agents.ts";
import { askAgent, interrupted, type ReachedEnd } from "./ask.ts";
import { endTurn, offerAgents } from "./end.ts";
import {
  acquireLastAttempt,
  beginAgain,
  clearedAtEnd,
  createRecord,
  giveUp,
  type Interruption,
  isOverheard,
  isUnseen,
  noteNoDeath,
  type TurnControl,
} from "./record.ts";
import { ensurePlace, type Living, openReply, replyOf } from "./reply.ts";
import { cancelLeftRun } from "./run.ts";
import { stopView, unknownView } from "./view.ts";

export type State =
  /** It was found in the store and may live on another instance: nothing is shown before its lane is free. */
  | { readonly kind: "stored" }
  /** Its Reply needs a place, or begins anew. `unstored`: an end that is known only here. */
  | { readonly kind: "placing"; readonly unstored?: ReachedEnd }
  /** It waits for its lane, and shows its position. */
  | { readonly kind: "queued" }
  /** It holds its lane: what is stored says what comes next. */
  | { readonly kind: "deciding" }
  | { readonly kind: "asking" }
  /** People decide about tool calls. */
  | { readonly kind: "waiting" }
  /** The asker chooses between several agents. */
  | { readonly kind: "offering"; readonly agents: readonly string[] }
  /** `leavesRun`: no run of this process led to that end, but one may still be active. */
  | { readonly kind: "ending"; readonly end: ReachedEnd; readonly leavesRun?: true }
  /** Its question was deleted: what was shown of it goes. */
  | { readonly kind: "removing" }
  /** Showing its end has killed its process too often: the end is recorded, and not shown. */
  | { readonly kind: "abandoning" }
  /** The process is shutting down in the middle of its work. */
  | { readonly kind: "interrupting" }
  | { readonly kind: "over" };

export type Event =
  | { readonly kind: "lane-free" }
  /** Its lane is another one by now: its Reply got a thread. */
  | { readonly kind: "lane-moved" }
  | { readonly kind: "placed"; readonly holdsLane: boolean }
  /** The newest version of its record, read under its lane. */
  | { readonly kind: "read"; readonly turn: Turn; readonly view: TurnView; readonly nowMs: number }
  | { readonly kind: "choice"; readonly agents: readonly string[] }
  | { readonly kind: "approval-needed" }
  | { readonly kind: "approval-decided" }
  | { readonly kind: "reached"; readonly end: ReachedEnd }
  /** Nobody was to see anything of it before this end, which is stored, or else comes with the event. */
  | { readonly kind: "worth-showing"; readonly unstored?: ReachedEnd }
  | { readonly kind: "deleted" }
  /** Its end is shown, and recorded as shown. */
  | { readonly kind: "ended" }
  /** Stop leads to an end that is reached. */
  | Exclude<Interruption, { kind: "stop" }>;

/** What an event does. Pure. */
export function next(state: State, event: Event): State {
  switch (event.kind) {
    case "lane-free":
      return { kind: state.kind === "stored" ? "placing" : "deciding" };
    case "lane-moved":
      return { kind: "stored" };
    case "placed":
      if (state.kind === "placing" && state.unstored !== undefined) return { kind: "ending", end: state.unstored };
      return { kind: event.holdsLane ? "deciding" : "queued" };
    case "read":
      return decide(event);
    case "choice":
      return { kind: "offering", agents: event.agents };
    case "approval-needed":
      return { kind: "waiting" };
    case "approval-decided":
      return { kind: "asking" };
    case "reached":
      return { kind: "ending", end: event.end };
    case "worth-showing":
      return event.unstored === undefined ? { kind: "placing" } : { kind: "placing", unstored: event.unstored };
    case "restart":
      return { kind: "placing" };
    case "deleted":
      return { kind: "removing" };
    case "drain":
      // What waits for people continues to wait.
      return { kind: state.kind === "waiting" ? "over" : "interrupting" };
    case "ended":
    case "left":
      return { kind: "over" };
    default:
      return event satisfies never;
  }
}

/** What is stored decides what comes next, whichever process stored it. */
function decide({ turn, view, nowMs }: Extract<Event, { kind: "read" }>): State {
  const startedAtMs = turn.outcome === undefined ? nowMs : (turn.startedAtMs ?? nowMs);
  const endOf = (end: TurnView): ReachedEnd => ({ view: end, attempt: turn.attempt, startedAtMs });
  if (turn.isWithdrawn === true) return { kind: "removing" };
  const givenUp = giveUp(turn, view, nowMs);
  if (givenUp === "silently") return { kind: "abandoning" };
  if (givenUp !== undefined) return { kind: "ending", end: endOf(givenUp), leavesRun: true };
  const isOfThese = turn.outcomeAttempt === undefined || turn.outcomeAttempt === turn.attempt;
  if (turn.outcome !== undefined && isOfThese) return { kind: "ending", end: endOf(turn.outcome) };
  if (turn.stopRequestedBy !== undefined) {
    return { kind: "ending", end: endOf(stopView(view, nowMs)), leavesRun: true };
  }
  if (isOverheard(turn) && turn.notAnswered === "nothing") {
    return { kind: "ending", end: endOf(unknownView(view, nowMs)) };
  }
  return { kind: currentApproval(turn) === undefined ? "asking" : "waiting" };
}

/** The Turns that live in this process. */
export type Turns = {
  /** Starts the Turn in the background. Idempotent. */
  readonly start: (turn: Turn) => void;
  /** The same for a Turn that may live on another instance, or nowhere. */
  readonly resume: (turn: Pick<Turn, "id" | "ref">) => void;
  readonly has: (turnId: string) => boolean;
  /** Interrupts it on any instance. The caller has already stored what must survive. */
  readonly interrupt: (turnId: string, by: "stop" | "restart") => Promise<void>;
  /** Resolves when no Turn lives here; after `graceMs` the running ones are marked interrupted. */
  readonly drain: (graceMs: number) => Promise<void>;
  readonly counts: () => { readonly waiting: number; readonly running: number };
};

type Life = {
  controller: AbortController;
  isRunning: boolean;
  readonly over: Promise<void>;
};

/** A published message carries what interrupts a Turn to the instance that runs it. */
const topic = "turns";

export function createTurns(app: BridgeApp): Turns {
  const { clock, log, metrics } = app;
  const { coordinator } = app.state;
  const lives = new Map<string, Life>();
  let running = 0;
  let isDraining = false;
  let isGraceOver = false;
  const drained: Interruption = { kind: "drain" };

  coordinator.subscribe(topic, (message) => {
    const { turnId, kind } = JSON.parse(message) as { turnId: string; kind: "stop" | "restart" };
    lives.get(turnId)?.controller.abort({ kind } satisfies Interruption);
  });

  const counts = () => ({ waiting: lives.size - running, running });

  function setRunning(life: Life, isRunning: boolean): void {
    if (life.isRunning !== isRunning) running += isRunning ? 1 : -1;
    life.isRunning = isRunning;
    metrics.turnsNow(counts());
  }

  // Holds only what names the Turn: its text can be long.
  function start({ id, ref }: Pick<Turn, "id" | "ref">, isRecovered: boolean): void {
    // While draining, new questions are journaled, and run after the restart.
    if (isDraining) return;
    const before = lives.get(id);
    if (before !== undefined) {
      // Asked again between its shown end and the end of its life here.
      void before.over.then(() => start({ id, ref }, isRecovered));
      return;
    }
    const control: TurnControl = {
      signal: () => life.controller.signal,
      renew: (isForEnd = false) => {
        life.controller = new AbortController();
        if (isForEnd ? isGraceOver : isDraining) life.controller.abort(drained);
      },
      interrupt: (by) => life.controller.abort(by),
      onWaiting: () => {
        setRunning(life, false);
        if (isDraining) life.controller.abort(drained);
      },
      onRunning: () => setRunning(life, true),
    };
    const over = Promise.resolve()
      .then(() => liveTurn(id, isRecovered, control, app))
      .catch((err: unknown) => log.error({ err, turnId: id, ref }, "A question failed unexpectedly"))
      .finally(() => {
        lives.delete(id);
        setRunning(life, false);
      });
    const life: Life = { controller: new AbortController(), isRunning: false, over };
    lives.set(id, life);
    metrics.turnsNow(counts());
  }

  return {
    start: (turn) => start(turn, false),
    resume: (turn) => {
      if (!lives.has(turn.id)) start(turn, true);
    },
    has: (turnId) => lives.has(turnId),
    interrupt: (turnId, kind) => coordinator.publish(topic, JSON.stringify({ turnId, kind })),
    drain: async (graceMs) => {
      isDraining = true;
      for (const life of lives.values()) {
        // A Turn that waits in line would not end in time anyway; it is journaled.
        if (!life.isRunning) life.controller.abort(drained);
      }
      const cancel = clock.after(graceMs, () => {
        isGraceOver = true;
        for (const life of lives.values()) life.controller.abort(drained);
      });
      await Promise.all([...lives.values()].map((life) => life.over));
      cancel();
    },
    counts,
  };
}

/** A lease is renewed, and found to be lost, at least this often. */
const lossNoticedWithinMs = 5_000;

/** `isRecovered`: it was found in the store. */
async function liveTurn(id: string, isRecovered: boolean, control: TurnControl, app: BridgeApp): Promise<void> {
  const turn = await app.state.turns.get(id);
  if (turn === undefined) return;
  if (!unfinishedTurnStates.includes(turn.state)) {
    // It has ended since it was found, and the place that was kept for it would hold up what comes after it.
    await app.state.coordinator.lanes.remove(laneOf(turn), id);
    return;
  }
  const site = app.sites.get(turn.conversation.platform);
  if (site === undefined) return;
  const record = createRecord(turn, control, app);
  const living: Living = { record, control, site, isRecovered, lane: laneOf(turn) };
  await tracedLife(turn, !isRecovered && turn.attempt === 1, () => live(living, app));
}

/** Resolves with the Turn as it is then. */
async function live(living: Living, app: BridgeApp): Promise<Turn> {
  const { record, isRecovered } = living;
  const { id, ref } = record.turn();
  let state: State = { kind: isRecovered ? "stored" : "placing" };
  let hasLeft = false;
  try {
    while (state.kind !== "over") {
      const now = state;
      const acting = () => traced(`parley.turn.${now.kind}`, () => act(now, living, app));
      const event: Event = record.isTaken() ? { kind: "left" } : await acting();
      hasLeft = event.kind === "left";
      state = next(state, event);
    }
  } catch (failure) {
    // The stored Turn stays unfinished, so it is resumed later; the reason must be in the log.
    app.log.error({ err: failure, turnId: id, ref }, "A question could not be finished; it will be resumed");
    if (!isRecovered || living.held !== undefined) await noteNoDeath(record, failure);
    await app.state.coordinator.lanes.remove(living.lane, id).catch(() => undefined);
  } finally {
    const overAtMs = app.clock.now();
    await living.reply?.close();
    await living.lastAttempt?.release();
    await living.held?.release();
    app.tidying?.begin(record.turn());
    // Another instance may have shown the end before the last write was over. A refused write can be the first sign.
    const lostAtMs = Math.min(living.held?.lostAtMs() ?? overAtMs, overAtMs) - lossNoticedWithinMs;
    const isLate = (living.reply?.writtenAtMs() ?? Number.NEGATIVE_INFINITY) >= lostAtMs;
    if ((record.isTaken() || hasLeft) && isLate) app.overwritten(id);
  }
  return record.turn();
}

/** Does what the state asks for, and says what came of it. */
async function act(state: Exclude<State, { kind: "over" }>, living: Living, app: BridgeApp): Promise<Event> {
  switch (state.kind) {
    case "stored":
      return takeOver(living, app);
    case "placing":
      return place(living, state.unstored, app);
    case "queued":
      return waitInLine(living, app);
    case "deciding":
      return read(living, app);
    case "asking":
      return askAgent(living, app);
    case "waiting":
      return waitForPeople(living, app);
    case "offering":
      return { kind: await offerAgents(living, state.agents, app) };
    case "ending":
      if (state.leavesRun === true) cancelLeftRun(living.record.turn(), app);
      return endTurn(living, state.end, app);
    case "removing":
      return remove(living, app);
    case "abandoning":
      return abandon(living, app);
    case "interrupting":
      return interrupt(living, app);
    default:
      return state satisfies never;
  }
}

/** The lanes of a dead process become free at the same moment; its questions are read one after the other. */
async function takeOver(living: Living, app: BridgeApp): Promise<Event> {
  const { record, control } = living;
  const lease = await takeLane(record.turn(), control, undefined, app);
  if (lease === undefined) return { kind: "left" };
  let held: HeldLane | undefined;
  try {
    await nextTurn();
    const turn = await record.refresh(1_500);
    if (turn === undefined) return { kind: "left" };
    // Its holder may have opened a thread for it meanwhile; then this waits for the lane of that Conversation.
    const lane = laneOf(turn);
    if (lane !== living.lane) {
      living.lane = lane;
      return { kind: "lane-moved" };
    }
    // What its holder has written meanwhile may carry a higher one.
    record.fence(turn.fence);
    held = holdLane(lease, record, app);
    living.held = held;
  } finally {
    if (held === undefined) await lease.release();
  }
  const begun = await beginAgain(record, control, app.state.coordinator);
  if (begun === undefined) return { kind: "left" };
  living.lastAttempt = begun.lease;
  return { kind: "lane-free" };
}

/** A question to nobody in particular may have become one to Parley by an edit: then it needs a place first. */
async function place(living: Living, unstored: ReachedEnd | undefined, app: BridgeApp): Promise<Event> {
  const { record, control, site, reply } = living;
  if (reply !== undefined) {
    control.renew();
    // What is stored lacks that end.
    if (unstored === undefined && (await record.refresh()) === undefined) return { kind: "left" };
  } else if (control.signal().aborted) await record.refresh(1_500).catch(() => undefined);
  const turn = record.turn();
  if (turn.isWithdrawn === true) return { kind: "deleted" };
  if (reply !== undefined && (living.isUnplaced !== true || isUnseen(turn))) {
    reply.reset(turn);
    return { kind: "placed", holdsLane: true };
  }
  await reply?.close();
  living.isUnplaced = isUnseen(turn);
  if (!(await ensurePlace(living, app))) return { kind: "left" };
  const agent = await probableAgent(record.turn(), site, app);
  living.reply = openReply(living, agent, app);
  // An end that is stored already doesn't wait in another line.
  const isMoved = laneOf(record.turn()) !== living.lane && record.turn().outcome === undefined;
  living.lane = laneOf(record.turn());
  if (living.held === undefined || isMoved) return { kind: "placed", holdsLane: false };
  control.onRunning();
  return { kind: "placed", holdsLane: true };
}

async function waitInLine(living: Living, app: BridgeApp): Promise<Event> {
  const { record, control } = living;
  const reply = replyOf(living);
  const isLastAttempt = living.lastAttempt !== undefined;
  await record.mark(false);
  if (record.isTaken()) return { kind: "left" };
  // The holder of that lane may be waiting for the last-attempt lease that this Turn holds.
  await living.lastAttempt?.release();
  await living.held?.release();
  const lease = await takeLane(
    record.turn(),
    control,
    (placeInLine) => reply.show({ ...reply.view(), state: "queued", placeInLine }),
    app,
  );
  if (lease === undefined) return { kind: "left" };
  living.held = holdLane(lease, record, app);
  if (isLastAttempt) {
    const again = await acquireLastAttempt(control, app.state.coordinator);
    if (again === undefined) return { kind: "left" };
    living.lastAttempt = again.lease;
  }
  await record.mark(true);
  control.onRunning();
  return { kind: "lane-free" };
}

async function read(living: Living, { clock }: BridgeApp): Promise<Event> {
  const turn = await living.record.refresh();
  if (turn === undefined) return { kind: "left" };
  return { kind: "read", turn, view: replyOf(living).view(), nowMs: clock.now() };
}

/** What it asks for is stored: if a process dies now, this question didn't end it. */
async function waitForPeople(living: Living, app: BridgeApp): Promise<Event> {
  const about = { attempt: living.record.turn().attempt, startedAtMs: app.clock.now() };
  const unclear = await endIfUnclear(living, app);
  if (unclear !== undefined) return { kind: "reached", end: { ...about, view: unclear } };
  await living.lastAttempt?.release();
  living.lastAttempt = undefined;
  const decided = await awaitDecisions(living, app);
  return decided.kind === "decided" ? { kind: "approval-decided" } : interrupted(living, about, decided, app);
}

async function remove(living: Living, app: BridgeApp): Promise<Event> {
  await living.reply?.close();
  cancelLeftRun(living.record.turn(), app);
  return { kind: await endWithdrawn(living, app) };
}

async function abandon({ record }: Living, { clock, log }: BridgeApp): Promise<Event> {
  const { id: turnId, ref } = record.turn();
  log.error({ turnId, ref }, "Gave up showing a result: processes died while showing it");
  await record.move("failed", { ...clearedAtEnd, endedAtMs: clock.now() });
  return { kind: "left" };
}

/** Stored, so that the next process continues. */
async function interrupt({ record }: Living, { clock, metrics }: BridgeApp): Promise<Event> {
  const { startedAtMs, createdAtMs } = record.turn();
  await record.move("interrupted", { isUnderWay: false });
  metrics.turnEnded("interrupted", { totalMs: clock.now() - (startedAtMs ?? createdAtMs) });
  return { kind: "left" };
}
