/**
 * Tells a person by direct message that Parley can't write in the channel where they asked.
 * Otherwise they would wait for an answer that can't come. Sent once a day per channel.
 */
import { LRUCache } from "lru-cache";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import type { Rest } from "../connection/clients.ts";
import { type DiscordPayload, render } from "../drawing/render.ts";
import { directWorkspace } from "../ids.ts";
import { readId } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { messageBody } from "./interaction-api.ts";

const says = {
  /** `rights`: what Parley lacks there, as the platform calls it. */
  notPermitted: (rights: string) => ({
    what: "I don't have permission to post in the channel where you asked.",
    hint: `Ask an admin to give me ${rights} there, then ask again.`,
  }),
};

export type PermissionNotices = ReturnType<typeof createPermissionNotices>;

const sentForMs = 24 * 3_600_000;
const maxRemembered = 2_000;

/** The channel of direct messages with that person. */
export async function openDirect(rest: Rest, userId: string): Promise<string> {
  const channel = readId(await rest.call("POST", "/users/@me/channels", { body: { recipient_id: userId } }));
  if (channel === undefined) throw new ParleyError("platform_unreachable");
  return channel;
}

/**
 * Sends a direct message. Rejects if the person accepts none.
 * `about`: up to 20 characters; instances that send with the same value send it only once.
 */
export async function sendDirectly(
  rest: Rest,
  userId: string,
  about: string,
  payloads: readonly DiscordPayload[],
): Promise<void> {
  const channel = await openDirect(rest, userId);
  for (const [index, payload] of payloads.entries()) {
    const body = { ...messageBody(payload), nonce: `${about}-${index}`, enforce_nonce: true };
    await rest.call("POST", `/channels/${channel}/messages`, { body, isOnce: true });
  }
}

export function createPermissionNotices({ rest, keyValue, log }: DiscordParts) {
  const askers = new LRUCache<string, string>({ max: maxRemembered });
  const sending = new Set<string>();
  const keyOf = ({ workspace, channel }: Place) => `${workspace}/refused/${channel}`;

  return {
    /** Whether a notice about that channel was sent today, or is being sent. */
    wasSent: async (place: Place): Promise<boolean> =>
      sending.has(keyOf(place)) || (await keyValue.get(keyOf(place))) !== undefined,
    /** Notes who asked, to notify them if the Reply can't be shown. */
    noteAsker: (replyId: string, userId: string): void => {
      askers.set(replyId, userId);
    },
    /** Never rejects. */
    send: async (place: Place, replyId: string): Promise<void> => {
      const userId = askers.get(replyId);
      const key = keyOf(place);
      if (userId === undefined || place.workspace === directWorkspace || sending.has(key)) return;
      sending.add(key);
      try {
        if ((await keyValue.get(key)) !== undefined) return;
        log.warn(
          { channel: place.channel },
          "Parley can't write in a Discord channel: it needs View Channel and Send Messages",
        );
        await keyValue.set(key, "1", sentForMs);
        const document = errorDocument(says.notPermitted("View Channel and Send Messages"));
        await sendDirectly(rest, userId, place.channel, render(document));
      } catch (thrown) {
        log.warn({ err: thrown, channel: place.channel }, "The person who asked could not be notified either");
      } finally {
        sending.delete(key);
      }
    },
  };
}
