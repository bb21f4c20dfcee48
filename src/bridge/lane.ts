/**
 * A Turn's hold on its Conversation's lane, from waiting in line to the end. While storage was unreachable another
 * instance may have got the lane and continued the Turn; the instance that finds this out stays silent.
 */

import { conversationKey } from "../core/model/place.ts";
import { historyOf, type PlaceInLine, type Turn } from "../core/model/turn.ts";
import type { Lease } from "../core/ports/state.ts";
import { type KeptLease, keepLease } from "../core/tools/keep-lease.ts";
import type { BridgeApp } from "./app.ts";
import { interruptionOf, type TurnControl, type TurnRecord } from "./turn/record.ts";

/** How often to check whether another instance has continued a Turn whose lane was lost. */
const checkEveryMs = 1_000;

/**
 * Waits for the lane; undefined when the process shuts down before. `onPlace`: shows the position. Absent: the Turn was
 * found in the store and may live on another instance, so nothing of it is shown.
 */
export async function takeLane(
  turn: Turn,
  control: TurnControl,
  onPlace: ((place: PlaceInLine) => void) | undefined,
  app: BridgeApp,
): Promise<Lease | undefined> {
  const { clock, settings } = app;
  const { coordinator } = app.state;
  const lane = laneOf(turn);
  let isInLine = true;
  let newest = 0;
  /**
   * After a process stall the Turn may have been answered elsewhere, so check first. An unreachable store counts as no.
   */
  async function showPlace(position: number): Promise<void> {
    if (onPlace === undefined) return;
    newest = position;
    const stored = await app.state.turns.get(turn.id).catch(() => turn);
    if (!isInLine || stored === undefined || stored.state !== turn.state || stored.fence > turn.fence) return;
    const kind = (await app.decisions.isAsking(lane).catch(() => false)) ? "approval" : "conversation";
    if (isInLine) onPlace({ kind, position: newest });
  }
  /** Says so when the question ahead begins or ends to wait for people. */
  const follow = () => app.decisions.watch(lane, () => void (newest > 0 && isInLine && showPlace(newest)));
  const unfollow = onPlace === undefined ? undefined : follow();
  return waitForLane().finally(unfollow);

  async function waitForLane(): Promise<Lease | undefined> {
    for (;;) {
      const signal = control.signal();
      try {
        await coordinator.lanes.enqueue(lane, turn.id, turn.order);
        if (settings.isShared && settings.laneSettleMs > 0) await clock.sleep(settings.laneSettleMs, signal);
        const lease = await coordinator.lanes.acquire(lane, turn.id, turn.order, {
          signal,
          onPosition: (position) => void showPlace(position),
        });
        isInLine = false;
        return lease;
      } catch (failure) {
        if (!signal.aborted) {
          // The store is unreachable. Journaled questions are safe: keep trying to get the lane until it is back.
          app.log.warn(
            { err: failure, turnId: turn.id, ref: turn.ref },
            "Storage is unreachable; still waiting for the lane",
          );
          await clock.sleep(1_000, signal).catch(() => undefined);
          continue;
        }
        const by = interruptionOf(signal);
        isInLine = by.kind !== "stop" && by.kind !== "drain";
        control.renew();
        if (by.kind === "drain") return undefined;
        // It has run elsewhere, and may still: the lane's holder gets the stop too, or it is read once the lane is free.
        if (by.kind === "stop" && onPlace === undefined && turn.state !== "queued") continue;
        // Stopped: the end is still shown under the lane's rules, but at once, out of line.
        if (by.kind === "stop") await coordinator.lanes.remove(lane, turn.id).catch(() => undefined);
        if (by.kind === "stop") return await coordinator.lease(`stopped/${turn.id}`);
      }
    }
  }
}

export function laneOf(turn: Pick<Turn, "conversation" | "topic">): string {
  return conversationKey(historyOf(turn));
}

export type HeldLane = Pick<KeptLease, "release"> & {
  /**
   * Whether progress can be shown: not while another instance may have continued the Turn and nobody has checked yet.
   */
  readonly mayShow: () => boolean;
  /** When it was last lost. Infinity: never. */
  readonly lostAtMs: () => number;
};

/** Holds the lane, across outages too, and tells the record when another instance has continued the Turn. */
export function holdLane(lease: Lease, record: TurnRecord, app: BridgeApp): HeldLane {
  const { id, order } = record.turn();
  const lane = laneOf(record.turn());
  const { clock, log } = app;
  const { coordinator } = app.state;
  /** The lane was lost and a check found no other holder, or storage is unreachable, and then for everyone. */
  let isAlone = false;
  /** The Turn waits in another line, and shows its position there. */
  let isLeft = false;
  let lostAtMs = Number.POSITIVE_INFINITY;

  async function isTaken(): Promise<boolean> {
    const stored = await app.state.turns.get(id).catch(() => undefined);
    const isElsewhere = stored !== undefined && stored.fence > record.heldFence();
    if (isElsewhere) record.leave();
    return isElsewhere;
  }

  async function watchForOthers(until: AbortSignal): Promise<void> {
    log.warn(
      { turnId: id },
      "The lane of a running question was lost; the question continues unless another instance has it",
    );
    while (!until.aborted && !(await isTaken())) {
      isAlone = true;
      await clock.sleep(checkEveryMs, until).catch(() => undefined);
    }
  }

  record.fence(lease.fence);
  const held = keepLease(lease, {
    regain: async (signal) => {
      const next = await coordinator.lanes.acquire(lane, id, order, { signal });
      // Another instance may have held it in between, and have ended the Turn.
      await isTaken();
      return next;
    },
    onLost: (until) => {
      lostAtMs = clock.now();
      void watchForOthers(until);
    },
    onRegained: (next) => {
      isAlone = false;
      record.fence(next.fence);
    },
  });
  return {
    release: () => {
      isLeft = true;
      return held.release();
    },
    mayShow: () => !record.isTaken() && (isLeft || isAlone || held.isCurrent()),
    lostAtMs: () => lostAtMs,
  };
}
