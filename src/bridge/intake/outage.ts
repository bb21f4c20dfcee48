/**
 * Holds questions in memory while storage is unreachable, and stores them when it is back. Their event is left for the
 * platform to resend, but not every platform does, and a person who hears nothing asks twice: a notice tells them. It
 * carries the question's mark. So a question that was held or is sent again finds it where it looks for its earlier
 * posts anyway, and its answer takes its place. Nothing else looks for the notice of a process that died: it says
 * itself to ask again then.
 */

import { isNotTaken, ParleyError, toParleyError } from "../../core/errors.ts";
import { conversationKey, type Place } from "../../core/model/place.ts";
import type { Reply } from "../../core/model/reply.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, MessageRef } from "../../core/ports/chat-platform.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId, refOf } from "../../core/tools/ids.ts";
import { platformPauses, retry } from "../../core/tools/retry.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { ReplyWriter, Site } from "../../delivery/types.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { turnSentences } from "../../presentation/sentences.ts";
import type { IntakeApp } from "./app.ts";
import { begin, isGone, type Question, storeQuestion, withdrawTurn } from "./asking.ts";

/** After that the person is asked to try again. */
const maxWaitMs = 10 * 60_000;
const storagePauses = { firstPauseMs: 250, maxPauseMs: 5_000 };
/** Beyond that, only the platform's redelivery helps. */
const maxQuestions = 1_000;
/** Of all held questions together. */
const maxChars = 20_000_000;

/** A message that arrives later than this after it was sent has probably been delivered before. */
const lateMs = 10_000;
const maxThreadMessages = 100;
/** What the thread shows isn't known later than this; storing the question doesn't wait longer. */
const readWithinMs = 2_000;
/** How long a notice that is no longer true is removed again and again where the platform refuses or is away. */
const removalMs = 30 * 60_000;
/** The notice has no stored record. It will not have been deleted and reposted more often than this. */
const maxGenerations = 3;

/** Holds the question until it is stored. Idempotent per event. `sentAtMs`: by the platform's clock. */
export function hold(app: IntakeApp, question: Question, sentAtMs = app.clock.now()): void {
  const { held, sites, log } = app;
  const { eventKey, conversation } = question;
  const site = sites.get(conversation.platform);
  const chars = question.question.length + (question.context?.length ?? 0);
  const heldChars = [...held.values()].reduce((sum, one) => sum + one, 0);
  const isFull = held.size >= maxQuestions || heldChars + chars > maxChars;
  if (site === undefined || held.has(eventKey) || isFull) return;
  held.set(eventKey, chars);
  log.warn({ eventKey }, "Storage is unreachable; a question is held until it is back");
  void askLater(app, question, site, sentAtMs)
    .catch((failure: unknown) => log.error({ err: failure, eventKey }, "A held question could not be handled"))
    .finally(() => held.delete(eventKey));
}

async function askLater(app: IntakeApp, question: Question, site: Site, sentAtMs: number): Promise<void> {
  const { clock, log } = app;
  const { eventKey } = question;
  // Answered long ago, or a process that died has posted the notice.
  const mayBeTold = question.isRepeated === true || clock.now() - sentAtMs > lateMs;
  const isTold = mayBeTold && ((await withTimeout(hasSaid(question, site.platform), readWithinMs, clock)) ?? true);
  const notice = isTold ? undefined : await post(question, site);
  const place = notice?.current().place ?? question.conversation;
  const untilMs = clock.now() + maxWaitMs;
  // A refusal is final.
  const pauseAfter = (failure: unknown, pauseMs: number) =>
    isNotTaken(failure) || clock.now() + pauseMs > untilMs ? undefined : pauseMs;
  let turn: Turn | undefined;
  try {
    const store = () => storeQuestion(app, { ...question, isRepeated: true }, place);
    turn = await retry(store, { clock, ...storagePauses, pauseAfter });
  } catch (failure) {
    const isRefused = isNotTaken(failure);
    if (!isRefused) log.error({ err: failure, eventKey }, "A question waited too long for storage and was given up");
    const error = isRefused ? failure : new ParleyError("state_unavailable");
    // Without a notice nothing is shown, because the question may be answered.
    await notice?.finish(errorDocument(error, refOf(keptId(eventKey)))).catch(() => undefined);
    await notice?.close();
    return;
  }
  await notice?.close();
  // While it waited.
  if (turn !== undefined && (await isGone(app, question))) await withdrawTurn(app, turn.id, question.actor);
  if (turn !== undefined) await begin(app, turn);
  // Its own question looks for it in the place of the answer, which may be a thread that is only opened now.
  const { replyPlaces } = site.platform;
  const isFound = turn !== undefined && (replyPlaces === undefined || replyPlaces.isPrepared?.(place) === true);
  if (notice !== undefined && !isFound) void removeNotice(app, eventKey, notice.current(), site.platform);
}

async function post(question: Question, { platform, delivery }: Site): Promise<ReplyWriter> {
  const id = keptId(question.eventKey);
  const place = await placeOf(id, question, platform);
  const writer = delivery.open({ replyId: id, reply: { place, parts: [] }, save: async () => undefined });
  writer.show(infoDocument(turnSentences.storageAway, { tone: "waiting" }));
  return writer;
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

/**
 * Another instance may have received the same event, or have answered it long ago. While the question's Reply has the
 * same mark and place, its end finds this notice, and uses or removes it: unless that search was already over.
 * Otherwise only this instance knows about it. Never rejects.
 */
async function removeNotice(app: IntakeApp, eventKey: string, notice: Reply, platform: ChatPlatform): Promise<void> {
  const { clock, log } = app;
  const untilMs = clock.now() + removalMs;
  const known = notice.parts.flatMap(({ messageId }) => messageId ?? []);
  const remove = async () => {
    const turn = await app.state.turns.getByEventKey(eventKey);
    const isItsReply = turn?.id === keptId(eventKey) && isSamePlace(turn.conversation, notice.place);
    if (isItsReply && unfinishedTurnStates.includes(turn.state)) throw new Error("The answer isn't shown yet.");
    const shown = turn?.reply.parts.map(({ messageId }) => messageId) ?? [];
    // Otherwise the response to its post was lost.
    const isKnown = known.length === notice.parts.length;
    const found = isKnown ? [] : await platform.findOwn(notice.place, keptId(eventKey), maxGenerations);
    for (const messageId of [...known, ...found.map((one) => one.messageId)]) {
      if (!shown.includes(messageId)) await removeIfThere(platform, { place: notice.place, messageId });
    }
  };
  const pauseAfter = (failure: unknown, pauseMs: number) => {
    const waitMs = Math.max(pauseMs, toParleyError(failure).retryAfterMs ?? 0);
    return clock.now() + waitMs > untilMs ? undefined : waitMs;
  };
  await retry(remove, { clock, ...platformPauses, pauseAfter }).catch((err: unknown) =>
    log.warn({ err, eventKey }, "An outage notice may still be shown beside the answer"),
  );
}

async function removeIfThere(platform: ChatPlatform, message: MessageRef): Promise<void> {
  try {
    await platform.remove(message);
  } catch (failure) {
    if (toParleyError(failure).code !== "message_gone") throw failure;
  }
}

function isSamePlace(one: Place, other: Place): boolean {
  return conversationKey(one) === conversationKey(other);
}

/** Whether Parley has said something after that question: storage, which knows more, is unreachable. */
async function hasSaid({ conversation, order }: Question, platform: ChatPlatform): Promise<boolean> {
  try {
    const said = await platform.readThread(conversation, { limit: maxThreadMessages, after: order });
    return said.some(({ isOwn }) => isOwn);
  } catch (failure) {
    // A thread that was never opened contains no message.
    if (["place_gone", "thread_gone"].includes(toParleyError(failure).code)) return false;
    throw failure;
  }
}
