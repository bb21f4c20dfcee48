/**
 * Posts a result outside the thread, or directly, when it can't be shown in its place. The place may be locked or gone,
 * or Parley can't post there.
 */

import type { Document } from "../core/document.ts";
import { type Actor, conversationKey, type Place } from "../core/model/place.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Log } from "../core/ports/log.ts";
import type { Delivery } from "./types.ts";

export type Elsewhere = {
  readonly platform: ChatPlatform;
  readonly delivery: Delivery;
  readonly log: Log;
};

export type SaidElsewhere = "directly" | "outside" | "nowhere";

/**
 * Never rejects. `answer`: sent to the asker alone, and the message outside says so. Without it the asker is told
 * directly only if nothing can be said outside.
 */
export async function sayElsewhere(
  about: {
    readonly id: string;
    readonly ref: string;
    readonly actor: Actor;
    readonly askedIn: Place;
    /** Where it could not be shown. */
    readonly shownIn: Place;
  },
  documents: { readonly outside: Document; readonly direct: Document; readonly answer?: SentAnswer },
  { platform, delivery, log }: Elsewhere,
): Promise<SaidElsewhere> {
  const { askedIn } = about;
  const { answer } = documents;
  const outside: Place = { platform: askedIn.platform, workspace: askedIn.workspace, channel: askedIn.channel };
  const isSame = conversationKey(outside) === conversationKey(about.shownIn);
  // Bots have no direct messages.
  const findDirect = async () =>
    about.actor.isBot ? undefined : platform.directPlace?.(about.actor, about.shownIn, answer !== undefined);
  const direct = await findDirect().catch((failure: unknown) => {
    log.warn({ err: failure, id: about.id, ref: about.ref }, "The asker can't be reached by direct message");
    return undefined;
  });

  const say = async (place: Place | undefined, index: number, document: Document): Promise<boolean> => {
    if (place === undefined || conversationKey(place) === conversationKey(about.shownIn)) return false;
    const writer = delivery.open({
      replyId: `${about.id}x${index}`,
      reply: { place, parts: [] },
      save: async () => undefined,
    });
    try {
      await writer.finish(document);
      return true;
    } catch (failure) {
      log.warn({ err: failure, id: about.id, ref: about.ref }, "A message could not be posted elsewhere either");
      return false;
    } finally {
      await writer.close();
    }
  };

  const isSent = answer !== undefined && (await say(direct, 1, answer.direct));
  const isTold = !isSame && (await say(outside, 0, isSent ? answer.outside : documents.outside));
  if (isSent) return "directly";
  if (isTold) return "outside";
  return (await say(direct, 1, documents.direct)) ? "directly" : "nowhere";
}

/** What the asker is sent, and what is said outside once it was sent. */
export type SentAnswer = { readonly direct: Document; readonly outside: Document };
