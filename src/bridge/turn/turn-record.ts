/**
 * A Turn's record in this process, and its writes to the store. The store may be unreachable in the middle of a run,
 * and the answer continues. A refused write (another instance has continued the Turn) is distinguished from
 * one that could not be stored.
 */

import type { App } from "../../app.ts";
import type { Begin, TurnNotes } from "../../core/content/gaps.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { keepTrying } from "../../core/tools/retry.ts";

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
  /**
   * Calls the listener when that happens, or has already happened. Only the newest listener counts; undefined removes
   * it.
   */
  readonly onTaken: (listener: (() => void) | undefined) => void;
  readonly leave: () => void;
  /** Reads it again; undefined when it has ended elsewhere. */
  readonly refresh: (patienceMs?: number) => Promise<Turn | undefined>;
  /** "unstored" when the store stayed unreachable for `patienceMs`; results are shown anyway. */
  readonly move: (
    to: Turn["state"],
    patch: TurnPatch,
    patienceMs?: number,
  ) => Promise<"stored" | "refused" | "unstored">;
  readonly saveReply: (reply: Turn["reply"]) => Promise<void>;
};

export function createRecord(
  initial: Turn,
  { state: { turns }, notes, clock, log }: App & { readonly notes?: Pick<TurnNotes, "noteFinal"> },
): TurnRecord {
  let turn = initial;
  let fence = initial.fence;
  let isTaken = false;
  let onTaken: (() => void) | undefined;
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
    onTaken?.();
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
    onTaken: (listener) => {
      onTaken = listener;
      if (isTaken) listener?.();
    },
    leave,
    refresh: async (patienceMs = storePatienceMs) => {
      const read = await keepTrying(() => turns.get(turn.id), { clock, forMs: patienceMs });
      if (read === undefined || !unfinishedTurnStates.includes(read.state)) return undefined;
      turn = read;
      return turn;
    },
    move: (to, patch, patienceMs = storePatienceMs) => inTurn(() => write(to, patch, patienceMs)),
    saveReply: async (reply) => {
      const outcome = await inTurn(() => write(turn.state, { reply }, 1_500));
      // The instance that continued the Turn writes its messages now.
      if (outcome === "refused") throw new ParleyError("internal", { what: "Another instance has continued this." });
    },
  };
}
