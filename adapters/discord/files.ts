/**
 * Files in and out. An attachment's address is signed and expires, so it is fetched at once and without any token; a
 * message may name any address as its file's, so only Discord's own are fetched.
 */
import { ParleyError } from "../../src/bridge/errors.ts";
import type { ChatPlatform } from "../../src/bridge/ports/chat-platform.ts";
import { toPlatformError } from "./api-errors.ts";
import type { Rest } from "./clients.ts";
import { channelId } from "./ids.ts";

type Files = Pick<ChatPlatform, "openAttachment" | "uploadFile">;

const hosts: readonly string[] = ["cdn.discordapp.com", "media.discordapp.net"];

export function createFiles(options: { readonly rest: Rest; readonly apiUrl: string }): Files {
  const { rest, apiUrl } = options;
  const own = new URL(apiUrl);
  const isDiscordAddress = (url: URL): boolean =>
    (url.protocol === "https:" && hosts.includes(url.hostname)) || url.origin === own.origin;

  return {
    openAttachment: async ({ reference, sizeBytes }, signal) => {
      if (!URL.canParse(reference) || !isDiscordAddress(new URL(reference)))
        throw unreadable("it is not kept by Discord");
      try {
        const response = await fetch(reference, { redirect: "error", ...(signal === undefined ? {} : { signal }) });
        if (!response.ok || response.body === null) {
          await response.body?.cancel();
          throw unreadable(
            response.status === 404 || response.status === 403
              ? "its address has expired"
              : `Discord answered ${response.status}`,
          );
        }
        return bounded(response.body, sizeBytes);
      } catch (thrown) {
        signal?.throwIfAborted();
        throw toPlatformError(thrown);
      }
    },

    uploadFile: async (place, { name, content, mediaType }) => {
      await rest.call("POST", `/channels/${channelId(place)}/messages`, {
        body: { attachments: [{ id: 0, filename: name }], allowed_mentions: { parse: [] } },
        files: [{ name, data: Buffer.from(content), contentType: mediaType }],
        isOnce: true,
      });
    },
  };
}

/** What is larger than it claimed to be is not read further. */
async function* bounded(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > sizeBytes) throw unreadable("it is larger than Discord said");
    yield chunk;
  }
}

function unreadable(why: string): ParleyError {
  return new ParleyError("platform_refused", {
    what: `The file cannot be read: ${why}.`,
    hint: "Attach it again.",
  });
}
