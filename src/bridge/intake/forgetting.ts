/**
 * Forgets a Conversation: deletes its questions, answers, context and steps from every store. An empty record of each
 * Turn stays (who asked, where and when); without it the platform could resend the event, and it would be asked again.
 */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Conversations, Forget } from "../../ports/conversations.ts";
import { ParleyError } from "../../ports/errors.ts";
import { type Actor, conversationKey, type Place } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { type Coordinator, type TurnStore, unfinishedTurnStates } from "../../ports/state.ts";
import { withLane } from "../../ports/tools/with-lane.ts";
import { accessSentences } from "../../presentation/sentences.ts";
import type { Asking } from "./asking.ts";
import type { ThreadTalk } from "./thread-talk.ts";

const pollMs = 50;
const maxEndingMs = 15_000;

export function createForget(deps: {
  readonly turns: TurnStore;
  readonly conversations: Conversations;
  readonly asking: Pick<Asking, "stop">;
  readonly talk: Pick<ThreadTalk, "forget">;
  readonly coordinator: Pick<Coordinator, "lanes">;
  readonly sites: ReadonlyMap<string, { readonly platform: Pick<ChatPlatform, "forget" | "isDirect" | "directPlace"> }>;
  readonly clock: Clock;
}): Forget {
  const { turns, conversations, asking, coordinator, sites, clock } = deps;

  /** Only the needed fields: a Conversation can have thousands of Turns. */
  async function turnsOf(conversation: Place, isMeant: (turn: Turn) => boolean = () => true) {
    const found: Pick<Turn, "id" | "state" | "actor">[] = [];
    for await (const turn of turns.ofConversation(conversation)) {
      const { id, state, actor } = turn;
      if (turn.isForgotten !== true && isMeant(turn)) found.push({ id, state, actor });
    }
    return found;
  }

  /** Private answers in the same direct message, on platforms that also know it by the person's id. */
  async function privateTurnsOf(conversation: Place, by: Actor) {
    const platform = sites.get(conversation.platform)?.platform;
    if (platform?.isDirect?.(conversation) !== true) return [];
    // The platform may have to be asked and may be unreachable; then there is no second place to search.
    const findDirect = async () => platform.directPlace?.(by, conversation);
    const direct = await findDirect().catch(() => undefined);
    if (direct === undefined || conversationKey(direct) === conversationKey(conversation)) return [];
    const { thread } = conversation;
    return turnsOf(direct, ({ isPrivate, actor, reply }) => {
      const stands = thread === undefined || reply.parts.some(({ messageId }) => messageId === thread);
      return isPrivate === true && actor.id === by.id && stands;
    });
  }

  /** Waits for the Turn's end: a waiting question ends after a moment. Gives up if its end cannot be shown. */
  async function ended(turnId: string): Promise<Turn | undefined> {
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const turn = await turns.get(turnId);
      if (turn === undefined || !unfinishedTurnStates.includes(turn.state) || waitedMs >= maxEndingMs) return turn;
      await clock.sleep(pollMs);
    }
  }

  /** `fence`: from now on a previous holder of the Turn, which may not know about this, can't store anything more. */
  async function strip(turnId: string, fence: number): Promise<boolean> {
    const nothing = { question: "", attachments: [], isForgotten: true as const };
    const removed = {
      context: undefined,
      outcome: undefined,
      platformData: undefined,
      requestedAgent: undefined,
      requestedProject: undefined,
    };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const turn = await ended(turnId);
      if (turn === undefined) return false;
      const patch = { ...nothing, ...removed };
      const held = Math.max(turn.fence, fence);
      if ((await turns.transition(turnId, [turn.state], turn.state, patch, held)) !== undefined) return true;
    }
    return false;
  }

  return async (conversation, by, mayForgetOthers) => {
    const known = [...(await turnsOf(conversation)), ...(await privateTurnsOf(conversation, by))];
    const { entries } = await conversations.get(conversation);
    const own = new Set(known.filter(({ actor }) => actor.id === by.id).map(({ id }) => id));
    // If an entry's Turn is gone, nobody knows who asked.
    const areOwn = known.every(({ id }) => own.has(id)) && entries.every(({ turnId }) => own.has(turnId));
    if (!mayForgetOthers && !areOwn) {
      throw new ParleyError("not_allowed", { what: accessSentences.othersAsked });
    }
    // Stop what still runs. Send all stops before waiting for the first.
    const unfinished = known.filter(({ state }) => unfinishedTurnStates.includes(state));
    await Promise.all(unfinished.map(({ id }) => asking.stop(id, by)));
    return withLane(conversationKey(conversation), { coordinator, clock }, async (fence) => {
      const forgotten = new Set(entries.map(({ turnId }) => turnId));
      // Questions asked after this point belong to a new conversation.
      for (const { id } of known) if (await strip(id, fence)) forgotten.add(id);
      await conversations.forget(conversation);
      await deps.talk.forget(conversation);
      if (forgotten.size > 0) await sites.get(conversation.platform)?.platform.forget?.(conversation);
      return forgotten.size;
    });
  };
}
