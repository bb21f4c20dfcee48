/**
 * A Turn's record in this process, and its writes to the store. The store may be unreachable in the middle of a run,
 * and the answer continues. A refused write (another instance has continued the Turn) is distinguished from
 * one that could not be stored.
 *
 * The record also limits how often a Turn is resumed after its process died: twice, then it fails. Otherwise a question
 * that kills its process would kill every later one. The count is stored before each attempt begins, and only while work
 * on the Turn is under way, so that questions waiting in line are not blamed for another one.
 */

import type { App } from "../../app.ts";
import type { Begin, TurnNotes } from "../../core/content/gaps.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { type Coordinator, type Lease, unfinishedTurnStates } from "../../core/ports/state.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { failWith } from "./view.ts";

/** The reason of a living Turn's abort signal. */
export type Interruption =
  | { readonly kind: "stop" }
  /** The question was edited, or asked again. */
  | { readonly kind: "restart" }
  /** The process is shutting down. */
  | { readonly kind: "drain" }
  /** Another instance has continued the Turn, or the next process will; perhaps it has ended there. */
  | { readonly kind: "left" };

/** Only for a signal that a Turn's control aborted. */
export function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason as Interruption;
}

/** How the process controls a living Turn. `signal` is a new one after each restart. */
export type TurnControl = {
  readonly signal: () => AbortSignal;
  /** `isForEnd`: showing an end can use the grace period of a shutdown. */
  readonly renew: (isForEnd?: boolean) => void;
  /** Called when the Turn holds its lane, for counting and for draining. */
  readonly onRunning: () => void;
  /** Called when it waits for people: a shutdown doesn't wait for them. */
  readonly onWaiting: () => void;
  /** Aborts `signal` from within. */
  readonly interrupt: (by: Interruption) => void;
};

/** Beyond the first attempt. */
const maxResumptions = 2;

/** Held during a last attempt, over all instances: questions that died beside the one at fault survive it. */
const lastAttemptKey = "last-attempt";
/** If storage is unreachable for longer, the next scan for unfinished Turns takes over. */
const resumptionPatienceMs = 1_500;

/** An outage of storage up to this long while a Turn runs costs nothing. */
export const storePatienceMs = 120_000;

/** Cleared at the end of a Turn. */
export const clearedAtEnd = {
  isUnderWay: undefined,
  run: undefined,
  serviceThread: undefined,
  resumptions: undefined,
  unplaced: undefined,
  outcomeAttempt: undefined,
  shownBefore: undefined,
  approval: undefined,
  soFar: undefined,
} as const;

/** Keys set to undefined are removed. */
export type TurnPatch = { readonly [K in keyof Turn]?: Turn[K] | undefined };

export type TurnRecord = {
  /** As last read or written. */
  readonly turn: () => Turn;
  /** All later writes carry this fence. */
  readonly fence: (fence: number) => void;
  readonly heldFence: () => number;
  /** Another instance has continued the Turn: nothing more is shown here. */
  readonly isTaken: () => boolean;
  /** Notes that, and interrupts it here. */
  readonly leave: () => void;
  /** Reads it again; undefined when it has ended elsewhere. */
  readonly refresh: (patienceMs?: number) => Promise<Turn | undefined>;
  /** "unstored" when the store stayed unreachable for `patienceMs`; results are shown anyway. */
  readonly move: (
    to: Turn["state"],
    patch: TurnPatch,
    patienceMs?: number,
  ) => Promise<"stored" | "refused" | "unstored">;
  /**
   * Stores whether the Turn works or only waits, where the other is stored once all earlier changes are. If the process
   * dies while it waits, something else killed it.
   */
  readonly mark: (isUnderWay: boolean) => Promise<void>;
  readonly saveReply: (reply: Turn["reply"]) => Promise<void>;
};

export function createRecord(
  initial: Turn,
  control: Pick<TurnControl, "interrupt">,
  { state: { turns }, notes, clock, log }: App & { readonly notes?: TurnNotes },
): TurnRecord {
  let turn = initial;
  let fence = initial.fence;
  let isTaken = false;
  // One write at a time: otherwise a Reply saved during a state change would restore the old state.
  let last: Promise<unknown> = Promise.resolve();
  /** Changes that could not be stored are added to the next write. */
  let unstored: TurnPatch = {};

  async function write(to: Turn["state"], patch: TurnPatch, patienceMs: number) {
    const changes = { ...unstored, ...patch };
    const isFinal = !unfinishedTurnStates.includes(to);
    let begin: Begin | undefined;
    try {
      const attempt = async () => {
        // Noted first, so that no end is overlooked if the process dies in between.
        if (isFinal) begin ??= await notes?.noteFinal?.(turn);
        return turns.transition(turn.id, unfinishedTurnStates, to, changes, fence);
      };
      const written = await keepTrying(attempt, { clock, forMs: patienceMs });
      if (written === undefined && (await turns.get(turn.id)) !== undefined) {
        leave();
        return "refused";
      }
      unstored = {};
      turn = written ?? patched(patch, to);
      return "stored";
    } catch (failure) {
      log.error({ err: failure, turnId: turn.id, ref: turn.ref, to }, "A question's state could not be stored");
      unstored = changes;
      turn = patched(patch, to);
      return "unstored";
    } finally {
      begin?.();
    }
  }

  function patched(patch: TurnPatch, state: Turn["state"]): Turn {
    const entries = Object.entries({ ...turn, ...patch, state }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as Turn;
  }

  function leave(): void {
    isTaken = true;
    control.interrupt({ kind: "left" });
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done;
    return done;
  }

  return {
    turn: () => turn,
    fence: (held) => {
      fence = Math.max(fence, held);
    },
    heldFence: () => fence,
    isTaken: () => isTaken,
    leave,
    refresh: async (patienceMs = storePatienceMs) => {
      const read = await keepTrying(() => turns.get(turn.id), { clock, forMs: patienceMs });
      if (read === undefined || !unfinishedTurnStates.includes(read.state)) return undefined;
      turn = read;
      return turn;
    },
    move: (to, patch, patienceMs = storePatienceMs) => inTurn(() => write(to, patch, patienceMs)),
    mark: (isUnderWay) =>
      inTurn(async () => {
        if (turn.isUnderWay === !isUnderWay) await write(turn.state, { isUnderWay }, resumptionPatienceMs);
      }),
    saveReply: async (reply) => {
      const outcome = await inTurn(() => write(turn.state, { reply }, 1_500));
      // The instance that continued the Turn writes its messages now.
      if (outcome === "refused") throw new ParleyError("internal", { what: "Another instance has continued this." });
    },
  };
}

/** Said to nobody in particular. A schedule that shows only what has changed is quiet too, and was asked for. */
export function isOverheard({ isQuiet, scheduleId }: Pick<Turn, "isQuiet" | "scheduleId">): boolean {
  return isQuiet === true && scheduleId === undefined;
}

/** Nobody is to see anything of it, as far as it is known. */
export function isUnseen({ isQuiet, outcome }: Pick<Turn, "isQuiet" | "outcome">): boolean {
  return isQuiet === true && outcome?.grade !== "sure";
}

/** Includes the attempt about to begin. */
function resumptionsOf({ isUnderWay: hasDied = false, resumptions = 0 }: Turn): number {
  return resumptions + (hasDied ? 1 : 0);
}

/**
 * Stores that the Turn is under way again. Undefined when it does not continue here: the process is shutting down, or
 * another instance has it. Called under the Turn's lane.
 */
export async function beginAgain(
  record: TurnRecord,
  control: TurnControl,
  coordinator: Coordinator,
): Promise<{ readonly lease: Lease | undefined } | undefined> {
  const turn = record.turn();
  const resumptions = resumptionsOf(turn);
  const isLast = resumptions === maxResumptions;
  // The first write under the lane: it locks out a previous holder that may still believe it holds the lane.
  if (isLast && (await record.move(turn.state, {})) === "refused") return undefined;
  const held = isLast ? await acquireLastAttempt(control, coordinator) : { lease: undefined };
  if (held === undefined) return undefined;
  const written = await record.move(turn.state, { isUnderWay: true, resumptions }, resumptionPatienceMs);
  if (written === "stored") return held;
  await held.lease?.release();
  if (written === "refused") return undefined;
  throw new ParleyError("state_unavailable");
}

/**
 * Always called under the Turn's lane, and the holder of this lease waits for no lane. Undefined when the process is
 * shutting down, or another instance has the Turn.
 */
export async function acquireLastAttempt(control: TurnControl, coordinator: Coordinator) {
  const signal = control.signal();
  try {
    return { lease: await coordinator.lease(lastAttemptKey, { signal }) };
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const { kind } = interruptionOf(signal);
    if (kind === "drain" || kind === "left") return undefined;
    // Stopped, or edited: the next round reads what was stored with it.
    control.renew();
    return { lease: undefined };
  }
}

/** No process died: storage or the platform is unreachable, perhaps for long. Earlier deaths stay counted. */
export async function noteNoDeath(record: TurnRecord, failure: unknown): Promise<void> {
  const code = failure instanceof ParleyError ? failure.code : "internal";
  if (code !== "state_unavailable" && code !== "platform_unreachable" && code !== "platform_rate_limited") return;
  await record.move(record.turn().state, { isUnderWay: false }, resumptionPatienceMs);
}

/** Nothing more is attempted except to say so. */
export function isGivenUp({ resumptions = 0, outcome }: Turn): boolean {
  return resumptions > maxResumptions || outcome?.error?.code === "gave_up";
}

/**
 * The end of a Turn that was resumed too often. "silently": showing that end has killed its process too often as well,
 * so it is recorded and not shown. Undefined while attempts are left.
 */
export function giveUp(turn: Turn, view: TurnView, nowMs: number): TurnView | "silently" | undefined {
  if ((turn.resumptions ?? 0) <= maxResumptions) return undefined;
  const { outcome } = turn;
  if (outcome?.error?.code === "gave_up") return "silently";
  if (outcome === undefined) return failWith(view, new ParleyError("gave_up"), nowMs);
  // Omits everything that could not be shown.
  return failWith(
    view,
    new ParleyError("gave_up", {
      what: "Parley was interrupted three times while posting this answer, so it stopped trying.",
    }),
    nowMs,
  );
}
