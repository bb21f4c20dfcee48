/**
 * Forgetting a Conversation: its questions, answers, context and steps leave every store. What is left of a Turn is who
 * asked where and when, without a word: else the platform could hand its event over again, and it would be asked anew.
 */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Conversations, Forget } from "../../ports/conversations.ts";
import { ParleyError } from "../../ports/errors.ts";
import { type Actor, conversationKey, type Place } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { type Coordinator, type TurnStore, unfinishedTurnStates } from "../../ports/state.ts";
import { inLane } from "../../ports/tools/in-lane.ts";
import { accessSentences } from "../../presentation/sentences.ts";
import type { Asking } from "./asking.ts";

const pollMs = 50;
const maxEndingMs = 15_000;

export function createForget(deps: {
  readonly turns: TurnStore;
  readonly conversations: Conversations;
  readonly asking: Pick<Asking, "stop">;
  readonly coordinator: Pick<Coordinator, "lanes">;
  readonly sites: ReadonlyMap<string, { readonly platform: Pick<ChatPlatform, "forget" | "isDirect" | "directPlace"> }>;
  readonly clock: Clock;
}): Forget {
  const { turns, conversations, asking, coordinator, sites, clock } = deps;

  /** Of Turns only what is needed: a Conversation may have thousands. */
  async function turnsOf(conversation: Place, isMeant: (turn: Turn) => boolean = () => true) {
    const found: Pick<Turn, "id" | "state" | "actor">[] = [];
    for await (const turn of turns.ofConversation(conversation)) {
      const { id, state, actor } = turn;
      if (turn.isForgotten !== true && isMeant(turn)) found.push({ id, state, actor });
    }
    return found;
  }

  /** Of a platform that knows a direct message by the person's id too, the private answers below one of which that is. */
  async function privateTurnsOf(conversation: Place, by: Actor) {
    const platform = sites.get(conversation.platform)?.platform;
    if (platform?.isDirect?.(conversation) !== true) return [];
    // A platform that has to be asked for it may be away: it then knows no other place of theirs.
    const findDirect = async () => platform.directPlace?.(by, conversation);
    const direct = await findDirect().catch(() => undefined);
    if (direct === undefined || conversationKey(direct) === conversationKey(conversation)) return [];
    const { thread } = conversation;
    return turnsOf(direct, ({ isPrivate, actor, reply }) => {
      const stands = thread === undefined || reply.parts.some(({ messageId }) => messageId === thread);
      return isPrivate === true && actor.id === by.id && stands;
    });
  }

  /** A question that waited in line ends out of line, after a moment; one whose end cannot be shown is not waited for. */
  async function ended(turnId: string): Promise<Turn | undefined> {
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const turn = await turns.get(turnId);
      if (turn === undefined || !unfinishedTurnStates.includes(turn.state) || waitedMs >= maxEndingMs) return turn;
      await clock.sleep(pollMs);
    }
  }

  /** `fence`: from then on whoever had the Turn before, and could not hear of this, stores nothing more of it. */
  async function strip(turnId: string, fence: number): Promise<boolean> {
    const nothing = { question: "", attachments: [], isForgotten: true as const };
    const removed = { context: undefined, outcome: undefined, platformData: undefined, requestedAgent: undefined };
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
    // Of an entry whose Turn is gone nobody knows who asked.
    const areOwn = known.every(({ id }) => own.has(id)) && entries.every(({ turnId }) => own.has(turnId));
    if (!mayForgetOthers && !areOwn) {
      throw new ParleyError("not_allowed", { what: accessSentences.othersAsked });
    }
    // Whoever wants it forgotten does not wait for more of it. All are asked to stop before the first one is waited for.
    const unfinished = known.filter(({ state }) => unfinishedTurnStates.includes(state));
    await Promise.all(unfinished.map(({ id }) => asking.stop(id, by)));
    return inLane(conversationKey(conversation), { coordinator, clock }, async (fence) => {
      const forgotten = new Set(entries.map(({ turnId }) => turnId));
      // What was asked meanwhile was asked of a conversation that begins anew.
      for (const { id } of known) if (await strip(id, fence)) forgotten.add(id);
      await conversations.forget(conversation);
      if (forgotten.size > 0) await sites.get(conversation.platform)?.platform.forget?.(conversation);
      return forgotten.size;
    });
  };
}
