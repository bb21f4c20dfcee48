/**
 * Calls Discord's API to answer interactions.
 * The calls use the interaction's token, so they work even where Parley can't write. The first response must come
 * within 3 s.
 */
import { type APIModalInteractionResponseCallbackData, InteractionResponseType, MessageFlags } from "discord.js";
import { present } from "../../../src/ports/tools/present.ts";
import type { Rest } from "../connection/clients.ts";
import type { DiscordPayload } from "../drawing/render.ts";
import { readId } from "../intake/events.ts";
import { alreadyAcknowledged, discordCode } from "./api-errors.ts";

/** An interaction that can be answered by its token. */
export type Token = { readonly interaction: string; readonly application: string; readonly token: string };

export type Visibility = "private" | "public";

export type InteractionApi = ReturnType<typeof createInteractionApi>;

/** The body of every message. It pings nobody but the person a notice is for, whatever the text. */
export function messageBody(payload: DiscordPayload, visibility: Visibility = "public") {
  return {
    components: payload.components,
    flags: MessageFlags.IsComponentsV2 | (visibility === "private" ? MessageFlags.Ephemeral : 0),
    allowed_mentions: { parse: [], ...present({ users: payload.notifies }), replied_user: false },
  };
}

export function createInteractionApi(rest: Rest) {
  const callback = async ({ interaction, token }: Token, type: InteractionResponseType, data?: unknown) => {
    try {
      await rest.call("POST", `/interactions/${interaction}/${token}/callback`, {
        body: present({ type, data }),
        isPublic: true,
      });
      return true;
    } catch (thrown) {
      if (discordCode(thrown) !== alreadyAcknowledged) throw thrown;
      return false;
    }
  };
  const message = ({ application, token }: Token, id: string) => `/webhooks/${application}/${token}/messages/${id}`;
  const first = encodeURIComponent("@original");
  const ephemeral = (visibility: Visibility) => (visibility === "private" ? MessageFlags.Ephemeral : 0);

  return {
    /** This and the callbacks below resolve with false if another instance answered first. */
    defer: (token: Token, visibility: Visibility): Promise<boolean> =>
      callback(token, InteractionResponseType.DeferredChannelMessageWithSource, { flags: ephemeral(visibility) }),
    /** Acknowledges without a change to the button's message, which can be replaced later. */
    deferUpdate: (token: Token): Promise<boolean> => callback(token, InteractionResponseType.DeferredMessageUpdate),
    openModal: (token: Token, modal: APIModalInteractionResponseCallbackData): Promise<boolean> =>
      callback(token, InteractionResponseType.Modal, modal),
    answer: (token: Token, payload: DiscordPayload, visibility: Visibility): Promise<boolean> =>
      callback(token, InteractionResponseType.ChannelMessageWithSource, messageBody(payload, visibility)),
    /** Replaces the message with the button, or with the button that opened the modal. */
    update: (token: Token, payload: DiscordPayload): Promise<boolean> =>
      callback(token, InteractionResponseType.UpdateMessage, messageBody(payload)),
    choices: (token: Token, choices: readonly { name: string; value: string }[]): Promise<boolean> =>
      callback(token, InteractionResponseType.ApplicationCommandAutocompleteResult, { choices }),
    /** Replaces the first response, or the message whose button was pressed. Resolves with its id. */
    replaceFirst: async (token: Token, payload: DiscordPayload): Promise<string> => {
      const answer = await rest.call("PATCH", message(token, first), { body: messageBody(payload), isPublic: true });
      return readId(answer) ?? "";
    },
    removeFirst: async (token: Token): Promise<void> => {
      await rest.call("DELETE", message(token, first), { isPublic: true });
    },
    followUp: async (token: Token, payload: DiscordPayload, visibility: Visibility): Promise<string> => {
      const { application, token: secret } = token;
      const body = messageBody(payload, visibility);
      const answer = await rest.call("POST", `/webhooks/${application}/${secret}`, {
        body,
        isPublic: true,
        isOnce: true,
      });
      return readId(answer) ?? "";
    },
    replaceFollowUp: async (token: Token, messageId: string, payload: DiscordPayload): Promise<void> => {
      await rest.call("PATCH", message(token, messageId), { body: messageBody(payload), isPublic: true });
    },
    removeFollowUp: async (token: Token, messageId: string): Promise<void> => {
      await rest.call("DELETE", message(token, messageId), { isPublic: true });
    },
  };
}
