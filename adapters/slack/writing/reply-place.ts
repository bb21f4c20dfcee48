/**
 * Prepares the thread for the answer to a slash command, by posting its question.
 * A slash command has no message, and Slack has no thread without one, so "NAME asked: …" is posted and the answer goes
 * below it. Idempotent: the post's metadata holds the Turn's id.
 */

import { ParleyError } from "../../../src/core/errors.ts";
import type { ReplyPlaces } from "../../../src/core/ports/chat-platform.ts";
import { cleanText, errorDocument } from "../../../src/presentation/drawing.ts";
import { splitMarkdown } from "../../../src/presentation/markdown.ts";
import { noticeSentences, turnSentences } from "../../../src/presentation/sentences.ts";
import { postQuestion, shownQuestion } from "../../shared/reply-place.ts";
import { type Clients, retryAfterRateLimit } from "../connection/clients.ts";
import type { ReadScheduler } from "../connection/read-scheduler.ts";
import { escapeEntities, inlineMrkdwn, inlinePlain, truncateBytes } from "../drawing/markup.ts";
import { render } from "../drawing/render.ts";
import { plainBlocks } from "../drawing/slots.ts";
import { isDirectChannel, isPendingThread, placeOf, type Self } from "../ids.ts";
import { readMessage } from "../intake/events.ts";
import { isOwn } from "../intake/inbound.ts";
import { maxSectionChars, maxTextBytes, pageMessages } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { toPlatformError } from "./api-errors.ts";
import { withoutPreviews } from "./message-api.ts";
import { postResponse } from "./responder.ts";

const questionMark = "parley_question";
/** A message has no room for more; the agent gets the whole question. */
const maxShownChars = 9_000;

export function createPrepare(
  options: SlackParts & {
    readonly clients: Clients;
    readonly scheduler: ReadScheduler;
    readonly self: () => Promise<Self>;
  },
): ReplyPlaces["prepare"] {
  const { clients, clock, keyValue, log } = options;

  /** Finds a post that an earlier process sent but could not record. */
  const findPosted = async (channel: string, turnId: string, sinceMs: number): Promise<string | undefined> => {
    const self = await options.self();
    const oldest = (sinceMs / 1000 - 60).toFixed(6);
    const read = await options.scheduler.live("history", () =>
      clients.read.conversations.history({ channel, oldest, limit: pageMessages, include_all_metadata: true }),
    );
    const found = (read.messages ?? []).map(readMessage).find((message) => {
      return message !== undefined && isOwn(message, self) && message.metadata?.event_payload?.["turn_id"] === turnId;
    });
    return found?.ts;
  };

  return async (turn) => {
    const { conversation } = turn;
    if (conversation.thread !== undefined && !isPendingThread(conversation.thread)) return conversation;
    const { workspace, channel } = conversation;
    const post = async () => {
      const { ts } = await retryAfterRateLimit(clock, () =>
        clients.final.chat.postMessage({
          channel,
          ...questionContent(turn.actor.name, turn.question),
          ...withoutPreviews,
          metadata: { event_type: questionMark, event_payload: { turn_id: turn.id } },
        }),
      );
      return ts ?? Promise.reject(new ParleyError("platform_unreachable"));
    };
    try {
      const find = (sinceMs: number) => findPosted(channel, turn.id, sinceMs);
      return placeOf(workspace, channel, await postQuestion({ turn, keyValue, clock, post, find }));
    } catch (thrown) {
      const error = toPlatformError(thrown);
      const isOutside = error.code === "not_permitted" || error.code === "place_gone";
      const { responseUrl, isGroupDirect } = turn.platformData ?? {};
      // An app can't be invited into other people's direct messages.
      const isDirect = isDirectChannel(channel) || isGroupDirect !== undefined;
      if (isOutside && responseUrl !== undefined) await sayOutside(isDirect, responseUrl);
      throw error;
    }
  };

  async function sayOutside(isDirect: boolean, responseUrl: string): Promise<void> {
    const { notInChannel, notInDirectMessage } = noticeSentences;
    const [payload] = render(errorDocument(isDirect ? notInDirectMessage : notInChannel));
    try {
      await postResponse(responseUrl, {
        response_type: "ephemeral",
        replace_original: false,
        text: payload?.text,
        blocks: plainBlocks(payload?.slots ?? []),
      });
    } catch (thrown) {
      log.warn({ err: thrown }, "Could not tell a person that the bot is not in their Slack channel");
    }
  }
}

function questionContent(name: string, question: string) {
  const [first = "", ...more] = splitMarkdown(shownQuestion(question, maxShownChars), {
    max: maxSectionChars - 400,
    measure: (text) => escapeEntities(text).length * 1.1,
  });
  const asked = turnSentences.asked(cleanText(name), first);
  const section = (text: string) => ({
    type: "section" as const,
    text: { type: "mrkdwn" as const, text, verbatim: true },
  });
  return {
    text: truncateBytes(escapeEntities(inlinePlain(asked)), maxTextBytes),
    blocks: [section(inlineMrkdwn(asked)), ...more.map((text) => section(inlineMrkdwn([{ text }])))],
  };
}
