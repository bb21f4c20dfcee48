/**
 * The life of one Turn in this process: lane, run, end. Every step is stored before the next one begins, so that any
 * instance can continue after this one died: it asks again if there was no answer yet, and delivers again if there was.
 * The end is shown before it is recorded as shown, never the other way round.
 */

import type { ReplyWriter, Site } from "../../ports/delivery.ts";
import type { Turn, TurnView } from "../../ports/model/turn.ts";
import { type Lease, type TurnOutline, unfinishedTurnStates } from "../../ports/state.ts";
import { present } from "../../ports/tools/present.ts";
import { withAccess } from "../access/turn-access.ts";
import { removeOutageNotice } from "../intake/outage-notice.ts";
import { type HeldLane, holdLane, laneOf, takeCurrentLane, takeLane } from "../lane.ts";
import { offerAgents } from "./agent-offer.ts";
import { acquireLastAttempt, beginAgain, giveUp, markUnderWay, markWaiting, undoResumption } from "./resumption.ts";
import { type AttemptEnd, attempt, type TurnWork } from "./turn-attempt.ts";
import type { TurnControl, TurnDeps } from "./turn-deps.ts";
import { endTurn } from "./turn-end.ts";
import { createPicture, type Picture } from "./turn-picture.ts";
import { ensurePlace } from "./turn-place.ts";
import { clearedAtEnd, createRecord, type TurnRecord } from "./turn-record.ts";
import { stopView } from "./turn-view.ts";

/**
 * `isRecovered`: it was found in the store and may live on another instance. Nothing is shown before its lane is free,
 * that is, before its previous holder has ended or died.
 */
export async function liveTurn(
  turnId: string,
  isRecovered: boolean,
  control: TurnControl,
  deps: TurnDeps,
): Promise<void> {
  const found = await find(turnId, isRecovered, deps);
  if (found === undefined) return;
  const { ref, site } = found;
  const resumptions = found.waiting?.resumptions;
  let { record, lane } = found;
  let lease: Lease | undefined;
  let held: HeldLane | undefined;
  let lastAttempt: Lease | undefined;
  let writer: ReplyWriter | undefined;
  let ended: Turn | undefined;
  try {
    if (isRecovered) {
      if (found.waiting !== undefined) lease = await takeCurrentLane(found.waiting, control, deps);
      if (lease === undefined) return;
      // The lanes of a dead process become free at the same moment; read its questions one after the other.
      await deps.clock.loopTurn("turns");
      record = (await find(turnId, false, deps))?.record;
    }
    found.waiting = undefined;
    if (record === undefined) return;
    if (lease !== undefined) {
      held = holdLane(lease, record, deps);
      const begun = await beginAgain(record, control, deps.coordinator);
      if (begun === undefined) return;
      lastAttempt = begun.lease;
    }
    lane = laneOf(record.turn());
    if (!(await ensurePlace(record, site, deps))) return;
    writer = openReply(record, isRecovered, site, () => held?.mayShow() ?? true);
    const picture = createPicture(record.turn(), site.platform, writer, deps.clock);
    const isMoved = laneOf(record.turn()) !== lane;
    lane = laneOf(record.turn());
    if (held === undefined || isMoved) {
      // The holder of that lane may be waiting for the last-attempt lease that this Turn holds.
      await markWaiting(record);
      await lastAttempt?.release();
      await held?.release();
      record.dropText();
      lease = await takeLane(record.turn(), control, picture, deps);
      if (lease === undefined) return;
      held = holdLane(lease, record, deps);
      if (lastAttempt !== undefined) {
        const again = await acquireLastAttempt(control, deps.coordinator);
        if (again === undefined) return;
        lastAttempt = again.lease;
      }
      await markUnderWay(record);
    }
    control.onRunning();
    // What was written under the lane is the newest version.
    const isNew = isRecovered && !isMoved;
    ended = await underLane({ record, control, picture, site }, writer, isNew, deps);
  } catch (failure) {
    // The stored Turn stays unfinished, so it is resumed later; the reason must be in the log.
    deps.log.error({ err: failure, turnId, ref }, "A question could not be finished; it will be resumed");
    if (record !== undefined) await undoResumption(record, resumptions, failure);
    await deps.coordinator.lanes.remove(lane, turnId).catch(() => undefined);
  } finally {
    await writer?.close();
    await lastAttempt?.release();
    await (held ?? lease)?.release();
  }
  const isElsewhereToo = deps.settings.isShared && site.platform.everyInstanceHears === true;
  if (ended === undefined || !isElsewhereToo) return;
  await removeOutageNotice(ended, site.platform, deps.clock).catch((failure: unknown) =>
    deps.log.info({ err: failure, turnId }, "An outage notice may still be shown beside the answer"),
  );
}

/**
 * `waiting`: only what is needed to wait for its lane, since thousands may wait. `record`: for a Turn that starts at
 * once.
 */
type FoundTurn = {
  readonly ref: string;
  readonly site: Site;
  readonly lane: string;
  waiting?: TurnOutline | undefined;
  readonly record?: TurnRecord;
};

async function find(turnId: string, isForLater: boolean, deps: TurnDeps): Promise<FoundTurn | undefined> {
  const whole = isForLater ? undefined : await deps.turns.get(turnId);
  const turn = isForLater ? await deps.turns.outline(turnId) : whole;
  if (turn === undefined || !unfinishedTurnStates.includes(turn.state)) return undefined;
  const site = deps.sites.get(turn.conversation.platform);
  if (site === undefined) return undefined;
  const about = { ref: turn.ref, site, lane: laneOf(turn) };
  return whole === undefined ? { ...about, waiting: turn } : { ...about, record: createRecord(whole, deps) };
}

/** Returns the Turn if it ended here. */
async function underLane(
  work: TurnWork,
  writer: ReplyWriter,
  isNew: boolean,
  deps: TurnDeps,
): Promise<Turn | undefined> {
  const { record, control, picture } = work;
  const { clock, metrics } = deps;
  for (let isRead = isNew; ; isRead = false) {
    const next = await nextStep(record, isRead, picture, deps);
    if (next === "over") return undefined;
    const startedAtMs = clock.now();
    const done: AttemptEnd =
      next === "ask" ? await attempt(work, deps) : { kind: "concluded", view: next, attempt: record.turn().attempt };
    if (done.kind === "choose") {
      const offered = await offerAgents(work, done.agents, writer, deps);
      if (offered === "left") return undefined;
      if (offered === "over") return record.turn();
      control.renew();
      picture.reset(record.turn());
      continue;
    }
    let { view } = done;
    if (next === "ask") {
      const newest = await record.refresh(1_500).catch(() => undefined);
      const isStale = newest !== undefined && newest.attempt !== done.attempt;
      if (done.kind === "concluded" ? isStale : done.by.kind === "restart") {
        // The question was edited meanwhile.
        control.renew();
        picture.reset(record.turn());
        continue;
      }
      if (done.kind === "interrupted" && done.by.kind === "taken") return undefined;
      if (done.kind === "interrupted" && done.by.kind === "drain") {
        await record.move("interrupted", { isUnderWay: false });
        metrics.turnEnded("interrupted", { totalMs: clock.now() - startedAtMs });
        return undefined;
      }
      if (done.kind === "interrupted") view = stopView(view, clock.now());
    }
    view = await withAccess(view, record.turn(), deps);
    const end = await endTurn({ ...work, view, attempt: done.attempt, writer }, deps);
    if (end === "left") return undefined;
    if (end === "again") {
      await record.move("running", { outcome: undefined });
      control.renew();
      picture.reset(record.turn());
      continue;
    }
    const { firstChunkMs } = done;
    metrics.turnEnded(end, {
      ...present({ firstChunkMs }),
      totalMs: clock.now() - startedAtMs,
    });
    return record.turn();
  }
}

/** The next step: ask, or end with that view. "over": nothing to do here. */
async function nextStep(
  record: TurnRecord,
  isRead: boolean,
  picture: Picture,
  deps: TurnDeps,
): Promise<"over" | "ask" | TurnView> {
  const turn = isRead ? record.turn() : await record.refresh();
  if (turn === undefined) return "over";
  const about = { turnId: turn.id, ref: turn.ref };
  const nowMs = deps.clock.now();
  const givenUp = giveUp(turn, picture.view(), nowMs);
  if (givenUp === "silently") {
    deps.log.error(about, "Gave up showing a result: processes died while showing it");
    await record.move("failed", { ...clearedAtEnd, endedAtMs: nowMs });
    return "over";
  }
  if (givenUp !== undefined) deps.log.error(about, "Gave up a question: processes died while working on it");
  if (givenUp !== undefined) return givenUp;
  const isOfThese = turn.outcomeAttempt === undefined || turn.outcomeAttempt === turn.attempt;
  if (turn.outcome !== undefined && isOfThese) return turn.outcome;
  return turn.stopRequestedBy === undefined ? "ask" : stopView(picture.view(), nowMs);
}

function openReply(record: TurnRecord, isRecovered: boolean, site: Site, mayShow: () => boolean): ReplyWriter {
  const turn = record.turn();
  // Without a stored part: the process may have died right after its first post, or have posted an outage notice.
  // Search before posting.
  const isNotTheFirst = isRecovered || turn.state !== "queued" || turn.isRepeated === true;
  const mayHavePosted = isNotTheFirst && turn.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : turn.reply.parts;
  return site.delivery.open({
    replyId: turn.id,
    reply: { ...turn.reply, parts },
    save: record.saveReply,
    mayHaveTwins: turn.isRepeated === true,
    mayShow,
  });
}
