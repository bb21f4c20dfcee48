/**
 * Some platforms hand every event to every instance. One that could store nothing then tells the person to wait, while
 * another one answers; it takes that back by itself, unless it dies before. So whoever answered looks for such a message.
 */

import type { ChatPlatform, MessageRef } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import { toParleyError } from "../../ports/errors.ts";
import type { Place } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import type { TurnStore } from "../../ports/state.ts";
import { keptId } from "../../ports/tools/ids.ts";
import { keepTrying } from "../../ports/tools/retry.ts";

const patienceMs = 15_000;
/** Nothing was stored of what another instance said; it will not have been deleted and said anew more often. */
const maxGenerations = 3;

/** Removes what another instance may have said of this question. Rejects when the platform does not let it look. */
export async function removeToldToWait(turn: Turn, platform: ChatPlatform, clock: Clock): Promise<void> {
  const id = keptId(turn.eventKey);
  // Its own messages bear that id: they were looked for at its end.
  if (turn.id === id) return;
  await keepTrying(() => removeOwn(platform, turn.conversation, id), { clock, forMs: patienceMs });
}

type Refused = Pick<Turn, "eventKey" | "conversation" | "askedIn">;

/**
 * The same for a question that was refused, so that it has no Turn: whoever told the person to wait may be dead. Looks in
 * the channel too, where no thread could be opened. Rejects when the platform does not let it look.
 */
export async function removeToldOfRefused(
  refused: Refused,
  { platform, turns, clock }: { readonly platform: ChatPlatform; readonly turns: TurnStore; readonly clock: Clock },
): Promise<void> {
  const { eventKey, conversation, askedIn } = refused;
  const places = platform.isInPlace === undefined ? [conversation] : [conversation, askedIn];
  // The search may be slow, and meanwhile whoever kept the question may have got it stored: then the message is its Reply.
  const isMissing = async () => (await turns.getByEventKey(eventKey)) === undefined;
  const removeFrom = async (place: Place) => {
    if (await isMissing()) await removeOwn(platform, place, keptId(eventKey), isMissing);
  };
  for (const place of places) {
    await keepTrying(() => removeFrom(place).catch(unlessGone), { clock, forMs: patienceMs });
  }
}

/** A thread that was never opened holds no message. */
function unlessGone(failure: unknown): void {
  if (toParleyError(failure).code !== "place_gone") throw failure;
}

/** Removes what stands there of that Reply, as long as it is still wanted to be gone. */
export async function removeOwn(
  platform: ChatPlatform,
  place: Place,
  replyId: string,
  isUnwanted: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (const { messageId } of await platform.findOwn(place, replyId, maxGenerations)) {
    if (!(await isUnwanted())) return;
    await removeIfThere(platform, { place, messageId });
  }
}

/** Gone already is as good as removed. */
export async function removeIfThere(platform: ChatPlatform, ref: MessageRef): Promise<void> {
  try {
    await platform.remove(ref);
  } catch (failure) {
    if (toParleyError(failure).code !== "message_gone") throw failure;
  }
}
