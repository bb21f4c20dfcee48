/**
 * A Turn as this process knows it, and its writes. The store may be away for a while in the middle of a run:
 * a running answer goes on all the same, and what was refused (somebody else has gone on with the Turn) is told apart
 * from what could not be stored.
 */

import type { Clock } from "../../ports/clock.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { type TurnStore, unfinishedTurnStates } from "../../ports/state.ts";
import { keepTrying } from "../../ports/tools/retry.ts";
import { keptText } from "../conversation/kept-text.ts";

/** A store that is away for this long while a Turn runs costs nothing. */
export const storePatienceMs = 120_000;

/** Of the question, while its words are put away: enough to name it. */
const maxWordsKept = 201;

/** With the end of a Turn. */
export const atRest = {
  isUnderWay: undefined,
  resumptions: undefined,
  unplaced: undefined,
  outcomeAttempt: undefined,
} as const;

/** The Turn as long as it only waits: a question of 100 kB is read again when it is asked. */
function withoutWords(turn: Turn): Turn {
  const { context: _, outcome: __, ...rest } = turn;
  return { ...rest, question: keptText(turn.question, maxWordsKept), attachments: [] };
}

/** Keys that are set to undefined are removed. */
export type TurnPatch = { readonly [K in keyof Turn]?: Turn[K] | undefined };

export type TurnRecord = {
  /** As it was last read or written; without its words while they are put away. */
  readonly turn: () => Turn;
  /** Keeps no words in memory until the Turn is read anew. */
  readonly putAway: () => void;
  readonly isPutAway: () => boolean;
  /** Writes from here on carry this fence. */
  readonly fence: (fence: number) => void;
  readonly heldFence: () => number;
  /** Somebody else has gone on with the Turn: nothing more is shown of it here. */
  readonly isTaken: () => boolean;
  /** Calls the listener when that happens, or has happened; only the newest one, until it is undefined. */
  readonly onTaken: (listener: (() => void) | undefined) => void;
  readonly leave: () => void;
  /** Reads it anew; undefined when it has ended elsewhere. */
  readonly refresh: (patienceMs?: number) => Promise<Turn | undefined>;
  /** "unstored" when the store stayed away for `patienceMs`: what must be shown is shown all the same. */
  readonly move: (
    to: Turn["state"],
    patch: TurnPatch,
    patienceMs?: number,
  ) => Promise<"stored" | "refused" | "unstored">;
  readonly saveReply: (reply: Turn["reply"]) => Promise<void>;
};

export function createRecord(
  initial: Turn,
  deps: { readonly turns: TurnStore; readonly clock: Clock; readonly log: Log },
): TurnRecord {
  const { turns, clock, log } = deps;
  let turn = initial;
  let fence = initial.fence;
  let isTaken = false;
  let onTaken: (() => void) | undefined;
  // One write at a time: a Reply saved while the state moves would else put the old state back.
  let last: Promise<unknown> = Promise.resolve();
  /** What could not be stored goes with what is stored next. */
  let unstored: TurnPatch = {};
  let isPutAway = false;

  async function write(to: Turn["state"], patch: TurnPatch, patienceMs: number) {
    const changes = { ...unstored, ...patch };
    try {
      const attempt = () => turns.transition(turn.id, unfinishedTurnStates, to, changes, fence);
      const written = await keepTrying(attempt, { clock, forMs: patienceMs });
      if (written === undefined && (await turns.get(turn.id)) !== undefined) {
        leave();
        return "refused";
      }
      unstored = {};
      keep(written ?? patched(patch, to));
      return "stored";
    } catch (failure) {
      log.error({ err: failure, turnId: turn.id, ref: turn.ref, to }, "A question's state could not be stored");
      unstored = changes;
      keep(patched(patch, to));
      return "unstored";
    }
  }

  function patched(patch: TurnPatch, state: Turn["state"]): Turn {
    const entries = Object.entries({ ...turn, ...patch, state }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as Turn;
  }

  function keep(now: Turn): void {
    turn = isPutAway ? withoutWords(now) : now;
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
    putAway: () => {
      isPutAway = true;
      keep(turn);
    },
    isPutAway: () => isPutAway,
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
      isPutAway = false;
      turn = read;
      return turn;
    },
    move: (to, patch, patienceMs = storePatienceMs) => inTurn(() => write(to, patch, patienceMs)),
    saveReply: async (reply) => {
      const outcome = await inTurn(() => write(turn.state, { reply }, 1_500));
      // Whoever has gone on with the Turn writes its messages now.
      if (outcome === "refused") throw new ParleyError("internal", { what: "Another instance goes on with this." });
    },
  };
}
