/**
 * Holds questions that arrive while storage is unreachable, and journals them when it is back. They can't be journaled,
 * so their event is left for the platform to resend. But not every platform does, and a person who hears nothing asks
 * twice. So the question is held in memory, and a notice that later becomes the answer tells the person. If this
 * process dies first, the instance that receives the event again finds that notice by its id.
 */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { ReplyWriter, Site } from "../../ports/delivery.ts";
import { isNotTaken, ParleyError } from "../../ports/errors.ts";
import { conversationKey, type Place } from "../../ports/model/place.ts";
import type { Reply } from "../../ports/model/reply.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { unfinishedTurnStates } from "../../ports/state.ts";
import { keptId, refOf } from "../../ports/tools/ids.ts";
import { keepTrying } from "../../ports/tools/retry.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { turnSentences } from "../../presentation/sentences.ts";
import type { BridgeDeps } from "../deps.ts";
import type { Asking, Question } from "./asking.ts";
import { removeIfThere } from "./outage-notice.ts";

/** After that the person is asked to try again. */
const maxWaitMs = 10 * 60_000;
/** Beyond that, only the platform's redelivery helps. */
const maxQuestions = 1_000;
/** Of all held questions together. */
const maxChars = 20_000_000;

export type OutageQueue = {
  /** Holds the question until it is journaled. Idempotent per event. */
  readonly hold: (question: Question) => void;
};

export function createOutageQueue(deps: BridgeDeps & { readonly asking: Asking }): OutageQueue {
  const { asking, turns, sites, clock, log } = deps;
  const held = new Set<string>();
  let heldChars = 0;

  async function wait(question: Question, site: Site): Promise<void> {
    const id = keptId(question.eventKey);
    const place = await placeOf(id, question, site.platform);
    let reply: Reply = { place, parts: [] };
    const writer = site.delivery.open({
      replyId: id,
      reply,
      save: async (changed) => {
        reply = changed;
      },
    });
    writer.show(infoDocument(turnSentences.storageAway, { tone: "waiting" }));
    // A refusal is final: do not retry it.
    const journal = () =>
      asking.journal({ ...question, isRepeated: true }, place).catch((failure: unknown) => {
        if (!isNotTaken(failure)) throw failure;
        return failure;
      });
    let turn: Turn | ParleyError | undefined;
    try {
      turn = await keepTrying(journal, { clock, forMs: maxWaitMs });
      if (turn instanceof ParleyError) return await end(writer, turn, refOf(id));
    } catch (failure) {
      log.error(
        { err: failure, eventKey: question.eventKey },
        "A question waited too long for storage and was given up",
      );
      await end(writer, new ParleyError("state_unavailable"), refOf(id));
      return;
    }
    await writer.close();
    if (turn !== undefined) return asking.begin(turn);
    await removeNotice(question.eventKey, writer.current(), site.platform).catch((failure: unknown) =>
      log.warn({ err: failure, eventKey: question.eventKey }, "An outage notice may still be shown beside the answer"),
    );
  }

  async function end(writer: ReplyWriter, error: ParleyError, ref: string): Promise<void> {
    await writer.finish(errorDocument(error, ref)).catch(() => undefined);
    await writer.close();
  }

  /**
   * Another instance received the same event. If its Reply has the same id and place, it finds this notice at its end
   * at the latest, and uses or removes it. Otherwise only this instance knows about it.
   */
  async function removeNotice(eventKey: string, reply: Reply, platform: ChatPlatform): Promise<void> {
    const turn = await keepTrying(() => turns.getByEventKey(eventKey), { clock, forMs: maxWaitMs });
    const isElsewhere = turn !== undefined && conversationKey(turn.conversation) !== conversationKey(reply.place);
    if (turn?.id === keptId(eventKey) && !isElsewhere && unfinishedTurnStates.includes(turn.state)) return;
    const shown = turn?.reply.parts.map(({ messageId }) => messageId) ?? [];
    for (const { messageId } of reply.parts) {
      if (messageId === undefined || shown.includes(messageId)) continue;
      await removeIfThere(platform, { place: reply.place, messageId });
    }
  }

  return {
    hold: (question) => {
      const { eventKey, conversation } = question;
      const site = sites.get(conversation.platform);
      if (site === undefined || held.has(eventKey) || held.size >= maxQuestions) return;
      const chars = question.question.length + (question.context?.length ?? 0);
      if (heldChars + chars > maxChars) return;
      heldChars += chars;
      held.add(eventKey);
      log.warn({ eventKey }, "Storage is unreachable; a question is held until it is back");
      void wait(question, site)
        .catch((failure: unknown) => log.error({ err: failure, eventKey }, "A held question could not be handled"))
        .finally(() => {
          heldChars -= chars;
          held.delete(eventKey);
        });
    },
  };
}

/** Where the answer will be. A thread that can't be opened now is opened when the question is asked. */
async function placeOf(id: string, question: Question, platform: ChatPlatform): Promise<Place> {
  if (question.isPrivate === true) return question.conversation;
  try {
    return (await platform.replyPlaces?.prepare({ id, ...question })) ?? question.conversation;
  } catch {
    return question.conversation;
  }
}
