/**
 * Calls Discord's API to answer interactions.
 * The calls use the interaction's token, so they work even where Parley can't write. The first response must come
 * within 3 s.
 */
import { InteractionResponseType, MessageFlags } from "@discordjs/core";
import type { APIModalInteractionResponseCallbackData } from "discord.js";
import type { Call, Rest } from "../connection/clients.ts";
import type { DiscordPayload } from "../drawing/render.ts";
import { readId } from "../intake/events.ts";
import { alreadyAcknowledged, discordCode } from "./api-errors.ts";
import type { AttachedPictures, OnLess, Version } from "./attached-pictures.ts";

/** An interaction that can be answered by its token. */
export type Token = { readonly interaction: string; readonly application: string; readonly token: string };

export type Visibility = "private" | "public";

export type How = Pick<Call, "signal" | "isImpatient"> & { readonly onLess?: OnLess };

export type InteractionApi = ReturnType<typeof createInteractionApi>;

/**
 * The body of every message. It pings nobody but the person a notice is for, whatever the text. Files that it doesn't
 * name are removed by an edit.
 */
export function messageBody(
  {
    components,
    notifies,
    attachments = [],
  }: Pick<Version, "components" | "notifies"> & Partial<Pick<Version, "attachments">>,
  visibility: Visibility = "public",
) {
  return {
    components,
    flags: MessageFlags.IsComponentsV2 | (visibility === "private" ? MessageFlags.Ephemeral : 0),
    allowed_mentions: { parse: [], users: notifies, replied_user: false },
    attachments,
  };
}

export function createInteractionApi(rest: Rest, pictures: AttachedPictures) {
  const callback = async (
    { interaction, token }: Token,
    type: InteractionResponseType,
    data?: unknown,
    files?: Call["files"],
  ) => {
    try {
      await rest.call("POST", `/interactions/${interaction}/${token}/callback`, {
        body: { type, data },
        isPublic: true,
        files,
      });
      return true;
    } catch (thrown) {
      if (discordCode(thrown) !== alreadyAcknowledged) throw thrown;
      return false;
    }
  };
  const message = ({ application, token }: Token, id: string) => `/webhooks/${application}/${token}/messages/${id}`;
  /** Answers with a message. */
  const say = (token: Token, type: InteractionResponseType, payload: DiscordPayload, visibility: Visibility) =>
    pictures.send(payload, (version) => callback(token, type, messageBody(version, visibility), version.files));
  /** `messageId`: what "@original" is, if known. */
  const replace = (token: Token, id: string, payload: DiscordPayload, how: How = {}, messageId?: string) => {
    const { onLess, ...call } = how;
    const send = (version: Version) =>
      rest.call("PATCH", message(token, id), {
        ...call,
        body: messageBody(version),
        isPublic: true,
        files: version.files,
      });
    return pictures.send(payload, send, { messageId, onLess });
  };
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
    answer: async (token: Token, payload: DiscordPayload, visibility: Visibility): Promise<boolean> =>
      (await say(token, InteractionResponseType.ChannelMessageWithSource, payload, visibility)) === true,
    /** Replaces the message with the button, or with the button that opened the modal. */
    update: async (token: Token, payload: DiscordPayload): Promise<boolean> =>
      (await say(token, InteractionResponseType.UpdateMessage, payload, "public")) === true,
    choices: (token: Token, choices: readonly { name: string; value: string }[]): Promise<boolean> =>
      callback(token, InteractionResponseType.ApplicationCommandAutocompleteResult, { choices }),
    /** Replaces the first response, or the message whose button was pressed. Resolves with its id. */
    replaceFirst: async (token: Token, payload: DiscordPayload, how?: How, messageId?: string): Promise<string> => {
      const answer = await replace(token, first, payload, how, messageId);
      return readId(answer) ?? "";
    },
    removeFirst: async (token: Token): Promise<void> => {
      await rest.call("DELETE", message(token, first), { isPublic: true });
    },
    followUp: async (
      token: Token,
      payload: DiscordPayload,
      visibility: Visibility,
      { onLess, ...call }: How = {},
    ): Promise<string> => {
      const { application, token: secret } = token;
      const send = (version: Version) =>
        rest.call("POST", `/webhooks/${application}/${secret}`, {
          ...call,
          body: messageBody(version, visibility),
          isPublic: true,
          isOnce: true,
          files: version.files,
        });
      const answer = await pictures.send(payload, send, { onLess });
      return readId(answer) ?? "";
    },
    replaceFollowUp: async (token: Token, messageId: string, payload: DiscordPayload, how?: How): Promise<void> => {
      await replace(token, messageId, payload, how, messageId);
    },
    removeFollowUp: async (token: Token, messageId: string): Promise<void> => {
      await rest.call("DELETE", message(token, messageId), { isPublic: true });
    },
  };
}
