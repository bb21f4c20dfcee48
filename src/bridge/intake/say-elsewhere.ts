/**
 * What cannot be shown in its place, because that is locked or gone or Parley may not write there, is said outside the
 * thread, else where the person alone reads it.
 */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Delivery } from "../../ports/delivery.ts";
import type { Document } from "../../ports/document.ts";
import type { Log } from "../../ports/log.ts";
import { type Actor, conversationKey, type Place } from "../../ports/model/place.ts";

export type Elsewhere = {
  readonly platform: ChatPlatform;
  readonly delivery: Delivery;
  readonly log: Log;
};

export type SaidElsewhere = "directly" | "outside" | "nowhere";

/**
 * Never rejects. `answer`: goes to whoever asked alone, and what is said outside then says so; without one they are told
 * directly only where nothing can be said outside.
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
  const findDirect = async () => platform.directPlace?.(about.actor, about.shownIn, answer !== undefined);
  const direct = await findDirect().catch((failure: unknown) => {
    log.warn({ err: failure, id: about.id, ref: about.ref }, "Whoever asked cannot be written to directly");
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
      log.warn({ err: failure, id: about.id, ref: about.ref }, "Nor could it be said elsewhere");
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

/** What whoever asked is sent, and what is said outside when it was. */
export type SentAnswer = { readonly direct: Document; readonly outside: Document };
