/**
 * A Turn as this process knows it, and its writes. The store may be away for a while in the middle of a run:
 * a running answer goes on all the same, and what was refused (somebody else has gone on with the Turn) is told apart
 * from what could not be stored.
 */
import type { Log } from "../operations/log.ts";
import { ParleyError } from "./errors.ts";
import type { Clock } from "./ports/clock.ts";
import { type TurnStore, unfinishedTurnStates } from "./ports/state.ts";
import type { Interruption } from "./run.ts";
import { keepTrying } from "./waiting.ts";
import type { Turn } from "./words.ts";

/** A store that is away for this long while a Turn runs costs nothing. */
export const storePatienceMs = 120_000;

export type TurnRecord = {
  readonly turn: () => Turn;
  /** Writes from here on carry this fence. */
  readonly fence: (fence: number) => void;
  readonly heldFence: () => number;
  /** Aborts, with an Interruption, when somebody else has gone on with the Turn: nothing more is shown of it here. */
  readonly taken: AbortSignal;
  readonly leave: () => void;
  /** Reads it anew; undefined when it has ended elsewhere. */
  readonly refresh: (patienceMs?: number) => Promise<Turn | undefined>;
  /** "unstored" when the store stayed away for `patienceMs`: what must be shown is shown all the same. */
  readonly move: (
    to: Turn["state"],
    patch: Partial<Turn>,
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
  const taken = new AbortController();
  // One write at a time: a Reply saved while the state moves would else put the old state back.
  let last: Promise<unknown> = Promise.resolve();
  /** What could not be stored goes with what is stored next. */
  let unstored: Partial<Turn> = {};

  async function write(to: Turn["state"], patch: Partial<Turn>, patienceMs: number) {
    const changes = { ...unstored, ...patch };
    try {
      const attempt = () => turns.transition(turn.id, unfinishedTurnStates, to, changes, fence);
      const written = await keepTrying(attempt, { clock, forMs: patienceMs });
      if (written === undefined && (await turns.get(turn.id)) !== undefined) {
        leave();
        return "refused";
      }
      unstored = {};
      turn = written ?? { ...turn, ...patch, state: to };
      return "stored";
    } catch (failure) {
      log.error({ err: failure, turnId: turn.id, ref: turn.ref, to }, "A question's state could not be stored");
      unstored = changes;
      turn = { ...turn, ...patch, state: to };
      return "unstored";
    }
  }

  function leave(): void {
    taken.abort({ kind: "taken" } satisfies Interruption);
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
    taken: taken.signal,
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
      // Whoever has gone on with the Turn writes its messages now.
      if (outcome === "refused") throw new ParleyError("internal", { what: "Another instance goes on with this." });
    },
  };
}
