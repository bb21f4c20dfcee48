/**
 * Some platforms hand every event to every instance. One that could store nothing then tells the person to wait, while
 * another one answers; it takes that back by itself, unless it dies before. So whoever answered looks for such a message.
 */
import { toParleyError } from "./errors.ts";
import { keptId } from "./ids.ts";
import type { ChatPlatform, MessageRef } from "./ports/chat-platform.ts";
import type { Clock } from "./ports/clock.ts";
import { keepTrying } from "./waiting.ts";
import type { Place, Turn } from "./words.ts";

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

/** Removes what stands there of that Reply. */
export async function removeOwn(platform: ChatPlatform, place: Place, replyId: string): Promise<void> {
  for (const { messageId } of await platform.findOwn(place, replyId, maxGenerations)) {
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
