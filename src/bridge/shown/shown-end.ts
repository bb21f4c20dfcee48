/**
 * Keeps a shown end current: counts of votes, its table as a chart or as it is, a picture that was not ready. What is
 * stored is the truth, and one edit of an answer at a time is made over all instances, so that none undoes another.
 */

import type { Reply } from "../../core/model/reply.ts";
import type { Turn } from "../../core/model/turn.ts";
import { type Bucket, type Lease, unfinishedTurnStates } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import type { Refreshed } from "../../delivery/types.ts";
import { turnDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { hasOthers } from "../turn/agents.ts";
import { shownWith } from "../turn/end.ts";

/** For votes, one edit in 30 s: the first vote is shown at once, later ones together. */
const perAnswer: Bucket = { capacity: 1, refillPerMinute: 2 };
/** How often a busy budget is tried again for votes; then the counts wait for the next vote. */
const maxTries = 5;
/** How long an edit of the same answer is waited for. A process that dies in one holds up the next for 15 s. */
const leaseWithinMs = 20_000;
/** The same for someone who waits. */
const awaitedWithinMs = 3_000;

export type ShownEnd = {
  /** The votes on that answer have changed. Returns at once. */
  readonly changed: (turnId: string) => void;
  /** Something that was not ready when that answer was shown, such as a picture, follows. Returns at once. */
  readonly lacked: (turnId: string) => void;
  /** Shows it as it is stored now, for someone who waits. */
  readonly show: (turnId: string) => Promise<Refreshed>;
  /** An instance that had lost the question may have edited its messages after that end. Returns at once. */
  readonly overwritten: (turnId: string) => void;
};

/** Only an end that stands: a question that is asked again is shown as stored when that is over. */
export function isStanding(now: Turn | undefined, before: Pick<Turn, "attempt">): boolean {
  return now?.state === "answered" && isUnchanged(now, before);
}

function isUnchanged(now: Turn, before: Pick<Turn, "attempt">): boolean {
  const isOver = !unfinishedTurnStates.includes(now.state);
  return isOver && now.attempt === before.attempt && now.isUnderWay !== true;
}

export function createShownEnd(app: BridgeApp & { readonly ending: AbortSignal }): ShownEnd {
  const { voting, sites, settings, clock, log, ending } = app;
  const { turns, coordinator } = app.state;
  /** By Turn: whether votes changed again since the counts were read. */
  const pending = new Map<string, boolean>();

  async function waitForToken(turnId: string): Promise<void> {
    for (;;) {
      const token = await coordinator.takeToken(`votes/${turnId}`, perAnswer, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs, ending);
    }
  }

  /** Undefined: the answer is being edited for too long. */
  async function edits(turnId: string, withinMs: number): Promise<Lease | undefined> {
    const patience = new AbortController();
    const cancel = clock.after(withinMs, () => patience.abort());
    const signal = AbortSignal.any([patience.signal, ending]);
    try {
      return await coordinator.lease(`shown/${turnId}`, { signal });
    } catch (failure) {
      if (patience.signal.aborted) return undefined;
      throw failure;
    } finally {
      cancel();
    }
  }

  async function show(turnId: string, isAwaited: boolean): Promise<Refreshed> {
    const lease = await edits(turnId, isAwaited ? awaitedWithinMs : leaseWithinMs);
    if (lease === undefined) return "busy";
    try {
      return await showNow(turnId, lease, isAwaited);
    } finally {
      await lease.release();
    }
  }

  async function showNow(turnId: string, lease: Lease, isAwaited: boolean): Promise<Refreshed> {
    const turn = await turns.get(turnId);
    const view = turn?.outcome;
    if (turn === undefined || view === undefined || !isStanding(turn, turn)) return "unfit";
    const delivery = sites.get(turn.conversation.platform)?.delivery;
    if (delivery === undefined) return "unfit";
    const options = await drawnWith(turn);
    const save = async (reply: Reply): Promise<void> => {
      const { superseded: _, ...shown } = reply;
      const saved = await changeRecord<Turn>(turns, turnId, (now) => {
        // What is superseded may have been removed meanwhile.
        const { superseded } = now.reply;
        return isStanding(now, turn) ? { reply: { ...shown, superseded } } : undefined;
      });
      if (saved === undefined) throw new Error("The question is being asked again.");
    };
    const isWanted = async () => {
      const now = await turns.get(turnId);
      return lease.isCurrent() && isStanding(now, turn) && now?.shownAs === turn.shownAs;
    };
    return delivery.refresh({
      replyId: turnId,
      reply: turn.reply,
      save,
      document: turnDocument(view, clock.now(), options),
      isWanted,
      ...(isAwaited ? { isAwaited } : {}),
    });
  }

  async function drawnWith(turn: Turn) {
    const [votes, hasOtherAgents] = await Promise.all([voting?.counts(turn), hasOthers(turn, app)]);
    return { ...shownWith(turn, settings.sourceOldMs), hasOtherAgents, votes };
  }

  /** Edits all its messages, since nobody knows what they show. */
  async function showAll(turnId: string): Promise<void> {
    const lease = await coordinator.lease(`shown/${turnId}`, { signal: ending });
    try {
      const turn = await turns.get(turnId);
      const site = sites.get(turn?.conversation.platform ?? "");
      if (turn?.outcome === undefined || site === undefined || !isUnchanged(turn, turn)) return;
      const isShown = turn.reply.parts.some(({ messageId }) => messageId !== undefined);
      // Of an answer that was stopped while it was being posted, only some messages stand.
      const isCut = turn.state === "stopped" && turn.outcome.answer !== undefined;
      if (!isShown || isCut || turn.unshown !== undefined || turn.isWithdrawn === true) return;
      if (turn.notAnswered === "removed") return;
      const parts = turn.reply.parts.map(({ hash: _unknown, ...part }) => part);
      const save = async ({ superseded: _, ...shown }: Reply): Promise<void> => {
        await changeRecord<Turn>(turns, turnId, (now) =>
          isUnchanged(now, turn) ? { reply: { ...shown, superseded: now.reply.superseded } } : undefined,
        );
      };
      const writer = site.delivery.open({ replyId: turnId, reply: { ...turn.reply, parts }, save });
      const document = turnDocument(turn.outcome, clock.now(), await drawnWith(turn));
      await writer.finish(document, ending).finally(() => writer.close());
    } finally {
      await lease.release();
    }
  }

  /** `isFree`: the first edit is none of those that votes may cause. */
  async function keepShown(turnId: string, isFree: boolean): Promise<void> {
    let needsToken = !isFree;
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (needsToken) await waitForToken(turnId);
      needsToken = true;
      pending.set(turnId, false);
      const shown = await show(turnId, false);
      const isChanged = pending.get(turnId) === true;
      if (isChanged) tries = -1;
      else if (shown !== "busy") return;
    }
  }

  function begin(turnId: string, isFree: boolean): void {
    const isRunning = pending.has(turnId);
    pending.set(turnId, true);
    if (isRunning || ending.aborted) return;
    keepShown(turnId, isFree)
      .catch((err: unknown) => {
        if (!ending.aborted) log.info({ err, turnId }, "What changed below an answer was not shown");
      })
      .finally(() => pending.delete(turnId));
  }

  return {
    changed: (turnId) => begin(turnId, false),
    lacked: (turnId) => begin(turnId, true),
    show: (turnId) => show(turnId, true),
    overwritten: (turnId) => {
      showAll(turnId).catch((err: unknown) => {
        if (!ending.aborted) log.warn({ err, turnId }, "An answer may be hidden under older progress");
      });
    },
  };
}
