/**
 * Holds questions that arrive while storage is unreachable, and journals them when it is back. They can't be journaled,
 * so their event is left for the platform to resend. But not every platform does, and a person who hears nothing asks
 * twice. So the question is held in memory, and a notice that later becomes the answer tells the person. If this
 * process dies first, the instance that receives the event again finds that notice by its id.
 */

import { isNotTaken, ParleyError, toParleyError } from "../../core/errors.ts";
import { conversationKey, type Place } from "../../core/model/place.ts";
import type { Reply } from "../../core/model/reply.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId, refOf } from "../../core/tools/ids.ts";
import { keepTrying, platformPauses, retry } from "../../core/tools/retry.ts";
import type { ReplyWriter, Site } from "../../delivery/types.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { turnSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import type { Asking, Question } from "./asking.ts";
import { removeIfThere, removeOwn } from "./outage-notice.ts";

/** After that the person is asked to try again. */
const maxWaitMs = 10 * 60_000;
/** Beyond that, only the platform's redelivery helps. */
const maxQuestions = 1_000;
/** Of all held questions together. */
const maxChars = 20_000_000;

/** A message that arrives later than this after it was sent has probably been delivered before. */
const lateMs = 10_000;
const maxThreadMessages = 100;
/** How long a notice that is no longer true is removed again and again where the platform refuses or is away. */
const removalMs = 30 * 60_000;

export type OutageQueue = {
  /** Holds the question until it is journaled. Idempotent per event. `sentAtMs`: by the platform's clock. */
  readonly hold: (question: Question, sentAtMs?: number) => void;
};

export function createOutageQueue(app: BridgeApp & { readonly asking: Asking }): OutageQueue {
  const { asking, sites, clock, log } = app;
  const { turns } = app.state;
  const held = new Set<string>();
  let heldChars = 0;

  async function wait(question: Question, site: Site, sentAtMs: number): Promise<void> {
    const isTold = clock.now() - sentAtMs > lateMs && (await mayBeAnswered(question, site.platform));
    const notice = isTold ? undefined : await openNotice(question, site);
    const place = notice?.current().place ?? question.conversation;
    // A refusal is final: do not retry it.
    const journal = () =>
      asking.journal({ ...question, isRepeated: true }, place).catch((failure: unknown) => {
        if (!isNotTaken(failure)) throw failure;
        return failure;
      });
    let turn: Turn | ParleyError | undefined;
    try {
      turn = await keepTrying(journal, { clock, forMs: maxWaitMs });
      if (turn instanceof ParleyError) return await end(notice, turn, question);
    } catch (failure) {
      log.error(
        { err: failure, eventKey: question.eventKey },
        "A question waited too long for storage and was given up",
      );
      await end(notice, new ParleyError("state_unavailable"), question);
      return;
    }
    await notice?.close();
    if (turn !== undefined) return asking.begin(turn);
    if (notice !== undefined) await removeNotice(question.eventKey, notice.current(), site.platform);
  }

  async function openNotice(question: Question, { platform, delivery }: Site): Promise<ReplyWriter> {
    const id = keptId(question.eventKey);
    const place = await placeOf(id, question, platform);
    const writer = delivery.open({ replyId: id, reply: { place, parts: [] }, save: async () => undefined });
    writer.show(infoDocument(turnSentences.storageAway, { tone: "waiting" }));
    return writer;
  }

  /** Shows the error in place of the notice. Without a notice nothing is shown, because the question may be answered. */
  async function end(notice: ReplyWriter | undefined, error: ParleyError, { eventKey }: Question): Promise<void> {
    await notice?.finish(errorDocument(error, refOf(keptId(eventKey)))).catch(() => undefined);
    await notice?.close();
  }

  /**
   * Another instance received the same event, or has answered it long ago. While its Reply has the same id and place, its
   * end finds this notice, and uses or removes it: unless that search was already over. Otherwise only this instance knows
   * about it.
   */
  async function removeNotice(eventKey: string, reply: Reply, platform: ChatPlatform): Promise<void> {
    const untilMs = clock.now() + removalMs;
    const remove = async () => {
      const turn = await turns.getByEventKey(eventKey);
      const isItsReply = turn?.id === keptId(eventKey) && isSamePlace(turn.conversation, reply.place);
      if (isItsReply && unfinishedTurnStates.includes(turn.state)) throw new Error("The answer isn't shown yet.");
      const shown = turn?.reply.parts.map(({ messageId }) => messageId) ?? [];
      const known = reply.parts.flatMap(({ messageId }) => messageId ?? []);
      for (const messageId of known) {
        if (!shown.includes(messageId)) await removeIfThere(platform, { place: reply.place, messageId });
      }
      // The response to its post was lost.
      if (known.length === reply.parts.length) return;
      await removeOwn(platform, reply.place, keptId(eventKey), async (messageId) => !shown.includes(messageId));
    };
    await retry(remove, {
      clock,
      ...platformPauses,
      pauseAfter: (failure, pauseMs) => {
        const waitMs = Math.max(pauseMs, toParleyError(failure).retryAfterMs ?? 0);
        return clock.now() + waitMs > untilMs ? undefined : waitMs;
      },
    }).catch((failure: unknown) =>
      log.warn({ err: failure, eventKey }, "An outage notice may still be shown beside the answer"),
    );
  }

  return {
    hold: (question, sentAtMs = clock.now()) => {
      const { eventKey, conversation } = question;
      const site = sites.get(conversation.platform);
      if (site === undefined || held.has(eventKey) || held.size >= maxQuestions) return;
      const chars = question.question.length + (question.context?.length ?? 0);
      if (heldChars + chars > maxChars) return;
      heldChars += chars;
      held.add(eventKey);
      log.warn({ eventKey }, "Storage is unreachable; a question is held until it is back");
      void wait(question, site, sentAtMs)
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

function isSamePlace(one: Place, other: Place): boolean {
  return conversationKey(one) === conversationKey(other);
}

/**
 * Whether Parley has said something after that question: a platform can deliver an event again long after it was
 * answered, and storage, which knows, is unreachable. Also true where that can't be read.
 */
async function mayBeAnswered({ conversation, order }: Question, platform: ChatPlatform): Promise<boolean> {
  try {
    const said = await platform.readThread(conversation, { limit: maxThreadMessages, after: order });
    return said.some(({ isOwn, text }) => isOwn && !text.includes(turnSentences.storageAway));
  } catch (failure) {
    // A thread that was never opened contains no message.
    return !["place_gone", "thread_gone"].includes(toParleyError(failure).code);
  }
}
