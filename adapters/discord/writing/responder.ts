/**
 * Answers the person who caused a Discord event, privately or publicly.
 * An interaction can be answered privately for 15 minutes, and later by direct message. A message can't, so the answer
 * goes below it, or behind a button if it is private.
 */

import type { Document } from "../../../src/core/document.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Responder } from "../../../src/core/ports/chat-platform.ts";
import { replacePosts } from "../../shared/posts.ts";
import { type DiscordPayload, renderWithin } from "../drawing/render.ts";
import { channelId, directWorkspace } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import { readId } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { discordCode, toPlatformError } from "./api-errors.ts";
import { type InteractionApi, messageBody, type Token, type Visibility } from "./interaction-api.ts";
import { sendDirectly } from "./permission-notices.ts";
import { postReply } from "./post-reply.ts";
import type { PrivateNotes } from "./private-notes.ts";

/** How an interaction was acknowledged. `updates`: its first response is the message with the button. */
export type AckState =
  | { readonly kind: "none" }
  | { readonly kind: "deferred"; readonly visibility: Visibility; readonly isShown: boolean }
  | { readonly kind: "updates"; readonly replacesSource: boolean }
  | { readonly kind: "modal" }
  | { readonly kind: "gone" };

/** Stands for the id of the first response. */
const firstResponse = "@";

export type InteractionState = { readonly token: Token; ack: AckState };

export function createInteractionResponder(
  options: DiscordParts & {
    readonly interactions: InteractionApi;
    readonly state: InteractionState;
    readonly userId: string;
    /** Only that person reads the channel. */
    readonly isAlone?: boolean;
  },
): Responder {
  const { state, userId, interactions, rest, clock, log } = options;
  const { token } = state;
  /** Ids of the messages sent so far. */
  let sent: readonly (string | undefined)[] = [];

  const sendFirst = async (payload: DiscordPayload, visibility: Visibility): Promise<string | undefined> => {
    const { ack } = state;
    switch (ack.kind) {
      case "none":
        await interactions.answer(token, payload, visibility);
        state.ack = { kind: "deferred", visibility, isShown: true };
        return firstResponse;
      case "deferred":
        if (ack.visibility === "public" && visibility === "private" && !ack.isShown) {
          // Visibility is fixed when deferring, so the public deferred reply is deleted.
          await interactions.removeFirst(token).catch(() => undefined);
          return interactions.followUp(token, payload, visibility);
        }
        await interactions.replaceFirst(token, payload);
        state.ack = { ...ack, isShown: true };
        return firstResponse;
      case "updates":
        if (!ack.replacesSource) return interactions.followUp(token, payload, visibility);
        await interactions.replaceFirst(token, payload);
        return firstResponse;
      case "modal":
        return interactions.followUp(token, payload, visibility);
      case "gone":
        await sendDirectly(rest, userId, token.interaction, [payload]);
        return undefined;
      default:
        return ack satisfies never;
    }
  };

  const put = (payloads: readonly DiscordPayload[], visibility: Visibility) =>
    replacePosts(sent, payloads, {
      edit: async (earlier, payload) => {
        if (earlier === firstResponse) await interactions.replaceFirst(token, payload);
        else await interactions.replaceFollowUp(token, earlier, payload);
        return true;
      },
      post: async (payload, index) => {
        if (index === 0) return sendFirst(payload, visibility);
        if (state.ack.kind !== "gone") return interactions.followUp(token, payload, visibility);
        await sendDirectly(rest, userId, `${token.interaction.slice(-17)}-${index}`, [payload]);
        return undefined;
      },
      remove: (surplus) => interactions.removeFollowUp(token, surplus),
    });

  return {
    hide: async () => {
      const { ack } = state;
      // Nobody else reads a private answer that came as a direct message.
      if (ack.kind !== "updates" || !(ack.replacesSource || options.isAlone === true)) return;
      await interactions
        .removeFirst(token)
        .catch((thrown: unknown) =>
          log.info({ code: discordCode(thrown) }, "A private message could not be hidden in Discord"),
        );
    },
    send: async (document, visibility) => {
      try {
        sent = await put(await renderWithin(document, clock), visibility);
      } catch (thrown) {
        await lastResort(thrown, document, visibility);
      }
    },
  };

  async function lastResort(thrown: unknown, document: Document, visibility: Visibility): Promise<void> {
    const error = toPlatformError(thrown);
    const fields = { err: error, code: discordCode(error), visibility };
    if (error.code !== "message_gone" || sent.length > 0) {
      log.warn(fields, "A person could not be answered in Discord");
      return;
    }
    state.ack = { kind: "gone" };
    try {
      await sendDirectly(rest, userId, token.interaction, await renderWithin(document, clock));
    } catch (again) {
      log.warn({ ...fields, directly: discordCode(again) }, "A person could not be answered in Discord, nor directly");
    }
  }
}

export function createMessageResponder(
  options: DiscordParts & {
    readonly place: Place;
    readonly messageId: string;
    readonly actor: Actor;
    readonly channels: Pick<Channels, "hasRights">;
    readonly privateNotes: PrivateNotes;
  },
): Responder {
  const { place, messageId, actor, rest, channels, privateNotes, clock, log } = options;
  const route = `/channels/${channelId(place)}/messages`;
  const isAlone = place.workspace === directWorkspace;
  let sent: readonly (string | undefined)[] = [];
  let posts = 0;
  let notes = 0;
  /** The private note behind the button that was sent. */
  let noteId: string | undefined;

  const put = async (payloads: readonly DiscordPayload[]) => {
    sent = await replacePosts(sent, payloads, {
      edit: async (earlier, payload) => {
        await rest.call("PATCH", `${route}/${earlier}`, { body: messageBody(payload) });
        return true;
      },
      post: async (payload, index) => {
        const nonce = `${messageId}-${posts}`.slice(-25);
        posts += 1;
        const repliesTo = index > 0 ? undefined : { messageId, isQuestion: true };
        const body = { ...messageBody(payload), nonce, enforce_nonce: true };
        return readId(await postReply({ rest, channels }, channelId(place), repliesTo, { body }));
      },
      remove: (surplus) => rest.call("DELETE", `${route}/${surplus}`),
    });
  };

  const sendPrivately = async (document: Document) => {
    if (noteId !== undefined) {
      if (await privateNotes.replace(noteId, actor.id, document)) return;
      // A note that was opened stays as it is; the next one gets its own button.
      sent = [];
    }
    notes += 1;
    noteId = `${messageId}-${actor.id}-${notes}`;
    await privateNotes.store(noteId, actor.id, document);
    await put([privateNotes.cover(actor, noteId)]);
  };

  return {
    send: async (document, visibility) => {
      // Another app presses no button.
      if (visibility === "private" && actor.isBot) return;
      try {
        if (visibility === "private" && !isAlone) return await sendPrivately(document);
        if (noteId !== undefined) await privateNotes.remove(noteId);
        await put(await renderWithin(document, clock));
      } catch (thrown) {
        const error = toPlatformError(thrown);
        // Deleted meanwhile: nobody waits for the answer.
        if (error.code === "thread_gone") return;
        log.warn({ err: error, code: discordCode(error) }, "A person could not be answered in Discord");
      }
    },
  };
}
