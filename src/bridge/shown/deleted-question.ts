/**
 * Forgets a question that its author deleted, and removes its answer: only where Parley itself stores the messages.
 * Elsewhere the answer stays, since others may have read and answered it. Idempotent.
 */

import type { Actor, Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type TurnStore, unfinishedTurnStates } from "../../core/ports/state.ts";
import type { Forgetting } from "../intake/forgetting.ts";

const pollMs = 50;
const maxEndingMs = 1_000;

/** Whether it was forgotten. */
export type ForgetDeleted = (turn: Turn, by: Actor) => Promise<boolean>;

type OwnPage = Pick<ChatPlatform, "isOwnPage" | "findOwn" | "remove">;

export function createForgetDeleted(deps: {
  readonly sites: ReadonlyMap<string, { readonly platform: OwnPage }>;
  readonly turns: Pick<TurnStore, "ofConversation" | "get">;
  readonly clock: Clock;
  readonly forgetTurns: Forgetting["forgetTurns"];
  readonly manages: (actor: Actor, place: Place) => boolean;
}): ForgetDeleted {
  /** The Turn of the question, and those in which other agents were asked the same. */
  async function answersOf(turn: Turn): Promise<readonly Turn[]> {
    const { askedMessageId: asked } = turn;
    const found = [turn];
    if (asked === undefined) return found;
    for await (const other of deps.turns.ofConversation(turn.conversation)) {
      if (other.askedMessageId === asked && other.id !== turn.id) found.push(other);
    }
    return found;
  }

  /** Its end is shown by then: a stopped question that waits ends after a moment. */
  async function ended(turnId: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < maxEndingMs; waitedMs += pollMs) {
      const turn = await deps.turns.get(turnId);
      if (turn === undefined || !unfinishedTurnStates.includes(turn.state)) return;
      await deps.clock.sleep(pollMs);
    }
  }

  return async (turn, by) => {
    const platform = deps.sites.get(turn.askedIn.platform)?.platform;
    if (platform?.isOwnPage !== true) return false;
    if (turn.actor.id !== by.id && !deps.manages(by, turn.askedIn)) return false;
    const answers = await answersOf(turn);
    const removeAll = async () => {
      for (const { id, reply } of answers) {
        for (const { messageId } of await platform.findOwn(reply.place, id, Number.MAX_SAFE_INTEGER)) {
          await platform.remove({ place: reply.place, messageId });
        }
      }
    };
    // Forgetting waits until the conversation's running question has ended, which may be another one.
    await ended(turn.id);
    await removeAll();
    await deps.forgetTurns(answers.filter(({ isForgotten }) => isForgotten !== true));
    // Its end may have been shown since.
    await removeAll();
    return true;
  };
}
