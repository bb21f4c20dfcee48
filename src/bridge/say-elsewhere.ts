/**
 * What cannot be shown in its place, because that is locked or gone or Parley may not write there, is said outside the
 * thread, else where the person alone reads it.
 */

import type { Log } from "../operations/log.ts";
import type { Document } from "../presentation/document.ts";
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { Delivery } from "./ports/delivery.ts";
import { type Actor, conversationKey, type Place } from "./words.ts";

export type Elsewhere = {
  readonly platform: ChatPlatform;
  readonly delivery: Delivery;
  readonly log: Log;
};

/** Never rejects. */
export async function sayElsewhere(
  about: {
    readonly id: string;
    readonly ref: string;
    readonly actor: Actor;
    readonly askedIn: Place;
    /** Where it could not be shown. */
    readonly shownIn: Place;
  },
  documents: { readonly outside: Document; readonly direct: Document },
  { platform, delivery, log }: Elsewhere,
): Promise<void> {
  const { askedIn } = about;
  const outside: Place = { platform: askedIn.platform, workspace: askedIn.workspace, channel: askedIn.channel };
  const findDirect = async () => platform.directPlace?.(about.actor, about.shownIn);
  const direct = await findDirect().catch((failure: unknown) => {
    log.warn({ err: failure, id: about.id, ref: about.ref }, "Whoever asked cannot be written to directly");
    return undefined;
  });
  const isSame = conversationKey(outside) === conversationKey(about.shownIn);
  for (const [index, place] of [...(isSame ? [] : [outside]), direct].entries()) {
    if (place === undefined) continue;
    const writer = delivery.open({
      replyId: `${about.id}x${index}`,
      reply: { place, parts: [] },
      save: async () => undefined,
    });
    try {
      await writer.finish(place === direct ? documents.direct : documents.outside);
      return;
    } catch (failure) {
      log.warn({ err: failure, id: about.id, ref: about.ref }, "Nor could it be said elsewhere");
    } finally {
      await writer.close();
    }
  }
}
