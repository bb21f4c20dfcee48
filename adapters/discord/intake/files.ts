/**
 * Downloads attachments from Discord and uploads files.
 * An attachment's URL is signed and expires, so it is fetched at once and without a token. A message can name any URL
 * as its file's, so only Discord's own hosts are fetched.
 */
import { ComponentType, MessageFlags } from "@discordjs/core";
import { ParleyError } from "../../../src/core/errors.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { fileSentences } from "../../../src/presentation/sentences.ts";
import { channelId } from "../ids.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { markNumber, nonceOf } from "../writing/post-marks.ts";
import { readId } from "./events.ts";

type Files = Pick<ChatPlatform, "openAttachment" | "uploadFile">;

const hosts: readonly string[] = ["cdn.discordapp.com", "media.discordapp.net"];

export function createFiles(options: DiscordParts & { readonly apiUrl: string }): Files {
  const { rest, apiUrl } = options;
  const own = new URL(apiUrl);
  const isDiscordUrl = (url: URL): boolean =>
    (url.protocol === "https:" && hosts.includes(url.hostname)) || url.origin === own.origin;

  return {
    openAttachment: async ({ reference, sizeBytes }, signal) => {
      if (!URL.canParse(reference) || !isDiscordUrl(new URL(reference)))
        throw unreadable(fileSentences.elsewhere("Discord"));
      try {
        const response = await fetch(reference, { redirect: "error", signal });
        if (!response.ok || response.body === null) {
          await response.body?.cancel();
          throw unreadable(
            response.status === 404 || response.status === 403
              ? "its link has expired"
              : fileSentences.answered("Discord", response.status),
          );
        }
        return bounded(response.body, sizeBytes);
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

/** Stops reading a file that is larger than announced. */
async function* bounded(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > sizeBytes) throw unreadable(`it's larger than Discord said`);
    yield chunk;
  }
}

function unreadable(why: string): ParleyError {
  return new ParleyError("platform_refused", {
    what: fileSentences.unreadable(why),
    hint: fileSentences.attachAgain,
  });
}
