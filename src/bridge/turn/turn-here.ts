/** Finds the Turn that a button or form names, if its answer is in the place where it was pressed. */

import { ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import type { TurnStore } from "../../core/ports/state.ts";

/** The id is untrusted: a press only reaches Turns whose answer is in the place where it was pressed. */
export async function turnHere(
  turns: Pick<TurnStore, "get">,
  id: string,
  { place, actor }: Pick<Inbound, "place" | "actor">,
): Promise<Turn> {
  const turn = await turns.get(id);
  const stands = turn?.conversation;
  const isThere = stands?.platform === place.platform && stands.workspace === place.workspace;
  // A direct message may have two ids: the person's and its own.
  const isHere = turn?.isPrivate === true ? turn.actor.id === actor.id : stands?.channel === place.channel;
  if (turn === undefined || turn.isForgotten === true || !isThere || !isHere) throw new ParleyError("turn_gone");
  return turn;
}
