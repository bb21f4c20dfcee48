/**
 * Downloads attachments from Discord and uploads files.
 * An attachment's URL is signed and expires, so it is fetched at once and without a token. A message can name any URL
 * as its file's, so only Discord's own hosts are fetched.
 */
import { ComponentType, MessageFlags } from "@discordjs/core";
import { ParleyError } from "../../../src/core/errors.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { fileSentences } from "../../../src/presentation/sentences.ts";
import { type FileHost, openFile } from "../../shared/files.ts";
import { channelId } from "../ids.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { markNumber, nonceOf } from "../writing/post-marks.ts";
import { readId } from "./events.ts";

type Files = Pick<ChatPlatform, "openAttachment" | "uploadFile">;

export function createFiles(options: DiscordParts & { readonly apiUrl: string }): Files {
  const { rest, apiUrl } = options;
  const host: FileHost = {
    name: "Discord",
    hosts: ["cdn.discordapp.com", "media.discordapp.net"],
    apiUrl,
    hint: fileSentences.attachAgain,
    refusal: (status) => (status === 404 || status === 403 ? "its link has expired" : undefined),
  };

  return {
    openAttachment: async ({ reference, sizeBytes }, _place, signal) => {
      try {
        return await openFile(host, reference, { redirect: "error", signal: signal ?? null, sizeBytes });
      } catch (thrown) {
        signal?.throwIfAborted();
        throw toPlatformError(thrown);
      }
    },

    uploadFile: async (place, { name, content, mediaType }, mark) => {
      const route = `/channels/${channelId(place)}/messages`;
      const files = [{ name, data: Buffer.from(content), contentType: mediaType }];
      const attached = {
        attachments: [{ id: "0", filename: name }],
        allowed_mentions: { parse: [], replied_user: false },
      };
      if (mark === undefined) {
        return readId(await rest.call("POST", route, { body: attached, files, isOnce: true })) ?? "";
      }
      // A part of a Reply: with components, because they keep a mark, and with a nonce, so that it is posted once.
      const components = [{ type: ComponentType.File, id: markNumber(mark), file: { url: `attachment://${name}` } }];
      const posted = await rest.call("POST", route, {
        body: {
          ...attached,
          components,
          flags: MessageFlags.IsComponentsV2,
          nonce: nonceOf(mark),
          enforce_nonce: true,
        },
        files,
        isUrgent: true,
      });
      const messageId = readId(posted);
      if (messageId === undefined) throw new ParleyError("platform_unreachable");
      return messageId;
    },
  };
}
