/** Puts one Turn where it belongs now: into the gap of its meaning, into a new one, or out of any. */
import type { Asker, Feedback, GapScope, Signal } from "../../core/model/insight.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { type KeyValue, type TurnStore, unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId } from "../../core/tools/ids.ts";
import { shorten } from "../../presentation/sentences.ts";
import { questionForm } from "../grouping/form.ts";
import { newGap, type StoredGap, withAsker, withoutAskers } from "./gap-record.ts";
import type { GapStore } from "./gap-store.ts";
import type { Note } from "./outbox.ts";
import { isCounted } from "./signals.ts";

/** Enough to tell questions apart. */
const maxQuestionChars = 500;
/** Of an id: the time at which the Turn was created. */
const timeChars = 9;

type TurnNote = Extract<Note, { readonly turnId: string }>;

/**
 * Can be repeated. "unfinished": it is asked again, and its end brings a newer note. "gone": it is forgotten, and so is
 * everything it left here.
 */
export type Regroup = (
  scope: GapScope,
  turnId: string,
  notes: readonly TurnNote[],
) => Promise<"done" | "unfinished" | "gone">;

/** Key of the votes on an answer; the voter follows. */
function votesPrefix(place: Pick<Place, "platform" | "workspace">, turnId: string): string {
  return `${workspaceKey(place)}/${turnId}/`;
}

/** The caller holds the agent's lease. */
export function createRegroup(deps: {
  readonly store: GapStore;
  readonly turns: Pick<TurnStore, "get">;
  readonly feedback: KeyValue<Feedback>;
}): Regroup {
  const { store, turns, feedback } = deps;

  async function storedVotes(scope: GapScope, turnId: string): Promise<readonly Feedback[]> {
    return (await Array.fromAsync(feedback.entries(votesPrefix(scope, turnId)))).map(([, vote]) => vote);
  }

  async function deleteVotes(place: Pick<Place, "platform" | "workspace">, turnId: string): Promise<void> {
    for await (const [key] of feedback.entries(votesPrefix(place, turnId))) await feedback.delete(key);
  }

  async function leave(gap: StoredGap | undefined, turnId: string): Promise<void> {
    if (gap !== undefined) await store.put(withoutAskers(gap, new Set([turnId])));
  }

  /** Its gap so far, if it still asks the same; else the one that means the same; else a new one. */
  async function gapFor(scope: GapScope, turn: Turn, current: StoredGap | undefined): Promise<StoredGap> {
    const question = shorten(turn.question, maxQuestionChars);
    if (current?.askers.some((asker) => asker.turnId === turn.id && asker.question === question)) return current;
    const alike = await store.alike(scope, questionForm(question));
    return alike ?? newGap({ ...scope, id: gapIdOf(turn), nowMs: turn.createdAtMs });
  }

  return async (scope, turnId, notes) => {
    const [turn, current, votes] = await Promise.all([
      turns.get(turnId),
      store.ofTurn(scope, turnId),
      storedVotes(scope, turnId),
    ]);
    if (turn === undefined || turn.isForgotten === true) {
      await deleteVotes(turn?.conversation ?? scope, turnId);
      await leave(current, turnId);
      return "gone";
    }
    if (unfinishedTurnStates.includes(turn.state)) return "unfinished";
    const before = current?.askers.find((asker) => asker.turnId === turnId);
    const signals = signalsOf(before, notes, votes);
    if (signals.length === 0 || !isCounted(turn)) {
      // An answered gap is asked again to see that it holds, also if its askers got better answers since.
      if (current?.state === "answered") return "done";
      await leave(current, turnId);
      return "done";
    }
    const gap = await gapFor(scope, turn, current);
    if (current?.id !== gap.id) await leave(current, turnId);
    const own = votes.find(({ actor }) => actor.id === turn.actor.id);
    const asker: Asker = {
      turnId,
      actor: { id: turn.actor.id, name: turn.actor.name },
      question: shorten(turn.question, maxQuestionChars),
      place: turn.conversation,
      visibility: turn.visibility,
      isShared: own?.isShared,
      tell: own?.tell,
      signals,
      atMs: turn.askedAgainAtMs ?? turn.createdAtMs,
    };
    await store.put(withAsker(gap, asker));
    return "done";
  };
}

function signalsOf(
  before: Asker | undefined,
  notes: readonly TurnNote[],
  votes: readonly Pick<Feedback, "thumb">[],
): readonly Signal[] {
  const known = before?.signals ?? [];
  const answer = notes.findLast((note) => note.kind === "answer");
  const ofAnswer = answer?.signals ?? known.filter((signal) => signal === "nothing" || signal === "unsure");
  const isAgain = known.includes("asked-again") || notes.some(({ kind }) => kind === "asked-again");
  const isDown = votes.some(({ thumb }) => thumb === "down");
  return [...(isDown ? ["thumbs-down" as const] : []), ...ofAnswer, ...(isAgain ? ["asked-again" as const] : [])];
}

/** The same for the same question, so that a repetition after a crash makes no second gap. Sorts by age. */
function gapIdOf({ id, attempt }: Pick<Turn, "id" | "attempt">): string {
  return id.slice(0, timeChars) + keptId(`gap/${id}/${attempt}`).slice(timeChars);
}
