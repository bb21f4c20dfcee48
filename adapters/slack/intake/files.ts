/**
 * Downloads attachments from Slack and uploads files.
 * The bot's token is sent to Slack's own hosts only: a message can name any URL as its file's.
 */
import { z } from "zod";
import { type Attachment, maxPictureSide } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { type FileHost, openFile } from "../../shared/files.ts";
import type { BotToken, Clients } from "../connection/clients.ts";
import { threadTs } from "../ids.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import type { DirectMessages } from "../writing/direct-messages.ts";
import { markedName } from "../writing/post-marks.ts";
import type { RateLimiter } from "../writing/rate-limiter.ts";
import type { SlackFile } from "./events.ts";

export function attachmentOf(file: SlackFile): Attachment {
  return {
    id: file.id,
    name: file.name ?? file.title ?? file.id,
    // Slack sometimes calls what was recorded as sound a video.
    mediaType:
      file.subtype === "slack_audio" && file.mimetype?.startsWith("audio/") !== true
        ? "audio/mp4"
        : (file.mimetype ?? "application/octet-stream"),
    sizeBytes: file.size ?? 0,
    // Files of shared channels come without a URL and are looked up by id.
    reference: file.url_private_download ?? file.url_private ?? "",
    smaller: smallerPicture(file),
  };
}

function smallerPicture({ mimetype = "", original_w: width = 0, original_h: height = 0, ...file }: SlackFile) {
  if (!mimetype.startsWith("image/") || Math.max(width, height) <= maxPictureSide) return undefined;
  return file.thumb_1024 ?? file.thumb_960 ?? file.thumb_720;
}

type Files = Pick<ChatPlatform, "openAttachment" | "uploadFile">;

export function createFiles(options: {
  readonly clients: Clients;
  readonly limiter: RateLimiter;
  readonly directMessages: DirectMessages;
  readonly botToken: BotToken;
  readonly apiUrl: string;
}): Files {
  const { clients, limiter, directMessages, botToken } = options;
  const host: FileHost = {
    name: "Slack",
    hosts: ["slack.com", ".slack.com"],
    apiUrl: options.apiUrl,
    hint: "Tell your Parley admin.",
    // Without that scope Slack redirects to its sign-in page.
    refusal: (status) => (status >= 300 && status < 400 ? "the app lacks the scope files:read" : undefined),
  };

  const urlOf = async (attachment: Attachment): Promise<string> => {
    if (attachment.reference !== "") return attachment.reference;
    const { file } = await clients.read.files.info({ file: attachment.id });
    return file?.url_private_download ?? file?.url_private ?? "";
  };

  return {
    openAttachment: async (attachment, _place, signal) => {
      try {
        const token = typeof botToken === "string" ? botToken : await botToken();
        const headers = { authorization: `Bearer ${token}` };
        return await openFile(host, await urlOf(attachment), { headers, redirect: "manual", signal: signal ?? null });
      } catch (thrown) {
        signal?.throwIfAborted();
        throw toPlatformError(thrown);
      }
    },

    uploadFile: async (place, file, mark) => {
      const thread = threadTs(place);
      const filename = mark === undefined ? file.name : markedName(file.name, mark);
      try {
        await limiter.wait(place.channel);
        const uploaded = await clients.final.files.uploadV2({
          channel_id: (await directMessages.resolve(place)).channel,
          filename,
          title: filename,
          file: Buffer.from(file.content),
          thread_ts: thread,
        } as Parameters<typeof clients.final.files.uploadV2>[0]);
        return uploadedId(uploaded) ?? "";
      } catch (thrown) {
        throw toPlatformError(thrown);
      }
    },
  };
}

/** Not described by the library's types. */
const uploadedSchema = z.object({ files: z.array(z.object({ files: z.array(z.object({ id: z.string() })) })) });

function uploadedId(answer: unknown): string | undefined {
  return uploadedSchema.safeParse(answer).data?.files[0]?.files[0]?.id;
}
