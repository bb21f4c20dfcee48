/** Puts one Turn where it belongs now: into the gap of its meaning, into a new one, or out of any. */
import type { Asker, Feedback, GapScope, Signal } from "../../core/model/insight.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { type State, unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId } from "../../core/tools/ids.ts";
import { shorten } from "../../presentation/sentences.ts";
import { questionForm } from "../grouping/form.ts";
import { newGap, type StoredGap, withAsker, withoutAskers } from "./gap-record.ts";
import type { GapStore } from "./gap-store.ts";
import { isCounted } from "./signals.ts";

/** Enough to tell questions apart. */
const maxQuestionChars = 500;
/** Of an id: the time at which the Turn was created. */
const timeChars = 9;

/** One fact about a Turn. */
export type TurnNote = { readonly turnId: string } & (
  | { readonly kind: "answer"; readonly signals: readonly Signal[] }
  | { readonly kind: "asked-again" }
  /** Its votes have changed. `isForgetting`: it is about to be forgotten, and the note is kept until it is. */
  | { readonly kind: "look"; readonly isForgetting?: true }
);

/**
 * Can be repeated; the caller holds the agent's lease. "unfinished": it is asked again, and its end brings a newer note.
 * "gone": it is forgotten, and so is everything it left here.
 */
export async function regroup(
  state: State,
  store: GapStore,
  scope: GapScope,
  turnId: string,
  notes: readonly TurnNote[],
): Promise<"done" | "unfinished" | "gone"> {
  const [turn, current, votes] = await Promise.all([
    state.turns.get(turnId),
    store.ofTurn(scope, turnId),
    votesOn(state, scope, turnId),
  ]);
  if (turn === undefined || turn.isForgotten === true) {
    await deleteVotes(state, turn?.conversation ?? scope, turnId);
    // A process that died while it merged gaps has left it in both.
    for (let gap = current; gap !== undefined; gap = await store.ofTurn(scope, turnId)) {
      await leave(store, gap, turnId);
    }
    return "gone";
  }
  if (unfinishedTurnStates.includes(turn.state)) return "unfinished";
  const before = current?.askers.find((asker) => asker.turnId === turnId);
  const signals = signalsOf(before, notes, votes);
  if (signals.length === 0 || !isCounted(turn)) {
    // An answered gap is asked again to see that it holds, also if its askers got better answers since.
    if (current?.state !== "answered") await leave(store, current, turnId);
    return "done";
  }
  const gap = await gapFor(store, scope, turn, current);
  if (current?.id !== gap.id) await leave(store, current, turnId);
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
}

/** Key of the votes on an answer; the voter follows. */
function votesPrefix(place: Pick<Place, "platform" | "workspace">, turnId: string): string {
  return `${workspaceKey(place)}/${turnId}/`;
}

async function votesOn({ keyValue }: State, scope: GapScope, turnId: string): Promise<readonly Feedback[]> {
  const votes = keyValue<Feedback>("feedback").entries(votesPrefix(scope, turnId));
  return (await Array.fromAsync(votes)).map(([, vote]) => vote);
}

async function deleteVotes(
  { keyValue }: State,
  place: Pick<Place, "platform" | "workspace">,
  turnId: string,
): Promise<void> {
  const feedback = keyValue<Feedback>("feedback");
  for await (const [key] of feedback.entries(votesPrefix(place, turnId))) await feedback.delete(key);
}

async function leave(store: GapStore, gap: StoredGap | undefined, turnId: string): Promise<void> {
  if (gap !== undefined) await store.put(withoutAskers(gap, new Set([turnId])));
}

/** Its gap so far, if it still asks the same; else the one that means the same; else a new one. */
async function gapFor(
  store: GapStore,
  scope: GapScope,
  turn: Turn,
  current: StoredGap | undefined,
): Promise<StoredGap> {
  const question = shorten(turn.question, maxQuestionChars);
  if (current?.askers.some((asker) => asker.turnId === turn.id && asker.question === question)) return current;
  const alike = await store.alike(scope, questionForm(question));
  return alike ?? newGap({ ...scope, id: gapIdOf(turn), nowMs: turn.createdAtMs });
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
