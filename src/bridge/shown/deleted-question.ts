/**
 * Forgets a question that its author deleted, and removes its answer: only where Parley itself stores the messages.
 * Elsewhere the answer stays, since others may have read and answered it. Idempotent.
 */

import type { Actor } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";

import { unfinishedTurnStates } from "../../core/ports/state.ts";
import type { IntakeApp } from "../intake/app.ts";
import { forgetTurns } from "../intake/forgetting.ts";

const pollMs = 50;
const maxEndingMs = 1_000;

/** The Turn of the question, and those in which other agents were asked the same. */
async function answersOf(app: IntakeApp, turn: Turn): Promise<readonly Turn[]> {
  const { askedMessageId: asked } = turn;
  const found = [turn];
  if (asked === undefined) return found;
  for await (const other of app.state.turns.ofConversation(turn.conversation)) {
    if (other.askedMessageId === asked && other.id !== turn.id) found.push(other);
  }
  return found;
}

/** Its end is shown by then: a stopped question that waits ends after a moment. */
async function ended(app: IntakeApp, turnId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < maxEndingMs; waitedMs += pollMs) {
    const turn = await app.state.turns.get(turnId);
    if (turn === undefined || !unfinishedTurnStates.includes(turn.state)) return;
    await app.clock.sleep(pollMs);
  }
}

/** Whether it was forgotten. */
export async function forgetDeleted(app: IntakeApp, turn: Turn, by: Actor): Promise<boolean> {
  const platform = app.sites.get(turn.askedIn.platform)?.platform;
  if (platform?.isOwnPage !== true) return false;
  if (turn.actor.id !== by.id && !app.reach.may(by, "manage", turn.askedIn).allowed) return false;
  const answers = await answersOf(app, turn);
  const removeAll = async () => {
    for (const { id, reply } of answers) {
      for (const { messageId } of await platform.findOwn(reply.place, id, Number.MAX_SAFE_INTEGER)) {
        await platform.remove({ place: reply.place, messageId });
      }
    }
  };
  // Forgetting waits until the conversation's running question has ended, which may be another one.
  await ended(app, turn.id);
  await removeAll();
  await forgetTurns(
    app,
    answers.filter(({ isForgotten }) => isForgotten !== true),
  );
  // Its end may have been shown since.
  await removeAll();
  return true;
}
