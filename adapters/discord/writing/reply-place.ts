/**
 * Prepares the thread for an answer: opens it from the message with the question.
 * For a command, which has no message, one that shows the question is posted first. Idempotent. If no thread is
 * possible, or if threads are short and the question has a reply of its own, returns a Place in the channel itself.
 */
import { PermissionFlagsBits } from "@discordjs/core";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { ReplyPlaces } from "../../../src/core/ports/chat-platform.ts";
import { retry } from "../../../src/core/tools/retry.ts";
import { cleanText, say } from "../../../src/presentation/drawing.ts";
import { plainText } from "../../../src/presentation/markdown.ts";
import { turnSentences } from "../../../src/presentation/sentences.ts";
import { type AskedTurn, postQuestion, shownQuestion } from "../../shared/reply-place.ts";
import { truncate } from "../drawing/markup.ts";
import { type DiscordPayload, render } from "../drawing/render.ts";
import { inPlaceThread, isPendingThread, placeOf } from "../ids.ts";
import { type Channels, takesThreads } from "../intake/channels.ts";
import { readId } from "../intake/events.ts";
import type { GoneMessages } from "../intake/gone-messages.ts";
import type { ReplyChains } from "../intake/reply-chains.ts";
import { autoArchiveMinutes, maxThreadNameChars, maxThreadWaitMs } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { discordCode, threadExists, toPlatformError } from "./api-errors.ts";
import type { DeferredReplies } from "./deferred-replies.ts";
import { type InteractionApi, messageBody, type Token } from "./interaction-api.ts";
import type { PermissionNotices } from "./permission-notices.ts";
import { nonceOf } from "./post-marks.ts";
import { createThreadBudget } from "./thread-budget.ts";

/** A message has no room for more; the agent gets the whole question. */
const maxShownChars = 3_200;
const threadRights =
  PermissionFlagsBits.ViewChannel | PermissionFlagsBits.CreatePublicThreads | PermissionFlagsBits.SendMessagesInThreads;

/** Half a minute in total; after that the bridge retries. */
const maxTries = 11;
const firstPauseMs = 500;
const maxPauseMs = 4_000;
/** The longest Retry-After to wait for when posting the question. */
const maxQuestionWaitMs = 15_000;

export function createPrepare(
  options: DiscordParts & {
    readonly interactions: InteractionApi;
    readonly deferred: DeferredReplies;
    readonly channels: Channels;
    readonly permissionNotices: PermissionNotices;
    readonly replyChains: ReplyChains;
    readonly gone: GoneMessages;
  },
): ReplyPlaces["prepare"] {
  const { rest, interactions, deferred, channels, permissionNotices, replyChains, gone, keyValue, clock, log } =
    options;

  const threads = createThreadBudget(clock);

  /** Retries while Discord is unreachable or rate limits the call. */
  const retryTemporary = <T>(call: () => Promise<T>, maxWaitMs = maxQuestionWaitMs): Promise<T> =>
    retry(() => call().catch((thrown: unknown) => Promise.reject(toPlatformError(thrown))), {
      clock,
      firstPauseMs,
      maxPauseMs,
      pauseAfter: (thrown, pauseMs, tries) => {
        const { code, retryAfterMs } = toPlatformError(thrown);
        const isTemporary = code === "platform_unreachable" || code === "platform_rate_limited";
        if (!isTemporary || tries >= maxTries || (retryAfterMs ?? 0) > maxWaitMs) return undefined;
        return retryAfterMs ?? pauseMs;
      },
    });

  const mayOpenThreads = (channel: string, permissions: bigint | undefined): boolean => {
    if (permissions === undefined) return channels.hasRights(channel, threadRights) !== false;
    return (permissions & PermissionFlagsBits.Administrator) !== 0n || (permissions & threadRights) === threadRights;
  };

  /** "none": a thread can't be opened, or not soon. "gone": the message was deleted. */
  const openThread = async (
    channel: string,
    messageId: string,
    question: string,
  ): Promise<"opened" | "none" | "gone"> => {
    const body = { name: threadName(question), auto_archive_duration: autoArchiveMinutes };
    const route = `/channels/${channel}/messages/${messageId}/threads`;
    try {
      await retryTemporary(async () => {
        if (gone.has(messageId)) throw new ParleyError("message_gone");
        return rest.call("POST", route, { body, isImpatient: true, isApart: true });
      }, maxThreadWaitMs);
      return "opened";
    } catch (thrown) {
      if (discordCode(thrown) === threadExists) return "opened";
      const error = toPlatformError(thrown);
      if (error.code === "platform_unreachable") throw error;
      if (error.code === "message_gone") return "gone";
      if (error.code === "platform_rate_limited") threads.noteLimit(channel, error.retryAfterMs ?? 0);
      log.info({ code: discordCode(thrown), channel }, "A thread could not be opened; answering in the channel");
      return "none";
    }
  };

  const fromMessage = async (turn: AskedTurn, messageId: string): Promise<Place> => {
    const { workspace, channel } = turn.conversation;
    const inChannel = placeOf(workspace, channel, inPlaceThread(messageId));
    if (!mayOpenThreads(channel, undefined)) return inChannel;
    threads.note(channel);
    const thread = await openThread(channel, messageId, turn.question);
    // Nobody waits for the answer any longer, and in the channel nothing would say what it answers.
    if (thread === "gone") throw new ParleyError("thread_gone");
    return thread === "opened" ? turn.conversation : inChannel;
  };

  /** Posts the message that shows the question and returns its id; undefined if Parley can't post there. */
  const showQuestion = async (turn: AskedTurn, token: Token | undefined): Promise<string | undefined> => {
    const payload = questionPayload(turn);
    if (token !== undefined) {
      try {
        return await retryTemporary(() => interactions.replaceFirst(token, payload));
      } catch (thrown) {
        if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      }
    }
    // Discord itself deduplicates by the nonce.
    const body = {
      ...messageBody(payload),
      nonce: nonceOf({ replyId: `${turn.id}q`, part: 0, generation: 0 }),
      enforce_nonce: true,
    };
    const route = `/channels/${turn.conversation.channel}/messages`;
    const post = async () => readId(await retryTemporary(() => rest.call("POST", route, { body })));
    try {
      return await postQuestion({ turn, keyValue, clock, post });
    } catch (thrown) {
      const error = toPlatformError(thrown);
      if (error.code === "platform_unreachable" || error.code === "platform_rate_limited") throw error;
      return undefined;
    }
  };

  const fromInteraction = async (turn: AskedTurn, data: Readonly<Record<string, string>>): Promise<Place> => {
    const { workspace, channel, thread } = turn.conversation;
    const token = deferred.tokenIn(data);
    const permissions = data["permissions"] === undefined ? undefined : BigInt(data["permissions"]);
    const canHaveThreads = takesThreads({ type: Number(data["channelType"]) });
    const answersInReply = token !== undefined && threads.isShort(channel);
    if (isPendingThread(thread) && canHaveThreads && mayOpenThreads(channel, permissions) && !answersInReply) {
      threads.note(channel);
      const messageId = await showQuestion(turn, token);
      if (messageId !== undefined && (await openThread(channel, messageId, turn.question)) === "opened") {
        return placeOf(workspace, channel, messageId);
      }
    }
    // Without a thread, the deferred reply becomes the Reply itself, with the question on top.
    if (token !== undefined) await deferred.remember(turn.id, token);
    return turn.conversation;
  };

  /** Nobody's event began it, so the message with the question is posted like any other. */
  const fromSchedule = async (turn: AskedTurn): Promise<Place> => {
    const { workspace, channel } = turn.conversation;
    const info = await channels.find(channel);
    if (!takesThreads(info) || !mayOpenThreads(channel, undefined)) return turn.conversation;
    threads.note(channel);
    const messageId = await showQuestion(turn, undefined);
    const thread = messageId === undefined ? "none" : await openThread(channel, messageId, turn.question);
    return thread === "opened" ? placeOf(workspace, channel, messageId) : turn.conversation;
  };

  return async (turn) => {
    // Bots have no direct messages.
    if (!turn.actor.isBot) permissionNotices.noteAsker(turn.id, turn.actor.id);
    const data = turn.platformData;
    if (data?.["token"] !== undefined) return fromInteraction(turn, data);
    const { conversation, askedIn, askedMessageId } = turn;
    if (askedMessageId === undefined && isPendingThread(conversation.thread)) return fromSchedule(turn);
    if (askedMessageId !== undefined) replyChains.noteQuestion(turn.id, askedMessageId);
    const isToBeOpened =
      askedMessageId !== undefined && conversation.thread === askedMessageId && askedIn.thread === undefined;
    return isToBeOpened ? fromMessage(turn, askedMessageId) : conversation;
  };
}

function questionPayload(turn: AskedTurn): DiscordPayload {
  const question = shownQuestion(turn.question, maxShownChars);
  const asked = turnSentences.asked(cleanText(turn.actor.name), question);
  const [payload] = render({
    tone: "info",
    blocks: [{ kind: "text", text: say`${asked}` }],
    actions: [],
    summary: truncate(question, 150),
  });
  return payload ?? { components: [] };
}

/** The question's first words, without marks. Discord requires a name that isn't empty. */
export function threadName(question: string): string {
  const words = plainText(cleanText(question).slice(0, 500)).replace(/\s+/g, " ").trim();
  return words === "" ? "Question" : truncate(words, maxThreadNameChars);
}
