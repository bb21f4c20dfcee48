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
import type { Token } from "./deferred-replies.ts";

export type Visibility = "private" | "public";

export type InteractionApi = {
  /** This and the callbacks below resolve with false if another instance answered first. */
  readonly defer: (token: Token, visibility: Visibility) => Promise<boolean>;
  /** Acknowledges without a change to the button's message, which can be replaced later. */
  readonly deferUpdate: (token: Token) => Promise<boolean>;
  readonly openModal: (token: Token, modal: APIModalInteractionResponseCallbackData) => Promise<boolean>;
  readonly answer: (token: Token, payload: DiscordPayload, visibility: Visibility) => Promise<boolean>;
  /** Replaces the message with the button, or with the button that opened the modal. */
  readonly update: (token: Token, payload: DiscordPayload) => Promise<boolean>;
  readonly choices: (token: Token, choices: readonly { name: string; value: string }[]) => Promise<boolean>;
  /** Replaces the first response, or the message whose button was pressed. Resolves with its id. */
  readonly replaceFirst: (token: Token, payload: DiscordPayload) => Promise<string>;
  readonly removeFirst: (token: Token) => Promise<void>;
  readonly followUp: (token: Token, payload: DiscordPayload, visibility: Visibility) => Promise<string>;
  readonly replaceFollowUp: (token: Token, messageId: string, payload: DiscordPayload) => Promise<void>;
  readonly removeFollowUp: (token: Token, messageId: string) => Promise<void>;
};

/** The body of every message. It pings nobody, whatever the text. */
export function messageBody(payload: DiscordPayload, visibility: Visibility = "public") {
  return {
    components: payload.components,
    flags: MessageFlags.IsComponentsV2 | (visibility === "private" ? MessageFlags.Ephemeral : 0),
    allowed_mentions: { parse: [], replied_user: false },
  };
}

export function createInteractionApi(rest: Rest): InteractionApi {
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
    defer: (token, visibility) =>
      callback(token, InteractionResponseType.DeferredChannelMessageWithSource, { flags: ephemeral(visibility) }),
    deferUpdate: (token) => callback(token, InteractionResponseType.DeferredMessageUpdate),
    openModal: (token, modal) => callback(token, InteractionResponseType.Modal, modal),
    answer: (token, payload, visibility) =>
      callback(token, InteractionResponseType.ChannelMessageWithSource, messageBody(payload, visibility)),
    update: (token, payload) => callback(token, InteractionResponseType.UpdateMessage, messageBody(payload)),
    choices: (token, choices) =>
      callback(token, InteractionResponseType.ApplicationCommandAutocompleteResult, { choices }),
    replaceFirst: async (token, payload) => {
      const answer = await rest.call("PATCH", message(token, first), { body: messageBody(payload), isPublic: true });
      return readId(answer) ?? "";
    },
    removeFirst: async (token) => {
      await rest.call("DELETE", message(token, first), { isPublic: true });
    },
    followUp: async (token, payload, visibility) => {
      const { application, token: secret } = token;
      const body = messageBody(payload, visibility);
      const answer = await rest.call("POST", `/webhooks/${application}/${secret}`, {
        body,
        isPublic: true,
        isOnce: true,
      });
      return readId(answer) ?? "";
    },
    replaceFollowUp: async (token, messageId, payload) => {
      await rest.call("PATCH", message(token, messageId), { body: messageBody(payload), isPublic: true });
    },
    removeFollowUp: async (token, messageId) => {
      await rest.call("DELETE", message(token, messageId), { isPublic: true });
    },
  };
}
