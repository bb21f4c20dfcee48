/** Tells the asker that an answer which took long has ended: edits of a message notify nobody. */

import type { Turn, TurnView } from "../../core/model/turn.ts";
import { readyDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";

/** What must be true of an end besides the time it took. `isNews`: showing it posted a message, which notifies. */
type End = { readonly turn: Turn; readonly view: TurnView; readonly isNews: boolean };

/**
 * Stored before the Turn is recorded as over, under a key of its attempt: after a crash between the two it is stored
 * again, and still posted once. Never rejects, since the answer itself is shown.
 */
export async function tellReady({ turn, view, isNews }: End, app: BridgeApp): Promise<void> {
  const { notifyAfterMs } = app.settings;
  const { actor } = turn;
  // A question that is asked again waits from then on.
  const tookMs = (view.endedAtMs ?? app.clock.now()) - (turn.askedAgainAtMs ?? turn.createdAtMs);
  const isLong = notifyAfterMs > 0 && tookMs > notifyAfterMs;
  const isEnd = view.state === "answered" || view.state === "failed";
  if (!isLong || !isEnd || isNews || turn.isPrivate === true || turn.isQuiet === true || actor.isBot) return;
  if (turn.stopRequestedBy !== undefined || app.reach.isDirect(turn.askedIn)) return;
  try {
    await app.notices.post({
      key: `ready/${turn.id}/${turn.attempt}`,
      place: turn.reply.place,
      document: readyDocument(actor, view.state === "answered"),
    });
  } catch (err) {
    app.log.warn({ err, turnId: turn.id, ref: turn.ref }, "The asker was not told that a long answer has ended");
  }
}
