/** Finds the question that a message answers: the newest one before it in its thread that people saw the end of. */
import type { Turn } from "../core/model/turn.ts";

/** Only those that everyone in the thread could read, and whose end they saw. */
function wasSeen({ state, isPrivate, isForgotten, notAnswered }: Turn): boolean {
  const hasEnded = state === "answered" || state === "failed";
  return hasEnded && isPrivate !== true && isForgotten !== true && notAnswered === undefined;
}

/** `order`: of the message. Of Turns in any order. */
export async function turnBefore(turns: AsyncIterable<Turn>, order: string): Promise<Turn | undefined> {
  let newest: Turn | undefined;
  for await (const turn of turns) {
    if (!wasSeen(turn) || turn.order >= order) continue;
    if (newest === undefined || newest.order < turn.order) newest = turn;
  }
  return newest;
}

export async function hasSeenTurn(turns: AsyncIterable<Turn>): Promise<boolean> {
  for await (const turn of turns) if (wasSeen(turn)) return true;
  return false;
}
