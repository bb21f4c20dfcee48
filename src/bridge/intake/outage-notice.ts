/**
 * Removes outage notices: "your question is saved" messages that another instance posted. Some platforms deliver every
 * event to every instance. One that can't store anything then tells the person to wait while another one answers. It
 * removes its notice itself unless it dies first, so the instance that answers looks for it.
 */

import { toParleyError } from "../../core/errors.ts";
import { conversationKey, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, MessageRef } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type TurnStore, unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId } from "../../core/tools/ids.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import type { BridgeApp } from "../app.ts";

const patienceMs = 15_000;
/** The notice has no stored record. It will not have been deleted and reposted more often than this. */
const maxGenerations = 3;

/**
 * Removes a notice that another instance may have posted for this question. Rejects when the platform can't be
 * searched.
 */
export async function removeOutageNotice(turn: Turn, platform: ChatPlatform, clock: Clock): Promise<void> {
  const id = keptId(turn.eventKey);
  // The Turn's own messages carry that id; its end has already looked for them.
  if (turn.id === id) return;
  await keepTrying(() => removeOwn(platform, turn.conversation, id), { clock, forMs: patienceMs });
}

type Refused = Pick<Turn, "eventKey" | "conversation" | "askedIn">;

/**
 * The same for a refused question, which has no Turn: the instance that posted the notice may be dead. Also searches
 * the channel, in case no thread could be opened. Rejects when the platform can't be searched.
 */
export async function removeNoticeOfRefused(
  refused: Refused,
  { platform, turns, clock }: { readonly platform: ChatPlatform; readonly turns: TurnStore; readonly clock: Clock },
): Promise<void> {
  const { eventKey, conversation, askedIn } = refused;
  const places = placesOf({ conversation, askedIn }, platform);
  // The search may be slow, and meanwhile the question may have been stored after all: then the message is its Reply.
  const isMissing = async () => (await turns.getByEventKey(eventKey)) === undefined;
  const removeFrom = async (place: Place) => {
    if (await isMissing()) await removeOwn(platform, place, keptId(eventKey), isMissing);
  };
  for (const place of places) {
    await keepTrying(() => removeFrom(place).catch(unlessGone), { clock, forMs: patienceMs });
  }
}

/** The Conversation, and the channel in case no thread could be opened. */
function placesOf({ conversation, askedIn }: Pick<Turn, "conversation" | "askedIn">, platform: ChatPlatform) {
  const isOnePlace = conversationKey(conversation) === conversationKey(askedIn);
  return isOnePlace || platform.replyPlaces?.isInPlace === undefined ? [conversation] : [conversation, askedIn];
}

/** A thread that was never opened contains no message. */
function unlessGone(failure: unknown): void {
  if (!["place_gone", "thread_gone"].includes(toParleyError(failure).code)) throw failure;
}

/** Removes the messages of that Reply there, as long as `isUnwanted` holds. */
export async function removeOwn(
  platform: ChatPlatform,
  place: Place,
  replyId: string,
  isUnwanted: (messageId: string) => Promise<boolean> = async () => true,
): Promise<void> {
  for (const { messageId } of await platform.findOwn(place, replyId, maxGenerations)) {
    if (!(await isUnwanted(messageId))) continue;
    await removeIfThere(platform, { place, messageId });
  }
}

/** Succeeds when it is already gone. */
export async function removeIfThere(platform: ChatPlatform, ref: MessageRef): Promise<void> {
  try {
    await platform.remove(ref);
  } catch (failure) {
    if (toParleyError(failure).code !== "message_gone") throw failure;
  }
}

/** An outage notice is posted while a question is held, at most this long. */
const recentMs = 10 * 60_000;

/**
 * When storage was last unreachable for this process. Another instance may then have posted a notice for a question and
 * died: Slack delivers a mention as two events, each to any instance. So for a while new questions search for such a
 * notice, and use it for their answer.
 */
export type Outages = {
  /** Storage was unreachable a moment ago. */
  readonly note: () => void;
  readonly isRecent: () => boolean;
  /** True once after the start, when another process may have died in an outage, and once after each outage. */
  readonly takeUnsearched: () => boolean;
};

export function createOutages(clock: Pick<Clock, "now">): Outages {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isUnsearched = true;
  return {
    note: () => {
      lastMs = clock.now();
      isUnsearched = true;
    },
    isRecent: () => clock.now() - lastMs < recentMs,
    takeUnsearched: () => {
      const wasUnsearched = isUnsearched;
      isUnsearched = false;
      return wasUnsearched;
    },
  };
}

/** Each is one read of a thread; more would use up what the platform allows. */
const mostSearched = 50;
const searchPauseMs = 2_000;

/**
 * Searches the newest questions for notices of processes that died: one can be posted after the end was shown, when a
 * platform delivers a question twice, and then no Turn looks for it. Rejects when storage is unreachable, and
 * with the signal's reason.
 */
export async function removeLeftNotices(
  { state: { turns }, sites, clock, log }: BridgeApp,
  signal: AbortSignal,
): Promise<void> {
  const sinceMs = clock.now() - recentMs;
  const isSearched = ({ createdAtMs, via, isPrivate, isQuiet }: Turn) =>
    createdAtMs >= sinceMs && via === "message" && isPrivate !== true && isQuiet !== true;
  const searched = (await turns.recent(mostSearched))
    .filter(isSearched)
    .map(({ id, eventKey, conversation, askedIn }) => ({ id, eventKey, conversation, askedIn }));
  for (const turn of searched) {
    const platform = sites.get(turn.conversation.platform)?.platform;
    if (platform === undefined) continue;
    for (const place of placesOf(turn, platform)) {
      await clock.sleep(searchPauseMs, signal);
      const noticeId = keptId(turn.eventKey);
      await removeOwn(platform, place, noticeId, (messageId) => isLeft(messageId, turn.id, noticeId))
        .catch(unlessGone)
        .catch((err: unknown) => log.info({ err, turnId: turn.id }, "An outage notice may still be shown"));
    }
  }

  async function isLeft(messageId: string, turnId: string, noticeId: string): Promise<boolean> {
    const turn = await turns.get(turnId);
    // The end of a Turn with that id looks for it, and may use it.
    if (turn === undefined || (turn.id === noticeId && unfinishedTurnStates.includes(turn.state))) return false;
    return !turn.reply.parts.some((part) => part.messageId === messageId);
  }
}
